"""Small painted signs: icons, badges, bars, letter tiles, the hexagon of a mind, the disc of an entity."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from hivemind_desktop.theme import colors, font, paint_icon, px
from hivemind_desktop.theme.tokens import ENTITY, ON_ENTITY, RADIUS

from .words import one_line

BadgeTone = Literal["ok", "warn", "danger", "info", "honey", "neutral"]

_FIXED = QSizePolicy.Policy.Fixed
_CENTER = Qt.AlignmentFlag.AlignCenter


def _painter(widget: QWidget) -> QPainter:
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


class Icon(QWidget):
    """Decoration beside words. Takes its colour from a token at paint time, so a theme switch needs nothing."""

    def __init__(self, name: str, ink: str = "text_soft", size: int = 16, tile: str = "") -> None:
        """ink and tile are token names; a tile is the rounded ground behind the icon."""
        super().__init__()
        self._name, self._ink, self._size, self._tile = name, ink, size, tile
        side = size + 16 if tile else size
        self.setFixedSize(side, side)

    def set_icon(self, name: str, ink: str) -> None:
        self._name, self._ink = name, ink
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = _painter(self)
        if self._tile:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors().of(self._tile)))
            painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        inset = (self.width() - self._size) / 2
        paint_icon(painter, self._name, colors().of(self._ink), QRectF(inset, inset, self._size, self._size))


def badge_size(text: str, icon_name: str = "") -> QSize:
    """Room a badge needs, px."""
    words = QFontMetricsF(font("caption")).horizontalAdvance(text)
    return QSize(int(words + 15 + (16 if icon_name else 0)), px(20))


def paint_badge(painter: QPainter, rect: QRectF, text: str, icon_name: str, tone: BadgeTone) -> None:
    c = colors()
    if tone == "neutral":
        ink, tint = c.text_soft, c.sunken
    elif tone == "honey":
        ink, tint = c.honey_text, c.honey_tint
    else:
        ink, tint = c.of(tone), c.of(f"{tone}_tint")
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(tint))
    painter.drawRoundedRect(rect, RADIUS["chip"], RADIUS["chip"])
    left = rect.left() + 7
    if icon_name:
        paint_icon(painter, icon_name, ink, QRectF(left - 1, rect.center().y() - 6.5, 13, 13), 2.0)
        left += 16
    painter.setPen(QColor(ink))
    painter.setFont(font("caption"))
    words = QRectF(left, rect.top(), rect.right() - left, rect.height())
    painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class Badge(QWidget):
    """A state as icon + word on a tint."""

    def __init__(self, text: str, icon_name: str = "", tone: BadgeTone = "neutral") -> None:
        super().__init__()
        self.setSizePolicy(_FIXED, _FIXED)
        self.set_state(text, icon_name, tone)

    def set_state(self, text: str, icon_name: str, tone: BadgeTone) -> None:
        self._text, self._icon, self._tone = one_line(text, 60), icon_name, tone
        self.setAccessibleName(self._text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return badge_size(self._text, self._icon)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_badge(_painter(self), QRectF(self.rect()), self._text, self._icon, self._tone)


class Bar(QProgressBar):
    """Progress or share, 0 to 1, or None while the end is not known. Always stands beside a number."""

    STEPS = 10_000

    def __init__(self, name: str, value: float | None = 0.0, height: int = 6) -> None:
        """name: what is measured, for screen readers."""
        super().__init__()
        self.setAccessibleName(name)
        self.setTextVisible(False)
        self.setRange(0, self.STEPS)
        self.setFixedHeight(height)
        self.setMinimumWidth(40)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, _FIXED)
        self.set_share(value)

    def set_share(self, value: float | None) -> None:
        self._known = value is not None
        share = min(1.0, max(0.0, value or 0.0))
        # QProgressBar paints at once in setValue; switched off and on again it is painted with everything else.
        self.setUpdatesEnabled(False)
        self.setValue(round(share * self.STEPS))
        self.setUpdatesEnabled(True)

    def share(self) -> float | None:
        return self.value() / self.STEPS if self._known else None

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        c, painter = colors(), _painter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        rect, half = QRectF(self.rect()), self.height() / 2
        painter.setBrush(QColor(c.line))
        painter.drawRoundedRect(rect, half, half)
        share = self.value() / self.STEPS
        if not share:
            return
        end = max(float(self.height()), rect.width() * share)
        left = rect.width() - end if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else 0.0
        painter.setBrush(QColor(c.honey))
        painter.drawRoundedRect(QRectF(left, 0, end, rect.height()), half, half)
        # The end itself stands out 3:1 from page and trough.
        tip = left if left else end - 3
        painter.setBrush(QColor(c.honey_edge))
        painter.drawRoundedRect(QRectF(tip, 0, 3, rect.height()), 1.5, 1.5)


class Monogram(QWidget):
    """A letter tile for a vendor: recognisable without using anyone's logo."""

    def __init__(self, letter: str, size: int = 28) -> None:
        super().__init__()
        self._letter = letter[:1].upper()
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = _painter(self)
        painter.setPen(QPen(QColor(colors().line), 1))
        painter.setBrush(QColor(colors().sunken))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 7, 7)
        painter.setPen(QColor(colors().text_soft))
        painter.setFont(font("label", 600))
        painter.drawText(self.rect(), _CENTER, self._letter)


def paint_mind(painter: QPainter, rect: QRectF, name: str, color: str = "") -> None:
    """The hexagon of a mind with its initial. color: one of the entity palette, '' for honey."""
    paint_icon(painter, "hexagon-filled", color or colors().honey, rect, 1.5)
    painter.setPen(QColor(ON_ENTITY if color else colors().on_honey))
    painter.setFont(font("label" if rect.width() > 23 else "caption", 600))
    painter.drawText(rect, _CENTER, one_line(name)[:1].upper())


class MindMark(QWidget):
    """The hexagon of a mind. Always stands beside the name."""

    def __init__(self, name: str, color: str = "", size: int = 22) -> None:
        super().__init__()
        self._name, self._color = name, color
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_mind(_painter(self), QRectF(self.rect()), self._name, self._color)


class KindDot(QWidget):
    """An entity type as disc, colour and icon. Always stands beside a name."""

    def __init__(self, kind: str, size: int = 20) -> None:
        """kind: a key of tokens.ENTITY; anything newer is drawn as a concept."""
        super().__init__()
        self._look = ENTITY.get(kind, ENTITY["concept"])
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, rect = _painter(self), QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._look.color))
        painter.drawEllipse(rect)
        inset = rect.width() * 0.23
        paint_icon(painter, self._look.icon, ON_ENTITY, rect.adjusted(inset, inset, -inset, -inset), 2.25)
