"""Report: what goes into it at the left, its pages at the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from hivemind.domain.report_order import PagePicture, ReportOrder
from hivemind_desktop.theme import colors, px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, line, row, scrolling
from hivemind_desktop.widgets.switch import Switch
from hivemind_desktop.widgets.words import fill

FORM_WIDTH = 276
#: A tab narrower than this has the pages below the form's width.
WIDEST_PAGE = 860


class PagePaper(QWidget):
    """A page as it will be printed, with an edge that tells it from the ground."""

    def __init__(self) -> None:
        super().__init__()
        self._pixmap = QPixmap()

    def pixmap(self) -> QPixmap:
        return self._pixmap

    def set_pixmap(self, pixmap: QPixmap) -> None:
        self._pixmap = pixmap
        self.setFixedSize(pixmap.deviceIndependentSize().toSize())
        self.setVisible(not pixmap.isNull())
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._pixmap)
        painter.setPen(QColor(colors().line))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class ReportTab(QWidget):
    """`pages_asked` when the pages should be laid out."""

    pages_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pictures: list[PagePicture] = []
        self._pages = self._at = 0
        self.since, self.until = QLineEdit(), QLineEdit()
        for field, name in ((self.since, self.tr("First day")), (self.until, self.tr("Last day, included"))):
            field.setAccessibleName(name)
            field.setPlaceholderText("2026-06-30")
            field.setMaxLength(10)
        self.content = Switch(self.tr("With the texts of the sampled calls"))
        self.pages = Button(self.tr("Show the pages"), "", "eye", on_click=self.pages_asked.emit)
        form = column(
            label(self.tr("Period"), "strong"),
            label(self.tr("First day"), "caption", "faint"), self.since,
            label(self.tr("Last day, included"), "caption", "faint"), self.until,
            6, line(), 2,
            row((label(self.tr("With the texts of the sampled calls"), "label", wrap=True), 1), self.content.word,
                self.content, gap=8),
            label(self.tr("Without them the report tells what was recorded, not what was said."), "caption", "faint",
                  wrap=True),
            6, self.pages,
            label(self.tr("The report is a list of results of technical checks. Its limits stand on its first page."),
                  "caption", "faint", wrap=True),
            None, gap=5, margins=(24, 14, 16, 16),
        )  # fmt: skip
        held = QWidget()
        held.setLayout(form)
        left = scrolling(held)
        left.setFixedWidth(FORM_WIDTH)
        self.picture = PagePaper()
        self.words = label("", "label", "soft", wrap=True)
        self.previous = Button("", "quiet", "chevron-left", tip=self.tr("Page before"), on_click=lambda: self.turn(-1))
        self.next = Button("", "quiet", "chevron-right", tip=self.tr("Page after"), on_click=lambda: self.turn(1))
        self.where = ElidedLabel("", "label", "soft")
        paper = QWidget()
        paper.setLayout(column(self.words, row(None, self.picture, None), None, margins=(16, 12, 16, 16)))
        self._paper = scrolling(paper)
        right = column(row(self.previous, self.next, (self.where, 1), gap=4, margins=(12, 8, 16, 4)), (self._paper, 1))
        self.setLayout(row(left, line(vertical=True), (box(right), 1), gap=0))
        self.show_none()

    def order(self) -> ReportOrder:
        """What is asked for, as it is typed."""
        return ReportOrder(
            self.since.text().strip() or None, self.until.text().strip() or None, self.content.isChecked()
        )

    def show_period(self, since: str, until: str) -> None:
        """The days of the overview, where nothing was typed yet."""
        if not self.since.text() and not self.until.text():
            self.since.setText(since)
            self.until.setText(until)

    def show_none(self) -> None:
        self._pictures = []
        self.picture.set_pixmap(QPixmap())
        self.words.setText(self.tr("The pages are shown here before anything is saved."))
        self.words.show()
        self._say()

    def show_working(self) -> None:
        self.show_none()
        self.pages.setEnabled(False)
        self.pages.set_words(self.tr("Laying out"))
        self.words.setText(self.tr("The pages are being laid out. This takes some seconds."))

    def show_working_done(self) -> None:
        self.pages.setEnabled(True)
        self.pages.set_words(self.tr("Show the pages"))

    def show_pages(self, pages: int, pictures: Sequence[PagePicture]) -> None:
        """pages: of the whole report; only the first ones have pictures."""
        self._pages, self._pictures, self._at = pages, list(pictures), 0
        self._show()

    def turn(self, step: int) -> None:
        self._at = min(max(0, self._at + step), max(0, len(self._pictures) - 1))
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._pictures:
            self._show()

    def _show(self) -> None:
        if self._pictures:
            one = self._pictures[self._at]
            image = QImage(one.pixels, one.width, one.height, one.stride, QImage.Format.Format_RGB32).copy()
            ratio = self.devicePixelRatioF()
            width = min(px(WIDEST_PAGE), max(200, self._paper.width() - 48))
            shown = QPixmap.fromImage(image).scaledToWidth(
                int(min(width * ratio, image.width())), Qt.TransformationMode.SmoothTransformation
            )
            shown.setDevicePixelRatio(ratio)
            self.picture.set_pixmap(shown)
            self.words.hide()
        self._say()

    def _say(self) -> None:
        count = len(self._pictures)
        words = fill(self.tr("Page %1 of %2"), number(self._at + 1), number(self._pages)) if count else ""
        self.where.set_full_text(words)
        self.picture.setAccessibleName(words or self.words.text())
        self.previous.setEnabled(self._at > 0)
        self.next.setEnabled(self._at < count - 1)
