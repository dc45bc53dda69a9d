"""Items of a big JSON file: whole or member by member, and damage that stays its own."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.errors import SourceUnreadable
from hivemind.readers.json_spans import ValueSpan, safe_escapes
from hivemind.readers.json_stream import (
    DamagedItem,
    DamagedJson,
    LargeItem,
    WholeItem,
    json_items,
    keys_by_depth,
    members_of,
)
from hivemind.readers.text import DecodedText, sanitise

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()), max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.lists(st.dictionaries(st.text(min_size=1, max_size=6), JSON, max_size=5), max_size=6)


def read(data: bytes, cap: int = 8_000_000) -> list[Any]:
    """Items as plain values; damage as its reason."""
    return list(_read(data, cap))


def _read(data: bytes, cap: int) -> Iterator[Any]:
    for item in json_items(DecodedText(io.BytesIO(data)), deep="mapping", cap=cap):
        if isinstance(item, WholeItem):
            yield item.value
        elif isinstance(item, DamagedItem):
            yield item.reason
        else:
            try:
                yield _joined(item)
            except DamagedJson as error:
                yield str(error)


def _joined(item: LargeItem) -> dict[str, Any]:
    whole: dict[str, Any] = {}
    for key, inner, value in item.members:
        if inner is None:
            whole[key] = value
        elif isinstance(whole[key], list):
            assert inner == str(len(whole[key]))
            whole[key].append(value)
        else:
            whole[key][inner] = value
    return whole


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return sanitise(value)[0]
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    return value


@given(OBJECTS, st.booleans(), st.sampled_from([None, 1]))
@settings(max_examples=150, deadline=None)
def test_both_paths_read_what_the_standard_library_reads(items: list[Any], escaped: bool, indent: int | None) -> None:
    # A lone surrogate can be escaped, but as bytes it is no text: how it is decoded is tested with the decoder.
    items = items if escaped else _clean(items)
    data = json.dumps(items, ensure_ascii=escaped, indent=indent).encode("utf-8")
    expected = [_clean(json.loads(json.dumps(item))) for item in items]
    assert [_clean(item) for item in read(data)] == expected
    assert [_clean(item) for item in read(data, cap=0)] == expected


def test_one_object_is_one_item() -> None:
    assert read(b' {"mapping": {"a": 1}, "b": [2]} ') == [{"mapping": {"a": 1}, "b": [2]}]
    assert read(b' {"mapping": {"a": 1}, "b": [2]} ', cap=1) == [{"mapping": {"a": 1}, "b": [2]}]


@pytest.mark.parametrize("cap", [8_000_000, 1])
@pytest.mark.parametrize(
    "bad",
    ['{"a": NaN}', '{"a": tru}', '{"a" 1}', '{"a": "\\x"}', '{"a": Infinity}', '{"a": [1 2]}', "[" * 5000 + "]" * 5000],
)
def test_a_damaged_item_costs_only_itself(bad: str, cap: int) -> None:
    before, reason, after = read(f'[{{"n": 1}}, {bad}, {{"n": 2}}]'.encode(), cap)
    assert (before, after) == ({"n": 1}, {"n": 2})
    assert isinstance(reason, str) and "byte" in reason


@pytest.mark.parametrize("cap", [8_000_000, 1])
@pytest.mark.parametrize("at", [13, 20, 30, 34])
def test_half_a_file_gives_what_came_before_and_one_reason(cap: int, at: int) -> None:
    data = b'[{"n": 1}, {"text": "the second one"}]'[:at]
    first, *rest = read(data, cap)
    assert first == {"n": 1}
    assert len(rest) <= 2 and "ends too early" in rest[-1]


def test_depth_does_not_take_memory_with_it() -> None:
    tracemalloc.start()
    for cap in (8_000_000, 1):
        (reason,) = read(b'[{"a": ' + b"[" * 200_000, cap)[:1]
        assert isinstance(reason, str)
    assert tracemalloc.get_traced_memory()[1] < 30_000_000
    tracemalloc.stop()


def test_the_last_of_two_equal_keys_wins() -> None:
    assert read(b'[{"a": 1, "a": 2}]') == read(b'[{"a": 1, "a": 2}]', cap=1) == [{"a": 2}]


def test_lone_surrogates_and_pairs() -> None:
    data = rb'[{"a": "\ud83c\udf78 \ud83d \udc00 \ud83d\u0041 \\ud83d"}]'
    expected = "\U0001f378 \ufffd \ufffd \ufffdA \\ud83d"
    for cap in (8_000_000, 1):
        (item,) = read(data, cap)
        assert sanitise(item["a"]) == (expected, True)


@given(st.lists(st.sampled_from(["\\", "\\\\", "u", "\\ud83d", "\\udf78", "d83d", "\\u0041", '\\"', "x"]), max_size=30))
def test_escapes_are_found_wherever_a_piece_is_cut(parts: list[str]) -> None:
    text = "".join(parts)
    whole = "".join(safe_escapes(iter([text])))
    for size in (1, 2, 3, 5):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert "".join(safe_escapes(iter(pieces))) == whole


@given(JSON.filter(lambda value: isinstance(value, dict | list)), st.integers(1, 9))
def test_the_end_of_a_value_is_found_in_pieces(value: Any, size: int) -> None:
    text = json.dumps(value)
    span = ValueSpan()
    used = 0
    for at in range(0, len(text + "]tail"), size):
        used += span.feed((text + "]tail")[at : at + size], 0)
        if span.ended:
            break
    assert used == len(text)


@pytest.mark.parametrize("data", [b"", b"  \n", b"hello", b"<html>", b"\x00\x01\x02"])
def test_what_is_not_json_has_a_name(data: bytes) -> None:
    with pytest.raises(SourceUnreadable) as caught:
        read(data)
    assert caught.value.title and caught.value.hint


def test_an_empty_array_has_no_items() -> None:
    assert read(b"[]") == read(b" [ ] ") == []


def test_memory_is_bounded_by_the_cap() -> None:
    big = json.dumps({"mapping": {f"n{n}": {"text": "word " * 2000} for n in range(800)}})
    data = f"[{big}]".encode()
    tracemalloc.start()
    (item,) = json_items(DecodedText(io.BytesIO(data)), deep="mapping", cap=500_000)
    assert isinstance(item, LargeItem)
    assert len(data) > 7_000_000
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()


def test_keys_of_a_cut_off_head() -> None:
    keys = keys_by_depth(b'[{"title": "x", "mapping": {"a": {"message": {"author": {"role": "us')
    assert keys[0] == {"title", "mapping"}
    assert "author" in keys[3]


@given(st.lists(JSON, max_size=6), st.dictionaries(st.text(max_size=6), JSON, max_size=4))
@settings(max_examples=80, deadline=None)
def test_arrays_and_objects_are_read_one_member_at_a_time(listed: list[Any], mapped: dict[str, Any]) -> None:
    deep = frozenset({"listed", "mapped"})
    item = {"a": 1, "listed": listed, "mapped": mapped, "z": [2]}
    items = json_items(DecodedText(io.BytesIO(json.dumps([item]).encode())), deep=deep, cap=0)
    found = next(items)
    assert isinstance(found, LargeItem)
    told = list(found.members)
    assert [(key, inner) for key, inner, _ in told] == [(key, inner) for key, inner, _ in members_of(item, deep)]
    whole: list[Any] = [value for key, inner, value in told if key == "listed" and inner is not None]
    assert _clean(whole) == _clean(listed)


def test_a_number_without_end_is_damage() -> None:
    (found,) = read(b'[{"n": ' + b"1" * 5_000 + b"}]", cap=0)
    assert found == "Not valid JSON, in the item at byte 1"
