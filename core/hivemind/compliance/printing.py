"""From data to PDF files: whole when it is short, in volumes when it is long, each in a child process of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil
from typing import Any

from hivemind.compliance.wording import ROWS_PER_PAGE
from hivemind.errors import ReaderStopped, ReportFailed
from hivemind.readers.process import Limits, ReaderProcess

#: Pages of log up to which everything is one file. The pages before it are about ten.
WHOLE_LOG_PAGES = 35
#: Pages of a volume of the log.
VOLUME_PAGES = 25
#: Volumes that are laid out at the same time. Each needs about 300 MB.
AT_ONCE = 2
#: Address space and seconds of one child. Laying out 45 pages needs about a tenth of both.
LIMITS = Limits(memory=4 << 30, idle=900.0)

Pages = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class Volume:
    """A PDF file: `first` of its page numbers, how many pages, its bytes. `part` 0 is the report itself."""

    part: int
    first: int
    pages: int
    data: bytes

    def name(self, stem: str) -> str:
        """`stem.pdf`, and `stem annex A 1.pdf` and so on for volumes of the log."""
        return f"{stem}.pdf" if self.part == 0 else f"{stem} annex A {self.part}.pdf"


def print_report(data: bytes) -> Iterator[Volume]:
    """PDF files of a report, the report itself first. `data`: its JSON. Blocking; raises ReportFailed."""
    document = json.loads(data)
    rows = document["log"]
    log_pages = ceil(len(rows) / ROWS_PER_PAGE)
    if log_pages <= WHOLE_LOG_PAGES:
        pages, pdf = _in_child(_whole, data)
        yield Volume(0, 1, pages, pdf)
        return
    pages, pdf = _in_child(_body, data, log_pages)
    yield Volume(0, 1, pages, pdf)
    yield from _log_volumes(document | {"log": []}, rows, pages + 1, pages + log_pages)


def _log_volumes(head: Mapping[str, Any], rows: Sequence[Any], first: int, total: int) -> Iterator[Volume]:
    """Volumes of the log table, in order, AT_ONCE of them laid out at the same time."""
    in_volume = VOLUME_PAGES * ROWS_PER_PAGE
    parts = [rows[start : start + in_volume] for start in range(0, len(rows), in_volume)]

    def made(number: int) -> Volume:
        begins = first + number * VOLUME_PAGES
        pages, pdf = _in_child(_log, head, parts[number], begins, total, number == 0)
        return Volume(number + 1, begins, pages, pdf)

    with ThreadPoolExecutor(AT_ONCE, "report") as workers:
        yield from workers.map(made, range(len(parts)))


def _in_child(target: Callable[..., Iterator[Pages]], *args: Any) -> Pages:
    try:
        with ReaderProcess(target, args, LIMITS) as child:
            answer = child.receive()
    except ReaderStopped as fault:
        raise ReportFailed(details=fault.details) from fault
    if not isinstance(answer, tuple):
        raise ReportFailed(details="no pages came back")
    pages, pdf = answer
    return int(pages), bytes(pdf)


# What lays pages out is loaded in the child alone: the program that waits for it never needs it.


def _whole(data: bytes) -> Iterator[Pages]:
    from hivemind.compliance import press

    yield from press.print_whole(data)


def _body(data: bytes, log_pages: int) -> Iterator[Pages]:
    from hivemind.compliance import press

    yield from press.print_body(data, log_pages)


def _log(head: Mapping[str, Any], rows: Sequence[object], first: int, total: int, begins: bool) -> Iterator[Pages]:
    from hivemind.compliance import press

    yield from press.print_log(head, rows, first, total, begins)
