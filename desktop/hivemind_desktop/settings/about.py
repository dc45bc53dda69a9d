"""About: versions, where reports of faults are, and whose work is in here under which licence."""

from __future__ import annotations

import json
import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import PySide6
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from hivemind.domain.minds import DoctorReport
from hivemind.paths import resource_path
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, column
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.table import Column, Table
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section, SectionController, group, setting

ROWS = 10


@dataclass(frozen=True, slots=True)
class Licence:
    """A work that is bundled. `version` '' when it is not installed here."""

    name: str
    version: str
    licence: str


#: Not Python packages: their licence texts are beside them in resources.
WORKS: Final = (
    Licence("Inter", "4.1", "SIL OFL 1.1"),
    Licence("JetBrains Mono", "5.3.0", "SIL OFL 1.1"),
    Licence("Lucide icons", "1.62.0", "ISC"),
    Licence("all-MiniLM-L6-v2 (search model)", "", "Apache-2.0"),
)


def licences() -> list[Licence]:
    """Fonts, icons and the model, then every bundled library by name."""
    told: dict[str, str] = json.loads(resource_path("licences.json").read_text("utf-8"))
    return [*WORKS, *(Licence(name, _version(name), licence) for name, licence in sorted(told.items()))]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


class AboutSection(Section):
    """Versions come with the doctor's report."""

    crashes_asked = Signal()

    def __init__(self) -> None:
        super().__init__(self.tr("About"))
        self.versions = label("", "label", wrap=True)
        copy = Button(self.tr("Copy"), "", "copy", on_click=self._copy)
        opener = Button(self.tr("Open folder"), "", "folder-open", on_click=self.crashes_asked.emit)
        self.settings |= {"about.versions": copy, "about.crashes": opener}
        ours = label(
            self.tr("Hive-Mind is free software under the Apache-2.0 licence. It comes without any warranty."),
            "caption", "faint", wrap=True,
        )  # fmt: skip
        told = column(self.versions, ours, gap=4, margins=(16, 12, 14, 12))
        faults = setting(
            self.tr("Reports of faults"),
            self.tr("When Hive-Mind stops by a mistake of ours it writes a file without your texts. Nothing is sent."),
            opener,
        )
        self.table = Table(
            self.tr("Bundled works and their licences"),
            (
                Column(self.tr("Name")),
                Column(self.tr("Version"), 130, faint=True, needs=540),
                Column(self.tr("Licence"), 190),
            ),
        )
        self.table.setMinimumHeight(36 * ROWS)
        self.fill(self.heading(self.tr("Versions"), "", copy), box(told, "card"), 6, group(faults), 6)
        self.fill(self.heading(self.tr("Made with")), box(column(self.table, margins=(1, 4, 1, 5)), "card"))

    def show_report(self, report: DoctorReport) -> None:
        parts = (
            fill(self.tr("Hive-Mind %1"), one_line(report.version, 40)),
            fill(self.tr("SQLite %1"), one_line(report.sqlite, 40)),
            fill(self.tr("sqlite-vec %1"), one_line(report.sqlite_vec, 40) or self.tr("not loaded")),
            fill(self.tr("Qt for Python %1"), PySide6.__version__),
            fill(self.tr("Python %1"), platform.python_version()),
            platform.platform(terse=True),
        )
        self.versions.setText(" · ".join(parts))

    def show_licences(self, found: list[Licence]) -> None:
        self.table.set_rows([(each.name, each.version, each.licence) for each in found])

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.versions.text())


class AboutController(SectionController):
    """Reads once; versions do not change while it runs."""

    def __init__(self, view: AboutSection, desk: Desk) -> None:
        super().__init__(view, desk)
        self.about = view
        view.crashes_asked.connect(lambda: desk.requested.emit("crashes.open"))

    async def load(self) -> None:
        report = await self.desk.client.call(lambda engine: engine.workspaces.doctor())
        self.about.show_report(report)
        self.about.show_licences(licences())


def open_section(desk: Desk) -> SectionController:
    return AboutController(AboutSection(), desk)
