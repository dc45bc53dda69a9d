"""One thing a person can do: what it is called, its icon and key, and where it can be done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

#: '' always · memory: one is open or selected in Memories · search: Memories is in sight
#: session: one is open in Sessions · import: one is chosen, runs, is reported or reviewed
#: trash: one is chosen there · sample: it is in
Need = Literal["", "memory", "search", "session", "import", "trash", "sample"]


@dataclass(frozen=True, slots=True)
class Action:
    """`label` and `also` are source strings. `page` does it ('' = the window). `writes`: it changes a mind."""

    id: str
    label: str
    icon: str
    shortcut: str = ""
    needs: Need = ""
    page: str = ""
    writes: bool = False
    also: str = ""

    def name(self) -> str:
        return QCoreApplication.translate("Actions", self.label)

    def other_words(self) -> str:
        return QCoreApplication.translate("Actions", self.also) if self.also else ""
