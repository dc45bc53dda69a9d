"""What changed between two versions of a text, as lines with a sign; what stayed the same is left out."""

from __future__ import annotations

import difflib
from typing import Literal

#: Changed lines shown of one correction; the whole text is in the memory itself.
MOST_LINES = 12

Sign = Literal["-", "+", " "]


def changed_lines(before: str, after: str) -> list[tuple[Sign, str]]:
    """Removed and added lines in order, at most MOST_LINES, then a line of dots."""
    lines: list[tuple[Sign, str]] = []
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line.startswith("- "):
            lines.append(("-", line[2:]))
        elif line.startswith("+ "):
            lines.append(("+", line[2:]))
    if len(lines) > MOST_LINES:
        return [*lines[:MOST_LINES], (" ", "…")]
    return lines
