"""Blocks of a conversation: who, when, folded output, memories made of it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from hivemind.domain.sessions import Conversation, Message, Session, SessionKind, SessionStatus
from hivemind_desktop.sessions.conversation import LONGEST, WINDOW, ConversationView, MessageBlock
from hivemind_desktop.widgets.buttons import Button


def message(number: int, **values: Any) -> Message:
    plain: dict[str, Any] = {
        "id": number, "ext_id": str(number), "parent_ext_id": None, "occurrence": 0, "speaker": "user", "role": "user",
        "sent_at": "2025-05-14T12:00:00.000Z", "hidden": False, "kind": "speech", "branch": 0, "position": number,
        "text": f"Message {number}", "frame_ids": (),
    }  # fmt: skip
    return Message(**{**plain, **values})


def conversation(count: int) -> Conversation:
    session = Session(
        "s", SessionKind.CONVERSATION, "Talk", SessionStatus.ACTIVE, None, "chatgpt", "i", None, "2025", None, None
    )
    return Conversation(session, tuple(message(number) for number in range(count)))


def block(qtbot: QtBot, **values: Any) -> MessageBlock:
    made = MessageBlock(message(1, **values), "chatgpt", "1 of 9", False)
    qtbot.addWidget(made)
    return made


def test_who_speaks(qtbot: QtBot) -> None:
    assert block(qtbot).accessibleName().startswith("You. ")
    assert block(qtbot, speaker="assistant", role="assistant").accessibleName().startswith("ChatGPT. ")
    assert block(qtbot, speaker="Ana").accessibleName().startswith("Ana. ")


@pytest.mark.parametrize("kind", ["code", "tool_call", "tool_result", "reasoning", "profile", "error", "other"])
def test_output_is_folded_until_asked_for(qtbot: QtBot, kind: str) -> None:
    made = block(qtbot, kind=kind, text="14 lines of output", role="tool", speaker="tool")
    assert made._text is None
    made.findChildren(Button)[0].click()
    assert made._text is not None
    assert made._text.text() == "14 lines of output"


def test_hidden_messages_are_folded_too(qtbot: QtBot) -> None:
    assert block(qtbot, hidden=True)._text is None


def test_the_memory_made_of_it_opens(qtbot: QtBot) -> None:
    made = block(qtbot, frame_ids=(7, 8))
    opened: list[int] = []
    made.memory_asked.connect(opened.append)
    made.findChildren(Button)[0].click()
    assert opened == [7]


def test_a_very_long_message_is_cut_with_a_word(qtbot: QtBot) -> None:
    made = block(qtbot, text="x" * (LONGEST + 5))
    assert made._text is not None
    assert made._text.text().endswith("5 more characters are in the archive.")


def test_imported_text_is_never_html(qtbot: QtBot) -> None:
    made = block(qtbot, text="<b>bold</b>", speaker="<i>x</i>")
    assert made._text is not None
    assert made._text.text() == "<b>bold</b>"


def test_a_window_of_messages_around_the_opened_one(qtbot: QtBot) -> None:
    view = ConversationView()
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    asyncio.run(view.show_messages(conversation(500), 300))
    assert len(view.blocks) == WINDOW
    opened = view.opened_block()
    assert opened is not None
    assert opened.message.id == 300
    qtbot.waitUntil(lambda: opened.visibleRegion().boundingRect().height() > 20, timeout=2000)
    asked: list[tuple[int, int]] = []
    view.range_asked.connect(lambda first, end: asked.append((first, end)))
    view._earlier.click()
    view._later.click()
    assert asked == [(280 - WINDOW, 280 + WINDOW), (280, 280 + 2 * WINDOW)]
    asyncio.run(view.show_range(*asked[0]))
    assert view.blocks[0].message.id == 280 - WINDOW


def test_the_beginning_without_a_message(qtbot: QtBot) -> None:
    view = ConversationView()
    qtbot.addWidget(view)
    asyncio.run(view.show_messages(conversation(3), None))
    assert [each.message.id for each in view.blocks] == [0, 1, 2]
    assert view._earlier.isHidden()
    assert view._later.isHidden()
    assert view.opened_block() is None
