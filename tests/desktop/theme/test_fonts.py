"""Bundled faces are found, few of them before the first paint, and other scripts have families to fall back on."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF
from PySide6.QtWidgets import QApplication

from hivemind.paths import resource_path
from hivemind_desktop.theme import Theme, figures, font
from hivemind_desktop.theme.fonts import EAGER, MONO, Fonts, fallback_families


def test_at_most_four_files_before_the_first_paint(qapp: QApplication) -> None:
    fonts = Fonts("en_GB")
    fonts.font("display")
    fonts.font("caption", 600)
    assert fonts.loaded == EAGER
    assert len(EAGER) <= 4


def test_mono_is_read_on_first_use(qapp: QApplication) -> None:
    fonts = Fonts("en_GB")
    assert MONO not in fonts.loaded
    assert QFontInfo(fonts.font("mono")).fixedPitch()
    assert fonts.loaded == (*EAGER, MONO)
    fonts.font("mono", 600)
    assert fonts.loaded == (*EAGER, MONO)


def test_every_weight_in_use_resolves_to_inter(theme: Theme) -> None:
    assert {"Regular", "Medium", "SemiBold"} <= {style.replace(" ", "") for style in QFontDatabase.styles("Inter")}
    for weight in (400, 500, 600):
        info = QFontInfo(font("body", weight))
        assert (info.family(), info.weight()) == ("Inter", weight)


def test_figures_are_equally_wide(theme: Theme) -> None:
    def width(of: QFont, digit: str) -> float:
        return QFontMetricsF(of).horizontalAdvance(digit * 10)

    assert width(figures(), "1") == width(figures(), "8")
    assert width(font(), "1") < width(font(), "8")


def test_the_language_of_the_ui_comes_first() -> None:
    japanese, taiwan = fallback_families("ja_JP"), fallback_families("zh_TW")
    assert japanese.index("Noto Sans CJK JP") < japanese.index("Noto Sans CJK SC")
    assert taiwan.index("Noto Sans CJK TC") < taiwan.index("Noto Sans CJK SC")
    assert fallback_families("zh_CN").index("Noto Sans CJK SC") < fallback_families("zh_CN").index("Noto Sans CJK JP")
    assert fallback_families("ko_KR").index("Malgun Gothic") < fallback_families("ko_KR").index("Yu Gothic UI")
    assert len(set(japanese)) == len(japanese)
    assert set(japanese) == set(taiwan) == set(fallback_families("de_DE"))


def test_scale_changes_the_size_once(qapp: QApplication) -> None:
    fonts = Fonts("en_GB")
    first = fonts.font("body")
    fonts.set_scale(1.0)
    assert fonts.font("body") is first
    fonts.set_scale(1.5)
    assert fonts.font("body").pixelSize() == 20
    assert first.pixelSize() == 13


def test_every_face_has_its_licence_beside_it() -> None:
    folder = resource_path("fonts")
    families = {path.name.partition("-")[0] for path in folder.glob("*.ttf")}
    assert families == {"Inter", "JetBrainsMono"}
    for family in families:
        assert "SIL OPEN FONT LICENSE" in (folder / f"{family}-OFL.txt").read_text(encoding="utf-8")
    assert {path.name for path in folder.glob("*.ttf")} == {*EAGER, MONO}
