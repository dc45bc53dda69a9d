"""Import: a file's way in, what runs, and reports that add up."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import ImportController

    return ImportController(desk)
