"""What Search & models does: reads the facts, pauses and resumes, embeds again, tries and changes the model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from hivemind.domain.chat import Endpoint
from hivemind.domain.minds import HostedPlan
from hivemind.errors import HiveMindError
from hivemind.events import Area, Progress
from hivemind_desktop.widgets.figures import memories
from hivemind_desktop.widgets.name_dialog import ask_name
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.words import fill, one_line

from .models import ModelsSection
from .parts import SectionController
from .service_choice import MODEL_HINTS, ServiceMenu, agreement, services_for_vectors


class ModelsController(SectionController):
    """The facts are read without the model; then it is asked who it is, which loads it."""

    areas = frozenset({Area.FRAMES, Area.JOBS, Area.WORKSPACES})

    def __init__(self, view: ModelsSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.models = view
        self._problem = ""
        self._asked = False
        view.pause_asked.connect(lambda: self.tasks.start("turn", self._turn(pause=True)))
        view.resume_asked.connect(lambda: self.tasks.start("turn", self._turn(pause=False)))
        view.again_asked.connect(lambda: self.tasks.start("again", self._again_after_asking()))
        view.folder_asked.connect(self._choose_folder)
        view.service_asked.connect(lambda: self.tasks.start("service", self._offer_services()))
        view.bundled_asked.connect(lambda: self.tasks.start("choose", self._choose(None)))
        view.compare_asked.connect(lambda one, other: self.tasks.start("compare", self._compare(one, other)))
        desk.signals.progress.connect(self._on_progress)

    async def load(self) -> None:
        await self._show()
        if not self._asked:
            self._asked = True
            await self._ask_model()

    async def _show(self) -> None:
        workspace = self.desk.workspace
        facts = await self.desk.client.call(lambda engine: engine.embedding.facts(workspace))
        place = await self.desk.client.call(lambda engine: engine.models.place())
        self.models.show_facts(facts, place, self._problem)
        self.models.stack.show_data()

    async def _ask_model(self) -> None:
        _, problem = await self.desk.client.call(lambda engine: engine.embedding.embedder())
        self._problem = "" if problem is None else f"{problem.title}. {problem.hint}"
        await self._show()

    async def _turn(self, *, pause: bool) -> None:
        workspace = self.desk.workspace
        if pause:
            await self.desk.client.call(lambda engine: engine.embedding.pause(workspace))
        else:
            await self.desk.client.call(lambda engine: engine.embedding.resume(workspace))
        await self._show()

    async def _again_after_asking(self) -> None:
        workspace = self.desk.workspace
        facts = await self.desk.client.call(lambda engine: engine.embedding.facts(workspace))
        text = self.tr(
            "All %1 are embedded again in the background. Search works throughout with what is there now, and "
            "changes over when everything is ready. Closing the window only interrupts it."
        )
        if await self.desk.notices.confirm(
            self.tr("Embed everything again?"), fill(text, memories(facts.frames)), self.tr("Embed again")
        ):
            await self.desk.client.call(lambda engine: engine.embedding.reembed(workspace))
            await self._show()

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self.models.window(), self.tr("Choose a model's folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._folder_chosen)
        dialog.open()

    def _folder_chosen(self, folders: Sequence[str]) -> None:
        if folders:
            self.tasks.start("choose", self._choose(Path(folders[0])))

    async def _choose(self, folder: Path | None) -> None:
        """Try it, keep it, say what follows. A refusal is shown with its hint, and nothing has changed then."""
        self.models.choose.setEnabled(False)
        self.desk.notices.toast(self.tr("Trying the model"), icon="loader-circle", ink="text_soft")
        try:
            facts = await self.desk.client.call(lambda engine: engine.models.choose(folder))
            self._remember("" if folder is None else str(folder))
            self._problem = ""
            self.desk.notices.toast(fill(self.tr("%1 is the model now"), one_line(facts.id, 60)))
        finally:
            await self._show()

    async def _offer_services(self) -> None:
        found = await self.desk.client.call(lambda engine: engine.providers.list())
        suggested = await self.desk.client.value(lambda engine: engine.providers.suggested)
        menu = ServiceMenu(services_for_vectors([each.endpoint for each in found], suggested), self.models)
        menu.chosen.connect(lambda endpoint: self.tasks.start("choose", self._use_service(endpoint)))
        menu.open_below(self.models.service)

    async def _use_service(self, endpoint: Endpoint) -> None:
        """Ask for the model, say what would be sent, and only then try and choose it."""
        call = self.desk.client.call
        title = fill(self.tr("Vectors by %1"), one_line(endpoint.label, 40))
        caption = self.tr("Name of its model for embeddings")
        model = await ask_name(
            self.models.window(), title, caption, self.tr("Go on"), MODEL_HINTS.get(endpoint.name, "")
        )
        if not model:
            return
        if endpoint not in [each.endpoint for each in await call(lambda engine: engine.providers.list())]:
            await call(lambda engine: engine.providers.add(endpoint))
        plan = await call(lambda engine: engine.models.plan_hosted(endpoint.name, model))
        if not await self.desk.notices.confirm(*agreement(plan)):
            return
        try:
            facts = await call(lambda engine: engine.models.choose_hosted(plan.endpoint, plan.model, plan))
            self._remember("", plan)
            self._problem = ""
            self.desk.notices.toast(fill(self.tr("%1 is the model now"), one_line(facts.id, 60)))
        finally:
            await self._show()

    def _remember(self, folder: str, plan: HostedPlan | None = None) -> None:
        """What the engine has kept in the file, in the window's own copy of it, too."""
        service, model, address = ("", "", "") if plan is None else (plan.endpoint, plan.model, plan.address)
        self.desk.change_settings(
            embedder_dir=folder, embedder_service=service, embedder_model=model, embedder_address=address
        )

    async def _compare(self, one: str, other: str) -> None:
        self.models.compare.setEnabled(False)
        try:
            value = await self.desk.client.call(lambda engine: engine.embedding.likeness(one, other))
            self.models.show_likeness(value)
        except HiveMindError as fault:
            self.models.show_likeness(None, f"{fault.title}. {fault.hint}")
        finally:
            self.models.compare.setEnabled(True)
        await self._show()

    def perform(self, action_id: str) -> None:
        """The actions of ACTIONS that belong here."""
        {
            "embedding.pause": self.models.pause_asked,
            "embedding.resume": self.models.resume_asked,
            "embedding.again": self.models.again_asked,
            "model.choose": self.models.folder_asked,
            "model.service": self.models.service_asked,
        }[action_id].emit()

    def _on_progress(self, progress: Progress) -> None:
        if progress.kind == "embedding" and progress.workspace == self.desk.workspace:
            self.touch()
