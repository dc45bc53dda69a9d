"""Hive-Mind's engine: a private memory in one SQLite file per mind. Start with `hivemind.open_mind(path)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hivemind.library import OpenMind, open_mind

__version__ = "0.1.0"
__all__ = ["OpenMind", "__version__", "open_mind"]


def __getattr__(name: str) -> Any:
    # Loaded on first use: a child process that only reads an export must not pay for the whole engine.
    if name in {"open_mind", "OpenMind"}:
        from hivemind import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
