"""Compliance as seen: its tabs below the header, whose two buttons save what can be handed on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabBar, QWidget

from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.focus_ring import FocusRing
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.page import PageView
from hivemind_desktop.widgets.shell import PageHeader
from hivemind_desktop.widgets.states import StateStack

from .log import LogTab
from .oversight import OversightTab
from .report import ReportTab
from .statement import StatementTab
from .status import StatusTab


class CompliancePanel(PageView):
    """`save_asked` and `package_asked` from the header."""

    save_asked = Signal()
    package_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.package = Button(self.tr("Evidence package…"), "quiet", "file-archive", on_click=self.package_asked.emit)
        self.save = Button(self.tr("Save report…"), "primary", "file-check-2", on_click=self.save_asked.emit)
        self.header = PageHeader(self.tr("Compliance"), "", self.package, self.save)
        self.status, self.log, self.oversight = StatusTab(), LogTab(), OversightTab()
        self.report, self.statement = ReportTab(), StatementTab()
        self._named: dict[str, QWidget] = {
            self.tr("Status"): self.status, self.tr("Log"): self.log, self.tr("Oversight"): self.oversight,
            self.tr("Report"): self.report, self.tr("Statement and retention"): self.statement,
        }  # fmt: skip
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(self.tr("Parts of Compliance"))
        FocusRing(self.tabs)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.parts = QStackedWidget()
        for name, tab in self._named.items():
            self.tabs.addTab(name)
            self.parts.addWidget(tab)
        self.tabs.currentChanged.connect(self.parts.setCurrentIndex)
        data = QWidget()
        data.setLayout(column(box(row(self.tabs, None, margins=(20, 0, 20, 0))), line(), (self.parts, 1), gap=0))
        self.stack = StateStack(data)
        self.setLayout(column(self.header, (self.stack, 1), gap=0))

    def show_tab(self, tab: QWidget) -> None:
        self.tabs.setCurrentIndex(self.parts.indexOf(tab))

    def focus_search(self) -> bool:
        self.show_tab(self.log)
        self.log.search.setFocus()
        self.log.search.selectAll()
        return True
