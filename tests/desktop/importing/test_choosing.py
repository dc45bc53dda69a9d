"""Before an import: nothing is written, several drops are one look, options hold, titles stay out, trouble is named.

Covers: choosing, preview, options, leave_out, title_row.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.desktop.contact_sheet import shot
from tests.desktop.exports import conversation, write_export
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.surveys import SurveyState
from hivemind_desktop.importing.leave_out import LeaveOutSheet, TitlesModel
from hivemind_desktop.importing.options import OptionsForm
from hivemind_desktop.importing.preview import PreviewCard
from hivemind_desktop.importing.title_row import FACTS
from hivemind_desktop.widgets.shell import Banner

KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z" + "T3BlbkFJ" + "Ab3dEf6hIj9kLm2nOp5qRs8t"


async def counted(driver: WindowDriver, card: PreviewCard) -> None:
    await driver.until(lambda: card.survey and card.survey.state is SurveyState.FINISHED, "the end of counting")


async def sessions_of(driver: WindowDriver, workspace: str = "personal") -> list[str]:
    rows = await driver.app.client.call(lambda engine: engine.sessions.list_rows(workspace))
    return sorted(row.session.title for row in rows)


def test_a_drop_shows_what_it_is_and_writes_nothing(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=3)

    async def walk(driver: WindowDriver) -> None:
        card = await driver.preview(export)
        await counted(driver, card)
        assert card.survey is not None
        assert (card.survey.items, card.survey.messages, card.survey.known) == (3, 12, 0)
        assert card._title.text() == "Looks like a ChatGPT export"
        assert "2024" in card._span.text()
        assert await sessions_of(driver) == []
        card.wanted.emit("close")
        await driver.until(lambda: driver.importing.stack.state == "empty")
        assert driver.import_controller.choosing.card is None
        assert await sessions_of(driver) == []

    drive(tmp_path / "data", walk)


def test_several_drops_are_looked_at_together_and_bad_ones_are_named(tmp_path: Path) -> None:
    first = write_export(tmp_path / "first.json", conversations=1)
    second = tmp_path / "second.json"
    second.write_text(json.dumps([conversation(7, ["Hello there", "Good day"])]))
    bad = tmp_path / "picture.png"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))

    async def walk(driver: WindowDriver) -> None:
        await driver.preview(first)
        driver.drop(second, bad)
        choosing = driver.import_controller.choosing
        await driver.until(lambda: choosing.card and choosing.card.survey and len(choosing.card.survey.sources) == 3)
        assert choosing.card is not None
        banners = [each.accessibleName() for each in driver.importing.findChildren(Banner)]
        assert any("picture.png" in words for words in banners)
        choosing.card.go.click()
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
        assert await sessions_of(driver) == ["Talk number 0", "Talk number 7"]

    drive(tmp_path / "data", walk)


def test_only_something_unknown_leaves_its_reason(tmp_path: Path) -> None:
    bad = tmp_path / "picture.png"
    bad.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))

    async def walk(driver: WindowDriver) -> None:
        driver.drop(bad)
        await driver.until(lambda: driver.importing.has_troubles)
        assert driver.import_controller.choosing.card is None
        await driver.idle()
        assert driver.importing.stack.state == "data", "the reason stays in sight"

    drive(tmp_path / "data", walk)


def test_titles_that_are_unticked_stay_out(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=4)

    async def walk(driver: WindowDriver) -> None:
        card = await driver.preview(export)
        await counted(driver, card)
        driver.window.perform("import.titles")
        sheet = driver.window.findChild(LeaveOutSheet)
        assert sheet is not None
        await driver.until(lambda: sheet.model.rowCount() == 4)
        sheet.search.setText("number 2")
        sheet.search._ask()
        await driver.until(lambda: sheet.model.rowCount() == 1)
        index = sheet.model.index(0)
        assert index.data() == "Talk number 2"
        assert index.data(FACTS) == "16 May 2024 · 4 messages"
        before = shot(sheet)
        place = sheet.list.visualRect(index).center()
        QTest.mouseClick(sheet.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert shot(sheet) != before
        assert sheet._count.text() == "1 conversation left out"
        sheet.search.setText("no such thing")
        sheet.search._ask()
        await driver.until(lambda: sheet.stack.state == "empty")
        sheet.accept()
        assert card.form._titles.full_text() == "1 conversation left out by you"
        driver.window.perform("import.begin")
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
        assert await sessions_of(driver) == ["Talk number 0", "Talk number 1", "Talk number 3"]

    drive(tmp_path / "data", walk)


def test_dates_and_another_mind(tmp_path: Path) -> None:
    export = write_export(tmp_path / "conversations.json", conversations=3)

    async def walk(driver: WindowDriver) -> None:
        await driver.app.client.call(lambda engine: engine.workspaces.create("Studies"))
        card = await driver.preview(export)
        card.form.since.setText("never")
        card.go.click()
        await driver.until(lambda: card.form._trouble.isVisible(), "what is wrong with the date")
        assert await sessions_of(driver) == []
        card.form.since.setText("2024-05-15")
        card.form.until.setText("2024-05-15")
        minds = await driver.app.client.call(lambda engine: engine.workspaces.list())
        other = next(each.workspace for each in minds if each.workspace != "personal")
        before = card.survey
        card.form.choose_mind(other)
        await driver.until(lambda: card.survey is not None and before is not None and card.survey.id != before.id)
        card.go.click()
        await driver.until(lambda: not driver.importing.report.isHidden(), "the report")
        assert driver.app.desk.workspace == other
        assert await sessions_of(driver) == []
        assert await sessions_of(driver, other) == ["Talk number 1"]

    drive(tmp_path / "data", walk)


def test_what_the_scan_met_is_said_before_and_what_is_in_already(tmp_path: Path) -> None:
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([conversation(1, [f"My key is {KEY}", "Keep it safe"])]))

    async def walk(driver: WindowDriver) -> None:
        await driver.import_file(export)
        card = await driver.preview(export)
        await counted(driver, card)
        assert card.survey is not None
        assert card.survey.known == 1
        assert card.survey.secrets
        words = [each.text() for each in card.findChildren(type(card._facts))]
        assert any("will be masked" in each for each in words)
        assert not any(KEY in each for each in words)

    drive(tmp_path / "data", walk)


@pytest.mark.parametrize(("words", "titles"), [("", ()), ("tax", ("tax",)), (" tax , , rent ", ("tax", "rent"))])
def test_options_as_they_are_written(qtbot: object, words: str, titles: tuple[str, ...]) -> None:
    form = OptionsForm("personal")
    qtbot.addWidget(form)  # type: ignore[attr-defined]
    form.words.setText(words)
    form.left_out.update(("b", "a"))
    form.tools.setChecked(True)
    options = form.options()
    assert options.leave_out_titles == titles
    assert options.leave_out == ("a", "b")
    assert options.tool_content
    assert (options.since, options.until) == (None, None)
    assert "left out" in form.summary()


def test_titles_ask_for_a_page_once(qtbot: object) -> None:
    model = TitlesModel(set())
    asked: list[int] = []
    model.page_wanted.connect(asked.append)
    model.restart()
    assert asked == [0]
    assert model.rowCount() == 0
    assert not model.setData(model.index(0), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
