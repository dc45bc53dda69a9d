"""The Ask page with the real engine and a scripted model: shown before it is sent, unticked, answered, cited, kept.

Covers: answers, composer, controller, panel, tiles, turn_view.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from tests.core.engine.asking import answer, wants
from tests.core.llm.scripted_service import STREAM_HEAD, ScriptedService, chunk, scripted, status
from tests.desktop.window_driver import WindowDriver, drive, press

from hivemind.domain.ask import AnswerEnd, Autonomy, CorrectionSeen
from hivemind.domain.chat import Endpoint
from hivemind.errors import MindBusy
from hivemind.gateway import recorder as recording
from hivemind_desktop.ask import open_page
from hivemind_desktop.ask.answers import GENERATED, answer_html, copied, cost_words, number_of
from hivemind_desktop.ask.controller import AskController
from hivemind_desktop.ask.turn_view import TurnView
from hivemind_desktop.widgets.shell import Banner


@asynccontextmanager
async def model(driver: WindowDriver, *script: Any) -> AsyncIterator[ScriptedService]:
    """A scripted model is set up and answers, on the engine's own loop."""
    call, service = driver.app.client.call, scripted(*script)
    running = await call(lambda _engine: service.__aenter__())
    await call(lambda engine: engine.providers.add(Endpoint("lab", "Lab", running.url, local=True, needs_key=False)))
    await call(lambda engine: engine.providers.choose("lab", "small-1"))
    try:
        yield running
    finally:
        await call(lambda _engine: service.__aexit__(None, None, None))


async def opened(driver: WindowDriver, *texts: str) -> AskController:
    for text in texts or ("The lemon tree was planted in March.",):
        await driver.app.client.call(lambda engine, text=text: engine.memory.save(text, "personal"))
    await driver.show("ask")
    page = cast("AskController", driver.window.page("ask"))
    await driver.until(lambda: page.panel.stack.state == "data", "the page")
    return page


async def prepared(driver: WindowDriver, page: AskController, question: str) -> TurnView:
    before = page._turn
    box = page.panel.composer.text
    await driver.until(lambda: page.panel.composer.go.words() == "Ask", "the end of the question before")
    box.setPlainText(question)
    press(box, Qt.Key.Key_Return)
    await driver.until(lambda: page._turn not in (None, before), "what would be sent")
    assert page._turn is not None
    return page._turn


def banners(turn: TurnView) -> list[Banner]:
    return [one for one in turn.findChildren(Banner) if one.isVisible()]


def pressed(turn: TurnView, words: str) -> None:
    from hivemind_desktop.widgets.buttons import Button

    [button] = [one for one in turn.findChildren(Button) if one.words() == words and one.isVisible()]
    button.click()


def test_shown_unticked_sent_answered_and_opened(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        async with model(driver, answer("In March ", "[1] [2].")) as service:
            page = await opened(driver, "The lemon tree was planted in March.", "Lemon salary list of the team.")
            panel = page.panel
            assert "small-1 · Lab, on this computer" in panel.composer.model.full_text()
            assert panel.notice.isVisible()
            turn = await prepared(driver, page, "lemon")
            assert service.heads == [], "nothing leaves before Send"
            assert turn.send.hasFocus()
            assert turn.send.words() == "Send with 2 memories"
            secret = next(tile for tile in turn.strip.tiles if "salary" in tile.card.text)
            press(secret, Qt.Key.Key_Space)
            assert "left out" in secret.accessibleName()
            assert turn.send.words() == "Send with 1 memory"
            press(turn.send, Qt.Key.Key_Return)
            await driver.until(lambda: turn.end, "the answer")
            assert "salary" not in json.dumps(service.bodies)
            assert turn.strip.is_folded
            assert not secret.isEnabled()
            assert panel.short_notice.isVisible()
            assert panel.notice.isHidden()
            assert turn.mark.isVisible()
            assert "free, local" in turn.facts.full_text()
            [one] = turn.end.citations if turn.end else ()
            turn.body.anchorClicked.emit(QUrl(f"mind:memory/{one.number}"))
            await driver.until(lambda: driver.memories_controller.detail, "the memory")
            assert driver.memories_controller.detail.frame.id == one.frame_id  # type: ignore[union-attr]

    drive(tmp_path, walk)
    assert open_page.__module__ == "hivemind_desktop.ask"


def test_kept_copied_undone_and_begun_anew(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        async with model(driver, answer("In March [1] [9].")):
            page = await opened(driver)
            count = lambda: driver.app.client.call(lambda engine: engine.memory.count("personal"))  # noqa: E731
            turn = await prepared(driver, page, "lemon")
            turn.send.click()
            await driver.until(lambda: turn.end, "the answer")
            assert "[9]" in banners(turn)[0].accessibleName()
            pressed(turn, "Copy")
            data = QGuiApplication.clipboard().mimeData()
            assert "Written by the AI model small-1" in data.text()
            assert json.loads(bytes(data.data(GENERATED).data()))["generated"] is True
            for words in ("Save as memory", "Save as draft page"):
                pressed(turn, words)
                await driver.until(lambda: not page.tasks.is_running("keep"), "saved")
                assert await count() == 2
                driver.window.perform("undo")
                for _ in range(300):
                    if await count() == 1:
                        break
                    await asyncio.sleep(0.02)
                assert await count() == 1
            page.panel.fresh.click()
            await driver.until(lambda: page._turn is None)
            assert page._conversation == ""

    drive(tmp_path, walk)


def test_a_write_is_allowed_or_not_in_the_window(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        script = (
            wants("save_memory", text="Bo likes figs."),
            answer("Done."),
            wants("save_memory", text="x"),
            answer("No."),
        )
        async with model(driver, *script):
            page = await opened(driver)
            for words, kept in (("Allow once", 2), ("Do not allow", 2)):
                turn = await prepared(driver, page, "lemon")
                turn.send.click()
                await driver.until(lambda turn=turn: banners(turn), "the question")
                assert "Bo likes figs" in banners(turn)[0].accessibleName() or kept == 2
                pressed(turn, words)
                await driver.until(lambda turn=turn: turn.end, "the answer")
                assert await driver.app.client.call(lambda engine: engine.memory.count("personal")) == kept

    drive(tmp_path, walk)


def test_stopping_failing_and_trying_again(tmp_path: Path) -> None:
    async def slowly(writer: Any) -> None:
        writer.write(STREAM_HEAD + chunk("Half an "))
        await writer.drain()
        await asyncio.sleep(30)

    async def walk(driver: WindowDriver) -> None:
        async with model(driver, slowly, status(401), answer("In March [1].")):
            page = await opened(driver)
            turn = await prepared(driver, page, "lemon")
            turn.send.click()
            await driver.until(lambda: "Half an" in turn.body.text(), "the first words")
            assert page.panel.composer.go.words() == "Stop"
            press(page.panel.composer.text, Qt.Key.Key_Escape)
            assert "Half" not in turn.body.text()
            await driver.until(lambda: page.panel.composer.go.words() == "Ask")
            pressed(turn, "Try again")
            await driver.until(lambda: page._turn not in (None, turn))
            failing = page._turn
            assert failing is not None
            failing.send.click()
            await driver.until(lambda: banners(failing), "the failure")
            assert "key" in banners(failing)[0].accessibleName()
            pressed(failing, "Try again")
            await driver.until(lambda: page._turn not in (None, failing))
            last = page._turn
            assert last is not None
            last.send.click()
            await driver.until(lambda: last.end, "the answer")

    drive(tmp_path, walk)


def test_an_answer_that_cannot_be_recorded_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, broken = recording.record_ended, [True]

    def record_ended(*given: Any) -> Any:
        if broken[0]:
            raise MindBusy
        return real(*given)

    monkeypatch.setattr(recording, "record_ended", record_ended)

    async def walk(driver: WindowDriver) -> None:
        async with model(driver, answer("Secretly.")):
            page = await opened(driver)
            turn = await prepared(driver, page, "lemon")
            turn.send.click()
            await driver.until(lambda: banners(turn), "withheld")
            assert "Secretly" not in turn.body.text()
            broken[0] = False
            pressed(turn, "Write again")
            await driver.until(lambda: turn.end, "the answer")
            assert "Secretly" in turn.body.text()
            broken[0] = True
            other = await prepared(driver, page, "lemon again")
            other.send.click()
            await driver.until(lambda: banners(other), "withheld")
            broken[0] = False
            pressed(other, "Discard the answer")
            await driver.until(lambda: not page.tasks.is_running("rewrite"))
            assert not banners(other)

    drive(tmp_path, walk)


def test_without_a_model_and_without_memories(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await driver.show("ask")
        page = cast("AskController", driver.window.page("ask"))
        assert page.panel.stack.state == "empty"
        await opened(driver)
        await driver.until(lambda: page.panel.no_model.isVisible(), "the way to a model")
        page.panel.composer.text.setPlainText("lemon")
        assert not page.panel.composer.go.isEnabled()
        page.panel.settings_asked.emit()
        await driver.until(lambda: driver.window._shown == "settings")

    drive(tmp_path, walk)


def test_another_mind_is_told_only_when_the_page_is_in_sight(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        async with model(driver, answer("x")):
            call = driver.app.client.call
            page = await opened(driver)
            other = await call(lambda engine: engine.workspaces.create("Legal"))
            await call(lambda engine: engine.memory.save("The contract ends in May.", other.workspace))
            await driver.show("home")
            driver.app.desk.show_workspace(other.workspace)
            await driver.idle()
            log = lambda: call(lambda engine: engine.evidence.verify(other.workspace))  # noqa: E731
            began = 1  # the first entry of every log
            assert (await log()).entries == began
            await driver.show("ask")
            await driver.until(lambda: not page.tasks.is_running("load"))
            assert (await log()).entries == began + 1

    drive(tmp_path, walk)


@pytest.mark.parametrize("size", [(1200, 800), (900, 600)])
def test_the_model_is_in_sight_at_every_width(tmp_path: Path, size: tuple[int, int]) -> None:
    async def walk(driver: WindowDriver) -> None:
        async with model(driver, answer("x")):
            driver.window.resize(*size)
            page = await opened(driver)
            shown = page.panel.composer.model
            assert shown.isVisible()
            assert shown.text() == shown.full_text(), "not cut"
            assert page.panel.composer.persona_chip.isVisible()

    drive(tmp_path, walk)


def test_nothing_recalled_and_a_correction(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        async with model(driver, answer("In May.")) as service:
            page = await opened(driver)
            page.panel.composer.set_persona("researcher")
            page.panel.composer.set_level(Autonomy.TRUSTED)
            turn = await prepared(driver, page, "zzzz qqqq")
            turn.send.click()
            await driver.until(lambda: turn.end, "nothing")
            assert turn.end is not None
            assert turn.end.nothing
            assert service.heads == []
            page.panel.composer.set_persona("general-purpose")
            for question in ("lemon", "No, that is wrong."):
                turn = await prepared(driver, page, question)
                turn.send.click()
                await driver.until(lambda turn=turn: turn.end, "the answer")
            [chip] = [one for one in banners(turn) if "correction" in one.accessibleName()]
            pressed(turn, "It was none")
            assert not chip.isVisible()
            await driver.until(lambda: not page.tasks.is_running("dismiss"))

    drive(tmp_path, walk)
    assert CorrectionSeen.__slots__


def test_numbers_become_links_only_where_there_is_a_memory() -> None:
    [html] = answer_html("In March [1], or [1, 2], not [9]. <b>x</b> [y](http://z)", frozenset({1, 2}))
    assert html.count('href="mind:memory/1"') == 2
    assert 'href="mind:memory/9"' not in html
    assert "<b>" not in html
    assert "http://z" in html
    assert 'href="http' not in html
    assert (number_of("mind:memory/12"), number_of("mind:memory/x"), number_of("http://x/3")) == (12, None, None)


def test_cost_in_words() -> None:
    assert [cost_words(*given) for given in ((0.0, True), (None, False), (0.01234, False))] == [
        "free, local", "cost unknown", "$0.0123",
    ]  # fmt: skip
    assert "small" in copied(AnswerEnd("t", "x", "small", "p")).text()
