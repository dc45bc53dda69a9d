"""Ask: a question to a model, with what is sent shown before it is, and an answer whose numbers open memories."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import AskController

    return AskController(desk)
