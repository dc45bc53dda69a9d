"""The engine: everything the desktop and the sidecar may call."""

from hivemind.engine.engine import Engine

__all__ = ["Engine"]
