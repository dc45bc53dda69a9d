"""Lines of a text file in constant memory: UTF-8 first, UTF-16 by its signs, then a guess that is flagged."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from hivemind.domain.protocols import HarvestSource
from hivemind.readers.text import DAMAGED, detect_encoding, sanitise

#: Characters of a line that are held at once; a longer one comes in pieces.
LINE_CAP = 16_384
_CHUNK = 1 << 16
_SAMPLE = 1 << 16
#: With fewer foreign bytes than this, guessing by statistics is throwing dice.
_ENOUGH = 48
_FALLBACK = "cp1252"


class Encoding(NamedTuple):
    """`skip`: bytes of the BOM. `guessed`: nothing in the file says so, and the text may be wrong in places."""

    name: str
    skip: int
    guessed: bool


class Line(NamedTuple):
    """A line without its end. `continued`: the piece of a long line, what stands before it has no line end."""

    text: str
    continued: bool
    repaired: bool


def is_text(head: bytes) -> bool:
    """Whether the first bytes can be text at all; stray control characters are forgiven."""
    if head.startswith((b"%PDF", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"SQLite format 3")):
        return False
    if _sign_of(head).name != "utf-8":
        return True
    controls = sum(byte < 32 and byte not in b"\t\n\r\x0c\x1b" for byte in head[:4096])
    return controls * 20 <= len(head[:4096])


def _sign_of(head: bytes) -> Encoding:
    """What the first bytes say. UTF-16 without a BOM shows in the zeros of its ASCII characters."""
    name, skip = detect_encoding(head[:4])
    if name == "utf-8" or skip:
        return Encoding(name, skip, False)
    sample = head[:1024]
    zeros = sample[1::2].count(0) if name == "utf-16-le" else sample[0::2].count(0)
    return Encoding(name if zeros * 4 > len(sample) else "utf-8", 0, False)


def encoding_of(source: HarvestSource) -> Encoding:
    """Read the whole file once, keeping nothing, to be sure of its encoding."""
    with source.open() as stream:
        head = stream.read(_CHUNK)
        signs = _sign_of(head)
        if signs.name != "utf-8":
            return signs
        decoder = codecs.getincrementaldecoder("utf-8")()
        chunk = head[signs.skip :]
        while True:
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError:
                return _guess(chunk + stream.read(_SAMPLE), signs.skip)
            if not chunk:
                return signs
            chunk = stream.read(_CHUNK)


def _guess(sample: bytes, skip: int) -> Encoding:
    if skip:
        return Encoding("utf-8", skip, True)
    text = sample.decode("utf-8", errors="hivemind-mark")
    wrong = text.count(DAMAGED)
    if sum(ord(char) > 127 for char in text) - wrong > 4 * wrong:
        # A damaged UTF-8 file stays one: another encoding would spoil every other letter.
        return Encoding("utf-8", 0, True)
    if sum(byte > 127 for byte in sample) < _ENOUGH:
        return Encoding(_FALLBACK, 0, True)
    from charset_normalizer import from_bytes  # on first use: few texts are in anything but UTF-8

    best = from_bytes(sample).best()
    return Encoding(best.encoding if best is not None else _FALLBACK, 0, True)


class TextLines:
    """The clean lines of a file, once. `bytes_read` goes along."""

    def __init__(self, source: HarvestSource, encoding: Encoding) -> None:
        self._source = source
        self._encoding = encoding
        self.bytes_read = 0

    def __iter__(self) -> Iterator[Line]:
        """Every line with its end taken off. Lines of more than LINE_CAP come in pieces, cut at a space if possible."""
        stream: BinaryIO = self._source.open()
        with stream:
            stream.read(self._encoding.skip)
            self.bytes_read = self._encoding.skip
            yield from self._lines(stream)

    def _lines(self, stream: BinaryIO) -> Iterator[Line]:
        decoder = codecs.getincrementaldecoder(self._encoding.name)(errors="hivemind-mark")
        rest, continued, ended = "", False, False
        while not ended:
            data = stream.read(_CHUNK)
            self.bytes_read += len(data)
            ended = not data
            text = rest + decoder.decode(data, final=ended)
            held = "\r" if text.endswith("\r") and not ended else ""
            text = text[: len(text) - len(held)].replace("\r\n", "\n").replace("\r", "\n")
            *whole, rest = text.split("\n")
            for one in whole:
                for piece in _pieces(one):
                    yield self._clean(piece, continued)
                    continued = True
                continued = False
            while len(rest) > LINE_CAP:
                piece, rest = rest[: _border(rest)], rest[_border(rest) :]
                yield self._clean(piece, continued)
                continued = True
            rest += held
        if rest:
            yield self._clean(rest, continued)

    def _clean(self, text: str, continued: bool) -> Line:
        clean, repaired = sanitise(text)
        return Line(clean, continued, repaired or (self._encoding.guessed and not text.isascii()))


def _pieces(line: str) -> list[str]:
    pieces = []
    while len(line) > LINE_CAP:
        border = _border(line)
        pieces.append(line[:border])
        line = line[border:]
    return [*pieces, line]


def _border(line: str) -> int:
    at = line.rfind(" ", LINE_CAP // 2, LINE_CAP)
    return at + 1 if at > 0 else LINE_CAP
