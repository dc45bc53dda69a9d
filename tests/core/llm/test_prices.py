"""Prices: what is not in the table is unknown, a person's own entry wins, a bad file is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.errors import InvalidValue
from hivemind.llm.prices import Price, PriceTable, load_prices

BUNDLED = Path(__file__).parents[3] / "resources" / "prices" / "prices.json"
TABLE = PriceTable(
    "2026-11-30", (Price("s", "big*", 10, 20), Price("s", "big-mini*", 1, 2), Price("s", "big-mini", 3, 4))
)


def written(folder: Path, entry: dict[str, Any]) -> Path:
    file = folder / "prices.json"
    file.write_text(json.dumps({"as_of": "2026-12-01", "prices": [entry]}), "utf-8")
    return file


def test_the_most_specific_entry_counts() -> None:
    prices = {model: TABLE.find("s", model) for model in ("big", "big-mini", "big-mini-2", "small")}
    assert [price and price.input_usd for price in prices.values()] == [10, 3, 1, None]
    assert TABLE.find("another", "big") is None


def test_unknown_stays_unknown() -> None:
    assert TABLE.cost("s", "small", 1, 1) is None
    assert TABLE.cost("s", "big", None, 1) is None
    assert TABLE.cost("s", "big", 1, None) is None
    assert TABLE.cost("s", "big", 0, 0) == 0.0


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_cost_is_per_million(asked: int, answered: int) -> None:
    assert TABLE.cost("s", "big", asked, answered) == pytest.approx(asked * 10 / 1e6 + answered * 20 / 1e6)


def test_ones_own_entries_come_first(tmp_path: Path) -> None:
    own = written(tmp_path, {"service": "openai", "model": "gpt-*", "input_usd": 2, "output_usd": 8})
    table = load_prices(BUNDLED, own)
    assert table.as_of == "2026-12-01"
    assert table.cost("openai", "gpt-x", 1_000_000, 0) == 2.0
    assert load_prices(BUNDLED, tmp_path / "none.json").as_of == "2026-11-30"


@pytest.mark.parametrize(
    "entry",
    [
        {"service": "s", "model": "m", "input_usd": -1, "output_usd": 1},
        {"service": "s", "model": "m", "input_usd": float("nan"), "output_usd": 1},
        {"service": "s", "model": "m", "input_usd": "x", "output_usd": 1},
        {"service": "s", "model": "m"},
    ],
)
def test_a_bad_table_is_named(entry: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidValue, match=r"prices\.json"):
        load_prices(BUNDLED, written(tmp_path, entry))
