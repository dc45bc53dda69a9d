"""The ChatGPT adapter against an independent reader of the whole file, and on every odd shape that is known."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.samples.chatgpt import START, chain, conversation, many, message
from tests.samples.sources import HeldSource
from tests.samples.trees import HOSTILE, Told, conversations, everything, visible_thread

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
from hivemind.harvest.adapters.chatgpt import ChatGptAdapter
from hivemind.harvest.assembly import Assembly
from hivemind.harvest.prepared import ItemOutcome, PreparedChunk, PreparedMessage

NOW = parse_stamp("2026-11-30T12:00:00Z")


def events(value: object, cap: int = 8_000_000) -> list[HarvestEvent]:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return list(ChatGptAdapter(lambda: NOW, cap).read(HeldSource(data)))


def assembled(found: list[HarvestEvent]) -> list[PreparedChunk | ItemOutcome]:
    assembly = Assembly("chatgpt", "ChatGPT", None)
    ready = [entry for event in found for entry in assembly.take(event)]
    assembly.close()
    return ready


def messages(value: object) -> list[PreparedMessage]:
    """All messages in the order they would be written."""
    return [m for entry in assembled(events(value)) if isinstance(entry, PreparedChunk) for m in entry.messages]


def one(body: dict[str, Any]) -> PreparedMessage:
    (found,) = messages([conversation("c", [], mapping=chain([body]), current_node=body["id"])])
    return found


@given(conversations())
@settings(max_examples=120, deadline=None)
def test_ids_roles_texts_and_order_equal_a_reader_of_the_whole_file(drawn: dict[str, Any]) -> None:
    loaded = json.loads(json.dumps([drawn]))[0]
    if not everything(loaded):
        assert [type(e) for e in events([drawn])][1] is ItemSkipped
        return
    found = messages([drawn])
    seen = [Told(m.ext_id, m.role, m.text) for m in found if m.branch == 0]
    assert seen == visible_thread(loaded)
    assert sorted((m.ext_id, m.role, m.text) for m in found) == sorted(
        (told.ext_id, told.role, told.text) for told in everything(loaded)
    )


@given(conversations(max_messages=30, texts=HOSTILE))
@settings(max_examples=120, deadline=None)
def test_large_conversations_give_the_same_events(drawn: dict[str, Any]) -> None:
    whole, large = events([drawn, drawn]), events([drawn, drawn], cap=0)
    assert [e for e in whole if not isinstance(e, SourceProgress)] == [
        e for e in large if not isinstance(e, SourceProgress)
    ]


@given(conversations(max_messages=20, texts=HOSTILE))
@settings(max_examples=60, deadline=None)
def test_hostile_texts_are_stored_as_the_rule_says(drawn: dict[str, Any]) -> None:
    loaded = json.loads(json.dumps([drawn]))[0]
    expected = sorted((told.ext_id, told.text) for told in everything(loaded))
    assert sorted((m.ext_id, m.text) for m in messages([drawn])) == expected


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "id",
                        "mapping",
                        "message",
                        "author",
                        "role",
                        "content",
                        "parts",
                        "content_type",
                        "parent",
                        "metadata",
                        "attachments",
                        "create_time",
                        "current_node",
                        "title",
                        "children",
                        "recipient",
                        "weight",
                        "text",
                    ]
                ),
                inner,
                max_size=6,
            )
        ),
        max_leaves=25,
    )
)
@settings(max_examples=300, deadline=None)
def test_no_shape_breaks_the_reader(value: object) -> None:
    data = json.dumps([value, *many(1)], allow_nan=False, default=str).encode() if _finite(value) else b"[]"
    for entry in assembled(events(data)):
        assert isinstance(entry, PreparedChunk | ItemOutcome)


def _finite(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


def test_a_conversation_without_mapping_is_skipped_by_name_and_its_neighbours_are_not() -> None:
    broken = {"id": "x", "title": "Lost", "create_time": None}
    empty = conversation("y", [], mapping={})
    found = assembled(events([*many(1), broken, empty, *many(1)]))
    assert [type(entry) for entry in found] == [PreparedChunk, ItemOutcome, ItemOutcome, PreparedChunk]
    assert [entry.reason for entry in found if isinstance(entry, ItemOutcome)] == ["no messages in file", "empty"]


@pytest.mark.parametrize("content_type", ["user_editable_context", "model_editable_context"])
def test_context_is_hidden_and_never_said(content_type: str) -> None:
    found = one(
        message("m", "user", "", content={"content_type": content_type, "user_profile": "Calls himself Ottokar."})
    )
    assert (found.kind, found.hidden, found.pieces) == ("profile", True, ())
    assert "Ottokar" in found.text


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (message("m", "assistant", "Look at [Berth](x)."), "speech", True),
        (message("m", "user", "shown", metadata={"is_visually_hidden_from_conversation": True}), "speech", False),
        (message("m", "user", "not shown", weight=0.0), "speech", False),
        (message("m", "system", "be brief"), "other", False),
        (message("m", "assistant", '{"q": 1}', recipient="python"), "tool_call", False),
        (message("m", "tool", "42"), "tool_result", False),
        (
            message("m", "tool", "", content={"content_type": "execution_output", "text": "42\n"}),
            "tool_result",
            False,
        ),
        (
            message("m", "assistant", "", content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]}),
            "reasoning",
            False,
        ),
        (
            message("m", "assistant", "", content={"content_type": "reasoning_recap", "content": "12 s"}),
            "reasoning",
            False,
        ),
        (message("m", "assistant", "", content={"content_type": "code", "text": "print(1)"}), "code", True),
        (message("m", "assistant", "", content={"content_type": "system_error", "text": "no"}), "error", False),
        (message("m", "assistant", "", content={"content_type": "hologram", "text": "a boat"}), "other", True),
        (message("m", "assistant", "", content={"content_type": "hologram", "x": 1}), "other", False),
    ],
)
def test_kinds(body: dict[str, Any], kind: str, said: bool) -> None:
    found = one(body)
    assert (found.kind, bool(found.pieces)) == (kind, said)
    assert found.text


def test_unknown_blocks_are_kept_raw() -> None:
    found = one(message("m", "assistant", "", content={"content_type": "hologram", "x": [1, {"y": "z"}]}))
    assert json.loads(found.text) == {"content_type": "hologram", "x": [1, {"y": "z"}]}


def test_markers_are_kept_in_the_text_and_left_out_of_the_frames() -> None:
    text = 'Try these \ue200image_group\ue202{"query":["fjord"]}\ue201 tonight 【12†source】.'
    found = one(message("m", "assistant", text))
    assert found.text == text
    assert [piece.text for piece in found.pieces] == ["Try these tonight."]
    assert (found.pieces[0].start, found.pieces[0].end) == (0, len(text))


def test_spans_point_into_the_verbatim_text() -> None:
    text = " ".join(f"Sentence {n}\ue200cite\ue202turn{n}\ue201 about boats." for n in range(60))
    found = one(message("m", "assistant", text))
    assert len(found.pieces) > 1
    for piece in found.pieces:
        verbatim = found.text[piece.start : piece.end]
        assert verbatim[0] == piece.text[0] and verbatim[-1] == piece.text[-1]


def test_voice_pictures_and_attachments() -> None:
    parts = [
        {"content_type": "audio_transcription", "text": "Where is the boathouse key?", "direction": "in"},
        {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_aa1", "metadata": None},
        {"content_type": "audio_asset_pointer", "asset_pointer": "file-service://file-bb2"},
        None,
    ]
    metadata = {"attachments": [{"id": "file_aa1", "name": "boathouse.png"}, {"name": "lease.pdf"}]}
    found = one(
        message("m", "user", "", content={"content_type": "multimodal_text", "parts": parts}, metadata=metadata)
    )
    assert found.text == "Where is the boathouse key?"
    assert found.attachments == ("boathouse.png", "lease.pdf", "file-bb2")
    assert found.captions == "boathouse.png, lease.pdf"


def test_a_picture_without_words_is_found_by_its_name() -> None:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_aa1"}]
    metadata = {"attachments": [{"id": "file_aa1", "name": "boathouse.png"}]}
    found = one(
        message("m", "user", "", content={"content_type": "multimodal_text", "parts": parts}, metadata=metadata)
    )
    assert [piece.text for piece in found.pieces] == ["boathouse.png"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (START, "2025-06-15T15:06:40.000Z"),
        (str(START), "2025-06-15T15:06:40.000Z"),
        (START * 1000, "2025-06-15T15:06:40.000Z"),
        ("2025-06-15T17:06:40.1234567+02:00", "2025-06-15T15:06:40.123Z"),
        (None, None), (0, None), (-5, None), (True, None), ("soon", None), (1e17, None), ([], None), ({}, None),
    ],
)  # fmt: skip
def test_times(written: object, read: str | None) -> None:
    (found,) = [e for e in events([conversation("c", [], mapping=chain([message("m", "user", "x", written)]))])
                if isinstance(e, MessageRead)]  # fmt: skip
    assert found.sent_at == read


def test_a_conversation_without_an_id_gets_the_same_one_each_time() -> None:
    bare = conversation("c", [("user", "a"), ("assistant", "b")])
    del bare["id"], bare["conversation_id"]
    longer = conversation("c", [("user", "a"), ("assistant", "b"), ("user", "c")])
    del longer["id"], longer["conversation_id"]
    first, second = assembled(events([bare])), assembled(events([bare, longer]))
    assert isinstance(first[0], PreparedChunk) and isinstance(second[0], PreparedChunk)
    assert first[0].item.item_id == second[0].item.item_id


def test_the_same_message_id_twice_is_two_occurrences() -> None:
    mapping = chain([message("a", "user", "ok"), message("b", "assistant", "ok")])
    mapping["b"]["message"]["id"] = "a"
    found = messages([conversation("c", [], mapping=mapping, current_node="b")])
    assert [(m.ext_id, m.occurrence, m.text) for m in found] == [("a", 0, "ok"), ("a", 1, "ok")]


@pytest.mark.parametrize("bad", ["../../etc/passwd", "\x00\x1b[31m", "x" * 100_000, "\ud83d", 17, "'; DROP TABLE"])
def test_hostile_ids_and_names(bad: object) -> None:
    item = conversation("c", [("user", "hello")], id=bad, conversation_id=bad, title=bad)
    (entry,) = assembled(events([item]))
    assert isinstance(entry, PreparedChunk)
    assert 0 < len(entry.item.item_id) <= 200 and len(entry.item.title) <= 200
    entry.item.item_id.encode()
    assert not any(ord(char) < 32 for char in entry.item.item_id + entry.item.title)


def test_damage_is_reported_with_its_byte() -> None:
    whole = json.dumps(many(3)).encode()
    found = events(whole[: int(len(whole) * 0.8)])
    assert len([e for e in found if isinstance(e, ItemEnded)]) == 2
    (failed,) = [e for e in found if isinstance(e, ItemFailed)]
    assert "byte" in failed.reason


def sniff(value: object, name: str = "conversations.json") -> Confidence:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return ChatGptAdapter().sniff(Peek(name, data[:65536], len(data)))


def test_detection_goes_by_content() -> None:
    assert sniff(many(2), "whatever.bin") is Confidence.SURE
    assert sniff(many(1)[0]) is Confidence.SURE
    assert sniff([{"uuid": "a", "name": "mapping", "chat_messages": []}]) is Confidence.NO
    deepseek = conversation("c", [("user", "x")], inserted_at="2025-01-01")
    assert sniff([deepseek]) is Confidence.NO
    assert sniff([{"id": "a", "conversation_id": "b", "title": "c", "is_anonymous": True}]) is Confidence.NO
    assert sniff({"id": "user-1", "email": "x", "chatgpt_plus_user": False}) is Confidence.NO
    for junk in (b"", b"[]", b"hello", b"\x89PNG", b"[[[["):
        assert sniff(junk, "a.json") is Confidence.NO


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
def test_detection_and_reading_in_other_encodings(encoding: str) -> None:
    data = json.dumps([conversation("c", [("user", "Möwe 用户")])], ensure_ascii=False).encode(encoding)
    assert sniff(data) is Confidence.SURE
    assert [m.text for m in messages(data)] == ["Möwe 用户"]
