"""Trash: memories that were moved there, for thirty days."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import TrashController

    return TrashController(desk)
