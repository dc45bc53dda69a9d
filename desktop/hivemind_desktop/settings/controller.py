"""What Settings does: changes and keeps them, asks the doctor, checks a mind on request."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QCoreApplication

from hivemind.events import Area
from hivemind.settings import Settings
from hivemind_desktop.theme import Choice, theme
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.page import Desk, PageController
from hivemind_desktop.widgets.words import fill, one_line

from .panel import SettingsPanel

#: Findings named of a mind that does not add up.
MOST_FINDINGS = 5


class SettingsController(PageController):
    """The theme changes at once; everything else is read anew when the page is shown."""

    def __init__(self, desk: Desk) -> None:
        self.panel = SettingsPanel(desk.settings, str(desk.data_dir))
        words = QCoreApplication.translate("SettingsController", "Looking at this installation")
        super().__init__(self.panel, desk, frozenset({Area.WORKSPACES, Area.FRAMES}), words)
        self.panel.changed.connect(self._change)
        self.panel.folder_asked.connect(lambda: desk.requested.emit("data.open"))
        self.panel.verify_asked.connect(lambda: self.tasks.start("verify", self._verify()))
        desk.settings_changed.connect(self._follow)

    async def load(self) -> None:
        report = await self.desk.client.call(lambda engine: engine.workspaces.doctor())
        self.panel.show_report(report)
        self.panel.stack.show_data()

    async def _verify(self) -> None:
        """Read the whole mind; say what was found."""
        self.panel.verify.setEnabled(False)
        self.panel.show_verified(self.tr("Reading every memory and the interaction log"))
        workspace = self.desk.workspace
        try:
            findings = await self.desk.client.call(lambda engine: engine.safety.verify(workspace))
        finally:
            self.panel.verify.setEnabled(True)
            self.panel.show_verified("")
        if not findings:
            self.panel.show_verified(self.tr("No damage found."))
            return
        words = fill(
            self.tr("%1 things do not add up. Make a copy of the file before you go on."), number(len(findings))
        )
        named = "\n".join(one_line(each, 200) for each in findings[:MOST_FINDINGS])
        self.panel.show_verified(f"{words}\n{named}")

    def _change(self, name: str, value: object) -> None:
        self.desk.change_settings(**{name: value})

    def _follow(self, settings: Settings) -> None:
        self.panel.follow(settings)
        choice = cast("Choice", settings.theme)
        if choice != theme().choice:
            theme().choose(choice)
        theme().reduced_motion = settings.reduced_motion
