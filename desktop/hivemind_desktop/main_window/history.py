"""The history of changes as a sheet: what was done and when, undo up to here, and why one cannot be undone."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QWidget

from hivemind.domain.upkeep import HistoryLine
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment
from hivemind_desktop.widgets.floating import Sheet
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row, scrolling
from hivemind_desktop.widgets.marks import Badge, Icon
from hivemind_desktop.widgets.words import fill, one_line


class HistorySheet(Sheet):
    """Emits `undo_asked` with the id of the oldest action to take back; it stays open and is filled anew."""

    undo_asked = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        self._rows = column(gap=0)
        content = QWidget()
        told = label(
            QCoreApplication.translate(
                "HistorySheet", "The last 100 changes of this mind, also those before the last start. Newest first."
            ),
            "caption",
            "faint",
            wrap=True,
        )
        content.setLayout(column(told, 4, self._rows, None, gap=4, margins=(20, 12, 20, 14)))
        title = QCoreApplication.translate("HistorySheet", "History of changes")
        super().__init__(title, scrolling(content), parent, width=560)
        self.buttons: dict[int, Button] = {}

    def show_lines(self, lines: list[HistoryLine]) -> None:
        clear_layout(self._rows)
        self.buttons.clear()
        if not lines:
            words = self.tr("Nothing was changed yet. What you save, edit, mark or move will be listed here.")
            self._rows.addWidget(label(words, "body", "soft", wrap=True))
        behind = 0
        for at, each in enumerate(lines):
            if at:
                self._rows.addWidget(line())
            behind += each.undone_at is None
            self._rows.addWidget(self._row(each, behind))

    def _row(self, one: HistoryLine, count: int) -> QFrame:
        """count: so many actions are taken back by undoing up to this one."""
        undone = one.undone_at is not None
        name = ElidedLabel(one_line(one.label, 200), "label", "faint" if undone else "")
        words = column(name, ElidedLabel(moment(one.at), "caption", "faint"), gap=0)
        if one.refusal:
            words.addWidget(label(one_line(one.refusal, 300), "caption", "warn", wrap=True))
        sign = Icon("undo-2" if undone else "circle-alert" if one.refusal else "history", "text_faint")
        if undone:
            return box(
                row(sign, (box(words), 1), Badge(self.tr("Undone"), "", "neutral"), gap=10, margins=(0, 8, 0, 8))
            )
        if one.refusal:
            badge = Badge(self.tr("Cannot be undone"), "circle-alert", "warn")
            return box(row(sign, (box(words), 1), badge, gap=10, margins=(0, 8, 0, 8)))
        text = self.tr("Undo") if count == 1 else self.tr("Undo up to here")
        button = Button(text, "", "undo-2", on_click=lambda: self.undo_asked.emit(one.id))
        button.setAccessibleName(fill(self.tr("%1: %2, %3"), text, one_line(one.label, 100), moment(one.at)))
        self.buttons[one.id] = button
        return box(row(sign, (box(words), 1), button, gap=10, margins=(0, 8, 0, 8)))
