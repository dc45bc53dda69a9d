"""What a report needs from outside its mind: its name, anchors, grants, and requests that no log knows."""

from __future__ import annotations

import asyncio
import platform
from datetime import datetime
from pathlib import Path

import apsw

import hivemind
from hivemind.clock import parse_stamp, stamp
from hivemind.compliance import Period, Surroundings
from hivemind.domain.audit_report import Grant, Subject, Tool
from hivemind.engine.context import Context
from hivemind.engine.evidence_service import EvidenceService
from hivemind.engine.unrecorded import unrecorded_requests
from hivemind.gateway import Anchor, read_anchors
from hivemind.storage import Connection, Database
from hivemind.workspaces import WorkspaceRegistry
from hivemind.workspaces.registry import Workspace

_GRANTS = (
    "SELECT client, scope, granted_at FROM grants WHERE workspace = ? AND revoked_at IS NULL AND scope = 'permanent'"
    " ORDER BY granted_at, id"
)


async def surroundings(
    context: Context, install: Database, evidence: EvidenceService, workspace: str, period: Period
) -> Surroundings:
    """Gather it. Raises what opening the mind raises."""
    mind = await context.mind(workspace)
    moment = context.clock()
    now = stamp(moment)
    known = await install.read(lambda connection: WorkspaceRegistry(connection, now).list(context.data))
    entry = next(one for one in known if one.id == workspace)
    uuid = await mind.read(lambda tx: tx.meta.get("mind_uuid"))
    file = await evidence.anchor_file(workspace)
    return Surroundings(
        now=now,
        local=_local(moment),
        subject=Subject(entry.name, uuid, workspace, str(entry.scope)),
        tool=Tool("Hive-Mind", hivemind.__version__, "", apsw.sqlite_lib_version(), _system()),
        anchors=await asyncio.to_thread(_anchors, file),
        grants=await install.read(lambda connection: _grants(connection, entry, now)),
        unlogged=await _unlogged(context, install, period),
    )


async def _unlogged(context: Context, install: Database, period: Period) -> int | None:
    """Calls of the period that no mind's log knows. None: one mind could not be asked, so nobody can say."""
    lines, whole = await unrecorded_requests(context, install, period.first, period.end)
    return len({line.call_uuid for line in lines}) if whole or not lines else None


def _anchors(file: Path) -> list[Anchor]:
    try:
        return read_anchors(file)
    except OSError:
        return []


def _grants(connection: Connection, mind: Workspace, now: str) -> list[Grant]:
    today = parse_stamp(now)
    return [
        Grant(f"{client} may read “{mind.name}”", str(scope), str(since), (today - parse_stamp(str(since))).days)
        for client, scope, since in connection.execute(_GRANTS, (mind.id,))
    ]


def _local(moment: datetime) -> str:
    here = moment.astimezone()
    offset = here.strftime("%z")
    return f"{here:%H:%M} local time, UTC{offset[:3]}:{offset[3:5]}"


def _system() -> str:
    return f"{platform.system()} {platform.release()}".strip()
