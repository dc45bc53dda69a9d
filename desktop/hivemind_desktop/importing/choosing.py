"""From a drop to the start of an import: looking inside, counting, the options, and nothing written before Import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from shiboken6 import isValid

from hivemind.domain.surveys import ImportOptions, Survey
from hivemind.errors import HiveMindError, InvalidRequest, NotFound, SourceUnknown
from hivemind.events import Progress
from hivemind_desktop.widgets.floating import open_over

from .leave_out import PAGE, LeaveOutSheet
from .preview import PreviewCard

if TYPE_CHECKING:
    from .controller import ImportController


class Choosing(QObject):
    """One preview at a time; more files dropped on it are looked at together with the first."""

    def __init__(self, page: ImportController) -> None:
        super().__init__(page)
        self._page, self._desk, self._panel = page, page.desk, page.panel
        self.card: PreviewCard | None = None
        self._paths: tuple[Path, ...] = ()
        self._desk.signals.progress.connect(self._on_progress)

    @property
    def is_busy(self) -> bool:
        return self.card is not None or self._page.tasks.is_running("look")

    def look(self, paths: Sequence[Path]) -> None:
        """Look inside these, and inside what is being looked at already."""
        wanted = tuple(dict.fromkeys((*self._paths, *paths)))
        self._page.tasks.start("look", self._look(wanted), self._cannot_look)

    async def _look(self, paths: tuple[Path, ...]) -> None:
        self._panel.stack.show_data()
        if self.card is None:
            self._panel.show_looking(", ".join(path.name for path in paths))
        workspace = self.card.form.workspace if self.card is not None else self._desk.workspace
        before = self.card.survey if self.card is not None else None
        self._paths = paths
        survey = await self._desk.client.call(lambda engine: engine.surveys.begin(paths, workspace))
        if before is not None:
            await self._desk.client.call(lambda engine: engine.surveys.close(before.id))
        self._panel.clear_troubles()
        for each in survey.sources:
            if not each.source or each.error:
                self._panel.show_trouble(
                    each.name, SourceUnknown.title if not each.error else "", each.error or each.label
                )
        if not any(each.source and not each.error for each in survey.sources):
            await self._desk.client.call(lambda engine: engine.surveys.close(survey.id))
            self._forget()
            return
        card = self.card or self._make_card(workspace)
        card.show_survey(survey)
        self._page.offers_changed.emit()
        minds = await self._desk.client.call(lambda engine: engine.workspaces.list())
        card.form.show_minds(minds)
        await self._count()

    def _make_card(self, workspace: str) -> PreviewCard:
        card = self.card = PreviewCard(workspace)
        card.wanted.connect(self.decide)
        card.form.mind_chosen.connect(lambda _workspace: self.look(()))
        card.form.titles_asked.connect(self.open_titles)
        self._panel.show_preview(card)
        return card

    def _cannot_look(self, error: BaseException) -> None:
        if self.card is None:
            self._forget()
        if isinstance(error, HiveMindError):
            self._panel.show_trouble("", error.title, error.hint)
        else:
            self._desk.notices.failure(error)

    def _on_progress(self, progress: Progress) -> None:
        survey = self.card.survey if self.card is not None else None
        mine = progress.kind == "survey" and survey is not None and progress.job_id == survey.id
        if mine and (progress.finished or not self._page.tasks.is_running("count")):
            self._page.tasks.start("count", self._count())

    async def _count(self) -> None:
        survey = self.card.survey if self.card is not None else None
        if survey is not None:
            try:
                counted = await self._desk.client.call(lambda engine: engine.surveys.snapshot(survey.id))
            except NotFound:  # Closed meanwhile: another drop, or the import has begun.
                return
            if self.card is not None and self.card.survey is not None and self.card.survey.id == counted.id:
                self.card.show_survey(counted)

    # deciding

    def decide(self, what: str) -> None:
        if self.card is not None:
            self._page.tasks.start("decide", self._begin() if what == "import" else self._leave())

    async def _begin(self) -> None:
        card = self.card
        if card is None or card.survey is None:
            return
        survey, workspace, options = card.survey, card.form.workspace, card.form.options()
        paths = [Path(each.path) for each in survey.sources if each.source and not each.error]
        card.go.setEnabled(False)
        try:
            await self._start(survey, paths, workspace, options)
        except InvalidRequest as error:
            card.show_options(True)
            card.form.show_trouble(f"{error.title}. {error.hint}")
            card.go.setEnabled(True)

    async def _start(self, survey: Survey, paths: list[Path], workspace: str, options: ImportOptions) -> None:
        if workspace != self._desk.workspace:
            self._desk.show_workspace(workspace)
        await self._page.runs.begin(survey, paths, workspace, options)
        await self._leave()

    async def _leave(self) -> None:
        """Forget what was counted."""
        survey = self.card.survey if self.card is not None else None
        self._forget()
        if survey is not None:
            await self._desk.client.call(lambda engine: engine.surveys.close(survey.id))

    def _forget(self) -> None:
        self.card, self._paths = None, ()
        self._panel.show_preview(None)
        self._page.offers_changed.emit()
        self._page.refresh()

    # titles

    def open_titles(self) -> LeaveOutSheet | None:
        card = self.card
        if card is None or card.survey is None:
            return None
        survey = card.survey
        sheet = LeaveOutSheet(card.form.left_out, self._panel.window())
        sheet.asked.connect(
            lambda words, offset: self._page.tasks.start(
                f"titles {offset}", self._read_titles(sheet, survey, words, offset)
            )
        )
        sheet.finished.connect(lambda _result: card.form.show_left_out())
        open_over(sheet)
        sheet.model.restart()
        return sheet

    async def _read_titles(self, sheet: LeaveOutSheet, survey: Survey, words: str, offset: int) -> None:
        page = await self._desk.client.call(
            lambda engine: engine.surveys.items(survey.id, offset, PAGE, containing=words)
        )
        if isValid(sheet) and words == sheet.search.text().strip():
            sheet.show_page(page)
