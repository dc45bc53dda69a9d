"""Rows of a survey in a private file beside the mind: any number of them costs eight bytes of memory each."""

from __future__ import annotations

import json
import tempfile
import threading
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from hivemind.domain.surveys import SurveyItem, SurveyPage


class SurveyRows:
    """Appended while counting goes on, read by page. May be used from several threads. `close` forgets everything."""

    def __init__(self, folder: Path) -> None:
        # Private to the owner, and nameless from the start where the system can do that.
        self._file = tempfile.TemporaryFile(prefix="survey-", dir=folder)  # noqa: SIM115
        self._starts = array("q")
        self._end = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._starts)

    def close(self) -> None:
        with self._lock:
            self._file.close()
            self._starts = array("q")

    def append(self, items: Iterable[SurveyItem]) -> None:
        """Raises OSError when the disk is full."""
        with self._lock:
            if self._file.closed:
                return
            self._file.seek(self._end)
            for item in items:
                line = json.dumps(item, ensure_ascii=True).encode() + b"\n"
                self._file.write(line)
                self._starts.append(self._end)
                self._end += len(line)

    def page(self, offset: int, limit: int, containing: str = "", outcome: str = "") -> SurveyPage:
        """Rows by place, or those whose title holds `containing` and that have `outcome`."""
        with self._lock:
            if self._file.closed:
                return SurveyPage((), offset, 0)
            self._file.flush()
            if not containing and not outcome:
                return SurveyPage(tuple(self._read(offset, limit)), offset, len(self._starts))
            part = containing.casefold()
            found: list[SurveyItem] = []
            total = 0
            for item in self._read(0, len(self._starts)):
                if part in item.title.casefold() and outcome in ("", item.outcome):
                    if offset <= total < offset + limit:
                        found.append(item)
                    total += 1
            return SurveyPage(tuple(found), offset, total)

    def _read(self, offset: int, limit: int) -> Iterator[SurveyItem]:
        if offset >= len(self._starts):
            return
        self._file.seek(self._starts[offset])
        for _ in range(min(limit, len(self._starts) - offset)):
            yield SurveyItem(*json.loads(self._file.readline()))
