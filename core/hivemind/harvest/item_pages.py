"""The items of a run, opened by reason and page by page, and all of them as a table for a spreadsheet."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hivemind.domain.harvest import ImportedItem, ItemPage
from hivemind.errors import FileInTheWay
from hivemind.storage import Connection

HEADER = ("source", "number", "item_id", "title", "outcome", "reason", "messages", "session_id")
#: A cell that begins so is run as a formula by common spreadsheets.
_RUNS = ("=", "+", "-", "@", "\t", "\r", "\n")
_COLUMNS = "i.run_id, r.source, i.ordinal, i.item_id, i.title, i.session, i.state, i.reason, i.messages"
_FROM = "import_items AS i JOIN import_runs AS r ON r.id = i.run_id"
_BATCH = 500


def page(
    connection: Connection, run_ids: Sequence[int], state: str, reason: str | None, offset: int, limit: int
) -> ItemPage:
    """Items of these runs in order. `state` '' = any; `reason` None = any."""
    marks = ", ".join("?" * len(run_ids))
    where = f"i.run_id IN ({marks}) AND (? = '' OR i.state = ?) AND (? IS NULL OR i.reason = ?)"
    values = (*run_ids, state, state, reason, reason)
    total = connection.execute(f"SELECT count(*) FROM {_FROM} WHERE {where}", values).get  # noqa: S608 - marks only
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM {_FROM} WHERE {where} ORDER BY i.run_id, i.ordinal LIMIT ? OFFSET ?",  # noqa: S608
        (*values, limit, offset),
    )
    return ItemPage(tuple(ImportedItem(*row) for row in rows), offset, int(total or 0))


def every_item(connection: Connection, run_ids: Sequence[int]) -> Iterator[ImportedItem]:
    """All of them, a batch at a time: counted offsets would walk the table again for each."""
    for run_id in run_ids:
        after = -1
        while True:
            rows = list(
                connection.execute(
                    f"SELECT {_COLUMNS} FROM {_FROM} WHERE i.run_id = ? AND i.ordinal > ?"  # noqa: S608 - fixed names
                    f" ORDER BY i.ordinal LIMIT {_BATCH}",
                    (run_id, after),
                )
            )
            yield from (ImportedItem(*row) for row in rows)
            if len(rows) < _BATCH:
                break
            after = int(rows[-1][2])


def write_csv(items: Iterable[ImportedItem], file: Path) -> int:
    """A new file for its owner only; returns the rows below the header. Raises FileInTheWay, OSError."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise FileInTheWay(
            "There is a file of this name already", "Nothing was written. Choose another name."
        ) from error
    # The mark at the beginning tells common spreadsheets that this is UTF-8.
    with os.fdopen(descriptor, "w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(HEADER)
        count = 0
        for item in items:
            cells = (item.source, item.ordinal, item.item_id, item.title, item.state, item.reason, item.messages,
                     item.session_id)  # fmt: skip
            writer.writerow([plain_cell(cell) for cell in cells])
            count += 1
    return count


def plain_cell(value: object) -> object:
    """A cell that no spreadsheet runs: text that would be a formula gets an apostrophe in front."""
    if not isinstance(value, str):
        return "" if value is None else value
    # Some programs strip white space and quotes before they look for a formula.
    return f"'{value}" if value.startswith(_RUNS) or value.lstrip(" \"'\u00a0\ufeff").startswith(_RUNS) else value
