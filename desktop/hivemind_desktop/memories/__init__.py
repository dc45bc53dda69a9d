"""Memories: search, list, one memory in full, and why it was found."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import MemoriesController

    return MemoriesController(desk)
