"""Compliance: what the checks found, the interaction log, decisions, the audit report, what the operator states."""

from __future__ import annotations

from hivemind_desktop.widgets.page import Desk, PageController


def open_page(desk: Desk) -> PageController:
    from .controller import ComplianceController

    return ComplianceController(desk)
