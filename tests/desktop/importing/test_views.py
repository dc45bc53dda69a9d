"""The parts of the page: running card, phases, report, undone, earlier imports."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle
from tests.desktop.importing.test_model import progress, report

from hivemind.domain.harvest import ImportedItem, ItemPage, KeptFrame, RunState, UndoReport
from hivemind_desktop.importing.lines import ReportLine
from hivemind_desktop.importing.model import report_lines
from hivemind_desktop.importing.phases import PHASES, PhaseList, phase_name
from hivemind_desktop.importing.report import EarlierImports, ReportView, UndoneView, sum_strip
from hivemind_desktop.importing.running import RunningImport
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.shell import Banner


def button(view: object, words: str) -> Button:
    (found,) = [each for each in view.findChildren(Button) if each.words() == words]  # type: ignore[attr-defined]
    return found


def item(number: int, **values: Any) -> ImportedItem:
    plain: dict[str, Any] = {
        "run_id": 12, "source": "chatgpt", "ordinal": number, "item_id": f"c{number}", "title": f"Talk {number}",
        "session_id": None, "state": "skipped", "reason": "empty", "messages": 0,
    }  # fmt: skip
    return ImportedItem(**{**plain, **values})


def test_a_running_import_shows_where_it_is(qtbot: QtBot) -> None:
    card = RunningImport("ChatGPT export", "chatgpt.zip · into Personal")
    qtbot.addWidget(card)
    card.show()
    card.show_progress(progress(6053, 10_000, 2913))
    assert card._percent.text() == "60.53 %"
    assert card._bar.share() == 0.6053
    assert card._items.text() == number(2913)
    assert card._now.full_text() == "A talk"
    card.show_progress(progress(10, 0))
    assert card._percent.isHidden()
    assert card._bar.share() is None


def test_pause_becomes_resume(qtbot: QtBot) -> None:
    card = RunningImport("ChatGPT export", "chatgpt.zip")
    qtbot.addWidget(card)
    wanted: list[str] = []
    card.wanted.connect(wanted.append)
    button(card, "Pause").click()
    card.show_paused(True)
    assert card.is_paused
    assert card._left.text() == "paused"
    button(card, "Resume").click()
    button(card, "Cancel…").click()
    button(card, "Run in background").click()
    assert wanted == ["pause", "resume", "cancel", "background"]
    card.show_paused(False)
    card.show_stopping()
    assert card._left.text() == "stopping"
    assert not button(card, "Pause").isEnabled()


def test_phases(qtbot: QtBot) -> None:
    phases = PhaseList()
    qtbot.addWidget(phases)
    phases.show_progress(progress(0, 0))
    assert phases._rows["look"]._icon._name == "loader-circle"
    assert phases._rows["read"]._icon._name == "circle-dashed"
    phases.show_progress(progress(500, 1000, 7))
    assert phases._rows["look"]._icon._name == "circle-check"
    assert phases._rows["read"]._share.text() == "50.00 %"
    assert phases._rows["index"]._facts.full_text() == "search works for 7 conversations"
    assert len({phase_name(phase) for phase in PHASES}) == len(PHASES)


def test_the_report_adds_up_and_offers_the_way_back(qtbot: QtBot) -> None:
    view = ReportView()
    qtbot.addWidget(view)
    asked: list[str] = []
    view.undo_asked.connect(lambda: asked.append("undo"))
    view.search_asked.connect(lambda: asked.append("search"))
    view.show_report(report(error="The disk is full. Free some space."), "personal")
    settle()
    assert any("disk is full" in each.accessibleName() for each in view.findChildren(Banner))
    button(view, "Undo import…").click()
    button(view, "Search").click()
    assert asked == ["undo", "search"]


def test_an_undone_import_cannot_be_undone_again(qtbot: QtBot) -> None:
    view = ReportView()
    qtbot.addWidget(view)
    view.show_report(report(state=RunState.UNDONE), "personal")
    assert not [each for each in view.findChildren(Button) if "Undo" in each.words()]


def test_a_sum_that_does_not_add_up_is_said(qtbot: QtBot) -> None:
    strip = sum_strip(report(found=11))
    qtbot.addWidget(strip)
    assert "Does not add up" in [each.text() for each in strip.findChildren(QLabel)]


def test_items_behind_a_line_unfold_a_page_at_a_time(qtbot: QtBot) -> None:
    line = next(each for each in report_lines(report()) if each.opens == ("skipped", "empty"))
    shown = ReportLine(line)
    qtbot.addWidget(shown)
    shown.show()
    asked: list[int] = []
    opened: list[str] = []
    shown.items_asked.connect(asked.append)
    shown.session_asked.connect(opened.append)
    button(shown, "Show").click()
    shown.show_items(ItemPage(tuple(item(number) for number in range(2)), 0, 3))
    button(shown, "Show more, 1 left").click()
    assert asked == [0, 2]
    shown.show_items(ItemPage((item(2, session_id="s"),), 2, 3))
    assert shown.items() == ["Talk 0: empty", "Talk 1: empty", "Talk 2: empty"]
    button(shown, "Open").click()
    assert opened == ["s"]
    button(shown, "Hide").click()
    assert shown._items.isHidden()


def test_what_is_to_be_decided_leads_to_its_list(qtbot: QtBot) -> None:
    view = ReportView()
    qtbot.addWidget(view)
    asked: list[str] = []
    view.review_asked.connect(asked.append)
    view.show_report(report(quarantined=2), "personal")
    button(view, "Review").click()
    assert asked == ["quarantined"]


def test_what_an_undo_left_is_listed_and_can_be_opened(qtbot: QtBot) -> None:
    view = UndoneView(UndoReport(12, 40, 1, (KeptFrame(7, "you edited it"),)))
    qtbot.addWidget(view)
    opened: list[int] = []
    view.memory_asked.connect(opened.append)
    button(view, "Open").click()
    assert opened == [7]
    nothing = UndoneView(UndoReport(12, 40, 1, ()))
    qtbot.addWidget(nothing)
    assert not nothing.findChildren(Button)


def test_earlier_imports_open_their_report(qtbot: QtBot) -> None:
    view = EarlierImports()
    qtbot.addWidget(view)
    asked: list[int] = []
    view.report_asked.connect(asked.append)
    view.show_runs([report(), report(run_id=11, state=RunState.CANCELLED)])
    for each in view.findChildren(Button):
        each.click()
    assert sorted(asked) == [11, 12]
    view.show_runs([])
    assert view.isHidden()
