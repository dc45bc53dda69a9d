"""What Ask does: prepares, sends what is ticked, follows the answer from the engine's thread, keeps what is wanted."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QGuiApplication

from hivemind.domain.ask import (
    AnswerEnd,
    AnswerText,
    AnswerWaiting,
    AnswerWithheld,
    ApprovalWanted,
    AskEvent,
    CorrectionSeen,
    ToolUsed,
)
from hivemind.errors import Cancelled, HiveMindError, InternalFault, NoModelChosen
from hivemind.events import Area
from hivemind_desktop.widgets.figures import memories, mind_name
from hivemind_desktop.widgets.page import Desk, PageController, Target
from hivemind_desktop.widgets.words import fill, one_line

from .answers import answer_pieces, copied, cost_words
from .panel import AskPanel
from .turn_view import TurnView

#: Where a model is set up.
MODELS = "answers/answers.add"


class AskController(PageController):
    """One conversation at a time; its earlier turns go along with the next question."""

    _happened = Signal(object, object, list)  # a turn, an event of it, the answer as HTML when it is the end

    def __init__(self, desk: Desk) -> None:
        self.panel = AskPanel()
        words = QCoreApplication.translate("AskController", "Looking at who can answer")
        super().__init__(self.panel, desk, frozenset({Area.FRAMES}), words)
        self._conversation = ""
        self._turn: TurnView | None = None
        self._spent: float | None = 0.0
        self._model_words = ""
        panel, composer = self.panel, self.panel.composer
        panel.fresh_asked.connect(self.begin_anew)
        panel.settings_asked.connect(self._go_to_models)
        panel.search_asked.connect(lambda: desk.requested.emit("search.all"))
        composer.asked.connect(lambda question: self.tasks.start("prepare", self._prepare(question)))
        composer.stopped.connect(self.stop)
        composer.model_asked.connect(self._go_to_models)
        self._happened.connect(self._on_event, Qt.ConnectionType.QueuedConnection)
        desk.workspace_changed.connect(lambda _workspace: self._forget())

    async def load(self) -> None:
        workspace, call = self.desk.workspace, self.desk.client.call
        count = await call(lambda engine: engine.memory.count(workspace))
        self.panel.composer.show_personas(await self.desk.client.value(lambda engine: engine.ask.personas()))
        self.panel.header.set_facts(f"{mind_name(workspace)} · {memories(count)}")
        if not count:
            self.panel.stack.show_empty(
                "message-square",
                self.tr("There is nothing to ask about yet"),
                self.tr("Import a conversation or write a memory; then ask about it here."),
                self.tr("Import a file…"),
                lambda: self.desk.requested.emit("files.choose"),
            )
            return
        setup = await call(lambda engine: engine.providers.setup())
        endpoint = setup.find(setup.chosen)
        usable = endpoint is not None and bool(setup.model)
        self.panel.no_model.setVisible(not usable)
        self._model_words = self.tr("No model")
        if endpoint is not None and usable:
            place = self.tr("%1 · %2, on this computer") if endpoint.local else self.tr("%1 · %2")
            self._model_words = fill(place, one_line(setup.model, 60), one_line(endpoint.label, 40))
        self._show_model(usable, endpoint is not None and endpoint.local)
        if usable and not self._conversation:
            self.panel.show_suggestions(await call(lambda engine: _suggestions(engine, workspace)))
        self.panel.stack.show_data()
        if usable:  # The notice is on the page now, above the box for the first question.
            await call(lambda engine: engine.ask.notice_shown(workspace))

    def _show_model(self, usable: bool, local: bool) -> None:
        spent = cost_words(self._spent, local) if self._conversation or local else ""
        words = " · ".join(filter(None, (self._model_words, spent if usable else "")))
        self.panel.composer.show_model(words, usable)

    # the way of a question

    async def _prepare(self, question: str) -> None:
        if self._turn is not None and self._turn.end is None and not self.tasks.is_running("ask"):
            self._drop(self._turn)
        composer, workspace = self.panel.composer, self.desk.workspace
        persona, autonomy, conversation = composer.persona, composer.autonomy, self._conversation
        try:
            prepared = await self.desk.client.call(
                lambda engine: engine.ask.prepare(
                    question, persona=persona, minds=(workspace,), conversation=conversation, autonomy=autonomy
                )
            )
        except NoModelChosen:
            self.refresh()
            return
        turn = TurnView(prepared)
        self._turn = turn
        self._connect(turn)
        self.panel.add_turn(turn)
        composer.text.clear()
        turn.send.setFocus(Qt.FocusReason.TabFocusReason)

    def _connect(self, turn: TurnView) -> None:
        turn.send_asked.connect(lambda: self._send(turn))
        turn.dropped.connect(lambda: self._drop(turn))
        turn.decided.connect(lambda name, said: self.tasks.start("decide", self._decide(name, said)))
        turn.cited.connect(lambda number: self._open(turn, number))
        turn.dismissed.connect(lambda seen: self.tasks.start("dismiss", self._dismiss(seen)))
        turn.rewrite_asked.connect(lambda: self.tasks.start("rewrite", self._rewrite(turn)))
        turn.discard_asked.connect(lambda: self.tasks.start("rewrite", self._discard(turn)))
        turn.retry_asked.connect(lambda: self._again(turn))
        turn.model_asked.connect(self._go_to_models)
        turn.keep_asked.connect(lambda draft: self.tasks.start("keep", self._keep(turn, draft)))
        turn.copy_asked.connect(lambda: self._copy(turn))

    def _send(self, turn: TurnView) -> None:
        if self.tasks.is_running("ask"):
            return
        self._conversation = turn.prepared.conversation
        turn.begin()
        self.panel.composer.set_running(True)
        self.panel.composer.text.setFocus()
        self.tasks.start("ask", self._ask(turn), lambda error: self._failed(turn, error))

    async def _ask(self, turn: TurnView) -> None:
        chosen, prepared = turn.strip.chosen(), turn.prepared

        async def follow(engine: Any) -> None:
            async with aclosing(engine.ask.ask(prepared, chosen)) as events:
                async for event in events:
                    pieces = await answer_pieces(event) if isinstance(event, AnswerEnd) else []
                    self._happened.emit(turn, event, pieces)

        try:
            await self.desk.client.call(follow)
        finally:
            self.panel.composer.set_running(False)

    def _on_event(self, turn: TurnView, event: AskEvent, pieces: list[str]) -> None:
        if turn is not self._turn:
            return
        if isinstance(event, AnswerText):
            turn.add_text(event.text)
        elif isinstance(event, AnswerWaiting):
            turn.show_waiting(event)
        elif isinstance(event, ToolUsed):
            turn.add_step(event)
        elif isinstance(event, ApprovalWanted):
            turn.ask_approval(event)
        elif isinstance(event, CorrectionSeen):
            turn.show_correction(event)
        elif isinstance(event, AnswerWithheld):
            turn.show_withheld(event)
        elif isinstance(event, AnswerEnd):
            self._show_end(turn, event, pieces)

    def _show_end(self, turn: TurnView, end: AnswerEnd, pieces: list[str]) -> None:
        turn.show_end(end, pieces)
        self.panel.fold_notice()
        unknown = self._spent is None or (end.cost_usd is None and not end.nothing)
        self._spent = None if unknown else (self._spent or 0.0) + (end.cost_usd or 0.0)
        self._show_model(True, turn.prepared.local)

    def _failed(self, turn: TurnView, error: BaseException) -> None:
        if isinstance(error, Cancelled):
            turn.show_stopped()
        elif isinstance(error, HiveMindError):
            turn.show_failure(error.title, error.hint)
        else:
            turn.show_failure(InternalFault.title, InternalFault.hint)

    def stop(self) -> None:
        """Stop the question that is on its way."""
        if self.tasks.is_running("ask") and self._turn is not None:
            self.tasks.cancel("ask")
            self._turn.show_stopped()

    def begin_anew(self) -> None:
        """Forget this conversation here; what was saved of it stays, and so does the log."""
        self._forget()
        if self.desk.is_started:
            self.refresh()
        self.panel.composer.text.setFocus()

    def _forget(self) -> None:
        """Nothing is loaded: that waits until the page is in sight, and so does what the log says of its notice."""
        self.stop()
        self._turn, self._conversation, self._spent = None, "", 0.0
        self.panel.clear_turns()

    # afterwards

    def _drop(self, turn: TurnView) -> None:
        if self._turn is turn:
            self._turn = None
        self.panel.composer.text.setPlainText(turn.prepared.question)
        self.panel.remove_turn(turn)
        self.panel.composer.text.setFocus()

    def _again(self, turn: TurnView) -> None:
        question = turn.prepared.question
        self.panel.remove_turn(turn)
        self._turn = None
        self.tasks.start("prepare", self._prepare(question))

    async def _decide(self, name: str, allowed: bool) -> None:
        if not await self.desk.client.call(lambda engine: engine.ask.decide(name, allowed)):
            self.desk.notices.toast(self.tr("It does not wait any more"), icon="info", ink="text_soft")

    async def _dismiss(self, seen: CorrectionSeen) -> None:
        await self.desk.client.call(lambda engine: engine.ask.dismiss_correction(seen))

    async def _rewrite(self, turn: TurnView) -> None:
        name = turn.prepared.turn
        end = await self.desk.client.call(lambda engine: engine.ask.retry_writing(name))
        self._show_end(turn, end, await answer_pieces(end))

    async def _discard(self, turn: TurnView) -> None:
        name = turn.prepared.turn
        await self.desk.client.call(lambda engine: engine.ask.discard(name))
        turn.show_discarded()

    async def _keep(self, turn: TurnView, draft: bool) -> None:
        prepared, end = turn.prepared, turn.end
        if end is None:
            return
        await self.desk.client.call(lambda engine: engine.ask.save_answer(prepared, end, draft=draft))
        self.desk.notices.toast(
            self.tr("Saved, marked as written by an AI"), self.tr("Undo"), lambda: self.desk.requested.emit("undo")
        )

    def _copy(self, turn: TurnView) -> None:
        if turn.end is not None:
            QGuiApplication.clipboard().setMimeData(copied(turn.end))
            self.desk.notices.toast(self.tr("Copied, with who wrote it"))

    def _open(self, turn: TurnView, number: int) -> None:
        """The memory behind a number of the answer."""
        for one in turn.end.citations if turn.end else ():
            if one.number == number:
                self.desk.show_workspace(one.workspace)
                self.desk.asked.emit(Target("memories", frame_id=one.frame_id))

    def _go_to_models(self) -> None:
        self.desk.asked.emit(Target("settings", query=MODELS))


async def _suggestions(engine: Any, workspace: str) -> list[str]:
    """Three questions made from what is there."""
    translate = QCoreApplication.translate
    rows = await engine.sessions.list_rows(workspace, 20, None)
    titles = [one_line(each.session.title, 60) for each in rows if each.session.source and each.session.title]
    about = [fill(translate("AskController", "What do I know about %1?"), each) for each in titles[:2]]
    return [translate("AskController", "Catch me up: what was decided, and what is open?"), *about]
