"""Home: the drop zone for an empty mind, a starting point for one that holds something."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import HomeController

    return HomeController(desk)
