"""How a model is refused: what is wrong with it, what to change, and that search goes on by keyword."""

from __future__ import annotations

from hivemind.errors import EmbedderUnavailable, HiveMindError

_KEYWORDS = "Until then search works by keyword."


def refuse(what: str, change: str, details: str = "") -> EmbedderUnavailable:
    """The error for a model that cannot serve."""
    return EmbedderUnavailable(f"This model cannot be used: {what}", f"{change} {_KEYWORDS}", details=details)


def unavailable(fault: HiveMindError) -> EmbedderUnavailable:
    """The same for what stands in the way of a service."""
    return EmbedderUnavailable(fault.title, f"{fault.hint} {_KEYWORDS}", details=fault.details or fault.code)
