"""A person's two hands: a keyboard whose keys go where the system would send them, and a pointer that clicks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QMainWindow, QWidget

from hivemind_desktop.widgets.palette import CommandPalette

_NONE = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
#: Tab presses after which a walk to a widget has gone in a circle.
ONCE_AROUND = 120


async def outside(act: Callable[[], None]) -> None:
    """Act between two tasks: Qt handles events while a key is pressed, and a task cannot begin inside another one."""
    done = asyncio.get_running_loop().create_future()

    def run() -> None:
        try:
            act()
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result(None)

    asyncio.get_running_loop().call_soon(run)
    await done


def focused_window() -> QWindow:
    """The window in front. Offscreen nobody gives the keyboard back when a dialog closes, as a window system does."""
    if QGuiApplication.focusWindow() is None:
        front = QApplication.activeModalWidget() or next(
            each for each in QApplication.topLevelWidgets() if isinstance(each, QMainWindow) and each.isVisible()
        )
        front.activateWindow()
        QApplication.processEvents()
    window = QGuiApplication.focusWindow()
    assert window is not None, "no window has the keyboard"
    return window


async def press(key: Qt.Key, held: Qt.KeyboardModifier = _NONE) -> None:
    """One key, to the window in front: shortcuts, focus and text see it as they see a real one."""
    await outside(lambda: QTest.keyClick(focused_window(), key, held))


async def type_words(words: str) -> None:
    """Plain letters, one by one."""
    for letter in words:
        await outside(lambda letter=letter: QTest.keyClick(focused_window(), letter))  # type: ignore[misc]


async def tab_to(is_there: Callable[[QWidget], bool], *, back: bool = False) -> QWidget:
    """Tab, or Shift+Tab, until the keyboard is on what is looked for."""
    for _ in range(ONCE_AROUND):
        here = QApplication.focusWidget()
        if here is not None and is_there(here):
            return here
        await press(Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab, SHIFT if back else _NONE)
    raise AssertionError(f"Tab does not lead there; it ended on {QApplication.focusWidget()}")


async def click(widget: QWidget) -> None:
    """Left button on the middle of a widget that can be seen and used."""
    assert widget.isVisible(), f"{widget} cannot be seen"
    assert widget.isEnabled(), f"{widget} cannot be used"
    await outside(lambda: QTest.mouseClick(widget, Qt.MouseButton.LeftButton))


async def click_row(view: QAbstractItemView, index: QModelIndex) -> None:
    """Left button on a row of a list."""
    place: QPoint = view.visualRect(index).center()
    assert view.viewport().rect().contains(place), "the row is not in sight"
    await outside(lambda: QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, _NONE, place))


def find_button(window: QWidget, words: str) -> QAbstractButton | None:
    """The button in sight that reads, or is called, like this; the one on top when there are several."""
    shown = [
        each for each in window.findChildren(QAbstractButton) if each.isVisible() and not each.visibleRegion().isEmpty()
    ]
    named = [each for each in shown if words in (each.text().replace("&&", "&"), each.accessibleName())]
    return named[-1] if named else None


async def choose_command(typed: str) -> None:
    """Ctrl+K, a few letters, Enter."""
    await press(Qt.Key.Key_K, CTRL)
    palette = QApplication.activeWindow()
    assert isinstance(palette, CommandPalette), f"Ctrl+K opened {palette}"
    await type_words(typed)
    assert palette.list.currentIndex().isValid(), f"no command for {typed!r}"
    await press(Qt.Key.Key_Return)
