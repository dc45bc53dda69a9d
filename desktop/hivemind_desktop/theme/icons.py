"""Lucide icons in any token colour, sharp at every scale factor."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from hivemind.paths import resource_path

STROKE = 1.75


class Icons:
    """Reads an SVG once per colour and stroke. Cleared when the scheme changes, so it stays small."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}
        self._renderers: dict[tuple[str, str, float], QSvgRenderer] = {}
        self._icons: dict[tuple[str, str, str, int, int], QIcon] = {}

    def clear(self) -> None:
        self._renderers.clear()
        self._icons.clear()

    def paint(self, painter: QPainter, name: str, color: str, rect: QRectF, stroke: float = STROKE) -> None:
        """Draw icon `name` into `rect`. Raises FileNotFoundError when it is not bundled."""
        self._renderer(name, color, stroke).render(painter, rect)

    def icon(self, name: str, color: str, size: int = 16, disabled: str = "", room: int = 0) -> QIcon:
        """A QIcon for buttons and actions.

        room: empty px right (or, negative, left) of the drawing, because QPushButton leaves no gap between
        icon and text.
        """
        key = (name, color, disabled, size, room)
        if key not in self._icons:
            made = QIcon()
            for ratio in sorted({1.0, _sharpest()}):
                made.addPixmap(self._pixmap(name, color, size, ratio, room), QIcon.Mode.Normal)
                if disabled:
                    made.addPixmap(self._pixmap(name, disabled, size, ratio, room), QIcon.Mode.Disabled)
            self._icons[key] = made
        return self._icons[key]

    def _renderer(self, name: str, color: str, stroke: float) -> QSvgRenderer:
        key = (name, color, stroke)
        if key not in self._renderers:
            if name not in self._sources:
                self._sources[name] = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
            svg = self._sources[name].replace("currentColor", color)
            svg = svg.replace('stroke-width="2"', f'stroke-width="{stroke}"')
            self._renderers[key] = QSvgRenderer(QByteArray(svg.encode()))
        return self._renderers[key]

    def _pixmap(self, name: str, color: str, size: int, ratio: float, room: int) -> QPixmap:
        result = QPixmap(QSize(size + abs(room), size) * ratio)
        result.setDevicePixelRatio(ratio)
        result.fill(Qt.GlobalColor.transparent)
        painter = QPainter(result)
        self.paint(painter, name, color, QRectF(max(0, -room), 0, size, size))
        painter.end()
        return result


def _sharpest() -> float:
    """The scale factor of the sharpest screen; QIcon scales down for the others."""
    app = QGuiApplication.instance()
    return app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0
