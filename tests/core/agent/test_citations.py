"""Numbers in an answer find the memories that were sent under them, and numbers of nothing are told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hivemind.agent.citations import numbers_in, resolve
from hivemind.domain.ask import Citation, RecalledCard


def card(number: int) -> RecalledCard:
    return RecalledCard(number, "personal", 100 + number, "t", "x", "2026-11-30", "normal", "")


def test_every_way_to_cite() -> None:
    assert numbers_in("Lemon [2]. Fig [1, 3][4]; again [2]. [link](x) [5](http://x) [x] [12345]") == [2, 1, 3, 4]


def test_a_number_of_nothing_is_told() -> None:
    assert resolve("Yes [1], no [7].", [card(1), card(2)]) == ((Citation(1, "personal", 101),), (7,))


@given(st.lists(st.integers(1, 9999), max_size=8))
def test_what_is_written_is_read_back(numbers: list[int]) -> None:
    assert numbers_in(" ".join(f"a [{one}]." for one in numbers)) == list(dict.fromkeys(numbers))
