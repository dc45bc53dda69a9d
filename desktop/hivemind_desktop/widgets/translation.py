"""Marks a text for translation where it is only kept; it is translated when it is shown."""

from __future__ import annotations


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:
    """The text itself. Qt's own function of this name, which the extraction tool looks for, but with types."""
    return text
