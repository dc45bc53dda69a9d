"""Where an export is dropped: a dashed field with a comb of cells, one full, the rest waiting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QFrame, QWidget

from hivemind_desktop.theme import colors, paint_icon
from hivemind_desktop.theme.tokens import RADIUS

from .labels import label
from .layouts import Item, column, row

#: Cells around the full one: steps right, steps down, strength.
_COMB = (
    (-2, 0, 0.25), (-1, 0, 0.55), (1, 0, 0.55), (2, 0, 0.25), (-1.5, -1, 0.12), (-0.5, -1, 0.35), (0.5, -1, 0.35),
    (1.5, -1, 0.12), (-1.5, 1, 0.12), (-0.5, 1, 0.35), (0.5, 1, 0.35), (1.5, 1, 0.12), (-3, 0, 0.08), (3, 0, 0.08),
    (-2.5, -1, 0.05), (2.5, -1, 0.05),
)  # fmt: skip
_RADIUS = 23.0
_CORNERS = ((0, -1), (0.866, -0.5), (0.866, 0.5), (0, 1), (-0.866, 0.5), (-0.866, -0.5))


def dropped_paths(event: QDropEvent) -> list[Path]:
    """Local files and folders of a drag; empty when it carries none."""
    urls = event.mimeData().urls() if event.mimeData().hasUrls() else []
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]


class DropZone(QFrame):
    """Takes files and folders. Dropping only announces them: the receiver looks before anything is saved."""

    dropped = Signal(list)  # list[Path]

    def __init__(self, title: str, sentence: str, *actions: QWidget, links: Sequence[QWidget] = ()) -> None:
        """actions: buttons below the words; the first one does the same by keyboard. links: quieter ways on."""
        super().__init__()
        self.setAcceptDrops(True)
        self.setAccessibleName(f"{title}. {sentence}")
        self._title, self._plain_title = label(title, "heading", wrap=True), title
        words = label(sentence, "body", "soft", wrap=True)
        for each in (self._title, words):
            each.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._over = False
        below: list[Item] = [4, row(None, *links, None, gap=18)] if links else []
        self.setLayout(
            column(
                134,
                self._title,
                words,
                6,
                row(None, *actions, None),
                *below,
                None,
                gap=4,
                margins=(20, 10, 20, 12),
            )
        )

    def show_drag(self, over: bool) -> None:
        """The whole window accepts drops; it tells the zone while something is held over it."""
        self._over = over
        self._title.setText(self.tr("Drop to look inside, nothing is saved yet") if over else self._plain_title)
        self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event):
            event.acceptProposedAction()
            self.show_drag(True)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:
        self.show_drag(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_drag(False)
        paths = dropped_paths(event)
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter = colors(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        pen = QPen(QColor(c.honey_edge if self._over else c.edge), 1.25)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(QColor(c.honey_tint if self._over else c.surface))
        radius = RADIUS["card"] + 2
        painter.drawRoundedRect(rect, radius, radius)
        clip = QPainterPath()
        clip.addRoundedRect(rect, radius, radius)
        painter.setClipPath(clip)
        self._paint_comb(painter, QPointF(rect.center().x(), 68))

    @staticmethod
    def _paint_comb(painter: QPainter, middle: QPointF) -> None:
        c = colors()
        step_x, step_y = _RADIUS * 1.732 + 4, _RADIUS * 1.5 + 3.4
        for x, y, strength in _COMB:
            painter.setPen(QPen(_thin(c.honey_edge, strength), 1.25))
            painter.setBrush(_thin(c.honey, strength * 0.16))
            painter.drawPolygon(_hexagon(QPointF(middle.x() + x * step_x, middle.y() + y * step_y)))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.honey))
        painter.drawPolygon(_hexagon(middle))
        paint_icon(painter, "download", c.on_honey, QRectF(middle.x() - 11, middle.y() - 11, 22, 22), 2.0)


def _hexagon(center: QPointF) -> QPolygonF:
    return QPolygonF([QPointF(center.x() + x * _RADIUS, center.y() + y * _RADIUS) for x, y in _CORNERS])


def _thin(color: str, alpha: float) -> QColor:
    result = QColor(color)
    result.setAlphaF(alpha)
    return result
