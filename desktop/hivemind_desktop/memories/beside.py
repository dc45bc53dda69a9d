"""What stands below a memory: others that mean nearly the same, and who used it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QWidget

from hivemind.domain.frames import AccessRecord
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, number
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import clear_layout, column, row
from hivemind_desktop.widgets.timeline import Step
from hivemind_desktop.widgets.words import fill, one_line

from .lines import SimilarLike, entry_of_listed

#: Uses shown before the rest is folded.
_FEW = 5
#: Cosines below this are chance: two texts of the sample about different things reach .2 with the bundled model.
NEAR = 0.35
_KINDS = {"opened": "book-open-text", "cited": "quote", "returned": "bot"}


class Beside(QWidget):
    """`asked` gives the id of a memory to open."""

    asked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._near = column(gap=2)
        self._uses = column(gap=0)
        self._all_uses: tuple[AccessRecord, ...] = ()
        self.setLayout(column(self._near, self._uses, gap=10))

    def clear(self) -> None:
        clear_layout(self._near)
        clear_layout(self._uses)

    def show_similar(self, told: SimilarLike) -> None:
        """The nearest by meaning, or why there are none."""
        clear_layout(self._near)
        self._near.addWidget(label(self.tr("See also"), "heading"))
        near = [each for each in told.frames if each.similarity >= NEAR]
        for each in near:
            entry = entry_of_listed(each.listed)
            self._near.addWidget(self._neighbour(entry.frame_id, entry.line.title, entry.line.place, each.similarity))
        if not near:
            words = told.reason or self.tr("No other memory is near to this one.")
            self._near.addWidget(label(words, "label", "faint", wrap=True))

    def show_uses(self, accesses: Sequence[AccessRecord]) -> None:
        """Newest first."""
        self._all_uses = tuple(accesses)
        self._fill_uses(_FEW)

    def _neighbour(self, frame_id: int, title: str, place: str, similarity: float) -> QWidget:
        made = QWidget()
        words = one_line(title, 46)
        button = Button(words, "link", on_click=lambda: self.asked.emit(frame_id))
        button.setToolTip("")
        near = fill(self.tr("%1 · similarity %2"), place, QLocale().toString(similarity, "f", 2))
        made.setLayout(column(row(button, None), ElidedLabel(near, "caption", "faint"), gap=0))
        button.setAccessibleName(f"{words}. {near}")
        return made

    def _fill_uses(self, most: int) -> None:
        clear_layout(self._uses)
        self._uses.addWidget(label(self.tr("Uses"), "heading"))
        shown = self._all_uses[:most]
        for at, each in enumerate(shown):
            icon = _KINDS.get(each.kind, "circle")
            self._uses.addWidget(Step(icon, self._words(each), moment(each.at), last=at == len(shown) - 1))
        if not shown:
            self._uses.addWidget(label(self.tr("Not used since it was saved."), "label", "faint", wrap=True))
        rest = len(self._all_uses) - len(shown)
        if rest:
            words = fill(self.tr("Show %1 more"), number(rest))
            self._uses.addWidget(Button(words, "link", on_click=lambda: self._fill_uses(len(self._all_uses))))

    def _words(self, access: AccessRecord) -> str:
        who = one_line(access.client or "", 60)
        if not who:
            return {"cited": self.tr("Cited in an answer"), "returned": self.tr("Given to an AI app")}.get(
                access.kind, self.tr("Opened by you")
            )
        words = {"cited": self.tr("Cited by %1"), "returned": self.tr("Recalled by %1")}
        return fill(words.get(access.kind, self.tr("Opened by %1")), who)
