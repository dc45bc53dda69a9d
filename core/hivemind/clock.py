"""Time: one text form for every column, and a clock that tests can hold still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

#: Returns the present as an aware UTC datetime.
Clock = Callable[[], datetime]

#: Outside these bounds a time from a foreign file is taken as unknown, never as "now".
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
FUTURE_ALLOWANCE = timedelta(days=366)


def system_clock() -> datetime:
    """The present, UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Write a moment as `YYYY-MM-DDTHH:MM:SS.sssZ`. Naive datetimes are refused: their zone is unknown."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone cannot be stamped")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def parse_stamp(text: str) -> datetime:
    """Read what `stamp` wrote (any ISO 8601 time with a zone). Raises ValueError on anything else."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"no zone in {text!r}")
    return moment.astimezone(UTC)


def from_epoch(value: object, now: datetime) -> str | None:
    """Epoch seconds or milliseconds (int, float or numeric text) as a stamp; None when it cannot be a real time."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
        if number >= 1e12:
            number /= 1000.0
        moment = datetime.fromtimestamp(number, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if not EARLIEST <= moment <= now + FUTURE_ALLOWANCE:
        return None
    return stamp(moment)
