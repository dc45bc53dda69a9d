"""Sessions by month: headings, words, paging; and their rows painted."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import shot

from hivemind.domain.sessions import Session, SessionKind, SessionRow, SessionStatus
from hivemind_desktop.sessions.model import ROW, MonthHead, SessionLine, SessionModel, line_of
from hivemind_desktop.sessions.row import SessionRowDelegate


def row(number: int, month: int, **values: object) -> SessionRow:
    session = Session(
        f"s{number}",
        SessionKind.CONVERSATION,
        str(values.get("title", f"Talk {number}")),
        SessionStatus(str(values.get("status", "active"))),
        None,
        "chatgpt",
        f"i{number}",
        None,
        f"2025-{month:02d}-14T12:00:00.000Z",
        None,
        None,
    )
    return SessionRow(session, int(str(values.get("messages", 4))), int(str(values.get("frames", 3))))


def test_months_head_their_sessions(qtbot: QtBot) -> None:
    model = SessionModel()
    model.replace([row(1, 6), row(2, 5), row(3, 5)], more=True)
    lines = [model.index(at).data(ROW) for at in range(model.rowCount())]
    assert [type(line) for line in lines] == [MonthHead, SessionLine, MonthHead, SessionLine, SessionLine]
    assert lines[0].name == "June 2025"
    assert model.flags(model.index(0)) == Qt.ItemFlag.NoItemFlags
    assert model.flags(model.index(1)) & Qt.ItemFlag.ItemIsSelectable
    model.append([row(4, 5), row(5, 4)], more=False)
    assert model.rowCount() == 8, "May has its heading already"
    assert model.count() == 5
    assert model.last_id() == "s5"
    assert model.row_of("s3") == 4
    assert model.row_of("none") is None
    assert model.session_at(0) is None
    assert model.session_at(1) == "s1"
    assert not model.canFetchMore(QModelIndex())


def test_a_page_is_asked_for_once(qtbot: QtBot) -> None:
    model = SessionModel()
    asked: list[int] = []
    model.more_wanted.connect(lambda: asked.append(1))
    model.replace([row(1, 6)], more=True)
    model.fetchMore(QModelIndex())
    model.fetchMore(QModelIndex())
    assert asked == [1]


def test_words() -> None:
    line = line_of(row(1, 6, title="", status="archived", messages=1))
    assert line.title == "Without a title"
    assert line.facts == "ChatGPT · 1 message · archived"
    assert "3 memories" in line.spoken()


def test_rows_paint(qtbot: QtBot) -> None:
    view = QListView()
    qtbot.addWidget(view)
    model = SessionModel()
    model.replace([row(1, 6), row(2, 6, frames=0, title="A long title " * 20)], more=False)
    view.setModel(model)
    view.setItemDelegate(SessionRowDelegate(view))
    view.setCurrentIndex(model.index(1))
    view.resize(300, 200)
    view.show()
    before = shot(view)
    view.setCurrentIndex(model.index(2))
    assert shot(view) != before
    assert view.sizeHintForIndex(model.index(0)).height() < view.sizeHintForIndex(model.index(1)).height()
