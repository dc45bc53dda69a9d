"""Whether a text file is a talk, and its turns: precise first, so that a list with colons stays a document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from hivemind.domain.harvest import MessageRead
from hivemind.harvest.adapters.documents_blocks import HEADING, Block, block_message
from hivemind.harvest.adapters.documents_labels import Label, is_weak, label_of, labels_of, role_of, system_line
from hivemind.harvest.adapters.documents_lines import Line
from hivemind.harvest.adapters.documents_times import Dated, DayOrder, line_time

#: Characters of one message; a longer turn goes on in the next.
TURN_CAP = 40_000
_MANY_NAMES = 200
_STYLES = ("stamped", "nick", "heading", "bold", "plain")


class Transcript(NamedTuple):
    """How a file writes down a talk. `timed`: its lines say when."""

    style: str
    names: frozenset[str]
    order: DayOrder
    timed: bool


class _Tally:
    """What one style's labels come to over a whole file. Memory: the names."""

    def __init__(self) -> None:
        self.lines = self.changes = self.timed = 0
        self.names: dict[str, int] = {}
        self._last = ""

    def add(self, label: Label) -> None:
        self.lines += 1
        self.timed += bool(label.time)
        self.changes += label.name != self._last
        self._last = label.name
        if label.name in self.names or len(self.names) < _MANY_NAMES:
            self.names[label.name] = self.names.get(label.name, 0) + 1

    def speakers(self, style: str, filled: int) -> frozenset[str]:
        """Who talks, if these labels are those of a talk in a file of so many lines that are not white."""
        if style in ("stamped", "nick"):
            return frozenset(self.names) if self.lines >= 2 and self.lines * 4 >= filled else frozenset()
        roles = {name: role_of(name) for name in self.names}
        known = frozenset(name for name, role in roles.items() if role)
        if {"user", "assistant"} <= set(roles.values()):
            sure = not all(map(is_weak, known))
            return known if sure or self.changes >= 4 else frozenset()
        return self._people(filled) if style in ("bold", "plain") else frozenset()

    def _people(self, filled: int) -> frozenset[str]:
        """Names that say nothing of a role: each must come back, take turns, and be few among many lines."""
        again = all(count >= 2 for count in self.names.values())
        turns = self.changes * 2 >= self.lines
        if self.lines < 4 or self.lines * 4 < filled or not 2 <= len(self.names) <= 8 or not again or not turns:
            return frozenset()
        return frozenset(name for name in self.names if name[:1].isupper())


def find_transcript(lines: Iterable[Line]) -> tuple[Transcript | None, str]:
    """Read all lines once. Returns how they write down a talk, if they do, and the first Markdown heading."""
    tallies = {style: _Tally() for style in _STYLES}
    order, filled, title, fence = DayOrder(), 0, "", False
    for line in lines:
        if line.continued or not line.text.strip():
            continue
        filled += 1
        if line.text.lstrip().startswith(("```", "~~~")):
            fence = not fence
        if fence:
            continue
        for label in labels_of(line.text):
            tallies[label.style].add(label)
            if label.time:
                order.see(label.time)
        if not title and (heading := HEADING.fullmatch(line.text)) is not None and not role_of(heading[2]):
            title = heading[2]
    for style in _STYLES:
        names = tallies[style].speakers(style, filled)
        if len(names) >= (1 if style in ("stamped", "nick") else 2):
            return Transcript(style, names, order, tallies[style].timed > 0), title
    return None, title


class _Turn:
    """A turn being gathered. Text is verbatim but for the label, which is the speaker and the time."""

    def __init__(self, label: Label | None, stamp: str | None, original: str | None) -> None:
        self.label = label
        self.stamp = stamp
        self.original = original
        self.lines: list[str] = [label.said] if label is not None and label.said else []
        self.size = sum(map(len, self.lines))
        self.repaired = False

    def add(self, line: Line) -> None:
        if line.continued and self.lines:
            self.lines[-1] += line.text
        else:
            self.lines.append(line.text)
        self.size += len(line.text) + 1
        self.repaired = self.repaired or line.repaired

    def message(self, fallback: Dated) -> MessageRead | None:
        text = "\n".join(self.lines).strip("\n").rstrip()
        if self.label is None:
            date = fallback._replace(stamp=self.stamp, original=self.original)
            return block_message(Block(text, (), self.repaired), date) if text.strip() else None
        name = self.label.name
        role = role_of(name) or "user"
        hidden = role == "system"
        original = self.original or fallback.original
        digest = hashlib.sha256(repr((name, self.original, text)).encode("utf-8", "replace")).hexdigest()[:32]
        return MessageRead(
            ordinal=0,
            ext_id=digest,
            parent_ext_id=None,
            role=role,
            speaker=name,
            sent_at=self.stamp,
            sent_at_original=original,
            kind="tool_result" if role == "tool" else "speech",
            hidden=hidden,
            text=text,
            spoken="" if hidden or role == "tool" else self._spoken(text),
            repaired=self.repaired,
        )

    def _spoken(self, text: str) -> str:
        """Without the signs of a quotation, where the whole turn is one."""
        if self.label is None or not self.label.quoted:
            return text
        return "\n".join(line.removeprefix(">").removeprefix(" ") for line in text.split("\n"))


def turns(lines: Iterable[Line], talk: Transcript, fallback: Dated, now: datetime) -> Iterator[MessageRead]:
    """Messages in the order of the file; what stands before the first label, or between notices, is kept too."""
    turn = _Turn(None, None, None)
    fallback = Dated(None, None, "") if talk.timed else fallback
    fence = False
    for line in lines:
        if not line.continued and line.text.lstrip().startswith(("```", "~~~")):
            fence = not fence
        begun = None if line.continued or (fence and talk.style not in ("stamped", "nick")) else _begin(line, talk, now)
        if begun is None and turn.size < TURN_CAP:
            turn.add(line)
            continue
        if (message := turn.message(fallback)) is not None:
            yield message
        if begun is None:
            begun = _Turn(turn.label and turn.label._replace(said=""), turn.stamp, turn.original)
            begun.add(line)
        turn = begun
    if (message := turn.message(fallback)) is not None:
        yield message


def _begin(line: Line, talk: Transcript, now: datetime) -> _Turn | None:
    label = label_of(line.text, talk.style) if line.text else None
    if label is not None and label.name in talk.names:
        stamp, original = line_time(label.time, talk.order, now) if label.time else (None, None)
        turn = _Turn(label, stamp, original)
        turn.repaired = line.repaired
        return turn
    notice = system_line(line.text) if talk.style == "stamped" else None
    if notice is None:
        return None
    turn = _Turn(None, *line_time(notice[0], talk.order, now))
    turn.add(line)
    return turn
