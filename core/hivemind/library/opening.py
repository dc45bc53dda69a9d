"""The mind a library's caller holds: opened, searched, copied, closed."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Self

from hivemind.clock import Clock, stamp, system_clock
from hivemind.domain.frames import Access, Importance, Provenance, Saved
from hivemind.domain.minds import Manifest
from hivemind.domain.search import Mode, Profile, Recipe, SearchFilters, SearchRequest, SearchResult
from hivemind.engine.encoder_access import Finder
from hivemind.gateway import genesis
from hivemind.library.about_user import MindAwareness, MindIdentity
from hivemind.library.arguments import drafted, one_of
from hivemind.library.calls import write
from hivemind.library.frames import MindFrames
from hivemind.library.meaning import MindMeaning, bundled_finder
from hivemind.library.sessions import MindSessions
from hivemind.mind import Mind
from hivemind.mind.saving import save
from hivemind.mind.screening import hold_back
from hivemind.storage.backup import backup


def open_mind(
    path: str | PathLike[str],
    create: bool = True,
    *,
    clock: Clock = system_clock,
    find_encoder: Finder | None = None,
) -> OpenMind:
    """Open the mind at `path`; with `create`, make it when nothing is there. An existing file is never overwritten.

    Use it as a context manager, or call `close`. Works beside the desktop app and the command line on the same file.
    `find_encoder`: where the model for search by meaning comes from, by default the one that the app uses.
    Raises MindMissing, NotAMind, MindCorrupt, MindNewer, MindBusy, DiskFull or ReadOnlyPlace.
    """
    file = Path(path).expanduser().absolute()
    mind = Mind.open(file, file.stem, create=create, seeders=(genesis(clock),), clock=clock, checks=(hold_back,))
    return OpenMind(mind, find_encoder or bundled_finder())


class OpenMind:
    """One open mind. Every call returns when it is done: a write is then on the disk. Safe to use from any thread.

    Words are taken for the enums they name ('important', 'recent', 'user_stated', …), moments are ISO 8601 with a
    zone. Errors are those of `hivemind.errors`; after `close` every call raises Cancelled. What a program writes here
    is not in the window's list of actions to undo: those are a person's.
    """

    def __init__(self, mind: Mind, find_encoder: Finder) -> None:
        """Use `open_mind`."""
        self._mind = mind
        self._meaning = MindMeaning(mind, find_encoder)
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
        """End the model's process, finish running writes and close the file. May be called twice."""
        self._meaning.close()
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
        """The best `limit` frames for any text, by words and by meaning.

        `since` and `until`: `2025-06-30`, both inclusive.
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
        return self._meaning.search(request)

    def embed(self) -> int:
        """Make the vectors that search by meaning needs, for the frames that have none. Returns how many were made.

        The app does this by itself while it is open; a program that works alone calls it after it has saved something.
        Does nothing while another program is at it. Raises EmbedderUnavailable with the reason.
        """
        return self._meaning.embed()

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
