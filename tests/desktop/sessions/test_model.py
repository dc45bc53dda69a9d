"""Sessions by month: headings, density, words, rows read when seen; and their rows painted.

Covers: model, months, row, session_list.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind.domain.sessions import DayCount, Session, SessionKind, SessionRow, SessionStatus, Timeline
from hivemind_desktop.sessions.model import PAGE, ROW, SessionLine, SessionModel, line_of
from hivemind_desktop.sessions.months import FEWEST, MOST, MonthHead, density_of, first_of, months_of
from hivemind_desktop.sessions.session_list import SessionList


def row(number: int, **values: Any) -> SessionRow:
    session = Session(
        f"s{number}",
        SessionKind(str(values.get("kind", "conversation"))),
        str(values.get("title", f"Talk {number}")),
        SessionStatus(str(values.get("status", "active"))),
        None,
        "chatgpt",
        f"i{number}",
        None,
        "2025-05-14T12:00:00.000Z",
        None,
        None,
    )
    return SessionRow(session, int(str(values.get("messages", 4))), int(str(values.get("frames", 3))))


DAYS = (DayCount("2025-06-20", 1), DayCount("2025-05-15", 1), DayCount("2025-05-14", 1))
TIMELINE = Timeline((30, 20, 10), DAYS)


def answered(model: SessionModel) -> SessionModel:
    """A model whose wishes are granted at once."""
    model.page_wanted.connect(lambda ids: model.put({each: row(each) for each in ids}))
    return model


def test_months_head_their_sessions(qtbot: QtBot) -> None:
    model = answered(SessionModel())
    model.show_timeline(TIMELINE)
    for at in range(model.rowCount()):
        model.index(at).data(ROW)
    lines = [model.index(at).data(ROW) for at in range(model.rowCount())]
    assert [type(line) for line in lines] == [MonthHead, SessionLine, MonthHead, SessionLine, SessionLine]
    assert (lines[0].name, lines[0].count, lines[0].share) == ("June 2025", 1, 0.5)
    assert lines[2].spoken() == "May 2025, 2 sessions"
    assert model.flags(model.index(0)) == Qt.ItemFlag.NoItemFlags
    assert model.flags(model.index(1)) & Qt.ItemFlag.ItemIsSelectable
    assert [model.session_at(at) for at in range(5)] == [None, "s30", None, "s20", "s10"]
    assert [model.row_of(each) for each in (30, 20, 10, 99, None)] == [1, 3, 4, None, None]
    assert model.count() == 3
    assert [model.month_at(at).key for at in (0, 1, 4)] == ["2025-06", "2025-06", "2025-05"]  # type: ignore[union-attr]
    assert model.month_at(5) is None


def test_fifty_thousand_sessions_are_read_a_page_at_a_time(qtbot: QtBot) -> None:
    model = SessionModel()
    asked: list[tuple[int, ...]] = []
    model.page_wanted.connect(asked.append)
    days = tuple(DayCount(f"{2024 - n // 12}-{12 - n % 12:02d}-01", 1000) for n in range(50))
    model.show_timeline(Timeline(tuple(range(50_000)), days))
    assert asked == []
    assert model.rowCount() == 50_050
    middle = model.row_of(25_000)
    assert middle == 25_026
    assert model.index(middle).data(ROW).spoken() == "being read"
    model.index(middle).data(ROW)
    assert asked == [tuple(range(24_960, 24_960 + PAGE))]
    model.put({25_000: row(25_000)})
    assert model.index(middle).data(ROW).title == "Talk 25000"


def test_a_list_shown_again_keeps_its_lines_and_reads_them_anew(qtbot: QtBot) -> None:
    model = SessionModel()
    model.show_timeline(TIMELINE)
    model.put({30: row(30), 20: row(20)})
    asked: list[tuple[int, ...]] = []
    model.page_wanted.connect(asked.append)
    model.show_timeline(TIMELINE)
    assert model.session_at(1) == "s30"
    assert asked == [(30, 20, 10)]
    model.show_timeline(Timeline((30,), DAYS[:1]))
    assert model.session_at(1) == "s30"
    model.show_timeline(Timeline((), ()))
    assert model.rowCount() == 0


def test_words() -> None:
    line = line_of(row(1, title="", status="archived", messages=1, kind="document"))
    assert line.title == "Without a title"
    assert line.facts == "ChatGPT · 1 message · archived"
    assert line.icon == "file-text"
    assert line.day == "14"
    assert "3 memories" in line.spoken()


def test_density_over_a_year_and_over_decades() -> None:
    heads = months_of(DAYS)
    year = density_of(heads)
    assert len(year.bars) == FEWEST
    assert [bar.value for bar in year.bars[-2:]] == [2, 1]
    assert year.bars[-1].words == "June 2025: 1 session"
    assert (year.bars[0].tick, year.bars[-1].tick) == ("Jul 24", "Jun 25")
    assert year.bar_of("2025-05") == FEWEST - 2
    assert year.bar_of("2020-01") == -1
    assert first_of(heads, year.months_of(FEWEST - 2)) == 1
    assert first_of(heads, year.months_of(0)) == 1, "an empty bar leads to the next older session, else the oldest"
    long = density_of(months_of([DayCount("2025-06-01", 3), DayCount("1999-01-01", 4)]))
    assert len(long.bars) <= MOST
    assert sum(bar.value for bar in long.bars) == 7
    assert " to " in long.bars[0].words
    assert density_of([]).bars == ()


def test_a_bar_leads_to_its_month(qtbot: QtBot) -> None:
    shown = SessionList()
    qtbot.addWidget(shown)
    answered(shown.model)
    days = tuple(DayCount(f"2025-{month:02d}-10", 40) for month in range(12, 0, -1))
    shown.show_timeline(Timeline(tuple(range(480)), days))
    shown.resize(300, 500)
    shown.show()
    shot(shown)
    picked: list[str] = []
    shown.picked.connect(picked.append)
    shown.show_bar(5)
    shot(shown)
    assert shown.view.indexAt(shown.view.viewport().rect().topLeft()).data(ROW).name == "June 2025"
    assert shown.bars._chosen == 5
    shown.choose(7)
    assert picked == []
    assert shown.view.currentIndex().row() == 8
    shown.view.setCurrentIndex(shown.model.index(2))
    assert picked == ["s1"]


def test_keys_step_over_the_headings(qtbot: QtBot) -> None:
    shown = SessionList()
    qtbot.addWidget(shown)
    answered(shown.model)
    shown.show_timeline(TIMELINE)
    shown.resize(300, 400)
    shown.show()
    shot(shown)
    picked: list[str] = []
    shown.picked.connect(picked.append)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
        qtbot.keyClick(shown.view, key)
    assert picked == ["s30", "s20", "s10", "s20", "s30"]
    qtbot.keyClick(shown.view, Qt.Key.Key_Up)
    qtbot.keyClick(shown.view, Qt.Key.Key_End)
    assert picked[-1] == "s10"


def test_rows_paint(qtbot: QtBot) -> None:
    shown = SessionList()
    qtbot.addWidget(shown)
    shown.show_timeline(Timeline((1, 2), (DayCount("2025-05-14", 2),)))
    shown.resize(300, 400)
    shown.show()
    unread = shot(shown)
    shown.model.put({1: row(1), 2: row(2, frames=0, title="A long title " * 20)})
    read = shot(shown)
    assert read != unread
    shown.choose(2)
    assert shot(shown) != read
