"""Sessions: every conversation by month, one of them open at a message."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import SessionsController

    return SessionsController(desk)
