"""The Claude adapter: conversations, branches, blocks, projects, memories.

Covers: claude, claude_items, claude_content, facts
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples.claude import at, talk, told
from tests.samples.sources import HeldSource

from hivemind.clock import parse_stamp
from hivemind.domain.harvest import (
    Confidence,
    HarvestEvent,
    ItemEnded,
    ItemFailed,
    ItemSkipped,
    MessageRead,
    Peek,
    SourceProgress,
)
from hivemind.harvest.adapters.claude import ClaudeAdapter
from hivemind.harvest.adapters.claude_content import read_message, spoken_of
from hivemind.harvest.adapters.facts import ATTACHED, attached
from hivemind.harvest.assembly import Assembly
from hivemind.harvest.prepared import ItemOutcome, PreparedChunk, PreparedMessage

NOW = parse_stamp("2026-11-30T12:00:00Z")


def events(value: object, cap: int = 8_000_000) -> list[HarvestEvent]:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return [e for e in ClaudeAdapter(lambda: NOW, cap).read(HeldSource(data)) if not isinstance(e, SourceProgress)]


def assembled(value: object) -> list[PreparedChunk | ItemOutcome]:
    assembly = Assembly("claude", "Claude", None)
    ready = [entry for event in events(value) for entry in assembly.take(event)]
    assembly.close()
    return ready


def messages(value: object) -> list[PreparedMessage]:
    return [m for entry in assembled(value) if isinstance(entry, PreparedChunk) for m in entry.messages]


def of_blocks(*blocks: object, **changes: Any) -> list[PreparedMessage]:
    return messages([talk("c", [told("m", "assistant", "", content=list(blocks), **changes)])])


def test_a_talk_in_the_order_of_the_file() -> None:
    found = messages([talk("c", ["Where is the key?", "Under the pot."])])
    assert [(m.ext_id, m.role, m.text, m.branch, m.position, m.sent_at) for m in found] == [
        ("c-0", "user", "Where is the key?", 0, 0, "2026-03-01T09:00:00.000Z"),
        ("c-1", "assistant", "Under the pot.", 0, 1, "2026-03-01T09:01:00.000Z"),
    ]
    (chunk,) = assembled([talk("c", ["Where?", "There."])])
    assert isinstance(chunk, PreparedChunk)
    assert (chunk.item.item_id, chunk.item.title) == ("c", "Talk c")
    assert "Claude, 2026-03-01, user and assistant" in chunk.item.summary


def test_edits_and_retries_are_branches() -> None:
    root = "00000000-0000-4000-8000-000000000000"
    turns = [
        told("q1", "human", "Which quay?", 0, parent_message_uuid=root),
        told("a1", "assistant", "East.", 1, parent_message_uuid="q1"),
        told("q2", "human", "Which quay for the sloop?", 2, parent_message_uuid=root),
        told("a2", "assistant", "West.", 3, parent_message_uuid="q2"),
        told("a3", "assistant", "North.", 4, parent_message_uuid="q2"),
    ]
    found = messages([talk("c", turns)])
    assert {m.ext_id: m.branch > 0 for m in found} == {
        "q1": True, "a1": True, "q2": False, "a2": True, "a3": False,
    }  # fmt: skip
    shown = messages([talk("c", turns, current_leaf_message_uuid="a1")])
    assert [m.ext_id for m in shown if m.branch == 0] == ["q1", "a1"]


def test_thinking_tools_and_artifacts_stand_apart_before_the_words() -> None:
    found = of_blocks(
        {"type": "thinking", "thinking": "Hm.", "summaries": [{"summary": "weighing"}]},
        {"type": "text", "text": "First."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "tide table"}},
        {"type": "tool_result", "name": "web_search", "content": [{"type": "text", "text": "High at noon"}, {"x": 1}]},
        {"type": "tool_use", "name": "artifacts", "input": {"title": "Recipe", "content": "Rye and salt"}},
        {"type": "text", "text": "Second."},
    )
    assert [(m.ext_id, m.kind, m.role, bool(m.pieces)) for m in found] == [
        ("m#0", "reasoning", "assistant", False),
        ("m#2", "tool_call", "assistant", False),
        ("m#3", "tool_result", "tool", False),
        ("m#4", "document", "assistant", True),
        ("m", "speech", "assistant", True),
    ]
    assert found[-1].text == "First.\n\nSecond."
    assert json.loads(found[1].text) == {"name": "web_search", "input": {"query": "tide table"}}
    assert found[2].text == 'High at noon\n{"x": 1}'
    assert (found[3].pieces[0].text, found[3].captions) == ("Rye and salt", "Recipe")


@pytest.mark.parametrize(
    ("name", "given", "written"),
    [
        ("artifacts", {"command": "update", "old_str": "a", "new_str": "Beans"}, "Beans"),
        ("create_file", {"path": "/mnt/notes/plan.md", "file_text": "Sow in May"}, "Sow in May"),
        ("str_replace", {"old_str": "May", "new_str": "June"}, "June"),
    ],
)
def test_what_a_tool_writes_is_a_document(name: str, given: dict[str, str], written: str) -> None:
    found = of_blocks({"type": "tool_use", "name": name, "input": given})
    assert [(m.kind, m.text) for m in found] == [("document", written), ("speech", "")]


def test_bookkeeping_is_dropped_and_injected_prompts_are_hidden() -> None:
    found = of_blocks({"type": "token_budget", "n": 1}, {"type": "injected_prompt_block", "text": "Be brief"},
                      {"type": "voice_note", "text": "Hello"})  # fmt: skip
    assert [(m.kind, m.hidden, m.text, bool(m.pieces)) for m in found] == [
        ("profile", True, "Be brief", False), ("speech", False, "Hello", True),
    ]  # fmt: skip


def test_attachments_with_and_without_their_text() -> None:
    files = [{"file_name": "will.txt", "extracted_content": "Leave the sloop to Aino."}, {"file_name": "map.pdf"}]
    found = messages([talk("c", [told("m", "human", "Read it", attachments=files, files=[{"file_name": "boat.png"}])])])
    assert [(m.ext_id, m.role, m.kind, m.text, m.attachments) for m in found] == [
        ("m#a0", "attachment", "document", "Leave the sloop to Aino.", ("will.txt",)),
        ("m", "user", "speech", "Read it", ("map.pdf", "boat.png")),
    ]
    assert found[1].captions == "will.txt, map.pdf, boat.png"


@given(st.text(max_size=400), st.integers(1, 5))
def test_attached_texts_are_cut_without_loss(text: str, times: int) -> None:
    whole = text * times if times < 5 else (text or "x") * (1 + 2 * ATTACHED // max(1, len(text)))
    made = attached(0, "n", whole, ext_id="a", parent="p", sent=(None, None))
    from hivemind.readers.text import sanitise

    assert "".join(one.text for one in made) == sanitise(whole)[0]
    assert all(0 < len(one.text) <= ATTACHED for one in made)
    assert [one.parent_ext_id for one in made] == ["p", *(one.ext_id for one in made)][: len(made)]


def test_projects_and_memories_are_items_of_their_own() -> None:
    projects = [
        {"uuid": "p1", "name": "Sloop", "description": "Rigging plans", "prompt_template": "Answer in knots",
         "created_at": at(0), "updated_at": at(1),
         "docs": [{"uuid": "d1", "filename": "rig.md", "content": "The mast is 9 m.", "created_at": at(0)}]},
        {"uuid": "p2", "name": "How to use", "is_starter_project": True, "docs": [{"uuid": "d", "content": "x"}]},
        {"uuid": "p3", "name": "Nothing", "prompt_template": "", "docs": []},
    ]  # fmt: skip
    first, second, third = assembled(projects)
    assert isinstance(first, PreparedChunk)
    assert (first.item.item_id, first.item.title, first.item.document) == ("project:p1", "Sloop", True)
    assert [(m.text, m.hidden, bool(m.pieces)) for m in first.messages] == [
        ("The mast is 9 m.", False, True), ("Rigging plans", False, True), ("Answer in knots", True, False),
    ]  # fmt: skip
    assert [(e.reason, e.item_id) for e in (second, third) if isinstance(e, ItemOutcome)] == [
        ("a sample project of the vendor", "p2"), ("empty", "p3"),
    ]  # fmt: skip
    told_of = {"account_uuid": "u", "conversations_memory": "**Sails** a sloop", "project_memories": {"p1": "Mast"}}
    for shape in ([told_of], told_of):
        (entry,) = assembled(shape)
        assert isinstance(entry, PreparedChunk) and entry.item.document
        assert (entry.item.item_id, [m.text for m in entry.messages]) == ("memories:u", ["**Sails** a sloop", "Mast"])


def test_items_without_anything() -> None:
    found = events([talk("a", []), {"uuid": "b", "name": "index only"}, talk("c", [told("m", "human", "")]), 17])
    reasons = [(e.item_id, e.reason) for e in found if isinstance(e, ItemSkipped)]
    assert reasons == [("a", "empty"), ("b", "no messages in file"), ("c", "empty")]
    assert len([e for e in found if isinstance(e, ItemFailed)]) == 1


def sniff(value: object) -> Confidence:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return ClaudeAdapter().sniff(Peek("conversations.json", data[:65536], len(data)))


def test_detection_goes_by_content() -> None:
    sure = ([talk("c", [])], talk("c", ["x"]), {"conversations_memory": ""}, [{"uuid": "p", "name": "n", "docs": []}])
    assert [sniff(value) for value in sure] == [Confidence.SURE] * 4
    assert sniff([{"uuid": "a", "name": "b", "created_at": "", "updated_at": ""}]) is Confidence.MAYBE
    others = (b"[]", b"", b"hello", {"id": "c", "mapping": {}}, {"uuid": "x", "parentUuid": None, "sessionId": "s"})
    assert [sniff(value) for value in others] == [Confidence.NO] * 5


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "uuid", "name", "chat_messages", "sender", "text", "content", "type", "thinking", "input",
                    "attachments", "files", "file_name", "extracted_content", "docs", "prompt_template", "created_at",
                    "parent_message_uuid", "conversations_memory", "project_memories", "summaries", "filename",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)  # fmt: skip


@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_no_shape_breaks_the_reader_and_large_items_give_the_same_events(value: object) -> None:
    items = [value, talk("c", ["a", "b"])]
    whole = events(items)
    assert [type(e) for e in whole][-1] is ItemEnded
    if isinstance(value, dict):
        assert whole == events(items, cap=0)
    assembled(items)


BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "thinking", "tool_use", "tool_result", "hologram", "flag", 7, None])},
    optional={
        "text": VALUES, "thinking": VALUES, "name": VALUES, "content": VALUES, "input": VALUES, "summaries": VALUES,
    },
)  # fmt: skip


@given(st.lists(BLOCKS | VALUES, max_size=6), VALUES)
@settings(max_examples=200, deadline=None)
def test_blocks_of_any_shape_are_read_and_words_are_never_invented(content: list[object], text: object) -> None:
    read = read_message({"content": content, "text": text})
    for block in content:
        said = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
        assert not isinstance(said, str) or said in read.text or not said.strip()
    assert len({block.key for block in read.blocks}) == len(read.blocks)
    assert all(isinstance(block.text, str) for block in read.blocks)


@given(st.text(max_size=60), st.text(max_size=60))
def test_placeholders_go_and_nothing_else(before: str, after: str) -> None:
    assert spoken_of(before) == before or "iewing artifacts" in before
    fenced = "```\nThis block is not supported on your current device yet.\n```"
    assert spoken_of(f"{before}\n{fenced}\n{after}") == f"{before}\n\n{after}".strip()


def test_the_very_same_record_again_is_one() -> None:
    a, b, c = (told(f"u{n}", "human", f"Turn {n}", n) for n in range(3))
    assert [m.ext_id for m in messages([talk("c", [a, b, a, b, c])])] == ["u0", "u1", "u2"]
    other = told("u0", "human", "Another text", 5)
    found = messages([talk("c", [a, b, other])])
    assert [(m.ext_id, m.occurrence, m.branch) for m in found] == [("u0", 0, 0), ("u1", 0, 0), ("u0", 1, 0)]


def test_unknown_senders_are_kept_but_not_quoted() -> None:
    (found,) = messages([talk("c", [told("m", "Moderator", "Hear, hear")])])
    assert (found.role, found.text, found.pieces) == ("moderator", "Hear, hear", ())


def test_read_messages_are_frozen_records() -> None:
    assert all(isinstance(e, MessageRead) for e in events([talk("c", ["a"])])[1:-1])
