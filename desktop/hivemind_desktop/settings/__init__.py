"""Settings: appearance, where the data is, how search works here, about."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import SettingsController

    return SettingsController(desk)
