"""Reading order from parent links alone."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hivemind.harvest.threads import Place, arrange

PARENTS = st.lists(st.integers(-1, 30), max_size=30)


def order(parents: list[tuple[str, str | None]], current: str | None = None) -> list[tuple[str, int, int]]:
    names = [node for node, _ in parents]
    numbers = {name: n for n, name in enumerate(names)}
    places = arrange(parents, numbers, [None] * len(names), current, None)
    return [(names[place.number], place.branch, place.position) for place in places]


def test_the_visible_thread_comes_first_and_alternatives_keep_their_place() -> None:
    tree = [("q", None), ("old", "q"), ("new", "q"), ("next", "new")]
    assert order(tree, "next") == [("q", 0, 0), ("new", 0, 1), ("next", 0, 2), ("old", 1, 1)]


def test_a_thread_may_end_before_a_leaf() -> None:
    assert order([("a", None), ("b", "a"), ("c", "b")], "b") == [("a", 0, 0), ("b", 0, 1), ("c", 1, 2)]


def test_without_a_usable_end_the_last_leaf_counts() -> None:
    tree = [("a", None), ("b", "a"), ("c", "a")]
    assert order(tree, None)[:2] == order(tree, "nowhere")[:2] == [("a", 0, 0), ("c", 0, 1)]


def test_the_latest_leaf_wins_over_the_last() -> None:
    parents: list[tuple[str, str | None]] = [("a", None), ("b", "a"), ("c", "a")]
    times = [None, "2026-01-02T00:00:00.000Z", "2026-01-01T00:00:00.000Z"]
    places = arrange(parents, {"a": 0, "b": 1, "c": 2}, times, None, None)
    assert [place.number for place in places if place.branch == 0] == [0, 1]


def test_times_are_inherited_from_the_nearest_before() -> None:
    parents: list[tuple[str, str | None]] = [("a", None), ("b", "a"), ("c", "b")]
    places = arrange(parents, {"a": 0, "b": 1, "c": 2}, [None, "t1", None], "c", "began")
    assert [place.event_at for place in places] == ["began", "t1", "t1"]


def test_messages_without_any_link_stay_in_file_order() -> None:
    assert order([("a", None), ("b", None), ("c", "gone")]) == [("a", 0, 0), ("b", 0, 1), ("c", 0, 2)]


def test_a_segment_whose_parent_is_missing_is_a_branch_of_its_own() -> None:
    tree = [("a", None), ("b", "a"), ("x", "gone"), ("y", "x")]
    assert order(tree, "b") == [("a", 0, 0), ("b", 0, 1), ("x", 1, 0), ("y", 1, 1)]


def test_a_circle_ends() -> None:
    found = order([("a", "c"), ("b", "a"), ("c", "b"), ("d", "a")], "d")
    assert {name for name, _, _ in found} == {"a", "b", "c", "d"}


@given(PARENTS, st.integers(-1, 35))
@settings(max_examples=300)
def test_every_message_is_placed_once_and_below_its_parent(links: list[int], end: int) -> None:
    parents = [(str(n), None if up < 0 or up == n else str(up)) for n, up in enumerate(links)]
    numbers = {name: n for n, (name, _) in enumerate(parents)}
    places = arrange(parents, numbers, [None] * len(links), str(end), None)
    assert sorted(place.number for place in places) == list(range(len(links)))
    by_number = {place.number: place for place in places}
    for place in places:
        if place.parent_number is not None:
            parent: Place = by_number[place.parent_number]
            assert place.position == parent.position + 1
            assert places.index(parent) < places.index(place)
    assert [p.branch for p in places] == sorted(p.branch for p in places)


def test_a_very_long_chain_needs_no_recursion() -> None:
    chain = [("0", None), *((str(n), str(n - 1)) for n in range(1, 50_000))]
    assert order(chain, "49999")[-1] == ("49999", 0, 49_999)
