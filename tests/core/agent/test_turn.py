"""The recorder of a turn adds calls up and never writes two ends; the book gives each memory one number.

Covers: book, conversations, traces, turn, turn_recorder.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.agent.book import CardBook, within
from hivemind.agent.conversations import CHARACTERS, KEPT, TURNS, Conversations
from hivemind.agent.traces import TraceStart, TraceStore
from hivemind.agent.turn import ROUNDS, TurnState
from hivemind.agent.turn_recorder import TurnRecorder
from hivemind.domain.ask import RecalledCard
from hivemind.domain.calls import Call, CallKind, CallOutcome, CallRecorder
from hivemind.domain.chat import ChatEnd
from hivemind.errors import FrameNotFound
from hivemind.gateway import genesis
from hivemind.mind import Mind

CALL = Call("c1", CallKind.LLM_CALL, model="m", provider="p")


class Notebook(CallRecorder):
    def __init__(self) -> None:
        self.lines: list[tuple[str, object]] = []

    async def started(self, call: Call) -> None:
        self.lines.append(("started", call.uuid))

    async def finished(self, outcome: CallOutcome) -> None:
        self.lines.append(("finished", (outcome.input_tokens, outcome.cost_usd, outcome.output_text, outcome.tools)))

    async def failed(self, outcome: CallOutcome) -> None:
        self.lines.append(("failed", outcome.error))


def outcome(tokens: int | None, text: str, *tools: str) -> CallOutcome:
    return CallOutcome("c1", tokens, tokens, 0.5, "m", text, tools)


def test_many_rounds_are_one_start_and_one_end() -> None:
    async def errand() -> None:
        book = Notebook()
        recorder = TurnRecorder(book)
        for tokens, text, tools in ((3, "Let me look.", ("search",)), (4, "Here.", ())):
            await recorder.started(CALL)
            await recorder.finished(outcome(tokens, text, *tools))
        await recorder.close()
        await recorder.close()
        await recorder.abandon("late")
        assert book.lines == [("started", "c1"), ("finished", (7, 1.0, "Let me look.\n\nHere.", ("search",)))]
        assert recorder.rounds == 2

    asyncio.run(errand())


def test_a_failure_ends_the_turn_at_once_and_unknown_stays_unknown() -> None:
    async def errand() -> None:
        book = Notebook()
        recorder = TurnRecorder(book)
        await recorder.abandon("nothing began")
        await recorder.started(CALL)
        await recorder.finished(outcome(3, "a"))
        await recorder.failed(CallOutcome("c1", error="timed_out"))
        await recorder.close()
        assert book.lines == [("started", "c1"), ("failed", "timed_out")]
        assert recorder.total is not None
        assert recorder.total.input_tokens is None

    asyncio.run(errand())


def test_a_state_adds_up() -> None:
    state = TurnState()
    state.add(ChatEnd("m", "stop", 3, 1, 0.25))
    state.add(ChatEnd("m2", "stop", 4, None, 0.25))
    assert (state.model, state.input_tokens, state.output_tokens, state.cost_usd) == ("m2", 7, None, 0.5)
    assert ROUNDS > 1


def test_a_number_means_one_memory() -> None:
    card = RecalledCard(2, "personal", 7, "t", "x", "2026-11-30", "normal", "")
    book = CardBook([card], 5)
    assert book.card(2) is card
    with pytest.raises(FrameNotFound):
        book.card(6)


@given(st.lists(st.text(max_size=60), max_size=20), st.integers(10, 200))
def test_lines_fit(lines: list[str], limit: int) -> None:
    kept = within(lines, limit)
    if kept != lines:
        kept = kept[:-1]
        assert kept
    assert sum(map(len, kept)) <= limit


def test_a_conversation_is_kept_within_bounds() -> None:
    kept = Conversations()
    for number in range(TURNS + 3):
        kept.add("one", f"q{number}", "a", number)
    assert len(kept.messages("one")) == 2 * TURNS
    assert kept.messages("one")[-2].text == f"q{TURNS + 2}"
    assert kept.last_trace("one") == TURNS + 2
    kept.add("one", "long", "a" * CHARACTERS, 99)
    assert kept.messages("one") == ()
    for number in range(KEPT):
        kept.add(f"c{number}", "q", "a", number)
    assert kept.last_trace("one") is None


def test_a_trace_is_corrected_only_when_it_was_a_success(tmp_path: Path) -> None:
    mind = Mind.open(tmp_path / "one.mind", "personal", create=True, seeders=(genesis(),))

    async def errand() -> None:
        def work(tx: object) -> None:
            store = TraceStore(tx.connection, tx.now)  # type: ignore[attr-defined]
            trace = store.begin(TraceStart("c", "p", "personal", "m", "search", {"q": "ü"}))
            store.mark_corrected(trace)
            assert store.outcome(trace) == "pending"
            store.finish(trace, "success", {}, cost=None, milliseconds=3)
            store.mark_corrected(trace)
            assert store.outcome(trace) == "corrected"
            store.unmark_corrected(trace)
            assert store.outcome(trace) == "success"
            assert store.outcome(99) is None

        await mind.write(work)

    asyncio.run(errand())
    mind.close()
