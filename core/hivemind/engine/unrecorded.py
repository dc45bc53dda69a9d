"""Requests that left this computer and whose call no log knows. The two books lie in different files on purpose."""

from __future__ import annotations

from hivemind.engine.context import Context
from hivemind.errors import HiveMindError
from hivemind.gateway import list_call_ids
from hivemind.net import LedgerLine, OutboundStore
from hivemind.storage import Database
from hivemind.workspaces import WorkspaceRegistry


async def unrecorded_requests(
    context: Context, install: Database, since: str | None = None, until: str | None = None
) -> tuple[list[LedgerLine], bool]:
    """Lines at `since` or later and before `until` (stamps), oldest first, and whether every mind could be asked."""
    lines = await install.read(lambda connection: OutboundStore(connection).list_lines(since, until))
    left = {line.call_uuid for line in lines}
    minds = await install.read(lambda connection: WorkspaceRegistry(connection, "").list(context.data))
    whole = True
    for workspace in minds:
        if not left:
            break
        try:
            left -= await (await context.mind(workspace.id)).read(lambda tx: list_call_ids(tx.connection))
        except HiveMindError:
            whole = False
    return [line for line in lines if line.call_uuid in left], whole
