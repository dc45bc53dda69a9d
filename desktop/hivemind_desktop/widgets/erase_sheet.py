"""The sheet to erase for good: what would go and where copies are, the choice, the typed word, then the receipt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from hivemind.domain.erasure import (
    BackupChoice,
    ErasurePreview,
    ErasureReason,
    ErasureReceipt,
    ErasureState,
    ErasureTarget,
    OutsideCopy,
    TargetKind,
)

from .buttons import Button
from .figures import memories, messages, number, sessions
from .floating import Sheet
from .labels import label
from .layouts import box, clear_layout, column, row, scrolling
from .menu_choice import MenuChoice
from .shell import Banner
from .states import StateStack
from .translation import QT_TRANSLATE_NOOP
from .words import fill, one_line

#: Memories and files shown at most.
MOST: Final = 8

_REASONS: Final = {
    ErasureReason.REQUEST: QT_TRANSLATE_NOOP("EraseSheet", "A person asked for it"),
    ErasureReason.CONSENT: QT_TRANSLATE_NOOP("EraseSheet", "Consent was withdrawn"),
    ErasureReason.NOT_NEEDED: QT_TRANSLATE_NOOP("EraseSheet", "No longer needed"),
    ErasureReason.MISTAKE: QT_TRANSLATE_NOOP("EraseSheet", "It came in by mistake"),
    ErasureReason.SECRET: QT_TRANSLATE_NOOP("EraseSheet", "It is a secret"),
    ErasureReason.OTHER: QT_TRANSLATE_NOOP("EraseSheet", "Another reason"),
}
_COPIES: Final = {
    "imported file": QT_TRANSLATE_NOOP("EraseSheet", "The file it was imported from"),
    "export": QT_TRANSLATE_NOOP("EraseSheet", "Exports made from this mind"),
    "service": QT_TRANSLATE_NOOP("EraseSheet", "A service that was asked"),
    "backup elsewhere": QT_TRANSLATE_NOOP("EraseSheet", "Backups kept somewhere else"),
    "tool it came from": QT_TRANSLATE_NOOP("EraseSheet", "The tool the conversation was held in"),
    "disk": QT_TRANSLATE_NOOP("EraseSheet", "What the disk keeps below its files: worn blocks, snapshots, swap"),
}
_WAITING: Final = {
    "log_file": QT_TRANSLATE_NOOP(
        "EraseSheet", "Another program still reads the old state. It is tried again every minute while Hive-Mind runs."
    ),
    "space": QT_TRANSLATE_NOOP(
        "EraseSheet", "The file could not be written anew. Make room on the disk; it is tried again."
    ),
    "backup": QT_TRANSLATE_NOOP("EraseSheet", "A backup could not be rewritten. Remove it under Settings, Backups."),
    "residue": QT_TRANSLATE_NOOP("EraseSheet", "Something still holds it. The saved receipt says where."),
}


class EraseSheet(Sheet):
    """`sought`: a target to look for. `agreed`: reason and choice for backups, once. `save_asked`: the receipt."""

    sought = Signal(object)
    agreed = Signal(str, str)
    save_asked = Signal()

    def __init__(self, parent: QWidget, *, asks: bool) -> None:
        """asks: begin with a line for words; otherwise something is chosen already and being looked at."""
        self._body: QVBoxLayout = column(gap=10, margins=(20, 14, 20, 14))
        shown = QWidget()
        shown.setLayout(self._body)
        self.stack = StateStack(scrolling(shown))
        self.words = QLineEdit()
        self.erase = Button(self.tr("Erase for good"), "danger", "eraser", on_click=lambda: self._agree())
        self.save = Button(self.tr("Save the receipt…"), "", "download", on_click=lambda: self.save_asked.emit())
        self.leave = Button(self.tr("Cancel"), on_click=lambda: self.reject())
        super().__init__(
            self.tr("Erase for good"), self.stack, parent,
            foot=row(None, self.save, self.leave, self.erase, margins=(20, 10, 20, 12)),
        )  # fmt: skip
        self.save.hide()
        self.erase.hide()
        if asks:
            self._ask()
        else:
            self.show_looking()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.words.isVisible():
            self.words.setFocus(Qt.FocusReason.TabFocusReason)

    def show_looking(self) -> None:
        self.stack.show_loading(self.tr("Looking for every place"))

    def show_working(self) -> None:
        self.erase.hide()
        self.leave.setEnabled(False)
        self.stack.show_loading(self.tr("Erasing, and looking for what is left"))

    def show_nothing(self) -> None:
        words = self.tr("Nothing in this mind or its backups holds this. Check the spelling, or the mind in sight.")
        self.stack.show_empty("eraser", self.tr("Nothing found"), words)

    def show_preview(self, seen: ErasurePreview) -> None:
        """What would go. The button is usable when the word is typed."""
        counted = ((memories, seen.memories), (messages, seen.messages), (sessions, seen.sessions))
        facts = ", ".join(words(count) for words, count in counted if count) or memories(0)
        parts: list[QWidget] = [
            Banner("danger", self.tr("This cannot be undone. No backup in the data folder will bring it back.")),
            label(fill(self.tr("%1 would go."), facts), "strong", wrap=True),
            *self._listed(self.tr("Among them"), seen.excerpts),
        ]
        others = sum(count for name, count in seen.counts.items() if name not in ("frames", "archive"))
        if others:
            also = self.tr("Also %1 other places, such as titles and what undo knows.")
            parts.append(self._soft(fill(also, number(others))))
        if seen.same_text:
            same = self.tr("%1 with the same text would stay. Erase by words to take them too.")
            parts.append(Banner("warn", fill(same, memories(seen.same_text))))
        names = [path.name for path in seen.backups]
        parts += self._listed(self.tr("Backups in the data folder that hold it"), names)
        if seen.unreadable_backups:
            gone = [path.name for path in seen.unreadable_backups]
            parts += self._listed(self.tr("Backups that cannot be read: remove them yourself"), gone)
        parts += self._listed(self.tr("Not touched: copies may also be here"), [_copy(each) for each in seen.outside])
        parts += [self._choices(bool(seen.backups)), self._typing()]
        self._show(parts)
        self.erase.show()

    def show_receipt(self, receipt: ErasureReceipt) -> None:
        """What was done, what is left to do, what nobody can reach from here."""
        found = receipt.residue.total if receipt.residue is not None else 0
        if receipt.state is ErasureState.ERASED:
            head = Banner("ok", self.tr("Erased. Our files were searched afterwards, and nothing was found."))
        else:
            head = Banner("warn", self.tr("Almost: it is not finished yet."))
        parts: list[QWidget] = [head, *(self._soft(_said(_WAITING[code])) for code in receipt.waiting_for)]
        erased = fill(
            self.tr("%1 and %2 erased, with everything that was made from them."),
            memories(receipt.erased.get("frames", 0)), messages(receipt.erased.get("archive", 0)),
        )  # fmt: skip
        parts.append(label(erased, "strong", wrap=True))
        backups = receipt.backups.get("rewritten", 0), receipt.backups.get("removed", 0)
        if any(backups):
            words = self.tr("Backups rewritten: %1, removed: %2.")
            parts.append(self._soft(fill(words, *map(number, backups))))
        parts.append(self._soft(fill(self.tr("Found in our files afterwards: %1."), number(found))))
        parts.append(self._soft(fill(self.tr("The log says so in entry %1."), number(receipt.log_seq))))
        parts += self._listed(self.tr("Beyond our reach"), receipt.beyond_reach)
        self._show(parts)
        self.erase.hide()
        self.save.show()
        self.leave.setEnabled(True)
        self.leave.set_words(self.tr("Close"))

    def _show(self, parts: Sequence[QWidget]) -> None:
        clear_layout(self._body)
        for each in parts:
            self._body.addWidget(each)
        self._body.addStretch(1)
        self.stack.show_data()

    def _ask(self) -> None:
        line = self.words
        line.setAccessibleName(self.tr("Words or a name"))
        line.setPlaceholderText(self.tr("Words or a name"))
        kinds = {
            str(TargetKind.TEXT): self.tr("Words, wherever they stand"),
            str(TargetKind.PERSON): self.tr("A person: what they said, and where they are named"),
        }
        self.kind = MenuChoice(self.tr("What it is"), kinds)

        def look() -> None:
            words = line.text().strip()
            if words:
                self.show_looking()
                self.sought.emit(ErasureTarget(TargetKind(self.kind.key), (words,)))

        line.returnPressed.connect(look)
        find = Button(self.tr("Look for it"), "primary", "search", on_click=look)
        hint = self.tr("Nothing is erased yet: first you see what would go. Capital letters make no difference.")
        self._show([self._soft(hint), line, box(row(self.kind, None)), box(row(find, None))])

    def _choices(self, any_backups: bool) -> QWidget:
        reasons = {str(reason): _said(words) for reason, words in _REASONS.items()}
        self.reason = MenuChoice(self.tr("Reason"), reasons)
        backups = {
            str(BackupChoice.REWRITE): self.tr("Rewrite these backups without it"),
            str(BackupChoice.REMOVE): self.tr("Remove these backups"),
        }
        self.backups = MenuChoice(self.tr("Backups that hold it"), backups)
        self.backups.setHidden(not any_backups)
        title = label(self.tr("Reason, kept in the log as a code"), "label", "soft")
        return box(column(title, row(self.reason, None), row(self.backups, None), gap=6))

    def _typing(self) -> QWidget:
        word = self.tr("erase")
        self.typed = QLineEdit()
        caption = fill(self.tr("Type “%1” to go on"), word)
        self.typed.setAccessibleName(caption)
        self.erase.setEnabled(False)
        self.typed.textChanged.connect(lambda text: self.erase.setEnabled(text.strip().casefold() == word.casefold()))
        return box(column(label(caption, "label", "soft"), self.typed, gap=6))

    def _agree(self) -> None:
        if self.erase.isEnabled():
            self.agreed.emit(self.reason.key, self.backups.key)

    def _listed(self, title: str, lines: Sequence[str]) -> list[QWidget]:
        if not lines:
            return []
        more = len(lines) - MOST
        rest = [self._soft(fill(self.tr("and %1 more"), number(more)))] if more > 0 else []
        rows = [label(one_line(each, 200), "body", wrap=True) for each in lines[:MOST]]
        return [label(title, "caption", "faint"), box(column(*rows, *rest, gap=4, margins=(12, 8, 12, 8)), "well")]

    @staticmethod
    def _soft(words: str) -> QWidget:
        return label(words, "body", "soft", wrap=True)


def _said(source: str) -> str:
    return QCoreApplication.translate("EraseSheet", source)


def _copy(copy: OutsideCopy) -> str:
    words = _said(_COPIES.get(copy.kind, copy.kind))
    return f"{words}: {copy.place}" if copy.place else words
