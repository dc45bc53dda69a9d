"""Nothing of Settings or the trash is cut: not in the small windows, not with the largest text, not at 200 %.

Covers: parts.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QWidget
from tests.desktop.settings.settings_driver import settings_page
from tests.desktop.window_driver import WindowDriver, drive

from hivemind_desktop.settings.sections import SECTIONS
from hivemind_desktop.theme import theme
from hivemind_desktop.widgets.page import Target

ROOT = Path(__file__).resolve().parents[3]


def cut(view: QWidget, place: QWidget) -> list[str]:
    """Controls that stand out of their place to the left or right."""
    found = []
    for kind in (QAbstractButton, QLineEdit):
        for each in place.findChildren(kind):
            if each.isVisible() and each.width() > 1:
                left = each.mapTo(view, QPoint(0, 0)).x()
                if left < 0 or left + each.width() > view.width():
                    found.append(each.accessibleName() or each.objectName())
    return found


async def all_parts(driver: WindowDriver) -> None:
    await driver.app.client.call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
    await driver.app.client.call(lambda engine: engine.backups.make("personal"))
    await driver.show("settings")
    page = settings_page(driver)
    for part in SECTIONS:
        driver.window.show_target(Target("settings", query=part.key))
        view = page.part(part.key).view
        await driver.until(lambda view=view: view.stack.state == "data", part.key)
        await asyncio.sleep(0.05)
        inside = view.area.widget()
        assert inside is not None
        assert inside.minimumSizeHint().width() <= view.area.viewport().width(), part.key
        assert cut(view, inside) == [], part.key


@pytest.mark.parametrize(("width", "height", "percent"), [(1200, 800, 150), (900, 600, 100), (800, 460, 100)])
def test_no_part_is_cut(tmp_path: Path, width: int, height: int, percent: int) -> None:
    async def walk(driver: WindowDriver) -> None:
        driver.window.resize(width, height)
        theme().set_text_percent(percent)
        await all_parts(driver)

    drive(tmp_path, walk)


_AT_200 = """
import asyncio
from pathlib import Path
import sys
from hivemind_desktop.application import application
from hivemind_desktop.pages import PAGES
from hivemind_desktop.theme import install
from tests.desktop.settings.test_fit import all_parts
from tests.desktop.window_driver import drive

install(application(), "light")

async def walk(driver):
    driver.window.resize(960, 500)
    assert driver.window.devicePixelRatio() == 2.0
    for page in PAGES:
        await driver.show(page.key)
        await asyncio.sleep(0.05)
        view = driver.window.page(page.key).view
        assert view.minimumSizeHint().width() <= view.width(), page.key
        picture = driver.window.grab()
        assert picture.width() == 1920
    await all_parts(driver)

drive(Path(sys.argv[1]), walk)
print("whole")
"""


def test_200_percent(tmp_path: Path) -> None:
    environment = os.environ | {
        "QT_SCALE_FACTOR": "2",
        "QT_QPA_PLATFORM": "offscreen",
        "HIVE_MIND_EMBEDDER_DIR": "none",
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("core", "desktop", ".")),
    }
    done = subprocess.run(
        [sys.executable, "-c", _AT_200, str(tmp_path)], cwd=ROOT, env=environment, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.strip().endswith("whole"), done.stderr[-2000:]
