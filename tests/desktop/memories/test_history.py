"""What changed between two versions, as lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hivemind_desktop.memories.history import MOST_LINES, changed_lines


def test_only_what_changed() -> None:
    before = "We chose Postgres.\nOld tables stay 90 days."
    after = "We chose Postgres.\nOld tables stay 30 days."
    assert changed_lines(before, after) == [("-", "Old tables stay 90 days."), ("+", "Old tables stay 30 days.")]
    assert changed_lines(before, before) == []


def test_many_lines_are_cut_with_a_sign() -> None:
    lines = changed_lines("\n".join(map(str, range(40))), "")
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == (" ", "…")


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts(before: str, after: str) -> None:
    removed = [text for sign, text in changed_lines(before, after) if sign == "-"]
    assert all(text in before.splitlines() for text in removed)
