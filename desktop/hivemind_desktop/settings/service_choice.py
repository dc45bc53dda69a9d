"""A service for search by meaning: which ones there are to choose from, and what a person agrees to first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.chat import Endpoint, Vendor
from hivemind.domain.minds import HostedPlan
from hivemind_desktop.widgets.drop_menu import DropMenu
from hivemind_desktop.widgets.figures import memories
from hivemind_desktop.widgets.words import fill, one_line

#: What people use these services with; the line can be changed.
MODEL_HINTS = {
    "ollama": "nomic-embed-text",
    "lmstudio": "text-embedding-nomic-embed-text-v1.5",
    "voyage": "voyage-3.5",
    "openai": "text-embedding-3-small",
}


def services_for_vectors(set_up: Sequence[Endpoint], suggested: Iterable[Endpoint]) -> list[Endpoint]:
    """What is set up and can make vectors; then what needs no key and could be set up with one choice."""
    names = {each.name for each in set_up}
    more = [each for each in suggested if each.name not in names and not each.needs_key]
    return [each for each in (*set_up, *more) if each.vendor is Vendor.OPENAI]


class ServiceMenu(DropMenu):
    """The services by name and address. Emits the one that was chosen; goes away with its choice."""

    chosen = Signal(object)

    def __init__(self, services: Sequence[Endpoint], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Services that make vectors"))
        for each in services:
            self.offer(f"{one_line(each.label, 60)}, {one_line(each.base_url, 80)}", partial(self.chosen.emit, each))


def agreement(plan: HostedPlan) -> tuple[str, str, str]:
    """Title, words and button of the question: how much is sent, where, and what that means."""
    label, host = one_line(plan.label, 60), one_line(plan.host, 100)
    title = QCoreApplication.translate("ServiceChoice", "Send your memories to %1?")
    here = QCoreApplication.translate("ServiceChoice", "%1 at %2, on this computer or its network as you said,")
    away = QCoreApplication.translate("ServiceChoice", "%1 at %2, on the internet,")
    sent = QCoreApplication.translate(
        "ServiceChoice",
        "gets the text of all your memories (now %1 in all minds together), of every later one, and of each question "
        "that you ask. Secrets that Hive-Mind knows are masked. Each request is in the log and on the privacy page.",
    )
    then = QCoreApplication.translate(
        "ServiceChoice",
        "Minds that have vectors already are searched by words until you embed them again. You can go back to the "
        "bundled model at any time; what was sent stays there.",
    )
    button = QCoreApplication.translate("ServiceChoice", "Send to %1")
    first = f"{fill(here if plan.local else away, label, host)} {fill(sent, memories(plan.memories))}"
    return fill(title, label), f"{first}\n\n{then}", fill(button, host)
