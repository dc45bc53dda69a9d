"""Undo: each action of a person leaves its inverse behind, in its own transaction."""

from hivemind.changes.operations import OPERATIONS
from hivemind.changes.store import KEPT, ChangeStore

__all__ = ["KEPT", "OPERATIONS", "ChangeStore"]
