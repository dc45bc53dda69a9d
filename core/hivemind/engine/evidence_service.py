"""The interaction log as evidence: list it, add what an agent did elsewhere, sign it, check it against its anchors."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, replace
from pathlib import Path

from hivemind.credentials import SecretKeeper
from hivemind.domain.calls import Call, CallOutcome, EntryState, Interaction, LogCheck, LogEntry, LogFinding
from hivemind.engine.background import BackgroundTask
from hivemind.engine.context import Context
from hivemind.engine.foreign_log import check_file
from hivemind.errors import HiveMindError, InvalidValue, SourceUnreadable
from hivemind.gateway import (
    Anchor,
    AnchorFile,
    SigningKey,
    anchor_path,
    entries_since_checkpoint,
    find_or_make_key,
    list_interactions,
    list_texts,
    make_checkpoint,
    read_anchors,
    record_ended,
    record_started,
    verify_log,
)
from hivemind.gateway.checkpoints import DUE_AFTER
from hivemind.mind import Mind, MindTransaction
from hivemind.storage import Priority

#: Seconds between two looks whether a checkpoint is due, and after which one is made for whatever was added.
LOOK_EVERY, DUE_SECONDS = 60.0, 900.0
_HEX_KEY = 64


@dataclass(frozen=True, slots=True)
class CallText:
    """A text of a call: `field` input, output or error. `body` None: erased, by the entry `erased_by_seq`."""

    call_uuid: str
    field: str
    body: str | None
    erased_by_seq: int | None


class EvidenceService:
    """`keeper` holds the signing key; it may ask the person for their system's password, so it is asked rarely."""

    def __init__(self, context: Context, keeper: SecretKeeper) -> None:
        self._context = context
        self._keeper = keeper
        self._key: SigningKey | None = None
        self._sealed: dict[str, float] = {}
        self._anchors: dict[str, AnchorFile] = {}
        self._working = BackgroundTask(self._work)

    def start(self) -> None:
        """Begin to sign what is added to the open minds' logs."""
        self._working.start()

    async def close(self) -> None:
        """Sign what is not signed yet, if the key is at hand, and stop. May be called twice."""
        if await self._working.stop() and self._key is not None:
            for mind in self._context.minds.list_open():
                with contextlib.suppress(HiveMindError):
                    await self._seal(mind)

    def anchors_of(self, workspace: str) -> AnchorFile:
        """What notes this mind's head beside its file after each commit."""
        return self._anchors.setdefault(workspace, AnchorFile(self._context.data.anchors))

    async def interactions(
        self, workspace: str, since: str | None = None, until: str | None = None
    ) -> list[Interaction]:
        """Calls that started at `since` or later and before `until` (stamps), oldest first, each once."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: list_interactions(tx.connection, since, until))

    async def texts(self, workspace: str, call_uuid: str) -> list[CallText]:
        """What was asked and answered in one call, as far as it was kept and not erased."""
        mind = await self._context.mind(workspace)
        rows = await mind.read(lambda tx: list_texts(tx.connection, call_uuid))
        return [CallText(call_uuid, *row) for row in rows]

    async def record(self, workspace: str, call: Call, outcome: CallOutcome) -> LogEntry:
        """Write down a call that somebody else has made: its start and its end in one go. Raises InvalidValue."""
        if call.uuid != outcome.uuid:
            raise InvalidValue("A call and its outcome need the same id")
        mind = await self._context.mind(workspace)
        state = EntryState.FAILED if outcome.error else EntryState.FINISHED

        def write(tx: MindTransaction) -> LogEntry:
            record_started(tx.connection, tx.now, call)
            return record_ended(tx.connection, tx.now, outcome, state)

        return await mind.write(write)

    async def checkpoint(self, workspace: str) -> str | None:
        """Sign the log as it is now; None when nothing was added since. Unsigned where there is no key store."""
        await self._find_key()
        return await self._seal(await self._context.mind(workspace))

    async def public_key(self) -> str | None:
        """The key that signs here (hex), for whoever wants to check a log elsewhere. None: there is none."""
        key = await self._find_key()
        return None if key is None else key.public.hex()

    async def sign(self, data: bytes) -> tuple[str, bytes] | None:
        """Sign something made from the log: the public key (hex) and 64 bytes. None: there is no key here."""
        key = await self._find_key()
        return None if key is None else (key.public.hex(), key.sign(data))

    async def anchor_file(self, workspace: str) -> Path:
        """Where this mind's anchors are kept."""
        mind = await self._context.mind(workspace)
        return await mind.read(lambda tx: anchor_path(self._context.data.anchors, tx.connection))

    async def verify(self, workspace: str, *, anchors: Path | None = None, public: str | None = None) -> LogCheck:
        """Recompute the log and compare it with its anchors: those of this installation, or a copy kept elsewhere.

        Raises SourceUnreadable when the named file cannot be read, InvalidValue when `public` is no key (hex).
        """
        mind = await self._context.mind(workspace)
        file = anchors or await self.anchor_file(workspace)
        known = await asyncio.to_thread(_read_anchors, file, anchors is not None)
        key = None if public is None else _key_bytes(public)
        check = await mind.read(lambda tx: verify_log(tx.connection, anchors=known, public=key))
        missed = self.anchors_of(workspace).missed
        if not missed:
            return check
        problem = f"The newest {missed} heads could not be noted beside the file. Free some disk space."
        return replace(check, gaps=(*check.gaps, LogFinding("anchors", None, problem)))

    async def verify_file(self, file: Path, *, anchors: Path | None = None, public: str | None = None) -> LogCheck:
        """The same for any mind's file, from a copy. Without `anchors` it is compared with none.

        Raises what `verify` raises, and MindMissing, NotAMind, MindCorrupt.
        """
        known = [] if anchors is None else await asyncio.to_thread(_read_anchors, anchors, True)
        key = None if public is None else _key_bytes(public)
        return await asyncio.to_thread(check_file, file, known, key)

    async def _find_key(self) -> SigningKey | None:
        if self._key is None:
            self._key = await asyncio.to_thread(find_or_make_key, self._keeper)
        return self._key

    async def _seal(self, mind: Mind) -> str | None:
        self._sealed[mind.workspace] = time.monotonic()
        return await mind.write(lambda tx: make_checkpoint(tx.connection, tx.now, self._key), Priority.HOUSEKEEPING)

    async def _work(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for mind in self._context.minds.list_open():
                with contextlib.suppress(HiveMindError):
                    await self._seal_if_due(mind)

    async def _seal_if_due(self, mind: Mind) -> None:
        waiting = await mind.read(lambda tx: entries_since_checkpoint(tx.connection))
        waited = time.monotonic() - self._sealed.setdefault(mind.workspace, time.monotonic())
        if waiting >= DUE_AFTER or (waiting and waited >= DUE_SECONDS):
            await self._find_key()
            await self._seal(mind)


def _read_anchors(file: Path, named: bool) -> list[Anchor]:
    try:
        return read_anchors(file)
    except OSError as fault:
        if named:
            raise SourceUnreadable(
                f"The anchors in {file.name} cannot be read", details=type(fault).__name__
            ) from fault
        return []


def _key_bytes(public: str) -> bytes:
    try:
        key = bytes.fromhex(public.strip())
    except ValueError:
        key = b""
    if len(key) * 2 != _HEX_KEY:
        raise InvalidValue("This is not a public key", f"A public key has {_HEX_KEY} hexadecimal digits.")
    return key
