"""Minds of this installation: list them, look at one, make a new one; and the doctor's report over all."""

from __future__ import annotations

import asyncio

import apsw

import hivemind
from hivemind.clock import stamp
from hivemind.domain.calls import CallKind
from hivemind.domain.minds import DoctorReport, MindFacts, Problem, Scope
from hivemind.engine.context import Context
from hivemind.engine.embedding_service import EmbeddingService
from hivemind.errors import HiveMindError
from hivemind.events import Area
from hivemind.gateway import record_event
from hivemind.gateway.entries import Fact
from hivemind.mind import Mind, MindTransaction
from hivemind.paths import PERSONAL
from hivemind.storage import SCHEMA_VERSION, Database
from hivemind.workspaces import WorkspaceRegistry, guarded_path
from hivemind.workspaces.registry import Workspace

_UNLIKE = Problem(
    "The search model gives other vectors than it should",
    "Build or copy the model again. If it stays so, choose another one in Settings.",
)


class WorkspaceService:
    """`install` is the installation's own file."""

    def __init__(self, context: Context, install: Database, embedding: EmbeddingService) -> None:
        self._context = context
        self._install = install
        self._embedding = embedding

    async def list(self) -> list[MindFacts]:
        """Every mind with its size; one that cannot be opened carries the reason."""
        data = self._context.data
        known = await self._install.read(lambda connection: WorkspaceRegistry(connection, "").list(data))
        return list(await asyncio.gather(*(self._facts(workspace) for workspace in known)))

    async def facts(self, workspace: str) -> MindFacts:
        """One open mind with its size. Raises what opening it raises."""
        mind = await self._context.mind(workspace)
        data = self._context.data
        known = await self._install.read(lambda connection: WorkspaceRegistry(connection, "").list(data))
        scope = next((entry.scope for entry in known if entry.id == workspace), Scope.WORKSPACE)
        return await _facts_of(mind, scope)

    async def create(self, name: str, scope: Scope = Scope.WORKSPACE) -> MindFacts:
        """A new, empty mind. Raises InvalidName, FileInTheWay, DiskFull, ReadOnlyPlace."""
        now = stamp(self._context.clock())
        made = await self._install.write(lambda connection: WorkspaceRegistry(connection, now).create(name, scope))
        try:
            mind = await self._context.minds.get(made.id, create=True)
        except HiveMindError:
            await self._install.write(lambda connection: WorkspaceRegistry(connection, now).forget(made.id))
            raise
        self._context.changed(made.id, Area.WORKSPACES)
        return await _facts_of(mind, scope)

    async def visited(self, workspace: str, *, channel: str) -> None:
        """Write into a mind's own log that it was opened from outside the window, beside the personal one."""
        mind = await self._context.mind(workspace)
        detail: dict[str, Fact] = {"from_workspace": PERSONAL, "workspace": workspace}
        kind = CallKind.CROSS_MIND_READ
        await mind.write(lambda tx: record_event(tx.connection, tx.now, kind, detail, channel=channel))

    async def doctor(self, *, selftest: bool = False) -> DoctorReport:
        """What this installation stands on, and everything a person should know or mend.

        `selftest`: also compare the model's vectors with those that are recorded of it.
        """
        minds = await self.list()
        problems = [Problem(f"{mind.workspace}: {title}", hint) for mind in minds for title, hint in _problem(mind)]
        vector = (await self._context.mind(minds[0].workspace)).database.vector if not minds[0].problem else None
        if vector is not None and not vector.loaded:
            problems.append(Problem("Search works by words only", vector.reason))
        embedder, problem = await self._embedding.embedder()
        problems += [problem] if problem is not None else []
        tested = await self._embedding.selftest() if selftest and embedder.dim else None
        if tested is not None and not tested.ok:
            problems.append(_UNLIKE)
        return DoctorReport(
            ok=not problems,
            version=hivemind.__version__,
            sqlite=apsw.sqlite_lib_version(),
            sqlite_vec=vector.version if vector else "",
            sqlite_vec_path=vector.path if vector else "",
            embedder=embedder,
            data_dir=str(self._context.data.root),
            minds=tuple(minds),
            problems=tuple(problems),
            selftest=tested,
        )

    async def _facts(self, workspace: Workspace) -> MindFacts:
        try:
            return await _facts_of(await self._context.mind(workspace.id), workspace.scope)
        except HiveMindError as fault:
            try:
                path = str(guarded_path(self._context.data, workspace.id))
            except HiveMindError:
                path = ""
            words = f"{fault.title}. {fault.hint}"
            return MindFacts(workspace.id, path, workspace.scope, -1, -1, -1, -1, 0, 0, words)


async def _facts_of(mind: Mind, scope: Scope) -> MindFacts:
    def count(tx: MindTransaction) -> tuple[int, int, int, int, int]:
        return (
            tx.frames.count_current(), tx.sessions.count(), tx.vectors.count_embedded(), tx.outbox.pending("embedding"),
            tx.vectors.models.long_texts(),
        )  # fmt: skip

    frames, sessions, vectors, pending, long = await mind.read(count)
    files = (mind.path, mind.path.with_name(f"{mind.path.name}-wal"))
    size = sum(file.stat().st_size for file in files if file.exists())
    return MindFacts(
        mind.workspace, str(mind.path), scope, frames, sessions, vectors, pending, SCHEMA_VERSION, size, long_texts=long
    )  # fmt: skip


def _problem(mind: MindFacts) -> list[tuple[str, str]]:
    if not mind.problem:
        return []
    title, _, hint = mind.problem.partition(". ")
    return [(title, hint)]
