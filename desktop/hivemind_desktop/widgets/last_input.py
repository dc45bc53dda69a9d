"""Whether the last input of a list was a key: only then its current row wears the focus ring."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QAbstractItemView


class LastInput(QObject):
    """Watches a list and tells Qt, which hands it to delegates as State_KeyboardFocusChange."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress:
            self._remember(True)
        elif kind == QEvent.Type.MouseButtonPress:
            self._remember(False)
        elif isinstance(event, QFocusEvent) and kind == QEvent.Type.FocusIn:
            by_tab = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
            self._remember(by_tab)
        return False

    def _remember(self, by_key: bool) -> None:
        self._view.window().setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange, by_key)
        self._view.viewport().update()
