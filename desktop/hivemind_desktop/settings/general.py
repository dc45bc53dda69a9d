"""General: where everything is kept, and how much of the computer background work may use."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QWidget

from hivemind.settings import Settings
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, row
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.words import fill

from .parts import Section, SectionController, group, wide_setting

SHARES = (100, 50, 25)


class GeneralSection(Section):
    """Emits `share_chosen` with the percent of its time that background work may use."""

    folder_asked = Signal()
    share_chosen = Signal(int)

    def __init__(self, data_dir: str) -> None:
        super().__init__(self.tr("General"))
        self._data_dir = data_dir
        self.fill(self.heading(self.tr("Where everything is kept")), self._folder(), 6)
        self.fill(self.heading(self.tr("Work in the background")), group(self._share()))

    def _folder(self) -> QWidget:
        place = ElidedLabel(self._data_dir, "mono", where=Qt.TextElideMode.ElideMiddle)
        opener = Button(self.tr("Open folder"), "", "folder-open", on_click=self.folder_asked.emit)
        copier = Button(self.tr("Copy path"), "", "copy", on_click=self._copy)
        self.settings["folder"] = opener
        said = (
            self.tr(
                "Everything is in this folder, readable by you. What protects it from others who reach this computer "
                "is the disk encryption of your system."
            ),
            self.tr(
                "To move it: close Hive-Mind, move the whole folder, set the environment variable HIVE_MIND_DATA_DIR "
                "to its new place and start again. It is not moved while it is in use."
            ),
        )
        words = [label(each, "label", "soft", wrap=True) for each in said]
        head = row(Icon("hard-drive"), (place, 1), copier, opener, gap=10)
        return box(column(head, *words, gap=8, margins=(14, 12, 14, 12)), "card")

    def _share(self) -> QWidget:
        names = {100: self.tr("All it needs"), 50: self.tr("Half"), 25: self.tr("A quarter")}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.shares: dict[int, Button] = {}
        for percent in SHARES:
            choice = Button(names[percent], "chip", checkable=True, on_click=self._chosen(percent))
            choice.setAccessibleName(fill(self.tr("Share of its time: %1"), names[percent]))
            self._group.addButton(choice)
            self.shares[percent] = choice
        self.settings["share"] = self.shares[100]
        return wide_setting(
            self.tr("Share of its time"),
            self.tr("Embedding always steps back for other programs. With less it also rests between two batches."),
            *self.shares.values(),
        )

    def follow(self, settings: Settings) -> None:
        nearest = min(SHARES, key=lambda percent: abs(percent - settings.background_percent))
        self.shares[nearest].setChecked(True)

    def _chosen(self, percent: int) -> Callable[[], None]:
        return lambda: self.share_chosen.emit(percent)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._data_dir)


class GeneralController(SectionController):
    """The share is in force at once."""

    def __init__(self, view: GeneralSection, desk: Desk) -> None:
        super().__init__(view, desk)
        view.follow(desk.settings)
        view.folder_asked.connect(lambda: desk.requested.emit("data.open"))
        view.share_chosen.connect(self._choose_share)
        desk.settings_changed.connect(view.follow)

    def _choose_share(self, percent: int) -> None:
        self.desk.change_settings(background_percent=percent)
        self.tasks.start("share", self._tell_engine(percent))

    async def _tell_engine(self, percent: int) -> None:
        await self.desk.client.value(lambda engine: engine.embedding.set_share(percent))


def open_section(desk: Desk) -> SectionController:
    return GeneralController(GeneralSection(str(desk.data_dir)), desk)
