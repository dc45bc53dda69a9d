"""Times as exports write them, the adapters by name, and who owns a run. Covers: times, ownership, adapters"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.clock import parse_stamp
from hivemind.harvest.adapters import ADAPTERS, adapter_named
from hivemind.harvest.adapters.chatgpt_content import read_content, spoken_of
from hivemind.harvest.ownership import is_gone, owner_mark
from hivemind.harvest.times import original_time, read_time

NOW = parse_stamp("2026-11-30T12:00:00Z")
WRITTEN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40) | st.lists(st.integers())


@given(WRITTEN)
def test_a_time_is_a_stamp_or_unknown(value: object) -> None:
    found = read_time(value, NOW)
    if found is not None:
        assert parse_stamp(found).year >= 1990
    assert original_time(value) is None or len(original_time(value) or "") <= 64


@pytest.mark.parametrize(
    ("value", "stamp"),
    [
        ("2025-06-15T15:06:40Z", "2025-06-15T15:06:40.000Z"),
        ("2025-06-15T15:06:40", "2025-06-15T15:06:40.000Z"),
        ("2025-06-15 17:06:40.5+02:00", "2025-06-15T15:06:40.500Z"),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-12-31T23:59:59-14:00", None),
        ("1969-12-31T00:00:00Z", None),
        ("2031-01-01T00:00:00Z", None),
    ],
)
def test_written_times(value: str, stamp: str | None) -> None:
    assert read_time(value, NOW) == stamp


def test_adapters_have_names_of_their_own() -> None:
    names = [adapter.name for adapter in ADAPTERS]
    assert len(set(names)) == len(names)
    assert [adapter_named(name) for name in names] == list(ADAPTERS)
    assert adapter_named("auto") is None


@given(st.text(st.sampled_from("ab \ue200\ue201\ue202【】†1"), max_size=40))
def test_markers_never_remain_and_words_are_never_invented(text: str) -> None:
    spoken = spoken_of(text)
    assert not any("\ue200" <= char <= "\ue20f" for char in spoken)
    rest = iter(text)
    assert all(char in rest for char in spoken)


@given(st.dictionaries(st.sampled_from(["content", "metadata", "recipient"]), WRITTEN))
def test_no_message_breaks_the_reading_of_its_content(message: dict[str, object]) -> None:
    content = read_content(message, "user", hidden=False)
    assert isinstance(content.text, str) and isinstance(content.spoken, str)


def test_a_living_process_is_not_gone() -> None:
    mine = owner_mark()
    assert not is_gone(mine)
    assert is_gone({**mine, "token": "of an earlier life"})
    assert is_gone({**mine, "boot": "another-start-of-the-computer", "pid": str(os.getppid())})
    assert is_gone(None) and is_gone({"pid": "x"}) and is_gone("17")


def test_another_process_is_told_apart() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        mark = {**owner_mark(), "pid": str(other.pid), "token": "theirs"}
        assert not is_gone(mark)
        other.kill()
    assert is_gone(mark)
