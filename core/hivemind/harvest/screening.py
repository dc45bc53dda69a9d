"""From a message to its frames' bodies: secrets masked, orders to an AI held back, cut to a frame's size, each with its
place in the verbatim text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hivemind.domain.harvest import MessageRead
from hivemind.domain.indexed_text import derive
from hivemind.domain.injection import NOTHING, Scan, reason_of, scan
from hivemind.domain.masking import find_secrets, labels_in, mark_of, mask
from hivemind.harvest.frames import cut
from hivemind.harvest.prepared import Piece

#: What tools were asked and answered: in the archive always, in frames when asked for.
TOOL_KINDS = frozenset({"tool_call", "tool_result"})
# Stands for the space in a mark while the text is cut, so that no mark is cut in two. Unicode keeps it free for this.
_JOIN = "\ufdd0"


class Body(NamedTuple):
    """A frame's body, cut from start..end of the spoken text, which is `verbatim_start`.. of the verbatim one."""

    text: str
    start: int
    end: int
    verbatim_start: int
    verbatim_end: int


@dataclass(frozen=True, slots=True)
class Screening:
    """How messages become frames in one import. `allowed`: digests of passages that a person called no secret."""

    allowed: frozenset[bytes] = frozenset()
    tool_content: bool = False

    def masked(self, text: str) -> str:
        return mask(text, self.allowed).text

    def pieces(self, message: MessageRead) -> tuple[tuple[Piece, ...], str]:
        """The frames of a message and the captions that go with the first of them."""
        spoken = self._spoken(message)
        captions = self.masked(message.captions) if message.captions else ""
        if not spoken.strip():
            return self._wordless(message, captions)
        held = scan(spoken, tool=message.kind in TOOL_KINDS)
        bodies = self._bodies(spoken, message.text)
        pieces = [
            _piece(message.speaker, body, captions if part == 0 else "", _reason(held, body))
            for part, body in enumerate(bodies)
        ]
        return tuple(pieces), captions

    def _spoken(self, message: MessageRead) -> str:
        if self.tool_content and message.kind in TOOL_KINDS and not message.hidden and not message.spoken.strip():
            return message.text
        return message.spoken

    def _wordless(self, message: MessageRead, captions: str) -> tuple[tuple[Piece, ...], str]:
        """A picture without words is remembered by its captions."""
        said = message.kind == "speech" and not message.hidden and message.role in {"user", "assistant"}
        if not said or not captions.strip():
            return (), captions
        held = scan(captions, tool=True)
        body = Body(captions, 0, len(captions), 0, len(message.text))
        return (_piece(message.speaker, body, "", _reason(held, body)),), ""

    def _bodies(self, spoken: str, verbatim: str) -> list[Body]:
        marked, places = _marked(spoken, self.allowed)
        offsets = None if spoken == verbatim else _offsets(spoken, verbatim)
        bodies = []
        for start, end in cut(marked):
            first, last = (start, end) if places is None else (places[start], places[end - 1] + 1)
            text = marked[start:end] if places is None else marked[start:end].replace(_JOIN, " ")
            if offsets is None:
                bodies.append(Body(text, first, last, first, last))
            else:
                bodies.append(Body(text, first, last, offsets[first], offsets[last - 1] + 1))
        return bodies

    def held(self, summary: str) -> str | None:
        """Why a session's own summary is held back: it quotes the first request and the last answer."""
        found = scan(summary)
        return reason_of(found) if found.held else None


def _marked(spoken: str, allowed: frozenset[bytes]) -> tuple[str, list[int] | None]:
    """The text with marks, and for each of its characters the one of `spoken` it stands for; None = the same ones."""
    secrets = find_secrets(spoken, allowed)
    if not secrets:
        return spoken, None
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for secret in secrets:
        mark = mark_of(secret.label).replace(" ", _JOIN)
        pieces += (spoken[at : secret.start], mark)
        places += range(at, secret.start)
        places += [secret.start] * (len(mark) - 1) + [secret.end - 1]
        at = secret.end
    pieces.append(spoken[at:])
    places += range(at, len(spoken))
    return "".join(pieces), places


def _reason(held: Scan, body: Body) -> str | None:
    """Why this body is held back: a heavy passage of its message reaches into it."""
    if held is NOTHING or not any(start < body.end and end > body.start for start, end in held.passages):
        return None
    return reason_of(held)


def _piece(speaker: str, body: Body, captions: str, quarantine: str | None) -> Piece:
    derived = derive(speaker or None, body.text, captions or None)
    return Piece(
        body.text, body.verbatim_start, body.verbatim_end, derived.content_hash, derived.norm_hash, derived.flags,
        derived.unspaced, quarantine, bool(labels_in(body.text)),
    )  # fmt: skip


def _offsets(spoken: str, text: str) -> list[int]:
    """For each spoken character its place in the verbatim text; the whole text when it cannot be followed there."""
    offsets: list[int] = []
    at = 0
    for char in spoken:
        at = text.find(char, at)
        if at < 0:
            return [0] * (len(spoken) - 1) + [max(0, len(text) - 1)]
        offsets.append(at)
        at += 1
    return offsets
