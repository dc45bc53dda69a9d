"""A button that shows the choice in force and opens the others as a menu."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from .buttons import Button
from .drop_menu import DropMenu


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
        self.menu_of_choices().open_below(self)

    def menu_of_choices(self) -> DropMenu:
        """The choices, the one in force ticked. It goes when it is closed."""
        menu = DropMenu(self)
        for key, words in self._choices.items():
            menu.offer(words, partial(self.choose, key), key == self.key)
        return menu
