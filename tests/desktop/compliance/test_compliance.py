"""The compliance page in the real window: results, the log and one call, a statement with undo, the report's pages.

Covers: controller, panel, status, log, entry, oversight, report, statement, parts.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.audit_report import Decision, Decisions, Oversight, Person
from hivemind.domain.calls import Call, CallKind, CallOutcome, HumanAction
from hivemind.domain.checks import Status
from hivemind_desktop.compliance import open_page
from hivemind_desktop.compliance.controller import ComplianceController
from hivemind_desktop.compliance.oversight import OversightTab
from hivemind_desktop.compliance.parts import cost, seconds, status_cell

CALLS = (
    ("one", "north-large", "North", 0.25, None, "What about boats?"),
    ("two", "heron-12b", "ollama", 0.0, HumanAction.APPROVED, "And lemons?"),
    ("three", "north-large", "North", None, HumanAction.DENIED, "Salaries?"),
)


async def opened(driver: WindowDriver, *, calls: bool = True) -> ComplianceController:
    client = driver.app.client
    for uuid, model, provider, price, action, text in CALLS if calls else ():
        made = Call(uuid, CallKind.LLM_CALL, model, provider, human_action=action, input_text=text)
        outcome = CallOutcome(uuid, 10, 5, price, output_text=f"Answer to {uuid}")
        await client.call(lambda engine, made=made, outcome=outcome: engine.evidence.record("personal", made, outcome))
    await driver.show("compliance")
    page = cast("ComplianceController", driver.window.page("compliance"))
    await driver.until(lambda: page.panel.stack.state == "data" and page.panel.status.table.model().rowCount() == 6)
    return page


def test_a_mind_without_calls_says_so_and_passes_nothing(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver, calls=False)
        model = page.panel.status.table.model()
        assert {model.index(row, 1).data() for row in range(6)} == {"Not assessed"}
        assert page.panel.log.stack.state == "empty"
        assert page.panel.status.headline.full_text() == "No break found, with gaps that are named"
        assert "not signed" in page.panel.status.found.text()

    drive(tmp_path, walk)
    assert open_page.__module__ == "hivemind_desktop.compliance"


def test_the_log_is_filtered_ordered_and_walked_through(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver)
        log = page.panel.log
        page.panel.show_tab(log)
        assert [one.call_uuid for one in log.shown()] == ["three", "two", "one"]
        await driver.until(lambda: "Salaries?" in texts(page))
        log.entry.next.click()
        await driver.until(lambda: "And lemons?" in texts(page))
        assert log.entry.title.full_text() == "2 of 3"
        log.search.setText("north")
        log.search.asked.emit("north")
        assert [one.call_uuid for one in log.shown()] == ["three", "one"]
        log.table.selectRow(0)
        assert not log.entry.previous.isEnabled()
        log.entry.next.click()
        assert log.current() is not None and log.current().call_uuid == "one"
        assert not log.entry.next.isEnabled()
        log.order.choose("cost")
        assert [one.call_uuid for one in log.shown()] == ["one", "three"]
        log.human.choose("modified")
        assert log.stack.state == "empty"
        log._clear()
        log.order.choose("oldest")
        assert [one.call_uuid for one in log.shown()] == ["one", "two", "three"]

    drive(tmp_path, walk)


def test_filtering_opens_one_call_not_those_on_the_way(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver)
        log = page.panel.log
        log.table.selectRow(1)
        asked: list[str] = []
        log.opened.connect(asked.append)
        log.order.choose("oldest")
        assert log.current() is not None and log.current().call_uuid == "two"
        log.human.choose("denied")
        assert asked == ["two", "three"]

    drive(tmp_path, walk)


def test_in_a_small_window_the_entry_takes_the_place_of_the_list(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver)
        log = page.panel.log
        page.panel.show_tab(log)
        driver.window.resize(900, 600)
        await driver.until(lambda: not log.entry.isVisible())
        log.table.setFocus()
        QTest.keyClick(log.table, Qt.Key.Key_Return)
        await driver.until(lambda: log.entry.isVisible() and not log.list.isVisible())
        log.entry.back.click()
        assert log.list.isVisible()

    drive(tmp_path, walk)


def test_results_and_their_detail(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver)
        status = page.panel.status
        assert status.entries.full_text() == "7"
        model = status.table.model()
        assert model.index(0, 0).data() == "Art. 12"
        assert model.index(0, 1).data() == "Pass"
        status.table.selectRow(3)
        assert "With a known cost: 2" in status.evidence.text()
        driver.window.perform("compliance.check")
        await driver.until(lambda: status.again.isEnabled())

    drive(tmp_path, walk)


def test_a_statement_is_kept_and_undone_and_a_draft_stays(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver, calls=False)
        tab = page.panel.statement
        tab.lines["operator"].setText("Alder & Voss")
        tab.risk.choose("high_risk_annex_iii")
        tab.area.choose("4")
        tab.declared["26(7)"].setChecked(True)
        page.refresh()
        await driver.until(lambda: not page.tasks.is_running("load"))
        assert tab.lines["operator"].text() == "Alder & Voss", "a draft outlives a refresh"
        tab.save.click()
        await driver.until(lambda: "Last kept" in tab.when.text())
        said = await driver.app.client.call(lambda engine: engine.reports.statement("personal"))
        assert (said.operator, said.area, said.declared) == ("Alder & Voss", 4, ("26(7)",))
        driver.window.perform("undo")
        await driver.until(lambda: not tab.lines["operator"].text())
        assert not tab.declared["26(7)"].isChecked()

    drive(tmp_path, walk)


def test_pages_are_shown_and_files_saved(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        page = await opened(driver)
        tab = page.panel.report
        page.panel.show_tab(tab)
        tab.pages.click()
        await driver.until(lambda: not tab.pages.isEnabled())
        await driver.until(lambda: tab.where.full_text().startswith("Page 1 of "), patience=150)
        assert not tab.picture.pixmap().isNull()
        tab.next.click()
        assert tab.where.full_text().startswith("Page 2 of ")
        page.save_to(tmp_path / "report.pdf", package=False)
        await driver.until(lambda: not page.tasks.is_running("save"), patience=150)
        assert len(PdfReader(tmp_path / "report.pdf").pages) > 5

    drive(tmp_path, walk)


def texts(page: ComplianceController) -> str:
    layout = page.panel.log.entry._texts
    return " ".join(
        shown.toPlainText()
        for at in range(layout.count())
        if hasattr(shown := layout.itemAt(at).widget(), "toPlainText")
    )


def test_figures_of_people(qtbot: object) -> None:
    tab = OversightTab()
    kinds = (Decisions("approved", 2, 1.0, 1.5, 1),)
    latest = (Decision(3, "2026-11-30T12:00:00.000Z", "write-memory", "approved", "owner", None, "ab"),)
    seen = Oversight(kinds, 2, 1, 1.0, 1.5, 1, 3, 4, 5, (Person("owner", 2, 1.5),), latest, (), 0)
    tab.show_oversight(seen)
    assert [one.text() for one in tab.figures] == ["2", "100.00 %", "1.5 s", "1", "3"]
    assert "3 expired, 4 settled by a policy, 5 stated by other programs" in tab.apart.text()
    assert tab.latest.model().index(0, 3).data() == "–"
    tab.deleteLater()


def test_words_for_results_and_figures() -> None:
    assert {status_cell(one).text for one in Status} == {"Pass", "Attention", "Fail", "Not assessed", "Not applicable"}
    assert (seconds(None), seconds(0.0), cost(None), cost(0.0)) == ("–", "0.0 s", "unknown", "$ 0.0000")
