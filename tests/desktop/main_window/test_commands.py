"""The window's own commands: files are asked for without blocking, the sample is imported."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog
from tests.desktop.exports import write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind_desktop.main_window import commands


def test_choosing_a_file_imports_it(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=1)

    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        for action, mode in (
            ("files.choose", QFileDialog.FileMode.ExistingFiles),
            ("files.folder", QFileDialog.FileMode.Directory),
        ):
            driver.window.perform(action)
            dialog = next(each for each in driver.window.findChildren(QFileDialog) if each.isVisible())
            assert dialog.fileMode() == mode
            dialog.filesSelected.emit([str(export)])
            dialog.reject()
            await driver.until(
                lambda: driver.importing.preview and driver.importing.preview.go.isEnabled(), "the preview"
            )
            driver.import_controller.choosing.decide("import")
            await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
            driver.importing.show_report(None, "personal")

    drive(tmp_path / "data", walk)


def test_the_sample_is_imported(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("home")
        driver.home.first_run.chosen.emit("files.sample")
        await driver.until(lambda: driver.window.shown == "import" and not driver.importing.report.isHidden())

    drive(tmp_path / "data", walk)


def test_the_data_folder_is_shown_and_pages_load_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)

    async def walk(driver: WindowDriver) -> None:
        await driver.show("settings")
        driver.window.perform("data.open")
        driver.window.perform("reload")
        await driver.idle()
        driver.window.perform("search.all")
        assert driver.window.shown == "memories"

    drive(tmp_path / "data", walk)
    assert [url.toLocalFile() for url in opened] == [str(tmp_path / "data")]


def test_an_unknown_command_is_a_mistake_of_ours(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        made = commands.WindowCommands(driver.window, driver.app.desk)
        with pytest.raises(KeyError):
            made.perform("memory.pin")

    drive(tmp_path, walk)
