"""One memory in full: badges, origin, history, and what its tools ask for."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle
from tests.desktop.memories.test_model import NOW, frame

from hivemind.domain.frames import FrameDetail, Importance, PatchKind, Provenance
from hivemind_desktop.memories.detail import MemoryDetail, MemoryView
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.diff import DiffView
from hivemind_desktop.widgets.marks import Badge
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.timeline import Step


def detail(text: str = "We chose Postgres", **values: Any) -> FrameDetail:
    own = values.pop("frame", frame(content=text))
    history = values.pop("history", (own,))
    plain: dict[str, Any] = {
        "frame": own, "text": text, "retracted": False, "title": text[:80], "session_title": "Postgres plan",
        "source_name": "chatgpt", "message_id": 12, "messages_in_session": 42, "history": history,
    }  # fmt: skip
    return FrameDetail(**{**plain, **values})


@pytest.fixture
def view(qtbot: QtBot) -> MemoryView:
    made = MemoryView()
    qtbot.addWidget(made)
    made.resize(420, 800)
    made.show()
    return made


def names(view: QWidget, kind: type[QWidget]) -> list[str]:
    settle()
    return [each.accessibleName() for each in view.findChildren(kind) if not each.isHidden()]


def test_badges_origin_and_tools(view: MemoryView) -> None:
    asked: list[str] = []
    view.requested.connect(asked.append)
    shown = frame(importance=Importance.CRITICAL, pinned=True, position=17)
    view.show_detail(detail(frame=shown))
    assert names(view, Badge) == ["Critical", "You said this", "Pinned"]
    assert view._facts.full_text().startswith("ChatGPT · message 18 of 42 · 14 May 2025")
    assert view._pin.accessibleName() == "Unpin"
    for tool in (view._edit, view._pin, view._copy, view._message):
        tool.click()
    assert asked == ["memory.edit", "memory.pin", "memory.copy_ai", "memory.message"]


def test_without_a_message_the_conversation_opens(view: MemoryView) -> None:
    view.show_detail(detail(message_id=None))
    assert view._message.words() == "Open conversation"
    view.show_detail(detail(message_id=None, messages_in_session=0))
    assert view._message.isHidden()


def test_taken_back_and_trash_say_the_way_out(view: MemoryView) -> None:
    asked: list[str] = []
    view.requested.connect(asked.append)
    view.show_detail(detail(retracted=True, frame=frame(trashed_at=NOW)))
    settle()
    banners = [each for each in view.findChildren(Banner) if not each.isHidden()]
    assert len(banners) == 2
    assert not view._edit.isEnabled()
    for banner in banners:
        banner.findChildren(Button)[0].click()
    assert asked == ["memory.retract", "memory.restore"]


def test_history_shows_what_changed(view: MemoryView) -> None:
    first = frame(content="It stays 90 days", source=Provenance.IMPORT)
    amended = frame(id=8, content="It stays 30 days", patch_kind=PatchKind.AMEND, patch_target_id=7)
    back = frame(id=9, content="no longer true", patch_kind=PatchKind.RETRACT, patch_target_id=7)
    view.show_detail(detail("It stays 30 days", frame=amended, history=(first, amended, back)))
    steps = names(view, Step)
    assert [step.split(".")[0] for step in steps] == ["First said", "Corrected", "Taken back, or brought back"]
    assert "no longer true" in steps[2]
    (diff,) = view.findChildren(DiffView)
    assert "removed: It stays 90 days" in diff.accessibleName()


def test_a_long_text_has_its_title_above(view: MemoryView) -> None:
    view.show_detail(detail("Short"))
    assert view._title.isHidden()
    view.show_detail(detail("word " * 100))
    assert not view._title.isHidden()


def test_imported_text_is_never_html(view: MemoryView) -> None:
    hostile = "<img src='http://example.org/x.png'><b>bold</b>"
    view.show_detail(detail(hostile, session_title="<b>x</b>"))
    assert view.text.text() == hostile
    assert "<b>" in view._place.full_text()


def test_the_pane_shows_one_thing(qtbot: QtBot) -> None:
    pane = MemoryDetail()
    qtbot.addWidget(pane)
    assert not pane.is_editing
    pane.edit("New memory", "")
    assert pane.is_editing
    pane.show_view()
    assert not pane.is_editing
    pane.show_nothing()
    assert not pane.is_editing


def test_what_was_shown_beside_the_words_stands_there_when_there_is_any(view: MemoryView) -> None:
    view.show_detail(detail(frame=frame(captions="lemon-tree-leaves.jpg")))
    assert view._captions.text() == "Attached: lemon-tree-leaves.jpg"
    assert not view._captions.isHidden()
    view.show_detail(detail(frame=frame(captions=None)))
    assert view._captions.isHidden()
