"""The pages of the window, in the order of the rail. A page is imported and built when it is first shown."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, cast

from PySide6.QtCore import QCoreApplication

from hivemind_desktop.widgets.nav_items import RailPage
from hivemind_desktop.widgets.page import Desk, PageController
from hivemind_desktop.widgets.translation import QT_TRANSLATE_NOOP

PageFactory = Callable[[Desk], PageController]


@dataclass(frozen=True, slots=True)
class Page:
    """`title` and `group` are source strings for translation; `factory` is `module:function`."""

    key: str
    title: str
    icon: str
    group: str
    factory: str
    at_foot: bool = False

    def name(self) -> str:
        return QCoreApplication.translate("Pages", self.title)

    def open(self, desk: Desk) -> PageController:
        """Import the page's room and build it."""
        module, _, function = self.factory.partition(":")
        factory = cast("PageFactory", getattr(importlib.import_module(module), function))
        return factory(desk)

    def on_rail(self) -> RailPage:
        group = QCoreApplication.translate("Pages", self.group) if self.group else ""
        return RailPage(self.key, self.name(), self.icon, group, self.at_foot)


PAGES: Final[tuple[Page, ...]] = (
    Page("home", QT_TRANSLATE_NOOP("Pages", "Home"), "house", "", "hivemind_desktop.home:open_page"),
    Page("memories", QT_TRANSLATE_NOOP("Pages", "Memories"), "layers", "", "hivemind_desktop.memories:open_page"),
    Page(
        "sessions", QT_TRANSLATE_NOOP("Pages", "Sessions"), "messages-square", "", "hivemind_desktop.sessions:open_page"
    ),
    Page("ask", QT_TRANSLATE_NOOP("Pages", "Ask"), "message-square", "", "hivemind_desktop.ask:open_page"),
    Page(
        "import",
        QT_TRANSLATE_NOOP("Pages", "Import"),
        "import",
        QT_TRANSLATE_NOOP("Pages", "Sources"),
        "hivemind_desktop.importing:open_page",
    ),
    Page(
        "compliance",
        QT_TRANSLATE_NOOP("Pages", "Compliance"),
        "scale",
        QT_TRANSLATE_NOOP("Pages", "Trust"),
        "hivemind_desktop.compliance:open_page",
    ),
    Page(
        "trash",
        QT_TRANSLATE_NOOP("Pages", "Trash"),
        "trash-2",
        "",
        "hivemind_desktop.trash:open_page",
        at_foot=True,
    ),
    Page(
        "settings",
        QT_TRANSLATE_NOOP("Pages", "Settings"),
        "settings",
        "",
        "hivemind_desktop.settings:open_page",
        at_foot=True,
    ),
)
