"""JSON, JSON lines and tables of unknown origin: read when it is sure who says what, else refused."""

from __future__ import annotations

from collections.abc import Iterator

from hivemind.clock import Clock, system_clock
from hivemind.domain.harvest import Confidence, HarvestEvent, Peek
from hivemind.domain.protocols import HarvestSource
from hivemind.harvest.adapters.universal_fields import PAIRS, is_message
from hivemind.harvest.adapters.universal_layout import layout_of
from hivemind.harvest.adapters.universal_rows import first_form, form_of, rows_of
from hivemind.harvest.adapters.universal_talks import TalkReading
from hivemind.harvest.companions import companion, looks_like
from hivemind.readers.json_stream import keys_by_depth

_LEVELS = 4


class UniversalAdapter:
    """Messages with a speaker and a text, wherever they stand. Never takes what shows whose export it is."""

    name = "universal"
    label = "JSON or table"

    def __init__(self, clock: Clock = system_clock) -> None:
        self._clock = clock

    def sniff(self, peek: Peek) -> Confidence:
        """LIKELY when an object of the beginning has keys for a speaker and a text; `read` makes sure of it."""
        form = form_of(peek.name, peek.head)
        if form in ("", "table"):
            return Confidence.LIKELY if form else Confidence.NO
        if looks_like(peek) or companion(peek):
            return Confidence.NO
        keys = keys_by_depth(peek.head)
        talk = any(is_message(level) for level in keys[:_LEVELS])
        pair = any({ask, answer} <= keys[0] for ask, answer in PAIRS)
        return Confidence.LIKELY if talk or pair else Confidence.NO

    def read(self, source: HarvestSource) -> Iterator[HarvestEvent]:
        """Events of every talk in file order. Raises SourceUnknown when it is not sure, or SourceUnreadable."""
        form = first_form(source)
        layout = layout_of(rows_of(source, form))
        reading = TalkReading(source, layout, self._clock(), local=form == "table")
        yield from reading.events(rows_of(source, form))


def described(peek: Peek) -> str:
    """What a file that nobody reads is, where that can be told: one sentence for a person, or ''."""
    form = form_of(peek.name, peek.head)
    if form not in ("json", "lines"):
        return ""
    keys = sorted(key[:30] for key in keys_by_depth(peek.head)[0])
    if not keys:
        return "This is JSON without any named values. "
    shown = ", ".join(keys[:8]) + (" and others" if len(keys) > 8 else "")
    return f"This is JSON with the keys {shown}; none of them says who speaks. "
