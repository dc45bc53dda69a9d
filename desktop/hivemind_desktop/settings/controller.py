"""What Settings does: builds a part when it is first shown, leads to a setting, hands actions to their part."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QCoreApplication

from hivemind_desktop.widgets.page import Desk, PageController, Target

from .panel import SettingsPanel
from .parts import SectionController
from .sections import SECTIONS

#: The part that holds an action of ACTIONS.
SECTION_OF = {
    "embedding.pause": "models",
    "embedding.resume": "models",
    "embedding.again": "models",
    "model.choose": "models",
    "model.service": "models",
    "backup.now": "backups",
    "backup.restore": "backups",
    "mind.verify": "maintenance",
    "mind.reindex": "maintenance",
}


class SettingsController(PageController):
    """`Target(query="backups")` opens that part, `query="backups/backup.now"` the setting in it."""

    def __init__(self, desk: Desk) -> None:
        self.panel = SettingsPanel()
        words = QCoreApplication.translate("SettingsController", "Looking at this installation")
        super().__init__(self.panel, desk, frozenset(), words)
        self._parts: dict[str, SectionController] = {}
        self._shown = SECTIONS[0].key
        self.panel.wanted.connect(self.go)

    async def load(self) -> None:
        """The engine has to be there; each part reads its own."""
        await self.desk.client.value(lambda engine: engine.data)
        self.panel.stack.show_data()
        self.open(self._shown, by_person=False)

    def open(self, key: str, *, by_person: bool = True) -> SectionController:
        """Show a part. On a narrow page the list stays until a person chooses one. Raises KeyError."""
        part = self.part(key)
        self._shown = key
        self.panel.show_section(key, part.view)
        if not by_person and self.panel.is_narrow:
            self.panel.show_list()
        part.look()
        return part

    def part(self, key: str) -> SectionController:
        """The controller of a part, built if need be. Raises KeyError."""
        if key not in self._parts:
            section = {each.key: each for each in SECTIONS}[key]
            made = section.open(self.desk)
            self._parts[key] = made
            self.panel.add(made.view)
        return self._parts[key]

    def go(self, key: str, setting_id: str) -> None:
        """Show a part and put the keyboard on a setting of it, as soon as it is there."""
        part = self.open(key)
        if setting_id:
            self.tasks.start("lead", self._lead(part, setting_id))

    async def _lead(self, part: SectionController, setting_id: str) -> None:
        for _ in range(100):  # what the part shows may still be read
            if part.view.stack.state == "data" and part.view.lead_to(setting_id):
                return
            await asyncio.sleep(0.02)

    def arrive(self, target: Target) -> None:
        if target.query:
            key, _, setting_id = target.query.partition("/")
            self.panel.stack.show_data()
            self.go(key, setting_id)

    def offers(self) -> frozenset[str]:
        return frozenset(SECTION_OF)

    def perform(self, action_id: str) -> None:
        key = SECTION_OF[action_id]
        self.panel.stack.show_data()
        self.open(key).perform(action_id)

    def close(self) -> None:
        for part in self._parts.values():
            part.close()
        super().close()
