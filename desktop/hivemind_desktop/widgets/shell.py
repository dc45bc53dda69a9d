"""Parts of the window around a page: page header, banner, job row, status bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QWidget

from hivemind_desktop.theme import colors, figures, paint_icon, px

from .labels import ElidedLabel, label
from .layouts import column, paint_ground, row
from .marks import Bar, Icon
from .words import one_line, plain_tip

BannerTone = Literal["ok", "warn", "danger", "info", "honey"]

BANNER_ICON = {
    "ok": "circle-check",
    "warn": "triangle-alert",
    "danger": "octagon-alert",
    "info": "info",
    "honey": "info",
}


class PageHeader(QWidget):
    """Title, faint facts beside it, actions right. At most one action is primary."""

    def __init__(self, title: str, facts: str = "", *actions: QWidget) -> None:
        super().__init__()
        self._facts = ElidedLabel(facts, "label", "faint")
        self.setLayout(row(label(title, "title"), 4, (self._facts, 1), *actions, gap=8, margins=(24, 16, 24, 10)))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_facts(self, facts: str) -> None:
        self._facts.set_full_text(facts)


class Banner(QFrame):
    """One sentence on a tint: what happened, what is safe, what to do. Pushes the content down."""

    def __init__(self, tone: BannerTone, text: str, *actions: QWidget, icon_name: str = "") -> None:
        super().__init__()
        self.setProperty("look", f"banner-{tone}")
        self._words = label(text, wrap=True)
        ink = "honey_text" if tone == "honey" else tone
        sign = Icon(icon_name or BANNER_ICON[tone], ink)
        self.setLayout(row(sign, (self._words, 1), *actions, gap=10, margins=(12, 7, 14, 7)))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        self._words.setText(text)
        self.setAccessibleName(text)


class JobRow(QWidget):
    """One running job, the same in the status bar's popover and on its page."""

    def __init__(self, icon_name: str, title: str, *actions: QWidget) -> None:
        super().__init__()
        self._facts = ElidedLabel("", "label", "faint")
        self._bar = Bar(title, 0.0, height=4)
        words = QWidget()
        words.setLayout(column(ElidedLabel(title, "strong"), self._facts, gap=0))
        self.setLayout(column(row(Icon(icon_name), (words, 1), *actions, gap=10), self._bar, gap=6))

    def set_progress(self, share: float | None, facts: str) -> None:
        """share: 0 to 1, None while the end is not known. facts: such as `41,208 of 84,210`."""
        self._bar.set_share(share)
        self._facts.set_full_text(facts)


class StatusItem(QAbstractButton):
    """One fact in the status bar; a press opens its page. The words change with the state, not only the ink."""

    def __init__(self, icon_name: str, text: str, ink: str = "text_soft") -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_state(icon_name, text, ink)

    def set_state(self, icon_name: str, text: str, ink: str = "text_soft", *, tip: str = "") -> None:
        """ink: token of the icon. tip: more about it, such as the exact time."""
        self._icon, self._ink, self._words = icon_name, ink, one_line(text, 200)
        self.setAccessibleName(self._words)
        self.setToolTip(plain_tip(tip))
        self.updateGeometry()
        self.update()

    def words(self) -> str:
        return self._words

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(figures("caption")).horizontalAdvance(self._words)
        return QSize(int(words) + 32, max(24, px(24)))

    def minimumSizeHint(self) -> QSize:
        return QSize(48, self.sizeHint().height())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter, rect = colors(), QPainter(self), QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = self.hasFocus()
        if self.underMouse() or ring:
            painter.setPen(QPen(QColor(c.honey_edge), 2) if ring else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.hover) if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 5, 5)
        paint_icon(painter, self._icon, c.of(self._ink), QRectF(6, rect.center().y() - 6.5, 13, 13), 2)
        painter.setFont(figures("caption"))
        painter.setPen(QColor(c.text_soft))
        words = rect.adjusted(24, 0, -6, 0)
        shown = QFontMetricsF(painter.font()).elidedText(self._words, Qt.TextElideMode.ElideRight, words.width() + 1)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)


class StatusBar(QWidget):
    """Always in sight: how search works, what runs, what left the computer."""

    def __init__(self, left: Sequence[QWidget], right: Sequence[QWidget] = ()) -> None:
        super().__init__()
        paint_ground(self, "window")
        self.setAccessibleName(self.tr("Status"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setLayout(row(*left, None, *right, gap=6, margins=(8, 2, 8, 2)))
