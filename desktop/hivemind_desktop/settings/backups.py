"""Backups as seen: the plan, the list with the state of each, and what a restore would change before it happens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QVBoxLayout, QWidget

from hivemind.domain.minds import RestorePreview
from hivemind.domain.upkeep import BackupFile, BackupKind, Difference
from hivemind.settings import Settings
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import memories, moment, number, sessions, size
from hivemind_desktop.widgets.floating import Sheet
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, clear_layout, column, line, row, scrolling
from hivemind_desktop.widgets.marks import Badge, Icon
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section, SectionController, fact, group, wide_setting

KEEP = (3, 7, 30)


class BackupsSection(Section):
    """Emits what is asked for, with the path of the backup it is about."""

    changed = Signal(str, object)
    make_asked = Signal()
    file_asked = Signal()
    check_asked = Signal(str)
    restore_asked = Signal(str)
    remove_asked = Signal(str)

    def __init__(self) -> None:
        self.make = Button(QCoreApplication.translate("BackupsSection", "Back up now"), "primary", "history")
        super().__init__(QCoreApplication.translate("BackupsSection", "Backups"), self.make)
        self.make.clicked.connect(lambda _checked=False: self.make_asked.emit())
        self.trouble = Banner("danger", "")
        self.trouble.hide()
        self.every = self._choices(
            "backup_every",
            {"daily": self.tr("Every day"), "weekly": self.tr("Every week"), "off": self.tr("Never")},
        )
        self.keep = self._choices("backup_keep", {each: number(each) for each in KEEP})
        plan = wide_setting(
            self.tr("By itself"),
            self.tr("While the window is open and the last one is old enough. Each is opened and read to the end."),
            *self.every.values(),
        )
        kept = wide_setting(
            self.tr("How many are kept"),
            self.tr("Of those made by itself. What you made by hand and before a restore stays until you remove it."),
            *self.keep.values(),
        )
        self.settings |= {
            "backup.now": self.make,
            "backup.every": self.every["daily"],
            "backup.keep": self.keep[KEEP[0]],
        }
        choose = Button(self.tr("Restore from a file…"), "", "folder-open", on_click=self.file_asked.emit)
        self.settings["backup.restore"] = choose
        self._list = column(gap=0)
        self._none = label(
            self.tr("No backup of this mind yet. The first one is made by itself, or now with the button above."),
            "label", "soft", wrap=True,
        )  # fmt: skip
        self._none.setContentsMargins(16, 12, 14, 12)
        self.fill(self.trouble, group(plan, kept), 6, self.heading(self.tr("What is there"), "", choose))
        self.fill(box(column(self._none, self._list, gap=0), "card"))

    def _choices(self, name: str, words: dict[object, str] | dict[str, str] | dict[int, str]) -> dict[object, Button]:
        made: dict[object, Button] = {}
        together = QButtonGroup(self)
        for value, text in words.items():
            choice = Button(text, "chip", checkable=True, on_click=self._chosen(name, value))
            together.addButton(choice)
            made[value] = choice
        return made

    def _chosen(self, name: str, value: object) -> Callable[[], None]:
        return lambda: self.changed.emit(name, value)

    def follow(self, settings: Settings) -> None:
        self.every[settings.backup_every if settings.backup_every in self.every else "off"].setChecked(True)
        self.keep[min(KEEP, key=lambda each: abs(each - settings.backup_keep))].setChecked(True)

    def show_backups(self, found: list[BackupFile], trouble: str = "") -> None:
        """trouble: why the last scheduled one could not be made, '' when it could."""
        self.trouble.set_text(one_line(trouble, 400))
        self.trouble.setVisible(bool(trouble))
        clear_layout(self._list)
        self._none.setVisible(not found)
        for at, each in enumerate(found):
            if at:
                self._list.addWidget(line())
            self._list.addWidget(self._row(each))

    def _row(self, backup: BackupFile) -> QFrame:
        when = moment(backup.made_at)
        parts = [kind_words(backup.kind), size(backup.bytes)]
        if backup.frames >= 0:
            parts.append(fill(self.tr("%1, all edits counted"), memories(backup.frames)))
        words = column(ElidedLabel(when, "strong"), ElidedLabel(" · ".join(parts), "caption", "faint"), gap=0)
        return box(
            row(
                Icon("history"), (box(words), 1), self._badge(backup),
                self._quiet("rotate-cw", fill(self.tr("Check the backup of %1"), when), self.check_asked, backup),
                self._quiet("trash-2", fill(self.tr("Remove the backup of %1…"), when), self.remove_asked, backup),
                self._restore(backup, when), gap=8, margins=(16, 7, 14, 7),
            )
        )  # fmt: skip

    def _quiet(self, icon: str, tip: str, signal: object, backup: BackupFile) -> Button:
        return Button("", "quiet", icon, tip=tip, on_click=lambda: signal.emit(backup.path))  # type: ignore[attr-defined]

    def _restore(self, backup: BackupFile, when: str) -> Button:
        made = Button(self.tr("Restore…"), "", on_click=lambda: self.restore_asked.emit(backup.path))
        made.setAccessibleName(fill(self.tr("Restore the backup of %1…"), when))
        return made

    def _badge(self, backup: BackupFile) -> Badge:
        if backup.problem:
            made = Badge(self.tr("Damaged"), "octagon-alert", "danger")
            made.setToolTip(one_line(backup.problem, 300))
        elif backup.checked_at:
            made = Badge(self.tr("Sound"), "circle-check", "ok")
            made.setToolTip(fill(self.tr("Opened and read to the end on %1"), moment(backup.checked_at)))
        else:
            made = Badge(self.tr("Not checked"), "circle-dashed", "neutral")
        return made


def kind_words(kind: BackupKind) -> str:
    translate = QCoreApplication.translate
    return {
        BackupKind.BY_HAND: translate("Backups", "made by hand"),
        BackupKind.SCHEDULED: translate("Backups", "made by itself"),
        BackupKind.BEFORE_RESTORE: translate("Backups", "before a restore"),
        BackupKind.BEFORE_UPDATE: translate("Backups", "before an update"),
    }[kind]


class RestoreSheet(Sheet):
    """What a restore would change, before it happens. Emits `agreed` once."""

    agreed = Signal()

    def __init__(self, preview: RestorePreview, found: Difference, parent: QWidget) -> None:
        translate = QCoreApplication.translate
        go = Button(translate("RestoreSheet", "Restore this backup"), "danger", "history")
        cancel = Button(translate("RestoreSheet", "Leave it as it is"), "primary")
        foot = row(None, go, cancel, gap=8, margins=(20, 12, 20, 14))
        content = QWidget()
        super().__init__(
            translate("RestoreSheet", "Restore a backup"), scrolling(content), parent, foot=foot, width=560
        )
        content.setLayout(self._content(preview, found))
        go.clicked.connect(lambda _checked=False: self._agree())
        cancel.clicked.connect(lambda _checked=False: self.reject())
        self.safe = cancel

    def _content(self, preview: RestorePreview, found: Difference) -> QVBoxLayout:
        name = ElidedLabel(Path(preview.backup.path).name, "mono", "faint")
        there, _ = fact(self.tr("In the backup"), sessions(preview.backup.sessions))
        newest, _ = fact(self.tr("Newest in it"), moment(preview.newest_in_backup) or self.tr("nothing"))
        now, _ = fact(self.tr("Here now"), sessions(preview.sessions_now))
        last, _ = fact(self.tr("Newest here"), moment(preview.newest_now) or self.tr("nothing"))
        facts = box(row((there, 1), (newest, 1), (now, 1), (last, 1), gap=12, margins=(14, 10, 14, 10)), "well")
        parts: list[Item] = [name, facts, 4]
        if found.nothing:
            parts.append(Banner("ok", self.tr("Every memory is the same in both. A restore changes nothing.")))
        parts += self._kind(
            found.lost, found.lost_texts, self.tr("%1 go: they are not in the backup"), "minus", "danger"
        )
        parts += self._kind(found.back, found.back_texts, self.tr("%1 come back"), "plus", "ok")
        parts += self._kind(found.changed, found.changed_texts, self.tr("%1 become as they were"), "history", "info")
        safe = self.tr(
            "Before that, what is here now is kept as a backup of its own, so that this can be taken back. The window "
            "stays open; other programs see the restored mind at their next look."
        )
        return column(*parts, 4, label(safe, "label", "soft", wrap=True), None, gap=8, margins=(20, 14, 20, 14))

    def _kind(self, count: int, texts: tuple[str, ...], words: str, icon: str, ink: str) -> list[Item]:
        if not count:
            return []
        head = row(Icon(icon, ink), (label(fill(words, memories(count)), "strong", wrap=True), 1), gap=8)
        rows = [ElidedLabel(one_line(text, 160), "label", "soft") for text in texts]
        more: list[Item] = []
        if count > len(texts):
            more.append(label(fill(self.tr("and %1 more"), number(count - len(texts))), "caption", "faint"))
        return [head, box(column(*rows, *more, gap=3, margins=(26, 0, 0, 6)))]

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit()


def open_section(desk: Desk) -> SectionController:
    from .backups_control import BackupsController

    return BackupsController(BackupsSection(), desk)
