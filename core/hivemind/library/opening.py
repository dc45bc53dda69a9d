"""The mind a library's caller holds: opened, searched, copied, closed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

from hivemind.clock import Clock, stamp, system_clock
from hivemind.domain.frames import Access, Importance, Provenance, Saved
from hivemind.domain.minds import Manifest
from hivemind.domain.search import Mode, Profile, Recipe, SearchFilters, SearchRequest, SearchResult
from hivemind.errors import Cancelled
from hivemind.gateway import genesis
from hivemind.library.about_user import MindAwareness, MindIdentity
from hivemind.library.arguments import drafted, one_of
from hivemind.library.calls import write
from hivemind.library.frames import MindFrames
from hivemind.library.sessions import MindSessions
from hivemind.mind import Mind
from hivemind.mind.saving import save
from hivemind.search import search
from hivemind.storage.backup import backup


def open_mind(path: str | PathLike[str], create: bool = True, *, clock: Clock = system_clock) -> OpenMind:
    """Open the mind at `path`; with `create`, make it when nothing is there. An existing file is never overwritten.

    Use it as a context manager, or call `close`. Works beside the desktop app and the command line on the same file.
    Raises MindMissing, NotAMind, MindCorrupt, MindNewer, MindBusy, DiskFull or ReadOnlyPlace.
    """
    file = Path(path).expanduser().absolute()
    return OpenMind(Mind.open(file, file.stem, create=create, seeders=(genesis(clock),), clock=clock))


class OpenMind:
    """One open mind. Every call returns when it is done: a write is then on the disk. Safe to use from any thread.

    Words are taken for the enums they name ('important', 'recent', 'user_stated', …), moments are ISO 8601 with a
    zone. Errors are those of `hivemind.errors`; after `close` every call raises Cancelled. What a program writes here
    is not in the window's list of actions to undo: those are a person's.
    """

    def __init__(self, mind: Mind) -> None:
        """Use `open_mind`."""
        self._mind = mind
        self._closed = False
        # A thread with a loop of its own, so that search also works for a caller who is inside a running loop.
        self._search_thread = ThreadPoolExecutor(1, "search")
        self.sessions = MindSessions(mind)
        self.frames = MindFrames(mind)
        self.identity = MindIdentity(mind)
        self.awareness = MindAwareness(mind)

    @property
    def path(self) -> Path:
        return self._mind.path

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Finish running writes and close the file. May be called twice."""
        self._closed = True
        self._search_thread.shutdown()
        self._mind.close()

    def search(
        self,
        query: str,
        profile: Profile | str = Profile.BALANCED,
        limit: int = 10,
        *,
        recipe: Recipe | str = Recipe.DEFAULT,
        mode: Mode | str = Mode.HYBRID,
        since: str | None = None,
        until: str | None = None,
        source: str | None = None,
        session_id: str | None = None,
        cursor: str | None = None,
    ) -> SearchResult:
        """The best `limit` frames for any text. `since` and `until`: `2025-06-30`, both inclusive.

        `result.mode` says what really answered; `result.degraded` says in words why less than asked was possible.
        Raises InvalidValue or InvalidDate.
        """
        request = SearchRequest(
            query=query,
            minds=(self._mind.workspace,),
            filters=SearchFilters(since=since, until=until, source=source, session_id=session_id),
            profile=one_of(Profile, profile, "profile"),
            recipe=one_of(Recipe, recipe, "recipe"),
            mode=one_of(Mode, mode, "mode"),
            limit=limit,
            cursor=cursor,
        )

        def answer() -> SearchResult:
            return asyncio.run(search([self._mind], request, self._mind.clock))

        if self._closed:
            raise Cancelled("This mind is closed", "Open it again with open_mind.")
        return self._search_thread.submit(answer).result()

    def used(self, frame_ids: Sequence[int], *, query_id: str | None = None, client: str | None = None) -> None:
        """Count the use of found frames (opened, cited). Once per query when `query_id` names the search."""
        accesses = [Access(frame_id, "cited", client, query_id) for frame_id in frame_ids]
        write(self._mind, lambda tx: tx.accesses.record(accesses))

    def save(
        self,
        text: str,
        *,
        session_id: str | None = None,
        importance: Importance | str = Importance.NORMAL,
        source: Provenance | str = Provenance.USER_STATED,
    ) -> Saved:
        """Remember a text, without a session as a note of the day. The same text again returns the frame there is."""
        draft = drafted(text, session_id, importance, source)
        return write(self._mind, lambda tx: save(tx, draft))

    def backup(self, path: str | PathLike[str]) -> Manifest:
        """A verified copy of the whole mind at `path`, where nothing may be yet. Raises FileInTheWay, BackupFailed."""
        facts = backup(self._mind.path, Path(path).expanduser())
        return Manifest(
            path=str(facts.path),
            bytes=facts.bytes,
            sha256=facts.sha256,
            frames=facts.frames,
            sessions=facts.sessions,
            messages=facts.messages,
            schema=facts.schema,
            made_at=stamp(self._mind.clock()),
        )
