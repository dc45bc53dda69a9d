"""Foreign bytes to clean text: BOMs, UTF-16 and UTF-32, damaged bytes, control characters, lone surrogates."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from hivemind.domain.text import sanitise as storable

#: Stands for bytes or escapes that mean nothing, until `sanitise` turns it into U+FFFD and says so. It is one of
#: Unicode's noncharacters, which no text may hold, so it cannot hide a real character.
DAMAGED = "\ufdd0"

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 1 << 16


def _mark(error: UnicodeError) -> tuple[str, int]:
    if isinstance(error, UnicodeDecodeError):
        return DAMAGED, error.end
    raise error


codecs.register_error("hivemind-mark", _mark)


def sanitise(text: str) -> tuple[str, bool]:
    """Text that every table, index and screen can hold, and whether something had to be repaired.

    As `domain.text.sanitise`, which also says what counts as a repair; bytes marked DAMAGED become U+FFFD.
    """
    return storable(text.replace(DAMAGED, "\ud800") if DAMAGED in text else text)


def detect_encoding(head: bytes) -> tuple[str, int]:
    """The encoding that the first bytes show, and the length of the BOM. Without a sign: UTF-8."""
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name, len(bom)
    # JSON begins with an ASCII character, so a zero in one of the first two bytes gives UTF-16 away.
    if len(head) >= 2 and head[0] and not head[1]:
        return "utf-16-le", 0
    if len(head) >= 2 and not head[0] and head[1]:
        return "utf-16-be", 0
    return "utf-8", 0


class DecodedText:
    """A binary stream read as text, piece by piece. Bytes that mean nothing become `DAMAGED`.

    `bytes_read` counts the bytes taken from the stream so far.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        head = stream.read(_CHUNK)
        self.encoding, skip = detect_encoding(head)
        self._decoder = codecs.getincrementaldecoder(self.encoding)(errors="hivemind-mark")
        self._head = head[skip:]
        self.bytes_read = len(head)
        self._ended = not head

    def read(self, size: int = _CHUNK) -> str:
        """The next piece, about `size` bytes' worth; '' only at the end."""
        while not self._ended:
            if self._head:
                data, self._head = self._head, b""
            else:
                data = self._stream.read(size)
                self.bytes_read += len(data)
            self._ended = not data
            text = self._decoder.decode(data, final=self._ended)
            if text:
                return text
        return ""

    def close(self) -> None:
        self._stream.close()


def decode(data: bytes) -> tuple[str, bool]:
    """A small text whole: by BOM, else UTF-8, else Windows-1252. Returns the clean text and whether it was repaired."""
    encoding, skip = detect_encoding(data[:4])
    if encoding != "utf-8":
        return sanitise(data[skip:].decode(encoding, errors="hivemind-mark"))
    try:
        return sanitise(data[skip:].decode("utf-8"))
    except UnicodeDecodeError:
        text, _ = sanitise(data[skip:].decode("cp1252", errors="hivemind-mark"))
        return text, True
