"""The parts of Settings and every setting by name: the list at the left and its search are made from this tuple."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QCoreApplication

from hivemind_desktop.widgets.nav_items import RailPage
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from .parts import SectionController

Opener = Callable[[Desk], "SectionController"]


@dataclass(frozen=True, slots=True)
class SettingName:
    """One setting as search finds it. `name` and `also` (other words for it) are source strings."""

    id: str
    name: str
    also: str = ""

    def words(self) -> str:
        return QCoreApplication.translate("Settings", self.name)

    def other_words(self) -> str:
        return QCoreApplication.translate("Settings", self.also) if self.also else ""


@dataclass(frozen=True, slots=True)
class SectionName:
    """`module` holds `open_section(desk)`; it is loaded when the section is first shown."""

    key: str
    title: str
    icon: str
    module: str
    settings: tuple[SettingName, ...] = ()

    def name(self) -> str:
        return QCoreApplication.translate("Settings", self.title)

    def on_list(self) -> RailPage:
        return RailPage(self.key, self.name(), self.icon)

    def open(self, desk: Desk) -> SectionController:
        module = importlib.import_module(f"hivemind_desktop.settings.{self.module}")
        return cast("Opener", module.open_section)(desk)


SECTIONS: Final[tuple[SectionName, ...]] = (
    SectionName(
        "general",
        QT_TRANSLATE_NOOP("Settings", "General"),
        "sliders-horizontal",
        "general",
        (
            SettingName(
                "folder",
                QT_TRANSLATE_NOOP("Settings", "Data folder"),
                QT_TRANSLATE_NOOP("Settings", "place path move open where"),
            ),
            SettingName(
                "share",
                QT_TRANSLATE_NOOP("Settings", "Work in the background"),
                QT_TRANSLATE_NOOP("Settings", "cpu share processor slow"),
            ),
        ),
    ),
    SectionName(
        "appearance",
        QT_TRANSLATE_NOOP("Settings", "Appearance"),
        "sun",
        "appearance",
        (
            SettingName(
                "theme",
                QT_TRANSLATE_NOOP("Settings", "Light or dark"),
                QT_TRANSLATE_NOOP("Settings", "theme colours scheme"),
            ),
            SettingName(
                "text",
                QT_TRANSLATE_NOOP("Settings", "Text size"),
                QT_TRANSLATE_NOOP("Settings", "font larger smaller zoom"),
            ),
            SettingName(
                "motion",
                QT_TRANSLATE_NOOP("Settings", "Less motion"),
                QT_TRANSLATE_NOOP("Settings", "animation reduced"),
            ),
        ),
    ),
    SectionName(
        "models",
        QT_TRANSLATE_NOOP("Settings", "Search & models"),
        "cpu",
        "models",
        (
            SettingName(
                "model.choose",
                QT_TRANSLATE_NOOP("Settings", "Model for search by meaning"),
                QT_TRANSLATE_NOOP("Settings", "embedder folder onnx change bundled language"),
            ),
            SettingName(
                "model.service",
                QT_TRANSLATE_NOOP("Settings", "A service for search by meaning"),
                QT_TRANSLATE_NOOP("Settings", "ollama voyage openai litellm hosted embeddings endpoint"),
            ),
            SettingName(
                "model.pause",
                QT_TRANSLATE_NOOP("Settings", "Background embedding"),
                QT_TRANSLATE_NOOP("Settings", "pause resume index vectors"),
            ),
            SettingName(
                "model.again",
                QT_TRANSLATE_NOOP("Settings", "Embed everything again"),
                QT_TRANSLATE_NOOP("Settings", "re-embed rebuild vectors"),
            ),
            SettingName(
                "model.try",
                QT_TRANSLATE_NOOP("Settings", "Try two sentences"),
                QT_TRANSLATE_NOOP("Settings", "test likeness similarity compare"),
            ),
        ),
    ),
    SectionName(
        "answers",
        QT_TRANSLATE_NOOP("Settings", "Models"),
        "bot",
        "answering",
        (
            SettingName(
                "answers.add",
                QT_TRANSLATE_NOOP("Settings", "Who answers in Ask"),
                QT_TRANSLATE_NOOP("Settings", "model service key provider ollama openai litellm price"),
            ),
        ),
    ),
    SectionName(
        "privacy",
        QT_TRANSLATE_NOOP("Settings", "Privacy"),
        "shield",
        "privacy",
        (
            SettingName(
                "ledger",
                QT_TRANSLATE_NOOP("Settings", "What was sent"),
                QT_TRANSLATE_NOOP("Settings", "outbound ledger network bytes internet"),
            ),
        ),
    ),
    SectionName(
        "backups",
        QT_TRANSLATE_NOOP("Settings", "Backups"),
        "history",
        "backups",
        (
            SettingName(
                "backup.now",
                QT_TRANSLATE_NOOP("Settings", "Back up now"),
                QT_TRANSLATE_NOOP("Settings", "copy save"),
            ),
            SettingName(
                "backup.every",
                QT_TRANSLATE_NOOP("Settings", "Backups by themselves"),
                QT_TRANSLATE_NOOP("Settings", "schedule daily weekly automatic"),
            ),
            SettingName(
                "backup.keep",
                QT_TRANSLATE_NOOP("Settings", "How many backups are kept"),
                QT_TRANSLATE_NOOP("Settings", "number rotation"),
            ),
            SettingName(
                "backup.restore",
                QT_TRANSLATE_NOOP("Settings", "Restore from a file"),
                QT_TRANSLATE_NOOP("Settings", "bring back backup"),
            ),
        ),
    ),
    SectionName(
        "storage",
        QT_TRANSLATE_NOOP("Settings", "Storage"),
        "hard-drive",
        "storage",
        (
            SettingName(
                "storage",
                QT_TRANSLATE_NOOP("Settings", "Bytes on disk by kind"),
                QT_TRANSLATE_NOOP("Settings", "size space disk"),
            ),
        ),
    ),
    SectionName(
        "shortcuts",
        QT_TRANSLATE_NOOP("Settings", "Shortcuts"),
        "command",
        "shortcuts",
        (
            SettingName(
                "keys",
                QT_TRANSLATE_NOOP("Settings", "Keyboard map"),
                QT_TRANSLATE_NOOP("Settings", "keys hotkeys commands"),
            ),
            SettingName(
                "keys.single",
                QT_TRANSLATE_NOOP("Settings", "Letters as keys"),
                QT_TRANSLATE_NOOP("Settings", "single key switch off"),
            ),
            SettingName(
                "keys.change",
                QT_TRANSLATE_NOOP("Settings", "Change a key"),
                QT_TRANSLATE_NOOP("Settings", "rebind shortcut"),
            ),
        ),
    ),
    SectionName(
        "maintenance",
        QT_TRANSLATE_NOOP("Settings", "Maintenance"),
        "list-checks",
        "upkeep",
        (
            SettingName(
                "verify",
                QT_TRANSLATE_NOOP("Settings", "Check this mind"),
                QT_TRANSLATE_NOOP("Settings", "verify damage integrity repair"),
            ),
            SettingName(
                "reindex",
                QT_TRANSLATE_NOOP("Settings", "Rebuild the word index"),
                QT_TRANSLATE_NOOP("Settings", "reindex search broken"),
            ),
        ),
    ),
    SectionName(
        "about",
        QT_TRANSLATE_NOOP("Settings", "About"),
        "info",
        "about",
        (
            SettingName(
                "about.versions",
                QT_TRANSLATE_NOOP("Settings", "Versions"),
                QT_TRANSLATE_NOOP("Settings", "SQLite Qt Python"),
            ),
            SettingName(
                "about.crashes",
                QT_TRANSLATE_NOOP("Settings", "Reports of faults"),
                QT_TRANSLATE_NOOP("Settings", "crash log folder"),
            ),
        ),
    ),
)
