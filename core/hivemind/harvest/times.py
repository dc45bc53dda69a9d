"""Times as exports write them: epoch seconds or milliseconds, numeric text, ISO 8601. Unreal ones are unknown."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from hivemind.clock import EARLIEST, FUTURE_ALLOWANCE, from_epoch, stamp

_FRACTION = re.compile(r"(\.\d{6})\d+")


def read_time(value: object, now: datetime) -> str | None:
    """A stamp, or None. ISO times without a zone are read as UTC: the exports that write them mean that."""
    from_number = from_epoch(value, now)
    if from_number is not None or not isinstance(value, str):
        return from_number
    try:
        moment = datetime.fromisoformat(_FRACTION.sub(r"\1", value.strip()))
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return stamp(moment) if EARLIEST <= moment <= now + FUTURE_ALLOWANCE else None
    except OverflowError:
        return None


def original_time(value: object) -> str | None:
    """The time as the file has it, for keeping beside the stamp."""
    return None if value is None or isinstance(value, bool | dict | list) else str(value)[:64]
