"""Text made storable: what SQLite, FTS and the encoder cannot hold is repaired at the border, once."""

from __future__ import annotations

import re

# C0 controls but tab and newline, and DEL: FTS and length() stop at NUL, terminals obey the others.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def sanitise(text: str) -> tuple[str, bool]:
    """The text without control characters, with lone surrogates as U+FFFD, and whether anything was repaired.

    `\\r\\n` and lone `\\r` become `\\n`; that alone does not count as a repair.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    if plain.isascii() and plain.isprintable():
        return plain, False
    clean = _SURROGATES.sub("�", _CONTROLS.sub("", plain))
    return clean, clean != plain
