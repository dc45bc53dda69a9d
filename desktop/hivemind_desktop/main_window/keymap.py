"""The keys of the window: what ACTIONS give, what a person changed, and single letters switched off if asked."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence

from hivemind.settings import Settings
from hivemind_desktop.actions import ACTIONS, Action
from hivemind_desktop.widgets.page import KeyRow

_RAW = QKeySequence.SequenceFormat.PortableText


def is_lone(key: str) -> bool:
    """Whether this key is typed without Ctrl, Alt or Meta and is no function key: in a text it would be a letter."""
    text = QKeySequence(key).toString(_RAW)
    if not text or any(part in text for part in ("Ctrl+", "Alt+", "Meta+")):
        return False
    last = text.rpartition("+")[2]
    return not (last.startswith("F") and last[1:].isdigit())


def key_of(action: Action, settings: Settings) -> str:
    """The key in force, '' for none. A lone key is only ever one that an action came with."""
    key = settings.shortcuts.get(action.id, action.shortcut)
    if is_lone(key) and (not settings.single_keys or not is_lone(action.shortcut)):
        return ""
    return key


def apply(made: Mapping[str, QAction], settings: Settings) -> None:
    """Give every action of the window its key."""
    for action in ACTIONS:
        key = QKeySequence(key_of(action, settings))
        if made[action.id].shortcut() != key:
            made[action.id].setShortcut(key)


def key_rows(settings: Settings, page_names: Mapping[str, str]) -> tuple[KeyRow, ...]:
    """Every action for the keyboard map. `page_names`: names by page key."""
    return tuple(
        KeyRow(
            action.id,
            action.name(),
            action.icon,
            page_names.get(action.page, ""),
            settings.shortcuts.get(action.id, action.shortcut),
            action.shortcut,
        )
        for action in ACTIONS
    )


def reason_not(action: Action) -> str:
    """Why an action cannot be done now, by what it needs."""
    translate = QCoreApplication.translate
    return {
        "memory": translate("Keymap", "open a memory first"),
        "session": translate("Keymap", "open a session first"),
        "import": translate("Keymap", "only with an import"),
        "trash": translate("Keymap", "choose something in the trash first"),
    }.get(action.needs, translate("Keymap", "not possible now"))
