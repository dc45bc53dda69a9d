"""Ask: prepare a question, show what would be sent, ask, and keep what came of it. One turn is one interaction."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Callable, Sequence

from hivemind.agent.cards import estimate_tokens, line
from hivemind.agent.personas import DEFAULT, load_personas
from hivemind.agent.prompt import PromptWriter, Situation, joined
from hivemind.agent.recall import background, recall
from hivemind.agent.signals import SignalStore
from hivemind.agent.tools import offered
from hivemind.agent.traces import TraceStore
from hivemind.domain.ask import (
    AnswerEnd,
    AskEvent,
    Autonomy,
    CorrectionSeen,
    Persona,
    PreparedQuestion,
    PromptPart,
    Recalled,
    RecallMode,
)
from hivemind.domain.calls import CallKind
from hivemind.domain.frames import Provenance, Saved
from hivemind.domain.text import sanitise
from hivemind.engine.ask_turns import AskTurns
from hivemind.engine.context import Context
from hivemind.engine.memory_service import MemoryService
from hivemind.engine.provider_service import ProviderService
from hivemind.engine.self_service import SelfService
from hivemind.engine.session_service import SessionService
from hivemind.errors import InvalidValue, NoModelChosen, NotFound
from hivemind.gateway import record_event
from hivemind.mind import Mind, MindTransaction
from hivemind.paths import PERSONAL, app_version, resource_path

QUESTION_LIMIT = 20_000


class AskService:
    """`providers`: where models are asked; called at each use."""

    def __init__(
        self,
        context: Context,
        services: tuple[MemoryService, SelfService, SessionService],
        providers: Callable[[], ProviderService],
    ) -> None:
        self._context = context
        self._memory = services[0]
        self._providers = providers
        self._personas: tuple[Persona, ...] = ()
        self._noticed: set[str] = set()
        self._writer = PromptWriter(resource_path("prompts", "ask-rules.md").read_text("utf-8"))
        self._turns = AskTurns(context, services, providers)

    # before anything is sent

    def personas(self) -> tuple[Persona, ...]:
        """All of them, the default first. Raises InvalidValue when a file does not fit."""
        if not self._personas:
            self._personas = load_personas(resource_path("personas"))
        return self._personas

    def persona(self, name: str) -> Persona:
        """Raises NotFound."""
        for one in self.personas():
            if one.id == name:
                return one
        raise NotFound("There is no such persona", "Choose one of the list.")

    async def notice_shown(self, workspace: str) -> None:
        """Write into a mind's log that its person was told they talk to an AI. Once per run."""
        if workspace not in self._noticed:
            mind = await self._context.mind(workspace)
            await mind.write(lambda tx: record_event(tx.connection, tx.now, CallKind.NOTICE, {"page": "ask"}))
            self._noticed.add(workspace)

    async def recall(self, question: str, minds: Sequence[str] = (PERSONAL,), limit: int = 10) -> Recalled:
        """What would be recalled for a question. No model is asked. Raises InvalidValue without words."""
        return await recall(_clean(question), await self._opened(minds), self._memory.search, limit)

    async def context(self, workspace: str, persona: str = DEFAULT) -> tuple[tuple[PromptPart, ...], Recalled]:
        """What an AI would be told whatever the question: the prompt's parts, and the memories that go along."""
        chosen = self.persona(persona)
        minds = await self._opened((workspace,))
        setup = await self._providers().setup()
        parts = await self._writer.parts(
            minds, chosen, _situation(chosen, setup.model or "none", minds, Autonomy.NORMAL)
        )
        cards, held = await background(minds, (), 1)
        return parts, Recalled(RecallMode.CATCH_UP, cards, held)

    async def prepare(
        self,
        question: str,
        *,
        persona: str = DEFAULT,
        minds: Sequence[str] = (PERSONAL,),
        conversation: str = "",
        autonomy: Autonomy = Autonomy.NORMAL,
    ) -> PreparedQuestion:
        """Everything that would be sent with a question. Nothing is sent.

        Raises InvalidValue without words, NoModelChosen, NotFound for an unknown persona, and what searching raises.
        """
        words, chosen = _clean(question), self.persona(persona)
        setup = await self._providers().setup()
        endpoint = setup.find(setup.chosen)
        if endpoint is None or not setup.model:
            raise NoModelChosen()
        opened = await self._opened(minds)
        recalled = await recall(words, opened, self._memory.search)
        more, held = await background(opened, recalled.cards, len(recalled.cards) + 1)
        whole = Recalled(recalled.mode, recalled.cards + more, recalled.held + held, recalled.degraded)
        parts = await self._writer.parts(opened, chosen, _situation(chosen, setup.model, opened, autonomy))
        instructions = joined(parts)
        earlier = self._turns.earlier(conversation)
        return PreparedQuestion(
            turn=str(uuid.uuid4()),
            conversation=conversation or str(uuid.uuid4()),
            question=words,
            persona=chosen,
            minds=tuple(mind.workspace for mind in opened),
            provider=endpoint.name,
            provider_label=endpoint.label,
            model=setup.model,
            local=endpoint.local,
            recalled=whole,
            instructions=instructions,
            tokens=estimate_tokens(instructions, words, *map(line, whole.cards), *(one.text for one in earlier)),
            autonomy=autonomy,
            earlier=len(earlier) // 2,
        )

    # asking

    def ask(self, prepared: PreparedQuestion, chosen: frozenset[int] | None = None) -> AsyncGenerator[AskEvent, None]:
        """Send it with the chosen cards (None: all) and tell what happens; ends with AnswerEnd or AnswerWithheld.

        Closing the iterator stops the request. Raises NetFault, ModelFault or RecorderFault; then nothing that was
        shown of the answer may stay.
        """
        return self._turns.run(prepared, chosen)

    async def decide(self, approval_id: str, allowed: bool) -> bool:
        """Answer an ApprovalWanted. False: it does not wait any more."""
        return self._turns.decide(approval_id, allowed)

    async def retry_writing(self, turn: str) -> AnswerEnd:
        """Record the end of a withheld turn once more, and hand out its answer. Raises RecorderFault, NotFound."""
        return await self._turns.retry_writing(turn)

    async def discard(self, turn: str) -> None:
        """Drop a withheld answer for good. Raises NotFound."""
        await self._turns.discard(turn)

    # afterwards

    async def dismiss_correction(self, seen: CorrectionSeen) -> bool:
        """It was no correction: the signal and the mark on the turn before are taken back."""
        mind = await self._context.mind(seen.workspace)

        def work(tx: MindTransaction) -> bool:
            TraceStore(tx.connection, tx.now).unmark_corrected(seen.trace_id)
            return SignalStore(tx.connection, tx.now).take_back(seen.signal_id)

        return await mind.write(work)

    async def save_answer(self, prepared: PreparedQuestion, end: AnswerEnd, *, draft: bool = False) -> Saved:
        """Keep an answer as a memory, or as the draft of a page with its question and sources. Can be undone.

        It is marked as written by an AI: source agent_inferred, author `ai:service/model`.
        """
        text = end.text.strip()
        if draft:
            titles = {card.number: card.title for card in prepared.recalled.cards}
            sources = [f"[{one.number}] {titles.get(one.number, '')} (memory {one.frame_id})" for one in end.citations]
            text = "\n\n".join((f"Draft: {prepared.question}", text, *(["\n".join(sources)] if sources else [])))
        author = f"ai:{end.provider}/{end.model}"[:200]
        return await self._memory.save(text, prepared.minds[0], source=Provenance.AGENT_INFERRED, author=author)

    async def _opened(self, minds: Sequence[str]) -> list[Mind]:
        return [await self._context.mind(workspace) for workspace in dict.fromkeys(minds)]


def _clean(question: str) -> str:
    words = sanitise(question)[0].strip()
    if not words:
        raise InvalidValue("There is no question", "Write what you want to know.")
    if len(words) > QUESTION_LIMIT:
        raise InvalidValue("This question is too long", f"Use at most {QUESTION_LIMIT:,} characters.")
    return words


def _situation(persona: Persona, model: str, minds: Sequence[Mind], autonomy: Autonomy) -> Situation:
    names = tuple(tool.name for tool in offered(persona))
    return Situation(app_version(), model, names, str(autonomy), tuple(mind.workspace for mind in minds))
