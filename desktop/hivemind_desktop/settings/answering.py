"""Models as seen: the services that can answer, their keys and models, a try of each, and a form to add one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QLineEdit, QVBoxLayout, QWidget

from hivemind.domain.chat import Endpoint
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, clear_layout, column, row
from hivemind_desktop.widgets.marks import Badge, Icon, Monogram
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.switch import Switch
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section, SectionController

if TYPE_CHECKING:
    from hivemind.engine.provider_service import EndpointFacts


#: Suggested services side by side; more would not fit a narrow window.
_IN_A_ROW = 2


def field(name: str, hint: str = "", *, secret: bool = False) -> QLineEdit:
    """A line to write in; `name` is what a screen reader says."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(hint)
    made.setMaxLength(2_000)
    if secret:
        made.setEchoMode(QLineEdit.EchoMode.Password)
    return made


class ServiceCard(QWidget):
    """One service. Emits what a person asks for; `show_tried` says how a try went."""

    test_asked = Signal()
    use_asked = Signal(str)
    key_asked = Signal(str, bool)
    remove_asked = Signal()

    def __init__(self, facts: EndpointFacts, model: str) -> None:
        super().__init__()
        endpoint = facts.endpoint
        self.endpoint = endpoint
        self._models: tuple[str, ...] = ()
        self.model = field(self.tr("Name of the model"), self.tr("Name of the model, such as llama3.2"))
        self.model.setText(model if facts.chosen else "")
        self.model.returnPressed.connect(self._use)
        self.pick = Button("", "", "chevron-down", tip=self.tr("Choose from its models"), on_click=self._open_models)
        self.use = Button(self.tr("Use this model"), "primary" if not facts.chosen else "", "check", on_click=self._use)
        self.test = Button(self.tr("Test"), "", "play", on_click=self.test_asked.emit)
        remove = Button("", "quiet", "trash-2", tip=self.tr("Remove this service…"), on_click=self.remove_asked.emit)
        badge = Badge(self.tr("Answers"), "circle-check", "ok") if facts.chosen and model else None
        place = self.tr("%1 · on this computer or its network") if endpoint.local else self.tr("%1 · in the internet")
        words = column(
            row(label(one_line(endpoint.label, 60), "strong"), *([badge] if badge else []), None, gap=8),
            ElidedLabel(fill(place, endpoint.base_url), "caption", "faint"),
            gap=1,
        )
        head = row(Monogram(endpoint.label), box(words), None, self.test, remove, gap=10)
        self.trouble: QVBoxLayout = column(gap=6)
        parts: list[Item] = [head, row((self.model, 1), self.pick, self.use, gap=8)]
        if endpoint.needs_key:
            parts.append(self._key_line(facts))
        told = self.tr("Nothing leaves this computer or its network.") if endpoint.local else self.tr(
            "Your question and the memories you tick are sent there."
        )  # fmt: skip
        note = row(Icon("shield", "text_faint", 13), (label(told, "caption", "faint", wrap=True), 1), gap=7)
        card = box(column(*parts, self.trouble, note, gap=9, margins=(16, 11, 14, 11)), "card")
        self.setLayout(column(card, gap=0))

    def _key_line(self, facts: EndpointFacts) -> QVBoxLayout:
        hint = self.tr("A key is set; write another to replace it") if facts.has_key else self.tr("Key (API key)")
        self.key = field(self.tr("Key of the service"), hint, secret=True)
        self.keep = Switch(self.tr("Keep the key in the key store of this system"), facts.has_key is not None)
        self.keep.setEnabled(facts.has_key is not None)
        save = Button(self.tr("Set the key"), "", "key-round", on_click=self._set_key)
        kept = self.tr("keep it in this system's key store; off: for this run only")
        told = label(facts.key_problem or kept, "caption", "warn" if facts.key_problem else "faint", wrap=True)
        return column(row((self.key, 1), save, gap=8), row(self.keep, (told, 1), gap=8), gap=5)

    def offer(self, models: Sequence[str]) -> None:
        """Its models: completed while typing, and as a menu at the arrow."""
        self._models = tuple(models)
        completer = QCompleter(list(self._models), self.model)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.model.setCompleter(completer)

    def _open_models(self) -> None:
        if not self._models:
            self.test_asked.emit()
            return
        menu = DropMenu(self)
        for name in self._models[:60]:
            menu.offer(name, partial(self.model.setText, name))
        menu.open_below(self.pick)

    def show_tried(self, words: str, ok: bool) -> None:
        clear_layout(self.trouble)
        self.trouble.addWidget(Banner("ok" if ok else "danger", words))

    def _use(self) -> None:
        if self.model.text().strip():
            self.use_asked.emit(self.model.text().strip())
        else:
            self.model.setFocus()

    def _set_key(self) -> None:
        if self.key.text().strip():
            self.key_asked.emit(self.key.text().strip(), self.keep.isChecked())
            self.key.clear()


class AnsweringSection(Section):
    """The services, the form to add one, and what calls cost."""

    add_asked = Signal(Endpoint)
    prices_asked = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("Models"))
        self._cards: QVBoxLayout = column(gap=8)
        self.services: list[ServiceCard] = []
        self.suggestions: QVBoxLayout = column(gap=6)
        self.name = field(self.tr("Name of the service"), self.tr("Name, such as My server"))
        self.address = field(self.tr("Address of the service"), "https://…/v1")
        self.local = Switch(self.tr("It is on this computer or its network"), False)
        self.key_needed = Switch(self.tr("It asks for a key"), True)
        self.add = Button(self.tr("Add"), "primary", "plus", on_click=self._add)
        self.settings |= {"answers.add": self.name}
        first = row((self.name, 2), (self.address, 3), gap=8)
        here = row(
            self.local, (label(self.tr("on this computer or its network"), "caption", "faint", wrap=True), 1), gap=7
        )
        asks = row(
            self.key_needed, (label(self.tr("asks for a key"), "caption", "faint", wrap=True), 1), self.add, gap=7
        )
        told = label(
            self.tr("Any service with OpenAI's chat interface can answer in Ask. Nothing is sent until you ask."),
            "caption", "faint", wrap=True,
        )  # fmt: skip
        form = box(column(told, self.suggestions, first, here, asks, gap=9, margins=(16, 11, 14, 12)), "card")
        self.prices = label("", "caption", "faint", wrap=True)
        folder = Button(self.tr("Open the data folder"), "", "folder-open", on_click=self.prices_asked.emit)
        costs = box(column(label(self.tr("What calls cost"), "heading"), row((self.prices, 1), folder, gap=10), gap=6,
                           margins=(16, 11, 14, 12)), "card")  # fmt: skip
        self.fill(self._cards, 6, self.heading(self.tr("Add a service")), form, 6, costs)

    def show_services(self, services: Sequence[EndpointFacts], model: str) -> list[ServiceCard]:
        clear_layout(self._cards)
        self.services = [ServiceCard(facts, model) for facts in services]
        for card in self.services:
            self._cards.addWidget(card)
        if not services:
            words = self.tr("No service is set up yet. Ask needs one; search does not.")
            self._cards.addWidget(label(words, "label", "soft", wrap=True))
        return self.services

    def show_suggested(self, suggested: Sequence[Endpoint]) -> None:
        """Services that can be added with one press."""
        clear_layout(self.suggestions)
        for start in range(0, len(suggested), _IN_A_ROW):
            line = QWidget()
            buttons = [Button(each.label, "", "plus") for each in suggested[start : start + _IN_A_ROW]]
            for button, each in zip(buttons, suggested[start:], strict=False):
                button.clicked.connect(lambda _c=False, each=each: self.add_asked.emit(each))
            line.setLayout(row(*buttons, None, gap=8))
            self.suggestions.addWidget(line)

    def _add(self) -> None:
        name, address = self.name.text().strip(), self.address.text().strip()
        short = "".join(one if one.isascii() and one.isalnum() else "-" for one in name.lower()).strip("-")[:40]
        self.add_asked.emit(
            Endpoint(
                short or "service", name, address, local=self.local.isChecked(), needs_key=self.key_needed.isChecked()
            )
        )


def open_section(desk: Desk) -> SectionController:
    from .answering_control import AnsweringController

    return AnsweringController(AnsweringSection(), desk)
