"""The registry of minds: name and scope per id, in the installation's own file beside the minds."""

from __future__ import annotations

from dataclasses import dataclass

from hivemind.domain.minds import Scope
from hivemind.domain.text import sanitise
from hivemind.errors import FileInTheWay, InvalidName
from hivemind.paths import MIND_SUFFIX, PERSONAL, DataDir
from hivemind.storage import Connection
from hivemind.workspaces.guard import checked_id, id_from_name


@dataclass(frozen=True, slots=True)
class Workspace:
    """One mind of this installation."""

    id: str
    name: str
    scope: Scope


class WorkspaceRegistry:
    """Owns `workspaces` in the installation's file, within one transaction."""

    def __init__(self, connection: Connection, now: str) -> None:
        self._connection = connection
        self._now = now

    def list(self, data: DataDir) -> list[Workspace]:
        """The personal mind first, then the named ones, then files in the folder that nobody registered."""
        rows = self._connection.execute("SELECT id, name, scope FROM workspaces ORDER BY name")
        known = {str(i): Workspace(str(i), str(name), Scope(str(scope))) for i, name, scope in rows}
        for file in sorted(data.minds.glob(f"*{MIND_SUFFIX}")):
            if file.stem not in known and _is_id(file.stem):
                known[file.stem] = Workspace(file.stem, file.stem, Scope.WORKSPACE)
        personal = known.pop(PERSONAL, None) or Workspace(PERSONAL, "Personal", Scope.PERSONAL)
        return [Workspace(PERSONAL, personal.name, Scope.PERSONAL), *known.values()]

    def create(self, name: str, scope: Scope) -> Workspace:
        """Register a new mind. Raises InvalidName, or FileInTheWay when its id is taken."""
        clean = " ".join(sanitise(name)[0].split())[:80]
        new_id = id_from_name(clean)
        taken = self._connection.execute("SELECT 1 FROM workspaces WHERE id = ?", (new_id,)).fetchone()
        if taken is not None or new_id == PERSONAL:
            raise FileInTheWay("There is already a mind with this name", "Choose another name.")
        self._connection.execute(
            "INSERT INTO workspaces (id, name, scope, created_at) VALUES (?, ?, ?, ?)",
            (new_id, clean, scope, self._now),
        )
        return Workspace(new_id, clean, scope)

    def forget(self, workspace: str) -> None:
        """Take a registration back (its file could not be made)."""
        self._connection.execute("DELETE FROM workspaces WHERE id = ?", (workspace,))


def _is_id(stem: str) -> bool:
    try:
        checked_id(stem)
    except InvalidName:
        return False
    return True
