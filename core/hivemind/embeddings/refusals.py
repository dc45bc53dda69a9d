"""How a model's folder is refused: what is wrong with it, and what to change."""

from __future__ import annotations

from hivemind.errors import EmbedderUnavailable


def refuse(what: str, change: str, details: str = "") -> EmbedderUnavailable:
    """The error for a folder that cannot serve. Search goes on by keyword, which the hint says."""
    return EmbedderUnavailable(
        f"This model cannot be used: {what}", f"{change} Until then search works by keyword.", details=details
    )
