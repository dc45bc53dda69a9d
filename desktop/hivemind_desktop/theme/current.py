"""The theme in force: follows the system, can be fixed to light or dark, tells everyone who paints."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QLocale, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QIcon, QPainter
from PySide6.QtWidgets import QApplication

from .fonts import Fonts
from .icons import STROKE, Icons
from .stylesheet import palette, read_template, stylesheet
from .tokens import DARK, LIGHT, MOTION_MS, TEXT_PERCENT, Colors, Motion, Role

Choice = Literal["system", "light", "dark"]


#: The only style that obeys palette and sheet alike on all three systems.
STYLE = "Fusion"
#: Property of an application that was started with the style already (`-style`): cheaper than setting it.
STYLED = "styled"


class Theme(QObject):
    """Owns colours, fonts and icons. `changed` is emitted after colours or text size have changed."""

    changed = Signal()

    def __init__(self, app: QApplication, choice: Choice = "system", text_percent: int = 100) -> None:
        super().__init__(app)
        self._app = app
        self._template = read_template()
        self._fonts = Fonts(QLocale().name())
        self._icons = Icons()
        self._choice: Choice = choice
        self._colors: Colors = LIGHT
        self._scale = _scale(text_percent)
        self.reduced_motion = False
        if not app.property(STYLED):
            app.setStyle(STYLE)
        app.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.choose(choice)

    @property
    def colors(self) -> Colors:
        return self._colors

    @property
    def fonts(self) -> Fonts:
        return self._fonts

    @property
    def icons(self) -> Icons:
        return self._icons

    @property
    def choice(self) -> Choice:
        return self._choice

    @property
    def is_dark(self) -> bool:
        return self._colors is DARK

    @property
    def text_percent(self) -> int:
        return round(self._scale * 100)

    def choose(self, choice: Choice) -> None:
        """Fix the scheme, or follow the system from now on."""
        self._choice = choice
        hints = self._app.styleHints()
        if choice == "system":
            hints.unsetColorScheme()
            dark = hints.colorScheme() == Qt.ColorScheme.Dark
        else:
            dark = choice == "dark"
            # Also turns title bars and native file dialogs.
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        self._apply(DARK if dark else LIGHT)

    def set_text_percent(self, percent: int) -> None:
        """Text size, 90 to 150; values outside are brought to the nearer end."""
        self._scale = _scale(percent)
        self._apply(self._colors)

    def px(self, size: float) -> int:
        """A height or width at 100 % that has to grow with the text, in px."""
        return round(size * self._scale)

    def motion_ms(self, motion: Motion) -> int:
        """How long a movement may take; 0 when the person asked for reduced motion."""
        return 0 if self.reduced_motion else MOTION_MS[motion]

    def _follow_system(self, scheme: Qt.ColorScheme) -> None:
        if self._choice == "system":
            self._apply(DARK if scheme == Qt.ColorScheme.Dark else LIGHT)

    def _apply(self, colors: Colors) -> None:
        self._colors = colors
        self._icons.clear()
        self._fonts.set_scale(self._scale)
        self._app.setPalette(palette(colors))
        self._app.setFont(self._fonts.font("body"))
        self._app.setStyleSheet(stylesheet(self._template, colors, self._fonts.fallback, self._scale))
        self.changed.emit()


def _scale(percent: int) -> float:
    low, high = TEXT_PERCENT
    return min(high, max(low, percent)) / 100


_installed: Theme | None = None


def install(app: QApplication, choice: Choice = "system", text_percent: int = 100) -> Theme:
    """Make the theme of this process; call once, before the first widget."""
    global _installed
    _installed = Theme(app, choice, text_percent)
    return _installed


def theme() -> Theme:
    """The theme in force. Raises RuntimeError before `install`."""
    if _installed is None:
        raise RuntimeError("theme.install(app) has to be called before the first widget")
    return _installed


def colors() -> Colors:
    return theme().colors


def font(role: Role = "body", weight: int = 0) -> QFont:
    return theme().fonts.font(role, weight)


def figures(role: Role = "body", weight: int = 0) -> QFont:
    """The same font with digits of one width, for columns and running counts."""
    return theme().fonts.font(role, weight, figures=True)


def px(size: float) -> int:
    return theme().px(size)


def icon(name: str, color: str, size: int = 16, disabled: str = "", room: int = 0) -> QIcon:
    return theme().icons.icon(name, color, size, disabled, room)


def paint_icon(painter: QPainter, name: str, color: str, rect: QRectF, stroke: float = STROKE) -> None:
    theme().icons.paint(painter, name, color, rect, stroke)
