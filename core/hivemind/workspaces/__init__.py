"""Which minds exist, which are open, and the guard on their names and paths."""

from hivemind.workspaces.guard import checked_id, guarded_path
from hivemind.workspaces.open_minds import OpenMinds
from hivemind.workspaces.registry import WorkspaceRegistry

__all__ = ["OpenMinds", "WorkspaceRegistry", "checked_id", "guarded_path"]
