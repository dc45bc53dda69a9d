"""One question on its way: sent, answered, recorded, cited; or withheld until its end can be recorded."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass

from hivemind.agent.book import CardBook
from hivemind.agent.cards import fenced, line
from hivemind.agent.citations import resolve
from hivemind.agent.conversations import Conversations
from hivemind.agent.corrections import detect_correction
from hivemind.agent.frames_seen import Seen
from hivemind.agent.signals import SignalStore
from hivemind.agent.tools import offered
from hivemind.agent.traces import TraceStart, TraceStore
from hivemind.agent.turn import TurnState, run_turn
from hivemind.agent.turn_recorder import TurnRecorder
from hivemind.domain.ask import (
    AnswerEnd,
    AnswerWithheld,
    AskEvent,
    CorrectionSeen,
    PreparedQuestion,
    RecalledCard,
    RecallSent,
)
from hivemind.domain.calls import CallKind
from hivemind.domain.chat import CallPlace, ChatMessage, ChatRequest, ChatRole
from hivemind.domain.frames import Access
from hivemind.engine.ask_actions import AskActions
from hivemind.engine.ask_tools import ApprovalDesk, AskToolbox
from hivemind.engine.context import Context
from hivemind.engine.memory_service import MemoryService
from hivemind.engine.provider_service import ProviderService
from hivemind.engine.self_service import SelfService
from hivemind.engine.session_service import SessionService
from hivemind.errors import HiveMindError, NotFound, RecorderFault
from hivemind.events import Area
from hivemind.gateway import Recorder, record_event
from hivemind.mind import Mind, MindTransaction

NOTHING = "I have nothing on that."


@dataclass(slots=True)
class _Turn:
    """A turn under way, or one whose end is not recorded yet."""

    prepared: PreparedQuestion
    home: Mind
    recorder: TurnRecorder
    state: TurnState
    book: CardBook
    trace_id: int
    began: float


class AskTurns:
    """Runs turns. Approvals that wait and answers that are withheld are kept here."""

    def __init__(
        self,
        context: Context,
        services: tuple[MemoryService, SelfService, SessionService],
        providers: Callable[[], ProviderService],
    ) -> None:
        self._context = context
        self._services = services
        self._memory = services[0]
        self._providers = providers
        self._desk = ApprovalDesk()
        self._conversations = Conversations()
        self._withheld: dict[str, _Turn] = {}

    async def run(
        self, prepared: PreparedQuestion, chosen: frozenset[int] | None = None
    ) -> AsyncGenerator[AskEvent, None]:
        """Send it with the chosen cards (None: all) and tell what happens; ends with AnswerEnd or AnswerWithheld.

        Closing the iterator stops the request. Raises NetFault, ModelFault or RecorderFault; then nothing that was
        shown of the answer may stay.
        """
        cards = prepared.chosen(chosen)
        home = await self._context.mind(prepared.minds[0])
        if (seen := await self._correction(prepared, home)) is not None:
            yield seen
        if prepared.persona.needs_sources and all(card.background for card in cards):
            yield AnswerEnd(prepared.turn, NOTHING, prepared.model, prepared.provider, nothing=True)
            return
        await self._read_others(prepared, {card.workspace for card in cards})
        turn = await self._begun(prepared, home, cards)
        try:
            yield RecallSent(cards)
            provider = await self._providers().provider(prepared.provider, home.workspace, turn.recorder)
            events = run_turn(
                provider,
                self._request(prepared, cards),
                _place(prepared),
                self._toolbox(turn),
                turn.recorder,
                turn.state,
            )
            async with contextlib.aclosing(events):
                async for event in events:
                    yield event
        except BaseException:
            await self._traced(turn, "abandoned")
            raise
        try:
            await turn.recorder.close()
        except RecorderFault as fault:
            self._withheld[prepared.turn] = turn
            yield AnswerWithheld(prepared.turn, fault.title, fault.hint)
            return
        yield await self._ended(turn)

    def earlier(self, conversation: str) -> tuple[ChatMessage, ...]:
        """What was said before in the conversation, as far as it goes along with the next question."""
        return self._conversations.messages(conversation)

    def decide(self, approval_id: str, allowed: bool) -> bool:
        """Answer an ApprovalWanted. False: it does not wait any more."""
        return self._desk.decide(approval_id, allowed)

    async def retry_writing(self, turn: str) -> AnswerEnd:
        """Record the end of a withheld turn once more, and hand out its answer. Raises RecorderFault, NotFound."""
        waiting = self._found(turn)
        await waiting.recorder.close()
        self._withheld.pop(turn, None)
        return await self._ended(waiting)

    async def discard(self, turn: str) -> None:
        """Drop a withheld answer for good. Raises NotFound."""
        waiting = self._found(turn)
        del self._withheld[turn]
        with contextlib.suppress(RecorderFault):
            await waiting.recorder.abandon("discarded")
        await self._traced(waiting, "abandoned")

    def _found(self, turn: str) -> _Turn:
        if turn not in self._withheld:
            raise NotFound("This answer is not waiting any more", "Ask again.")
        return self._withheld[turn]

    async def _correction(self, prepared: PreparedQuestion, home: Mind) -> CorrectionSeen | None:
        before = self._conversations.last_trace(prepared.conversation)
        found = detect_correction(prepared.question) if before is not None else None
        if found is None or before is None:
            return None

        def work(tx: MindTransaction) -> int:
            TraceStore(tx.connection, tx.now).mark_corrected(before)
            return SignalStore(tx.connection, tx.now).note("correction", found.key, found.detail).id

        signal = await home.write(work)
        return CorrectionSeen(home.workspace, signal, before, found.key, found.detail, found.confidence, found.durable)

    async def _read_others(self, prepared: PreparedQuestion, workspaces: set[str]) -> None:
        """Write into both minds that memories of one are used for a question in another. Raises RecorderFault."""
        home = prepared.minds[0]
        for other in sorted(workspaces - {home}):
            detail = {"from_workspace": home, "workspace": other, "turn": prepared.turn}
            for name in (other, home):
                mind = await self._context.mind(name)
                await _record_reading(mind, detail)

    async def _begun(self, prepared: PreparedQuestion, home: Mind, cards: Sequence[RecalledCard]) -> _Turn:
        book = CardBook(cards, max((card.number for card in prepared.recalled.cards), default=0))
        content = {
            "turn": prepared.turn,
            "question": prepared.question,
            "sent": [[c.workspace, c.frame_id] for c in cards],
        }
        start = TraceStart(
            prepared.conversation,
            prepared.persona.id,
            home.workspace,
            prepared.model,
            str(prepared.recalled.mode),
            content,
        )
        trace = await home.write(lambda tx: TraceStore(tx.connection, tx.now).begin(start))
        return _Turn(prepared, home, TurnRecorder(Recorder(home)), TurnState(), book, trace, time.monotonic())

    def _request(self, prepared: PreparedQuestion, cards: Sequence[RecalledCard]) -> ChatRequest:
        memory = fenced([line(card) for card in cards])
        asked = f"{memory}\n\nQuestion:\n{prepared.question}" if memory else prepared.question
        messages = (
            ChatMessage(ChatRole.SYSTEM, prepared.instructions),
            *self._conversations.messages(prepared.conversation),
            ChatMessage(ChatRole.USER, asked),
        )
        return ChatRequest(prepared.model, messages, tuple(tool.spec for tool in offered(prepared.persona)))

    def _toolbox(self, turn: _Turn) -> AskToolbox:
        async def read_others(found: Sequence[Seen]) -> None:
            await self._read_others(turn.prepared, {one.workspace for one in found})

        actions = AskActions(self._context, self._services, turn.prepared, turn.book, read_others)
        return AskToolbox(turn.prepared, actions, Recorder(turn.home), self._desk)

    async def _ended(self, turn: _Turn) -> AnswerEnd:
        prepared, state = turn.prepared, turn.state
        citations, uncited = resolve(state.text, turn.book.cards)
        await self._traced(turn, "success")
        self._conversations.add(prepared.conversation, prepared.question, state.text, turn.trace_id)
        for workspace in {one.workspace for one in citations}:
            cited = [one.frame_id for one in citations if one.workspace == workspace]
            await self._memory.used(workspace, [Access(i, "cited", query_id=prepared.turn) for i in cited])
        self._context.changed(turn.home.workspace, Area.AUDIT)
        return AnswerEnd(
            turn=prepared.turn,
            text=state.text,
            model=state.model or prepared.model,
            provider=prepared.provider,
            citations=citations,
            uncited=uncited,
            input_tokens=state.input_tokens,
            output_tokens=state.output_tokens,
            cost_usd=state.cost_usd,
            seconds=time.monotonic() - turn.began,
            tools=tuple(state.tools),
        )

    async def _traced(self, turn: _Turn, outcome: str) -> None:
        prepared, state = turn.prepared, turn.state
        content = {
            "turn": prepared.turn,
            "question": prepared.question,
            "sent": [[card.workspace, card.frame_id] for card in turn.book.cards],
            "tools": state.tools,
            "answer": state.text if outcome == "success" else "",
            "cost_known": state.cost_usd is not None,
        }
        spent = int((time.monotonic() - turn.began) * 1000)
        # A trace is for learning from; the evidence is the log. Losing one must not lose the answer.
        with contextlib.suppress(HiveMindError):
            await turn.home.write(
                lambda tx: TraceStore(tx.connection, tx.now).finish(
                    turn.trace_id, outcome, content, cost=state.cost_usd, milliseconds=spent
                )
            )


def _place(prepared: PreparedQuestion) -> CallPlace:
    return CallPlace(
        prepared.turn,
        feature="ask",
        workspace_id=prepared.minds[0],
        session_id=prepared.conversation,
        persona=prepared.persona.id,
        logged_input=prepared.question,
    )


async def _record_reading(mind: Mind, detail: Mapping[str, str]) -> None:
    kind, other = CallKind.CROSS_MIND_READ, detail["workspace"]
    try:
        await mind.write(lambda tx: record_event(tx.connection, tx.now, kind, dict(detail), workspace_id=other))
    except HiveMindError as fault:
        raise RecorderFault(hint=f"{fault.title}. {fault.hint}", details=fault.code) from fault
