"""What pages share: loading when shown, again when the mind changed, an error with a way to try again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from hivemind.errors import MindBusy
from hivemind.events import Area, MindChanged
from hivemind.settings import Settings
from hivemind_desktop.bridge import EngineClient, EngineSignals
from hivemind_desktop.notices import Notices
from hivemind_desktop.widgets.page import REFRESH_MS, Desk, PageController, PageView, StartStack, Target


class Counting(PageController):
    """Counts how often it was loaded; may fail."""

    def __init__(self, view: PageView, desk: Desk) -> None:
        super().__init__(view, desk, frozenset({Area.FRAMES}), "Loading")
        self.loads = 0
        self.failure: Exception | None = None

    async def load(self) -> None:
        self.loads += 1
        if self.failure is not None:
            raise self.failure
        self.view.stack.show_data()


class Loop:
    """Runs a task to its end at once: loads here never wait."""

    def create_task(self, work: Any, name: str = "") -> Any:
        async def run() -> Any:
            task = asyncio.ensure_future(work)
            await asyncio.wait({task})
            return task

        return Finished(asyncio.run(run()))


class Finished:
    def __init__(self, task: Any) -> None:
        self._task = task

    def add_done_callback(self, call: Any) -> None:
        call(self)

    def cancelled(self) -> bool:
        return bool(self._task.cancelled())

    def exception(self) -> Any:
        return self._task.exception()

    def cancel(self) -> None:
        """Already over."""


class Client:
    loop = Loop()


class Surface:
    def show_toast(self, toast: object) -> None: ...
    def show_error(self, error: object, closed: object) -> None: ...
    def show_question(self, question: object, answered: object) -> None: ...


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    saved: list[Settings] = []
    made = Desk(
        cast("EngineClient", Client()),
        EngineSignals(),
        Notices(cast("Any", Surface())),
        Path("/data"),
        Settings(),
        saved.append,
    )
    made.saved = saved  # type: ignore[attr-defined]
    return made


@pytest.fixture
def page(qtbot: QtBot, desk: Desk) -> Counting:
    view = PageView()
    qtbot.addWidget(view)
    view.stack = StartStack(QWidget(), QWidget())
    return Counting(view, desk)


def test_a_page_loads_when_it_is_shown_and_the_window_was_painted(page: Counting, desk: Desk) -> None:
    page.view.show()
    assert page.loads == 0, "not before the first paint"
    desk.start()
    desk.start()
    assert page.loads == 1
    page.view.hide()
    page.view.show()
    assert page.loads == 1, "nothing has changed"


def test_news_load_again_only_what_is_in_sight(page: Counting, desk: Desk, qtbot: QtBot) -> None:
    desk.start()
    page.view.show()
    for _ in range(5):
        desk.signals.mind_changed.emit(MindChanged("personal", frozenset({Area.FRAMES})))
    desk.signals.mind_changed.emit(MindChanged("personal", frozenset({Area.AUDIT})))
    desk.signals.mind_changed.emit(MindChanged("legal", frozenset({Area.FRAMES})))
    qtbot.waitUntil(lambda: page.loads == 2, timeout=REFRESH_MS * 5)
    page.view.hide()
    desk.signals.mind_changed.emit(MindChanged("personal", frozenset({Area.FRAMES})))
    qtbot.wait(REFRESH_MS + 50)
    assert page.loads == 2
    page.view.show()
    assert page.loads == 3


def test_news_do_not_starve_a_load_under_way(page: Counting, desk: Desk, qtbot: QtBot) -> None:
    desk.start()
    page.view.show()
    page.tasks._running["load"] = cast("Any", object())
    desk.signals.mind_changed.emit(MindChanged("personal", frozenset({Area.FRAMES})))
    qtbot.wait(REFRESH_MS * 2)
    assert page.loads == 1
    del page.tasks._running["load"]
    qtbot.waitUntil(lambda: page.loads == 2, timeout=REFRESH_MS * 5)


def test_a_failure_is_shown_with_a_way_to_try_again(page: Counting, desk: Desk) -> None:
    page.failure = MindBusy()
    desk.start()
    page.view.show()
    assert page.view.stack.state == "error"
    assert page.view.stack.told is not None
    page.failure = None
    page.view.stack.told.next_steps[0].click()  # type: ignore[attr-defined]
    assert page.view.stack.state == "data"
    page.failure = ValueError("remembered text")
    page.refresh()
    assert page.view.stack.state == "error"
    assert "remembered text" not in page.view.stack.told.accessibleName()


def test_another_mind_is_read_at_once(page: Counting, desk: Desk) -> None:
    desk.start()
    page.view.show()
    desk.show_workspace("legal")
    desk.show_workspace("legal")
    assert desk.workspace == "legal"
    assert page.loads == 2


def test_a_closed_page_stays_quiet(page: Counting, desk: Desk) -> None:
    desk.start()
    page.close()
    page.view.show()
    assert page.loads == 0


def test_settings_are_told_and_saved(desk: Desk) -> None:
    told: list[Settings] = []
    desk.settings_changed.connect(told.append)
    desk.change_settings(theme="dark")
    assert desk.settings.theme == "dark"
    assert told == desk.saved == [desk.settings]  # type: ignore[attr-defined]


def test_plain_pages_offer_nothing(page: Counting) -> None:
    assert page.offers() == frozenset()
    page.perform("nothing")
    page.arrive(Target("home"))
    page.view.show_drag(True)
    assert not page.view.focus_search()


def test_the_start_view_is_the_empty_state(page: Counting) -> None:
    stack = cast("StartStack", page.view.stack)
    stack.show_start()
    assert stack.state == "empty"
    assert stack.currentWidget() is stack._start
