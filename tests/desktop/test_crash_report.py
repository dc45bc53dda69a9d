"""Reports of faults: type and place, never a text; caught on every thread; told once at the next start."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.errors import Cancelled, InternalFault, MindBusy
from hivemind_desktop import crash_report
from hivemind_desktop.crash_report import CrashReports, described
from hivemind_desktop.widgets.notice_layer import ToastCard

SECRET = "my sister's diagnosis"


@pytest.fixture
def reports(tmp_path: Path) -> Iterator[CrashReports]:
    made = CrashReports(tmp_path)
    yield made
    made.remove()


def fail(secret: str) -> None:
    try:
        raise KeyError(secret)
    except KeyError as cause:
        raise ValueError(f"cannot read {secret}") from cause


def caught() -> ValueError:
    try:
        fail(SECRET)
    except ValueError as error:
        return error
    raise AssertionError


def test_type_and_place_but_no_text(reports: CrashReports) -> None:
    file = reports.write(caught())
    assert file is not None
    text = file.read_text("utf-8")
    assert SECRET not in text
    assert "diagnosis" not in text
    assert "builtins.ValueError" in text
    assert "because of\nbuiltins.KeyError" in text
    assert "test_crash_report.py" in text
    assert "fail" in text
    assert file.stat().st_mode & 0o077 == 0
    assert reports.write(caught()) is None, "the same fault is told once"


def test_what_is_no_mistake_of_ours_is_not_written(reports: CrashReports) -> None:
    for error in (MindBusy(), Cancelled(), KeyboardInterrupt(), asyncio.CancelledError()):
        assert reports.write(error) is None
    assert reports.write(InternalFault()) is not None


def test_only_so_many_are_kept(reports: CrashReports, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crash_report, "KEPT", 3)
    for n in range(5):
        assert reports.write(InternalFault(), f"place {n}") is not None
    found = reports.unseen()
    assert len(found) == 3
    assert "place 4" in found[-1].read_text("utf-8")


def test_a_place_that_cannot_be_written_is_no_second_fault(tmp_path: Path) -> None:
    (tmp_path / "crashes").write_text("in the way")
    reports = CrashReports(tmp_path)
    reports.install()
    try:
        assert reports.write(InternalFault()) is None
        assert reports.unseen() == []
    finally:
        reports.remove()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_threads_slots_and_clean_up_are_caught(reports: CrashReports) -> None:
    reports.install()
    thread = threading.Thread(target=fail, args=(SECRET,), name="engine")
    thread.start()
    thread.join()
    sys.excepthook(ValueError, caught(), None)
    reports.on_loop(None, {"exception": caught(), "message": SECRET})
    reports.on_loop(None, {"message": SECRET})
    texts = [file.read_text("utf-8") for file in reports.unseen()]
    assert [text.split("\nin ")[1].split("\n")[0] for text in texts] == ["engine", "MainThread", "event loop"]
    assert not any("diagnosis" in text for text in texts)


def test_what_a_dying_process_wrote_becomes_a_report(tmp_path: Path) -> None:
    folder = tmp_path / "crashes"
    folder.mkdir()
    (folder / crash_report.HARD).write_text('Fatal Python error: Segmentation fault\n  File "x.py", line 3 in f\n')
    reports = CrashReports(tmp_path)
    reports.install()
    reports.remove()
    (file,) = reports.unseen()
    assert "Segmentation fault" in file.read_text("utf-8")
    assert not (folder / crash_report.HARD).exists(), "an orderly end leaves nothing"


def test_causes_that_lead_in_a_circle_end() -> None:
    one, other = ValueError(), ValueError()
    one.__cause__, other.__cause__ = other, one
    assert described(one).count("ValueError") == 2


def test_the_next_start_offers_the_folder_once(tmp_path: Path) -> None:
    def toasts(driver: WindowDriver) -> list[str]:
        return [each.accessibleName() for each in driver.window.findChildren(ToastCard)]

    async def fails(driver: WindowDriver) -> None:
        await driver.show("home")
        hook = sys.excepthook
        assert hook == driver.app.crashes._on_uncaught
        QTimer.singleShot(0, lambda: hook(ValueError, caught(), None))
        await driver.until(lambda: driver.app.crashes.unseen())
        assert not any("made a mistake last time" in words for words in toasts(driver))

    drive(tmp_path, fails)
    assert sys.excepthook is sys.__excepthook__ or "crash_report" not in repr(sys.excepthook)

    async def told(driver: WindowDriver) -> None:
        await driver.until(lambda: any("made a mistake last time" in words for words in toasts(driver)))
        assert driver.app.crashes.unseen() == []

    drive(tmp_path, told)

    async def quiet(driver: WindowDriver) -> None:
        await driver.show("home")
        await driver.idle()
        assert not any("made a mistake last time" in words for words in toasts(driver))

    drive(tmp_path, quiet)
