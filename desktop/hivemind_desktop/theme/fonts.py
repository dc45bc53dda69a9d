"""Bundled fonts: three faces before the first paint, the rest on first use, and QFonts by role."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QFont, QFontDatabase

from hivemind.paths import resource_path

from .tokens import FONT_MONO, FONT_UI, TYPE, Role

#: Loaded at start: the weights every page uses.
EAGER: Final = ("Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf")
#: Loaded when the first hash, path or diff is shown.
MONO: Final = "JetBrainsMono-Regular.ttf"

_JAPANESE: Final = ("Yu Gothic UI", "Hiragino Sans", "Noto Sans CJK JP")
_SIMPLIFIED: Final = ("Microsoft YaHei UI", "PingFang SC", "Noto Sans CJK SC")
_TRADITIONAL: Final = ("Microsoft JhengHei UI", "PingFang TC", "Noto Sans CJK TC")
_KOREAN: Final = ("Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans CJK KR")
_BEFORE: Final = ("Segoe UI", "SF Pro Text")
_AFTER: Final = ("Noto Sans", "Segoe UI Emoji", "Apple Color Emoji", "Noto Color Emoji", "DejaVu Sans")


def fallback_families(locale: str) -> tuple[str, ...]:
    """Families tried for characters Inter does not hold.

    One Han code point looks different per language, so the families of the UI's own language come first.
    `locale` is a QLocale name such as `ja_JP` or `zh_TW`.
    """
    language, _, country = locale.partition("_")
    first = {"ja": _JAPANESE, "ko": _KOREAN, "zh": _SIMPLIFIED}.get(language, ())
    if language == "zh" and country.upper() in {"TW", "HK", "MO"}:
        first = _TRADITIONAL
    groups = (first, _JAPANESE, _SIMPLIFIED, _TRADITIONAL, _KOREAN)
    asian = tuple(dict.fromkeys(family for group in groups for family in group))
    return (*_BEFORE, *asian, *_AFTER)


class Fonts:
    """Hands out one QFont per role and weight; knows the text size in force."""

    def __init__(self, locale: str) -> None:
        self._fallback = fallback_families(locale)
        self._scale = 1.0
        self._loaded: list[str] = []
        self._made: dict[tuple[Role, int, bool], QFont] = {}
        for name in EAGER:
            self._load(name)

    @property
    def loaded(self) -> tuple[str, ...]:
        """The font files read so far."""
        return tuple(self._loaded)

    @property
    def fallback(self) -> tuple[str, ...]:
        """Families tried after the bundled ones."""
        return self._fallback

    def set_scale(self, scale: float) -> None:
        if scale != self._scale:
            self._scale = scale
            self._made.clear()

    def font(self, role: Role = "body", weight: int = 0, *, figures: bool = False) -> QFont:
        """The font of a role; `weight` 0 means the role's own, `figures` makes digits equally wide."""
        key = (role, weight or TYPE[role].weight, figures)
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(self, role: Role, weight: int, figures: bool) -> QFont:
        if role == "mono":
            self._load(MONO)
        result = QFont([FONT_MONO if role == "mono" else FONT_UI, *self._fallback])
        result.setPixelSize(round(TYPE[role].px * self._scale))
        result.setWeight(QFont.Weight(weight))
        # Unhinted outlines keep Inter's spacing at 100 % and look the same at 125, 150 and 200 %.
        result.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if role == "display":
            result.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 98)
        if role != "mono":
            result.setFeature(QFont.Tag("cv05"), 1)  # l with a tail: l, I and 1 stay apart
        if figures:
            result.setFeature(QFont.Tag("tnum"), 1)
        return result

    def _load(self, name: str) -> None:
        if name in self._loaded:
            return
        path = resource_path("fonts", name)
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise FileNotFoundError(f"bundled font not readable: {path}")
        self._loaded.append(name)
