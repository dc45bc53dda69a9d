"""The memory as it was: a slider over the steps of its history."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from hivemind.domain.frames import Frame
from hivemind.domain.patch_chain import Version, versions
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, number
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.layouts import column, row
from hivemind_desktop.widgets.words import fill


class VersionSlider(QWidget):
    """Stands there when there is more than one version. `moved` gives the number of the step, from 0."""

    moved = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._versions: tuple[Version, ...] = ()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("The memory as of"))
        self.slider.setPageStep(1)
        self.slider.setTickPosition(QSlider.TickPosition.TicksBelow)
        self.slider.setTickInterval(1)
        self.slider.valueChanged.connect(self._move)
        self._words = ElidedLabel("", "label", "soft")
        self._now = Button(self.tr("Back to now"), "link", on_click=lambda: self.slider.setValue(self.slider.maximum()))
        self.setLayout(column(row((self._words, 1), self._now, gap=8), self.slider, gap=0))
        self.hide()

    def show_history(self, history: Sequence[Frame]) -> None:
        """At the newest step, without saying `moved`."""
        self._versions = versions(history)
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, len(self._versions) - 1))
        self.slider.setValue(self.slider.maximum())
        self.slider.blockSignals(False)
        self.setVisible(len(self._versions) > 1)
        self._tell()

    def _move(self, at: int) -> None:
        self._tell()
        self.moved.emit(at)

    def _tell(self) -> None:
        if not self._versions:
            return
        at = self.slider.value()
        version, last = self._versions[at], at == len(self._versions) - 1
        words = self.tr("As it is now") if last else self.tr("As of %1 · version %2 of %3")
        if version.retracted and not last:
            words = self.tr("As of %1 · version %2 of %3 · taken back then")
        told = fill(words, moment(version.frame.recorded_at), number(at + 1), number(len(self._versions)))
        self._words.set_full_text(told)
        self.slider.setAccessibleDescription(told)
        self._now.setVisible(not last)
