"""Below a memory: neighbours to open, uses in words with the rest folded, and a reason when there is nothing."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle
from tests.desktop.memories.test_model import frame

from hivemind.domain.frames import AccessRecord, ListedFrame
from hivemind.engine.reading_service import SimilarFrame, SimilarFrames
from hivemind_desktop.memories.beside import Beside
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.timeline import Step

AT = "2026-11-30T12:00:00.000Z"


@pytest.fixture
def beside(qtbot: QtBot) -> Beside:
    made = Beside()
    qtbot.addWidget(made)
    made.show()
    return made


def words(beside: Beside) -> str:
    settle()
    return " | ".join(each.text() for each in beside.findChildren(QLabel) if not each.isHidden())


def test_neighbours_open(beside: Beside) -> None:
    asked: list[int] = []
    beside.asked.connect(asked.append)
    near = SimilarFrame(ListedFrame(frame(id=12, content="Postgres again"), "Plan", "chatgpt"), 0.784)
    beside.show_similar(SimilarFrames((near,)))
    (button,) = beside.findChildren(Button)
    assert "similarity 0.78" in button.accessibleName()
    button.click()
    assert asked == [12]


def test_nothing_near_says_why(beside: Beside) -> None:
    beside.show_similar(SimilarFrames((), "It waits for its turn."))
    assert "It waits for its turn." in words(beside)
    far = SimilarFrame(ListedFrame(frame(id=12, content="Something else"), "Plan", "chatgpt"), 0.19)
    for told in (SimilarFrames(()), SimilarFrames((far,))):
        beside.show_similar(told)
        assert "No other memory" in words(beside)
    assert not beside.findChildren(Button)


def test_uses_in_words(beside: Beside) -> None:
    uses = [
        AccessRecord(AT, "returned", "claude-desktop"),
        AccessRecord(AT, "cited", None),
        *(AccessRecord(AT, "opened", None) for _ in range(6)),
    ]
    beside.show_uses(uses)
    settle()
    steps = [each.accessibleName().split(".")[0] for each in beside.findChildren(Step)]
    assert steps[:3] == ["Recalled by claude-desktop", "Cited in an answer", "Opened by you"]
    assert len(steps) == 5
    (more,) = beside.findChildren(Button)
    assert more.words() == "Show 3 more"
    more.click()
    settle()
    assert len(beside.findChildren(Step)) == 8
    beside.show_uses([])
    assert "Not used" in words(beside)
