"""JSON, JSON lines and tables of unknown origin: read when it is sure, refused with what was seen else.

Covers: universal, universal_fields, universal_layout, universal_rows, universal_talks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hivemind.domain.harvest import Confidence, HarvestEvent, ItemEnded, ItemFailed, ItemSkipped, MessageRead
from hivemind.errors import HiveMindError, SourceUnknown
from hivemind.harvest.adapters.universal import UniversalAdapter
from hivemind.harvest.detection import preview
from hivemind.harvest.sources import FilePart, peek

ASK = {"role": "user", "content": "Where is the key?"}
ANSWER = {"role": "assistant", "content": "Under the mat."}
BOTH = [("user", "Where is the key?"), ("assistant", "Under the mat.")]


def give(folder: Path, value: object, name: str = "a.json") -> FilePart:
    path = folder / name
    path.write_bytes(value if isinstance(value, bytes) else _text(value).encode("utf-8", "surrogatepass"))
    return FilePart(name, path.stat().st_size, path)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def lines(*values: object) -> str:
    return "\n".join(json.dumps(value) for value in values) + "\n"


def events(folder: Path, value: object, name: str = "a.json") -> list[HarvestEvent]:
    return list(UniversalAdapter().read(give(folder, value, name)))


def messages(found: list[HarvestEvent]) -> list[MessageRead]:
    return [event for event in found if isinstance(event, MessageRead)]


def ends(found: list[HarvestEvent]) -> list[ItemEnded]:
    return [event for event in found if isinstance(event, ItemEnded)]


@pytest.mark.parametrize(
    ("value", "name", "talks"),
    [
        ([ASK, ANSWER], "a.json", 1),
        ({"messages": [ASK, ANSWER]}, "a.json", 1),
        ([{"title": "T", "messages": [ASK, ANSWER]}], "a.json", 1),
        ({"data": [{"messages": [ASK, ANSWER]}]}, "a.json", 1),
        ({"conversations": [{"messages": [ASK, ANSWER]}, {"messages": [ASK, ANSWER]}]}, "a.json", 2),
        ([[ASK, ANSWER], [ASK, ANSWER]], "a.json", 2),
        ([{"title": "T", "chat": {"messages": [ASK, ANSWER]}}], "a.json", 1),
        (
            [{"conversations": [{"from": "human", "value": BOTH[0][1]}, {"from": "gpt", "value": BOTH[1][1]}]}],
            "a.json",
            1,
        ),
        ([{"prompt": BOTH[0][1], "response": BOTH[1][1], "model": "m"}], "a.json", 1),
        (lines(ASK, ANSWER), "a.jsonl", 1),
        (lines({"messages": [ASK, ANSWER]}, {"messages": [ASK, ANSWER]}), "a.jsonl", 2),
        (lines(ASK, ANSWER), "a.json", 1),
        ("role,content\nuser,Where is the key?\nassistant,Under the mat.\n", "a.csv", 1),
        ("Role;Content\nuser;Where is the key?\nassistant;Under the mat.\n", "a.csv", 1),
    ],
)
def test_shapes(tmp_path: Path, value: object, name: str, talks: int) -> None:
    found = events(tmp_path, value, name)
    said = [(message.role, message.text) for message in messages(found)]
    assert said == BOTH * talks and len(ends(found)) == talks
    assert UniversalAdapter().sniff(peek(give(tmp_path, value, name))) is Confidence.LIKELY


@pytest.mark.parametrize(
    ("value", "saw"),
    [
        ([{"from": "a@example.org", "subject": "s", "body": "b"}] * 3, "body, from, subject"),
        ([{"role": "admin", "name": "x", "text": "t"}], "name, role, text"),
        ([{"type": "click", "text": "Save"}, {"type": "key", "text": "a"}], "text, type"),
        ({"messages": [{"level": "info", "type": "x", "message": "started"}]}, "level, message, type"),
        ([{"name": "Bolt", "text": "M8", "price": 2}], "name, price, text"),
    ],
)
def test_what_is_not_sure_is_refused_with_what_was_seen(tmp_path: Path, value: object, saw: str) -> None:
    with pytest.raises(SourceUnknown) as caught:
        events(tmp_path, value)
    assert saw in caught.value.hint and "Nothing was imported" in caught.value.hint


@pytest.mark.parametrize(
    "value",
    [
        {"a": 1}, [1, 2], [], {}, "x", [{"uuid": "u", "chat_messages": []}], {"mapping": {}},
        {"conversations": [{"conversation": {}, "responses": [{"response": {"sender": "human", "message": "hi"}}]}]},
        [{"chatId": "c", "role": "user", "content": "hi"}],
        {"type": "user", "message": {"role": "user", "content": "hi"}, "cwd": "/home/a"},
        {"timestamp": "t", "type": "response_item", "payload": {"role": "user", "content": "hi"}},
        {"projectHash": "h", "messages": [{"type": "user", "content": "hi"}]},
    ],
)  # fmt: skip
def test_strangers_and_other_vendors_are_left_alone(tmp_path: Path, value: object) -> None:
    part = give(tmp_path, json.dumps(value))
    assert UniversalAdapter().sniff(peek(part)) is Confidence.NO
    assert preview(part.path).source in ("", "chatgpt", "claude")


def test_names_of_people_are_believed_in_a_list_of_messages_only(tmp_path: Path) -> None:
    people = [{"sender": "Ola", "text": "Hi", "timestamp": 1_700_000_000_000}, {"sender": "Maja", "text": "Yes"}]
    found = messages(events(tmp_path, {"messages": people}))
    assert [(message.role, message.speaker, message.sent_at) for message in found] == [
        ("user", "Ola", "2023-11-14T22:13:20.000Z"), ("user", "Maja", None),
    ]  # fmt: skip
    with pytest.raises(SourceUnknown):
        events(tmp_path, [{"sender": "Ola", "text": "Hi"}])


@pytest.mark.parametrize("time", [1_700_000_000, 1_700_000_000_000, "1700000000", "2023-11-14T22:13:20Z"])
def test_times_in_seconds_milliseconds_and_iso(tmp_path: Path, time: object) -> None:
    (message,) = messages(events(tmp_path, [{**ASK, "timestamp": time}]))
    assert message.sent_at == "2023-11-14T22:13:20.000Z"


def test_times_that_cannot_be_are_unknown_and_kept_as_written(tmp_path: Path) -> None:
    found = messages(events(tmp_path, [{**ASK, "timestamp": time} for time in (-1, 9e20, "soon", None)]))
    assert [(m.sent_at, m.sent_at_original) for m in found] == [
        (None, "-1"), (None, "9e+20"), (None, "soon"), (None, None),
    ]  # fmt: skip


def test_a_system_message_is_hidden_and_a_tool_is_not_speech(tmp_path: Path) -> None:
    value = [{"role": "system", "content": "Be nice."}, ASK, ANSWER, {"role": "tool", "content": "42"}]
    found = messages(events(tmp_path, value))
    assert [(m.hidden, m.kind, bool(m.spoken)) for m in found] == [
        (True, "speech", False), (False, "speech", True), (False, "speech", True), (False, "tool_result", False),
    ]  # fmt: skip


def test_branches_follow_the_links(tmp_path: Path) -> None:
    value = [
        {"id": "a", "parentId": None, **ASK},
        {"id": "b", "parentId": "a", **ANSWER},
        {"id": "c", "parentId": "a", **ANSWER},
    ]
    (end,) = ends(events(tmp_path, {"messages": value}))
    assert end.parents == (("a", None), ("b", "a"), ("c", "a"))


def test_short_ids_are_those_of_their_file(tmp_path: Path) -> None:
    found = ends(events(tmp_path, [{"id": 1, "messages": [ASK]}, {"id": "0b0e6a4e-conv-long", "messages": [ANSWER]}]))
    assert [end.named_by_place for end in found] == [True, False]
    assert found[0].item_id == f"talk:{(tmp_path / 'a.json').as_posix()}#1" and found[1].item_id == "0b0e6a4e-conv-long"


def test_messages_of_several_talks_in_one_list(tmp_path: Path) -> None:
    rows = [{"conversation_id": f"conversation-{n // 2}", **(ASK if n % 2 == 0 else ANSWER)} for n in range(6)]
    found = events(tmp_path, lines(*rows), "a.jsonl")
    assert [end.item_id for end in ends(found)] == ["conversation-0", "conversation-1", "conversation-2"]


def test_an_empty_talk_is_skipped_and_a_broken_line_fails_alone(tmp_path: Path) -> None:
    found = events(tmp_path, [{"messages": [ASK, ANSWER]}, {"title": "E", "messages": []}])
    assert [event.reason for event in found if isinstance(event, ItemSkipped)] == ["no messages in file"]
    found = events(tmp_path, lines(ASK) + "{broken\n" + lines(ANSWER), "a.jsonl")
    assert [event.reason for event in found if isinstance(event, ItemFailed)] == ["Line 2 is not valid JSON"]
    assert len(messages(found)) == 2


def test_a_talk_larger_than_the_window_is_read_message_by_message(tmp_path: Path) -> None:
    long = [{"role": "user" if n % 2 == 0 else "assistant", "content": f"{n} " + "x" * 200_000} for n in range(60)]
    found = events(tmp_path, [{"title": "Long", "messages": long}, {"messages": [ASK, ANSWER]}])
    assert [message.text.split()[0] for message in messages(found)][:60] == [str(n) for n in range(60)]
    assert [end.title for end in ends(found)] == ["Long", None]
    (end,) = ends(events(tmp_path, {"title": "Alone", "messages": long}))
    assert end.title == "Alone"


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["user", "assistant", "", "hi", "2024-01-01"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "content", "messages", "id", "parent_id", "title", "text", "chat"]), inner
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON, as_lines=st.booleans())
def test_no_shape_breaks_it_and_ordinals_count_up(tmp_path: Path, value: Any, as_lines: bool) -> None:
    written = lines(value, value) if as_lines else value if isinstance(value, dict | list) else [value]
    try:
        found = events(tmp_path, written, "a.jsonl" if as_lines else "a.json")
    except HiveMindError as error:
        assert error.title and error.hint
        return
    over = [e.ordinal for e in found if isinstance(e, ItemEnded | ItemSkipped | ItemFailed)]
    assert over == list(range(len(over)))


def _talks() -> Iterator[dict[str, Any]]:
    for n in range(3):
        yield {"messages": [{**ASK, "content": f"{n}?"}, {**ANSWER, "content": f"{n}."}]}


def test_the_same_talks_in_every_form_have_the_same_messages(tmp_path: Path) -> None:
    forms = [(list(_talks()), "a.json"), (lines(*_talks()), "a.jsonl"), ({"chats": list(_talks())}, "b.json")]
    ids = [[message.ext_id for message in messages(events(tmp_path, value, name))] for value, name in forms]
    assert ids[0] == ids[1] == ids[2]


def test_an_unknown_file_is_told_what_it_is(tmp_path: Path) -> None:
    seen = preview(give(tmp_path, {"width": 3, "height": 4}).path)
    assert seen.source == "" and "JSON with the keys height, width" in seen.label
    assert "without any named values" in preview(give(tmp_path, [1, 2]).path).label
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    assert "JSON with" not in preview(tmp_path / "a.png").label
