"""Appearance: the theme chosen by sight, text size with a sample, less motion, and the scripts this computer shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QSlider, QWidget

from hivemind.settings import Settings
from hivemind_desktop.theme import Choice, theme
from hivemind_desktop.theme.tokens import DARK, LIGHT, TEXT_PERCENT
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.focus_ring import FocusRing
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, column, row
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.switch import Switch
from hivemind_desktop.widgets.words import fill

from .parts import Section, SectionController, group, setting
from .preview import ThemePreview

STEP = 10
CJK_FONT = "fonts-noto-cjk"


class AppearanceSection(Section):
    """Emits `changed` with the name of a setting and its new value."""

    changed = Signal(str, object)

    def __init__(self, settings: Settings) -> None:
        super().__init__(self.tr("Appearance"), ElidedLabel(self.tr("Ctrl+Shift+L switches"), "caption", "faint"))
        self.motion = Switch(self.tr("Less motion"), on_turn=lambda on: self.changed.emit("reduced_motion", on))
        self.settings["motion"] = self.motion
        less = setting(
            self.tr("Less motion"),
            self.tr("Panes and notices appear finished instead of moving in"),
            self.motion.word,
            self.motion,
        )
        self.fill(self._themes(), 6, group(self._text_size(), less))
        if not has_cjk_font():
            copy = Button(self.tr("Copy name"), "link", on_click=lambda: QGuiApplication.clipboard().setText(CJK_FONT))
            words = fill(self.tr("Chinese, Japanese and Korean need a font: %1"), CJK_FONT)
            self.fill(Banner("info", words, copy))
        self.follow(settings)

    def _themes(self) -> QWidget:
        names: dict[Choice, ThemePreview] = {
            "system": ThemePreview(self.tr("Like the system"), self.tr("changes when it does"), (LIGHT, DARK)),
            "light": ThemePreview(self.tr("Light"), self.tr("paper and ink"), (LIGHT,)),
            "dark": ThemePreview(self.tr("Dark"), self.tr("warm, not black"), (DARK,)),
        }
        self.themes = names
        self._group = QButtonGroup(self)
        for key, preview in names.items():
            self._group.addButton(preview)
            preview.clicked.connect(self._choice(key))
        self.settings["theme"] = names["system"]
        return box(row(*[(each, 1) for each in names.values()], gap=16))

    def _text_size(self) -> QWidget:
        low, high = TEXT_PERCENT
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(low // STEP, high // STEP)
        self.slider.setPageStep(1)
        self.slider.setAccessibleName(self.tr("Text size in percent"))
        self.slider.setMaximumWidth(190)
        self.slider.setMinimumWidth(80)
        self.slider.setMinimumHeight(26)
        self.slider.setTracking(False)  # the theme is applied when the hand lets go, not at each step
        self.slider.valueChanged.connect(lambda step: self.changed.emit("text_percent", step * STEP))
        FocusRing(self.slider)
        self.settings["text"] = self.slider
        self._percent = label("", "strong", digits=True)
        words = column(
            label(self.tr("Text size"), "label"),
            label(self.tr("All sizes and row heights grow together"), "caption", "faint", wrap=True),
            gap=1,
        )
        scale = row(
            (box(words), 2), label(fill(self.tr("%1 %"), low), "caption", "faint"), (self.slider, 1),
            label(fill(self.tr("%1 %"), high), "caption", "faint"), 6, self._percent, gap=10,
        )  # fmt: skip
        example = self.tr("Reporting needs joins across orders, refunds and shipments, and the team already runs it.")
        sample = label(example, "body", wrap=True)
        title = label(self.tr("Postgres chosen for Atlas"), "strong")
        well = box(column(title, sample, gap=1, margins=(14, 9, 14, 9)), "well")
        return box(column(scale, well, gap=8, margins=(16, 9, 14, 12)))

    def follow(self, settings: Settings) -> None:
        """Show what is in force, also when it was changed elsewhere."""
        key: Choice = settings.theme if settings.theme in self.themes else "system"
        self.themes[key].setChecked(True)
        self.motion.setChecked(settings.reduced_motion)
        self.slider.blockSignals(True)
        self.slider.setValue(round(settings.text_percent / STEP))
        self.slider.blockSignals(False)
        self._percent.setText(fill(self.tr("%1 %"), settings.text_percent))

    def _choice(self, key: Choice) -> Callable[[], None]:
        return lambda: self.changed.emit("theme", key)


def has_cjk_font() -> bool:
    """Whether some family of this computer shows Chinese, Japanese and Korean."""
    wanted = QFontDatabase.WritingSystem
    scripts = (wanted.SimplifiedChinese, wanted.Japanese, wanted.Korean)
    return all(QFontDatabase.families(script) for script in scripts)


class AppearanceController(SectionController):
    """Everything is in force at once."""

    def __init__(self, view: AppearanceSection, desk: Desk) -> None:
        super().__init__(view, desk)
        view.changed.connect(self._change)
        desk.settings_changed.connect(view.follow)

    def _change(self, name: str, value: object) -> None:
        if name == "theme":
            theme().choose(cast("Choice", value))
        elif name == "text_percent":
            theme().set_text_percent(cast("int", value))
        else:
            theme().reduced_motion = bool(value)
        self.desk.change_settings(**{name: value})


def open_section(desk: Desk) -> SectionController:
    return AppearanceController(AppearanceSection(desk.settings), desk)
