"""What the SDK raises, as errors a person can act on. Words of a service are never passed on: they may quote a key."""

from __future__ import annotations

from typing import Any

from hivemind.errors import (
    AnswerUnreadable,
    HiveMindError,
    HostUnreachable,
    KeyRefused,
    ModelMissing,
    RateLimited,
    RequestRefused,
    ServiceFailed,
    TimedOut,
)

#: Longest wait that a service may ask for before it counts as a refusal.
LONGEST_WAIT = 20.0
_FIRST_WAIT = 0.5
#: Wrappings looked into; causes can form a ring.
_DEEPEST = 10


def named_fault(fault: BaseException) -> HiveMindError:
    """The fault as one of ours. A fault of our own that the SDK wrapped comes out of its wrapping."""
    inner: BaseException | None = fault
    for _ in range(_DEEPEST):
        if isinstance(inner, HiveMindError):
            return inner
        inner = inner and (inner.__cause__ or inner.__context__)
    status = _status(fault)
    details = f"{type(fault).__name__} {status or ''}".strip()
    if status is None:
        name = type(fault).__name__
        if name == "APITimeoutError" or isinstance(fault, TimeoutError):
            return TimedOut(details=details)
        if name == "APIConnectionError":
            return HostUnreachable(details=details)
        return AnswerUnreadable(details=details)
    if status < 300:
        return ServiceFailed("The service broke off its answer", details=details)
    if status in {401, 403}:
        return KeyRefused(details=details)
    if status == 404:
        return ModelMissing(details=details)
    if status == 429:
        return RateLimited(details=details)
    if 300 <= status < 400:
        return AnswerUnreadable("The service sent us elsewhere", "Enter its final address.", details=details)
    return ServiceFailed(details=details) if status >= 500 else RequestRefused(details=details)


def seconds_to_wait(fault: BaseException, tries: int) -> float | None:
    """How long to wait before the same request may be sent again; None when it should not be."""
    status = _status(fault)
    if status != 429 and (status is None or status < 500):
        return None
    asked = _retry_after(fault)
    if asked is None:
        return float(_FIRST_WAIT * 2**tries)
    return asked if asked <= LONGEST_WAIT else None


def _status(fault: Any) -> int | None:
    status = getattr(fault, "status_code", None)
    return status if isinstance(status, int) else None


def _retry_after(fault: Any) -> float | None:
    response = getattr(fault, "response", None)
    try:
        seconds = float(response.headers["retry-after"]) if response is not None else -1.0
    except (KeyError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None
