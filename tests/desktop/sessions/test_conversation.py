"""Conversations: blocks, folded output, other answers, marks, and a window that slides along any length.

Covers: conversation, block, thread.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from hivemind.domain.sessions import Mark, Message, OpenSession, Session, SessionKind, SessionPart, SessionStatus
from hivemind_desktop.sessions.block import LONGEST, MessageBlock
from hivemind_desktop.sessions.conversation import WINDOW, ConversationView
from hivemind_desktop.sessions.thread import Entry, place_of, thread_of
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.labels import ElidedLabel

SESSION = Session(
    "s", SessionKind.CONVERSATION, "Talk", SessionStatus.ACTIVE, None, "chatgpt", "i", None, "2025", None, None
)


def message(number: int, **values: Any) -> Message:
    plain: dict[str, Any] = {
        "id": number, "ext_id": str(number), "parent_ext_id": str(number - 1) if number else None, "occurrence": 0,
        "speaker": "user", "role": "user", "sent_at": "2025-05-14T12:00:00.000Z", "hidden": False, "kind": "speech",
        "branch": 0, "position": number, "text": f"Message {number}", "frame_ids": (number,),
    }  # fmt: skip
    return Message(**{**plain, **values})


def conversation(count: int, **values: Any) -> OpenSession:
    return OpenSession(SESSION, tuple(message(number) for number in range(count)), **values)


def block(qtbot: QtBot, marks: tuple[Mark, ...] = (), **values: Any) -> MessageBlock:
    made = MessageBlock(Entry(message(1, **values)), "chatgpt", "1 of 9", None, marks)
    qtbot.addWidget(made)
    return made


def shown(qtbot: QtBot, opened: OpenSession, at: int | None = None) -> ConversationView:
    view = ConversationView()
    qtbot.addWidget(view)
    view.resize(560, 420)
    view.show()
    asyncio.run(view.show_messages(opened, at))
    view.place_asked.connect(lambda place: asyncio.run(view.show_at(place)))
    return view


def settle(qtbot: QtBot, view: ConversationView) -> None:
    qtbot.waitUntil(lambda: not view._settling.isActive(), timeout=10_000)


def test_who_speaks(qtbot: QtBot) -> None:
    assert block(qtbot).accessibleName().startswith("You. ")
    assert block(qtbot, speaker="assistant", role="assistant").accessibleName().startswith("ChatGPT. ")
    assert block(qtbot, speaker="Ana").accessibleName().startswith("Ana. ")


@pytest.mark.parametrize("kind", ["code", "tool_call", "tool_result", "reasoning", "profile", "error", "other"])
def test_output_is_folded_until_asked_for(qtbot: QtBot, kind: str) -> None:
    made = block(qtbot, kind=kind, text="14 lines of output", role="tool", speaker="tool", frame_ids=())
    assert made.text is None
    made.findChildren(Button)[0].click()
    assert made.text is not None
    assert made.text.text() == "14 lines of output"


def test_hidden_messages_are_folded_too(qtbot: QtBot) -> None:
    assert block(qtbot, hidden=True).text is None


def test_the_memory_made_of_it_opens(qtbot: QtBot) -> None:
    made = block(qtbot, frame_ids=(7, 8))
    opened: list[int] = []
    made.memory_asked.connect(opened.append)
    made.findChildren(Button)[0].click()
    assert opened == [7]


def test_a_very_long_message_is_cut_with_a_word(qtbot: QtBot) -> None:
    made = block(qtbot, (Mark(1, LONGEST, LONGEST + 500),), text="x" * (LONGEST + 5))
    assert made.text is not None
    assert made.text.text().endswith("5 more characters are in the archive.")


def test_imported_text_is_never_html(qtbot: QtBot) -> None:
    made = block(qtbot, text="<b>bold</b>", speaker="<i>x</i>")
    assert made.text is not None
    assert made.text.text() == "<b>bold</b>"


@pytest.mark.parametrize("before", ["", "One.\n", "One.\r\n\r\nTwo. ", "🐘 and 𝄞: "])
def test_exactly_the_words_of_the_memory_are_marked(qtbot: QtBot, before: str) -> None:
    start = len(before)
    made = block(qtbot, (Mark(1, start, start + 11),), text=f"{before}we chose it, finally")
    assert made.text is not None
    (selection,) = made.text.extraSelections()
    assert selection.cursor.selectedText() == "we chose it"


def test_other_answers_stand_beside_the_one_that_was_kept(qtbot: QtBot) -> None:
    messages = [message(n) for n in range(4)]
    messages += [message(10, parent_ext_id="0", branch=1, text="Rather not"), message(11, parent_ext_id="10", branch=1)]
    messages += [message(20, parent_ext_id="0", branch=2), message(30, parent_ext_id="3", branch=3)]
    messages += [message(40, parent_ext_id="lost", branch=4)]
    entries = thread_of(OpenSession(SESSION, tuple(messages)))
    assert [len(each.others) for each in entries] == [0, 2, 0, 2]
    assert place_of(entries, 11) == 1
    assert place_of(entries, 30) == 3
    assert place_of(entries, 99) is None
    made = MessageBlock(entries[1], "chatgpt", "", None)
    qtbot.addWidget(made)
    assert made.fork.words() == "2 other answers"
    made.fork.click()
    assert made.texts_by_id[10].text() == "Rather not"
    made.fork.click()
    assert 10 not in made.texts_by_id
    opened = MessageBlock(entries[1], "chatgpt", "", 11)
    qtbot.addWidget(opened)
    assert 11 in opened.texts_by_id, "a message of a branch opens its branch"


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 12)), max_size=24))
def test_every_message_is_in_exactly_one_entry(shape: list[tuple[int, int]]) -> None:
    messages = tuple(message(n, branch=branch, parent_ext_id=str(parent)) for n, (branch, parent) in enumerate(shape))
    entries = thread_of(OpenSession(SESSION, messages))
    found = [each.message.id for each in entries]
    found += [each.id for entry in entries for branch in entry.others for each in branch]
    assert sorted(found) == list(range(len(messages)))


def test_merged_parts_have_a_heading(qtbot: QtBot) -> None:
    parts = (SessionPart(SESSION, 0), SessionPart(SESSION, 2))
    entries = thread_of(conversation(4, parts=parts))
    assert [each.part is not None for each in entries] == [True, False, True, False]
    made = MessageBlock(entries[2], "chatgpt", "", None)
    qtbot.addWidget(made)
    assert "Talk" in [each.full_text() for each in made.findChildren(ElidedLabel)]


def test_twenty_thousand_messages_open_at_any_of_them(qtbot: QtBot) -> None:
    view = shown(qtbot, conversation(20_000, important=frozenset({3, 15_000})), 15_000)
    assert len(view.blocks) == WINDOW
    opened = view.opened_block()
    assert opened is not None
    assert opened.message.id == 15_000
    qtbot.waitUntil(lambda: opened.visibleRegion().boundingRect().height() > 20, timeout=2000)
    settle(qtbot, view)
    assert view.seen()[0] <= 15_000 <= view.seen()[1]
    assert view.strip._marked == {3, 15_000}
    assert f"{number(15_001)} of {number(20_000)}" in view.strip.accessibleName()


def test_the_window_slides_with_what_is_seen_and_nothing_jumps(qtbot: QtBot) -> None:
    view = shown(qtbot, conversation(500), 250)
    settle(qtbot, view)
    bar = view.area.verticalScrollBar()
    for _ in range(25):
        first = view.seen()[0]
        bar.setValue(bar.value() + 300)
        settle(qtbot, view)
        assert first < view.seen()[0] <= first + 9
    assert view.seen()[0] > 280
    assert len(view.blocks) <= 2 * WINDOW
    places = [each.message.id for each in view.blocks]
    assert places == list(range(places[0], places[0] + len(places)))
    for _ in range(50):
        first = view.seen()[0]
        bar.setValue(bar.value() - 300)
        settle(qtbot, view)
        assert first - 9 <= view.seen()[0] < first
    assert view.seen()[0] < 240


def test_the_strip_and_the_keys_lead_anywhere(qtbot: QtBot) -> None:
    view = shown(qtbot, conversation(500))
    settle(qtbot, view)
    assert view.seen()[0] == 0
    view.strip.asked.emit(400)
    settle(qtbot, view)
    assert view.seen()[0] == 400
    view.step(1)
    settle(qtbot, view)
    assert view.opened_at == 400
    view.step(1)
    view.step(-1)
    view.step(-1)
    assert view.opened_at == 399
    settle(qtbot, view)
    opened = view.opened_block()
    assert opened is not None
    assert "opened" in opened.accessibleName()


def test_the_beginning_without_a_message(qtbot: QtBot) -> None:
    view = shown(qtbot, conversation(3))
    assert [each.message.id for each in view.blocks] == [0, 1, 2]
    assert view.opened_block() is None
    view.step(-1)
    assert view.opened_at is None
