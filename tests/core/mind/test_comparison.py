"""Two ordered walks side by side: every memory is in exactly one class. Covers: comparison."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hivemind.mind.comparison import _walk

minds = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 2), max_size=12)


@given(minds, minds)
def test_every_memory_is_in_one_class(here: dict[str, int], there: dict[str, int]) -> None:
    rows = [[(key, key, of[key]) for key in sorted(of)] for of in (here, there)]
    found = [(kind, row[0]) for kind, row in _walk(iter(rows[0]), iter(rows[1]))]
    assert sorted(found) == sorted(
        [("lost", key) for key in here.keys() - there.keys()]
        + [("back", key) for key in there.keys() - here.keys()]
        + [("changed", key) for key in here.keys() & there.keys() if here[key] != there[key]]
    )
