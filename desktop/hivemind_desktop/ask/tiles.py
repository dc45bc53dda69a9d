"""The memories of a question as tiles to tick, and the strip that holds them: first "will be sent", then "was sent"."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFrame, QGridLayout, QSizePolicy, QWidget

from hivemind.domain.ask import PreparedQuestion, RecalledCard
from hivemind_desktop.theme import colors, font, paint_icon, px
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import day, memories, number, vendor
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line, plain_tip

#: Least width of a tile, px at 100 %.
_TILE, _TALL = 150, 92


class CardTile(QAbstractButton):
    """One memory. Ticked: it goes along. Space or a press turns it."""

    def __init__(self, card: RecalledCard) -> None:
        super().__init__()
        self.card = card
        self.setCheckable(True)
        self.setChecked(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._day = day(f"{card.day}T12:00:00.000Z")
        source = vendor(card.source_name) or self.tr("saved here")
        self._source = one_line(source, 60)
        self.setToolTip(plain_tip(card.text))
        self.toggled.connect(lambda _on: self._name())
        self._name()

    def _name(self) -> None:
        state = self.tr("is sent") if self.isChecked() else self.tr("left out")
        name = fill(self.tr("Memory %1, %2: %3"), self.card.number, state, one_line(self.card.text, 200))
        self.setAccessibleName(name)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(px(_TILE), px(_TALL))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on, edge = self.isChecked(), QRectF(self.rect()).adjusted(1, 1, -1, -1)
        pen = QPen(QColor(c.honey_edge), 2) if self.hasFocus() else QPen(QColor(c.line if on else c.border), 1)
        if not on and not self.hasFocus():
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(QColor(c.hover if self.underMouse() else c.surface) if on else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(edge, 8, 8)
        self._paint_head(painter, edge)
        self._paint_words(painter, edge)

    def _paint_head(self, painter: QPainter, edge: QRectF) -> None:
        c, on = colors(), self.isChecked()
        painter.setFont(font("caption"))
        metrics = QFontMetricsF(painter.font())
        top, tall = edge.top() + 8, max(18.0, metrics.height() + 2)
        sign = str(self.card.number) if on else self.tr("left out")
        wide = metrics.horizontalAdvance(sign) + (10 if on else 0)
        box = QRectF(edge.left() + 10, top, wide, tall)
        if on:
            painter.setPen(QPen(QColor(c.border), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 5, 5)
        painter.setPen(QColor(c.honey_text if on else c.text_faint))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, sign)
        painter.setPen(QColor(c.text_faint))
        tick = QRectF(edge.right() - 26, top + (tall - 16) / 2, 16, 16)
        words = QRectF(box.right() + 7, top, tick.left() - box.right() - 12, tall)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self._fitting(metrics, self._day, words.width()))
        painter.setPen(QPen(QColor(c.honey_edge if on else c.border), 1))
        painter.setBrush(QColor(c.honey) if on else QColor(c.surface))
        painter.drawRoundedRect(tick, 4, 4)
        if on:
            paint_icon(painter, "check", c.on_honey, tick.adjusted(2, 2, -2, -2), 2.5)

    def _paint_words(self, painter: QPainter, edge: QRectF) -> None:
        c, on = colors(), self.isChecked()
        painter.setFont(font("label", 600 if on else 0))
        metrics = QFontMetricsF(painter.font())
        wide = edge.width() - 20
        first, rest = _split(one_line(self.card.text, 200), metrics, wide)
        painter.setPen(QColor(c.text if on else c.text_soft))
        top = edge.top() + 8 + 22
        for words in (first, rest):
            painter.drawText(
                QRectF(edge.left() + 10, top, wide, metrics.height()),
                Qt.AlignmentFlag.AlignVCenter,
                self._fitting(metrics, words, wide),
            )
            top += metrics.height() + 1
        painter.setFont(font("caption"))
        small = QFontMetricsF(painter.font())
        painter.setPen(QColor(c.text_faint))
        foot = QRectF(edge.left() + 10, edge.bottom() - small.height() - 6, wide, small.height())
        painter.drawText(foot, Qt.AlignmentFlag.AlignVCenter, self._fitting(small, self._source, wide))

    @staticmethod
    def _fitting(metrics: QFontMetricsF, words: str, wide: float) -> str:
        return metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0.0, wide))


def _split(words: str, metrics: QFontMetricsF, wide: float) -> tuple[str, str]:
    """The words that fit into a first line, and the rest."""
    kept = ""
    parts = words.split(" ")
    for place, part in enumerate(parts):
        if kept and metrics.horizontalAdvance(f"{kept} {part}") > wide:
            return kept, " ".join(parts[place:])
        kept = f"{kept} {part}".strip()
    return kept, ""


class RecallStrip(QFrame):
    """What would be sent, with a tick each. After sending it is the record of it and no longer turns."""

    changed = Signal()

    def __init__(self, prepared: PreparedQuestion) -> None:
        super().__init__()
        self.setProperty("look", "well")
        self._prepared = prepared
        self.tiles = [CardTile(card) for card in prepared.recalled.cards]
        self._sent = False
        self._columns = 0
        self._count = ElidedLabel("", "label")
        self._facts = ElidedLabel("", "caption", "faint")
        self.fold = Button(self.tr("Fold"), "link", "chevron-down", on_click=self._turn, trailing=True)
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._place = QWidget()
        self._place.setLayout(self._grid)
        head = row(Icon("layers", "text_soft", 14), self._count, (self._facts, 1), self.fold, gap=8)
        self._held = ElidedLabel("", "caption", "faint")
        self.setLayout(column(head, self._place, self._held, gap=7, margins=(12, 8, 12, 10)))
        for tile in self.tiles:
            tile.toggled.connect(lambda _on: self._tell())
        self._tell()

    def chosen(self) -> frozenset[int]:
        """Numbers of the ticked ones."""
        return frozenset(tile.card.number for tile in self.tiles if tile.isChecked())

    def set_sent(self) -> None:
        """It was sent: what is shown now stays as it was."""
        self._sent = True
        for tile in self.tiles:
            tile.setEnabled(False)
        self._tell()
        self.set_folded(True)

    def set_folded(self, folded: bool) -> None:
        self._place.setVisible(not folded and bool(self.tiles))
        self._held.setVisible(not folded and bool(self._held.full_text()))
        self.fold.set_words(self.tr("Show") if folded else self.tr("Fold"))
        self.fold.setVisible(bool(self.tiles))

    @property
    def is_folded(self) -> bool:
        return self._place.isHidden()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(max(1, min(5, (self.width() - 24 + 8) // (px(_TILE) + 8))))

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for place, tile in enumerate(self.tiles):
            self._grid.addWidget(tile, place // columns, place % columns)
        for at in range(5):
            self._grid.setColumnStretch(at, 1 if at < columns else 0)

    def _turn(self) -> None:
        self.set_folded(not self.is_folded)

    def _tell(self) -> None:
        kept, prepared = len(self.chosen()), self._prepared
        words = self.tr("%1 sent") if self._sent else self.tr("%1 will be sent")
        self._count.set_full_text(fill(words, memories(kept)))
        facts = [
            fill(self.tr("about %1 tokens"), number(prepared.tokens)),
            fill(self.tr("to %1 on this computer") if prepared.local else self.tr("to %1"), prepared.provider_label),
        ]
        if prepared.earlier == 1:
            facts.append(self.tr("with the question before and its answer"))
        elif prepared.earlier:
            facts.append(fill(self.tr("with %1 earlier questions and answers"), number(prepared.earlier)))
        if left := len(self.tiles) - kept:
            facts.append(fill(self.tr("%1 left out by you"), number(left)))
        self._facts.set_full_text(" · ".join(facts))
        held = len(prepared.recalled.held)
        told = [fill(self.tr("%1 held back: they read like orders to an AI."), memories(held))] if held else []
        told += [prepared.recalled.degraded] if prepared.recalled.degraded else []
        self._held.set_full_text(" ".join(told))
        self._held.setVisible(bool(told))
        self.changed.emit()
