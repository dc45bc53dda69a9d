"""What a call costs, from a dated table that a person may edit. What is not in the table is unknown, never 0."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from hivemind.errors import InvalidValue

_MILLION = 1_000_000
_HIGHEST = 100_000.0


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. `model` may end in `*`; `service` as in the log."""

    service: str
    model: str
    input_usd: float
    output_usd: float


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices as of a day (`YYYY-MM-DD`), the most specific entry first."""

    as_of: str
    prices: tuple[Price, ...]

    def find(self, service: str, model: str) -> Price | None:
        """The price of a model: an exact name before a pattern, a longer pattern before a shorter."""
        fitting = [one for one in self.prices if one.service == service and fnmatchcase(model, one.model)]
        return max(fitting, key=lambda one: ("*" not in one.model, len(one.model)), default=None)

    def cost(self, service: str, model: str, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """US dollars, or None when the price or a count is unknown."""
        price = self.find(service, model)
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return (input_tokens * price.input_usd + output_tokens * price.output_usd) / _MILLION


def load_prices(bundled: Path, own: Path) -> PriceTable:
    """The bundled table with a person's entries before it. Raises InvalidValue when a file cannot be used."""
    table = _read(bundled)
    if not own.is_file():
        return table
    mine = _read(own)
    kept = [
        one for one in table.prices if all((one.service, one.model) != (my.service, my.model) for my in mine.prices)
    ]
    return PriceTable(mine.as_of, (*mine.prices, *kept))


def _read(file: Path) -> PriceTable:
    try:
        stored: Any = json.loads(file.read_text("utf-8"))
        return PriceTable(str(stored["as_of"]), tuple(_price(one) for one in stored["prices"]))
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InvalidValue(
            f"The price table {file.name} cannot be used",
            "Correct it, or remove it to use the bundled prices.",
            details=type(fault).__name__,
        ) from fault


def _price(entry: Any) -> Price:
    amounts = [float(entry[name]) for name in ("input_usd", "output_usd")]
    if not all(0 <= amount <= _HIGHEST for amount in amounts):
        raise ValueError("a price must lie between 0 and 100,000")
    return Price(str(entry["service"]), str(entry["model"]), *amounts)
