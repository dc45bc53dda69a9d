"""The outbound ledger: a line per request, on disk before a byte leaves, completed when the answer is there.

It stands in the installation's own file, outside the minds: a restored mind cannot take back what was sent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hivemind.clock import Clock, stamp, system_clock
from hivemind.domain.calls import Outbound
from hivemind.errors import InvalidValue, NotFound
from hivemind.storage import Connection, Database

_COLUMNS = "id, call_uuid, at, feature, method, host, path, bytes_out, bytes_in, status, finished_at"
_TOKEN = re.compile(r"[A-Za-z0-9._:@+=-]{1,200}")
_METHOD = re.compile(r"[A-Z]{1,20}")
#: A name or address with an optional port. No user name: what stands before an @ may be a key.
_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
#: No question mark: vendors take keys, and searches take words, in what follows it.
_PATH = re.compile(r"/[^?#\x00-\x20\x7f\ud800-\udfff]{0,2000}")


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One line. `status`, `bytes_in` and `finished_at` None: no answer was written down (yet)."""

    id: int
    call_uuid: str
    at: str
    feature: str
    method: str
    host: str
    path: str
    bytes_out: int
    bytes_in: int | None
    status: int | None
    finished_at: str | None


class OutboundStore:
    """Owns `outbound_ledger`. Bound to one open transaction on the installation's file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def open_line(self, outbound: Outbound) -> int:
        """Write the line of a request that is about to be sent; returns its id. Raises InvalidValue."""
        _check(outbound)
        row = self._connection.execute(
            "INSERT INTO outbound_ledger (call_uuid, at, feature, method, host, path, bytes_out)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                outbound.call_uuid,
                outbound.at,
                outbound.feature,
                outbound.method,
                outbound.host,
                outbound.path,
                outbound.bytes_out,
            ),
        )
        return int(row.get)

    def close_line(self, line_id: int, now: str, *, status: int | None, bytes_in: int, bytes_out: int) -> None:
        """Complete a line once. `status` None: no HTTP answer came. Raises NotFound for an unknown or closed line."""
        self._connection.execute(
            "UPDATE outbound_ledger SET status = ?, bytes_in = ?, bytes_out = ?, finished_at = ?"
            " WHERE id = ? AND finished_at IS NULL",
            (status, bytes_in, bytes_out, now, line_id),
        )
        if not self._connection.changes():
            raise NotFound(
                "This request is not open in the outbound ledger",
                "It was never written down, or it was completed before.",
            )

    def list_lines(self, since: str | None = None, until: str | None = None) -> list[LedgerLine]:
        """Lines at `since` or later and before `until` (stamps), oldest first."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM outbound_ledger"  # noqa: S608 (our own column names)
            " WHERE (?1 IS NULL OR at >= ?1) AND (?2 IS NULL OR at < ?2) ORDER BY at, id",
            (since, until),
        )
        return [LedgerLine(*row) for row in rows]

    def list_open(self) -> list[LedgerLine]:
        """Lines without an end: still running, or the program stopped in between."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM outbound_ledger WHERE finished_at IS NULL ORDER BY id"  # noqa: S608
        )
        return [LedgerLine(*row) for row in rows]

    def list_of_call(self, call_uuid: str) -> list[LedgerLine]:
        """Every request of one call: its retries and redirects are lines of their own."""
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM outbound_ledger WHERE call_uuid = ? ORDER BY id",  # noqa: S608
            (call_uuid,),
        )
        return [LedgerLine(*row) for row in rows]


class OutboundLedger:
    """The ledger as the HTTP client uses it: each call is one durable transaction on the installation's file."""

    def __init__(self, database: Database, clock: Clock = system_clock) -> None:
        self._database = database
        self._clock = clock

    async def opened(self, outbound: Outbound) -> int:
        """Returns the line's id when it is on disk. When this raises, nothing may be sent."""
        return await self._database.write(lambda connection: OutboundStore(connection).open_line(outbound))

    async def closed(self, line_id: int, *, status: int | None, bytes_in: int, bytes_out: int) -> None:
        """Complete the line with what really went out and came in."""
        now = stamp(self._clock())
        await self._database.write(
            lambda connection: OutboundStore(connection).close_line(
                line_id, now, status=status, bytes_in=bytes_in, bytes_out=bytes_out
            )
        )


def _check(outbound: Outbound) -> None:
    for name, value, form in (
        ("call_uuid", outbound.call_uuid, _TOKEN),
        ("feature", outbound.feature, _TOKEN),
        ("method", outbound.method, _METHOD),
        ("host", outbound.host, _HOST),
        ("path", outbound.path, _PATH),
    ):
        if not form.fullmatch(value):
            # The value itself is not repeated: it may be the key that must not be written anywhere.
            raise InvalidValue(f"The request's {name} cannot be written into the outbound ledger", "Nothing was sent.")
    if outbound.bytes_out < 0:
        raise InvalidValue("A request cannot have a negative size", "Nothing was sent.")
