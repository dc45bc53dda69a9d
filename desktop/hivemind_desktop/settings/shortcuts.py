"""Shortcuts: the keyboard map, made from the actions; a key can be changed, and a key that is taken says by what."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QKeySequenceEdit, QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, column, row
from hivemind_desktop.widgets.matching import best
from hivemind_desktop.widgets.page import Desk, KeyRow
from hivemind_desktop.widgets.search_box import SearchLine
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.switch import Switch
from hivemind_desktop.widgets.table import Cell, Column, Table
from hivemind_desktop.widgets.words import fill

from .parts import Section, SectionController, group, setting

_RAW = QKeySequence.SequenceFormat.PortableText
_SHOWN = QKeySequence.SequenceFormat.NativeText


def shown_key(key: str) -> str:
    """A key as this system writes it."""
    return QKeySequence(key).toString(_SHOWN)


def conflicts(rows: Sequence[KeyRow]) -> list[tuple[str, list[KeyRow]]]:
    """Keys that more than one action has."""
    by_key: dict[str, list[KeyRow]] = {}
    for each in rows:
        if each.key:
            by_key.setdefault(QKeySequence(each.key).toString(_RAW), []).append(each)
    return [(key, of) for key, of in by_key.items() if len(of) > 1]


def may_be_lone(key: str) -> bool:
    """Whether a key has Ctrl, Alt or Meta, or is a function key: it types nothing."""
    text = QKeySequence(key).toString(_RAW)
    if any(part in text for part in ("Ctrl+", "Alt+", "Meta+")):
        return True
    return text.startswith(("F", "Shift+F")) and text[-1:].isdigit()


class KeyDialog(QDialog):
    """Asks for one key. Emits `chosen` with it in portable form, '' to leave the action without a key."""

    chosen = Signal(str)

    def __init__(self, row_: KeyRow, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(fill(self.tr("Key for “%1”"), row_.name))
        self.edit = QKeySequenceEdit(QKeySequence(row_.key))
        self.edit.setMaximumSequenceLength(1)
        self.edit.setAccessibleName(self.tr("Press the new key"))
        self.problem = label("", "label", "danger", wrap=True)
        self.problem.hide()
        self.keep = Button(self.tr("Use this key"), "primary", on_click=self._choose)
        none = Button(self.tr("No key"), "", on_click=lambda: self._done(""))
        usual = Button(self.tr("As it came"), "", "undo-2", on_click=lambda: self._done(row_.usual))
        cancel = Button(self.tr("Cancel"), "", on_click=self.reject)
        told = label(self.tr("Press the key or keys together."), "label", "soft", wrap=True)
        buttons = row(none, usual, None, cancel, self.keep, gap=8)
        title = label(row_.name, "heading", wrap=True)
        self.setLayout(column(title, told, self.edit, self.problem, 6, buttons, gap=8, margins=(20, 18, 20, 16)))
        self.setMinimumWidth(440)

    def refuse(self, words: str) -> None:
        """Say why this key cannot be had; the dialog stays."""
        self.problem.setText(words)
        self.problem.show()
        self.edit.setFocus()

    def _choose(self) -> None:
        self._done(self.edit.keySequence().toString(_RAW))

    def _done(self, key: str) -> None:
        self.chosen.emit(key)


class ShortcutsSection(Section):
    """Emits `change_asked` with the action's id."""

    change_asked = Signal(str)
    reset_asked = Signal()
    single_turned = Signal(bool)

    def __init__(self) -> None:
        translate = QCoreApplication.translate
        self.reset = Button(translate("ShortcutsSection", "All as they came"), "quiet", "undo-2")
        self.change = Button(translate("ShortcutsSection", "Change key…"), "", "pencil")
        super().__init__(translate("ShortcutsSection", "Shortcuts"), self.reset, self.change)
        self.reset.clicked.connect(lambda _checked=False: self.reset_asked.emit())
        self.line = SearchLine(self.tr("Find a command"), "")
        self.line.textChanged.connect(lambda _text: self._show())
        self.clash = Banner("warn", "")
        self.clash.hide()
        self.table = Table(
            self.tr("Commands and their keys"),
            (
                Column(self.tr("Command")),
                Column(self.tr("Works in"), 130, faint=True, needs=540),
                Column(self.tr("Key"), 140),
                Column("", 110, faint=True, needs=660),
            ),
        )
        self.table.setMinimumHeight(430)
        self.table.activated.connect(self._ask)
        self.change.clicked.connect(lambda _checked=False: self._ask(self.table.currentIndex()))
        self.settings |= {"keys": self.table, "keys.change": self.change}
        self.single = Switch(self.tr("Letters as keys"), on_turn=self.single_turned.emit)
        self.settings["keys.single"] = self.single
        note = self.tr("Only while no text field has the keyboard. No single key deletes or allows anything.")
        letters = setting(self.tr("Letters as keys"), note, self.single.word, self.single)
        self.fill(self.line, self.clash, box(column(self.table, margins=(1, 4, 1, 5)), "card"))
        self.fill(group(letters))
        self._rows: tuple[KeyRow, ...] = ()
        self._listed: list[KeyRow] = []

    def show_keys(self, rows: tuple[KeyRow, ...]) -> None:
        self._rows = rows
        taken = conflicts(rows)
        words = [
            fill(self.tr("%1 is the key of %2"), shown_key(key), ", ".join(f"“{each.name}”" for each in of))
            for key, of in taken
        ]
        self.clash.set_text(fill(self.tr("%1. None of them works: change one."), "; ".join(words)))
        self.clash.setVisible(bool(taken))
        self.reset.setEnabled(any(each.key != each.usual for each in rows))
        self._show()

    def _show(self) -> None:
        chosen = self.table.currentIndex().row()
        before = self._listed[chosen].id if 0 <= chosen < len(self._listed) else ""
        typed = self.line.text()
        self._listed = best(self._rows, typed, lambda each: each.name, lambda each: f"{each.where} {each.key}")
        self.table.set_rows(
            [
                (
                    Cell(each.name, each.icon), each.where or self.tr("everywhere"), shown_key(each.key) or "–",
                    self.tr("changed") if each.key != each.usual else "",
                )
                for each in self._listed
            ]
        )  # fmt: skip
        at = next((place for place, each in enumerate(self._listed) if each.id == before), 0)
        self.table.selectRow(at)
        self.change.setEnabled(bool(self._listed))

    def _ask(self, index: QModelIndex) -> None:
        if index.isValid():
            self.change_asked.emit(self._listed[index.row()].id)


class ShortcutsController(SectionController):
    """Changes are kept in the settings and are in force at once."""

    def __init__(self, view: ShortcutsSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.shortcuts = view
        view.change_asked.connect(self.ask)
        view.reset_asked.connect(lambda: desk.change_settings(shortcuts={}))
        view.single.setChecked(desk.settings.single_keys)
        view.single_turned.connect(lambda on: desk.change_settings(single_keys=on))
        desk.settings_changed.connect(lambda _settings: view.show_keys(desk.key_map()))

    async def load(self) -> None:
        self.shortcuts.show_keys(self.desk.key_map())

    def ask(self, action_id: str) -> KeyDialog:
        row_ = next(each for each in self.desk.key_map() if each.id == action_id)
        dialog = KeyDialog(row_, self.shortcuts.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(lambda key: self._take(dialog, row_, key))
        dialog.open()
        dialog.edit.setFocus()
        return dialog

    def _take(self, dialog: KeyDialog, row_: KeyRow, key: str) -> None:
        """Use the key, or say what has it already."""
        mine = QKeySequence(key).toString(_RAW)
        others = [each for each in self.desk.key_map() if each.id != row_.id and mine]
        taken = next((each for each in others if QKeySequence(each.key).toString(_RAW) == mine), None)
        if taken is not None:
            dialog.refuse(fill(self.tr("%1 is the key of “%2”. Choose another."), shown_key(key), taken.name))
            return
        if mine and not may_be_lone(mine) and may_be_lone(row_.usual or "Ctrl+A"):
            dialog.refuse(self.tr("A key alone would type into text. Hold Ctrl, Alt or Meta with it."))
            return
        kept = {action: own for action, own in self.desk.settings.shortcuts.items() if action != row_.id}
        if mine != QKeySequence(row_.usual).toString(_RAW):
            kept[row_.id] = mine
        self.desk.change_settings(shortcuts=kept)
        dialog.accept()


def open_section(desk: Desk) -> SectionController:
    return ShortcutsController(ShortcutsSection(), desk)
