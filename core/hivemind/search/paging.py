"""Cursors: the next page leaves out what was already shown, so nothing comes twice however the mind grows meanwhile."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field, replace

from hivemind.clock import parse_stamp, stamp
from hivemind.domain.search import SearchRequest
from hivemind.errors import InvalidValue

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Page:
    """Where a search stands. `now`: the moment all its pages are weighed at. `shown`: frame ids by workspace."""

    now: str
    shown: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return sum(len(ids) for ids in self.shown.values())

    def after(self, hits: list[tuple[str, int]]) -> Page:
        """The page after these (workspace, frame id)."""
        shown = dict(self.shown)
        for workspace, frame_id in hits:
            shown[workspace] = (*shown.get(workspace, ()), frame_id)
        return Page(self.now, shown)


def write_cursor(request: SearchRequest, workspaces: tuple[str, ...], page: Page) -> str:
    """An opaque text for `SearchRequest.cursor`. Holds ids only, no remembered text."""
    body = [_VERSION, _fingerprint(request, workspaces), page.now, page.shown]
    return base64.urlsafe_b64encode(json.dumps(body, separators=(",", ":")).encode()).decode().rstrip("=")


def read_cursor(request: SearchRequest, workspaces: tuple[str, ...], now: str) -> Page:
    """The page that the request's cursor asks for, the first one without a cursor. Raises InvalidValue."""
    if request.cursor is None:
        return Page(now)
    try:
        padded = request.cursor + "=" * (-len(request.cursor) % 4)
        version, fingerprint, moment, shown = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        page = Page(
            stamp(parse_stamp(moment)), {str(key): tuple(int(one) for one in ids) for key, ids in shown.items()}
        )
    except (ValueError, TypeError, AttributeError, binascii.Error, RecursionError) as fault:
        raise InvalidValue("This is no page of a search", "Start the search again.") from fault
    if version != _VERSION or fingerprint != _fingerprint(request, workspaces):
        raise InvalidValue("This page belongs to another search", "Start the search again.")
    return page


def _fingerprint(request: SearchRequest, workspaces: tuple[str, ...]) -> str:
    """Of everything that decides what is found and in what order; page size, moment and cursor may differ."""
    same = replace(request, minds=workspaces, limit=0, cursor=None, now=None, explain=False, expect_frame_id=None)
    return hashlib.sha256(repr(same).encode("utf-8", "surrogatepass")).hexdigest()[:16]
