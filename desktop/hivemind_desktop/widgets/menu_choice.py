"""A button that shows the choice in force and opens the others as a menu."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QMenu

from .buttons import Button
from .words import no_mnemonic


class MenuChoice(Button):
    """`choices`: key -> words, the first is in force at the beginning. `name`: what is chosen, for screen readers."""

    def __init__(self, name: str, choices: Mapping[str, str]) -> None:
        self._choices = dict(choices)
        self._name = name
        self.key = next(iter(self._choices))
        super().__init__(self._choices[self.key], "", "chevron-down", trailing=True, on_click=lambda: self.open())
        self.choose(self.key)

    def choose(self, key: str) -> None:
        self.key = key
        self.set_words(self._choices[key])
        self.setAccessibleName(f"{self._name}: {self._choices[key]}")

    def open(self) -> None:
        self.menu_of_choices().popup(self.mapToGlobal(self.rect().bottomLeft()))

    def menu_of_choices(self) -> QMenu:
        """The choices, the one in force ticked. It goes when it is closed."""
        menu = QMenu(self)
        for key, words in self._choices.items():
            action = menu.addAction(no_mnemonic(words))
            action.setCheckable(True)
            action.setChecked(key == self.key)
            action.triggered.connect(lambda _checked=False, key=key: self.choose(key))
        menu.aboutToHide.connect(menu.deleteLater)
        return menu
