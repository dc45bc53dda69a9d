"""Opens a part of Settings in the real window and waits until it shows what it read."""

from __future__ import annotations

from typing import TypeVar, cast

from tests.desktop.window_driver import WindowDriver

from hivemind_desktop.settings.controller import SettingsController
from hivemind_desktop.settings.panel import SettingsPanel
from hivemind_desktop.settings.parts import SectionController
from hivemind_desktop.widgets.labels import ElidedLabel
from hivemind_desktop.widgets.page import Target

C = TypeVar("C", bound=SectionController)


def settings_page(driver: WindowDriver) -> SettingsController:
    return cast("SettingsController", driver.window.page("settings"))


def settings_panel(driver: WindowDriver) -> SettingsPanel:
    return cast("SettingsPanel", driver.window.page("settings").view)


async def open_part(driver: WindowDriver, key: str, kind: type[C]) -> C:
    """Show a part and wait for it."""
    driver.window.show_target(Target("settings", query=key))
    part = settings_page(driver).part(key)
    assert isinstance(part, kind)
    await driver.until(lambda: part.view.stack.state == "data" and not part.tasks.is_running("load"), key)
    return part


def words(part: SectionController) -> list[str]:
    return [each.full_text() for each in part.view.findChildren(ElidedLabel)]
