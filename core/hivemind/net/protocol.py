"""What rooms above ask of the one HTTP client. Its implementation takes an OutboundLedger and a CallRecorder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request. `feature`: what it is for, as the privacy page names it. `call_uuid` joins it to its log entry.

    Keys go into `headers`, never into `url`: the ledger keeps host and path. Times in seconds, sizes in bytes;
    an answer longer than `limit` is cut off with an error.
    """

    call_uuid: str
    feature: str
    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    timeout: float = 60.0
    limit: int = 10_000_000


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """The head of an answer and its body, which arrives in pieces."""

    status: int
    headers: Mapping[str, str]
    body: AsyncIterator[bytes]


class HttpClient(Protocol):
    """Writes a ledger line, then connects; completes the line when the answer's last byte is there or it failed.

    It refuses addresses of this computer and its network (unless the request's feature is a local model), follows
    no redirect to them, and keeps no cookies.
    """

    def send(self, request: HttpRequest) -> AbstractAsyncContextManager[HttpResponse]: ...
