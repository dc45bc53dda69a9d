"""Desktop tests: offscreen Qt, our theme installed, and a Qt warning fails the test that caused it."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before anything imports Qt

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from hivemind_desktop.theme import Theme, install

HERE = Path(__file__).parent
#: The offscreen plugin says this for every fixed-size window; nothing else is excused.
OFFSCREEN_LINE = r"^This plugin does not support propagateSizeHints\(\)$"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(OFFSCREEN_LINE))


@pytest.fixture(scope="session")
def installed_theme(qapp: QApplication) -> Theme:
    return install(qapp, "light")


@pytest.fixture(autouse=True)
def theme(installed_theme: Theme) -> Iterator[Theme]:
    """The theme in force: light, 100 %, nothing moves. A test may change it; the next one gets it back."""
    installed_theme.reduced_motion = True
    yield installed_theme
    if installed_theme.text_percent != 100:
        installed_theme.set_text_percent(100)
    if installed_theme.choice != "light":
        installed_theme.choose("light")
