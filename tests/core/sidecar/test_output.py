"""What is shown cannot steer a terminal; progress keeps to stderr."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.events import Area, MindChanged, Progress
from hivemind.sidecar import output, plain
from hivemind.sidecar.answers import Answer
from hivemind.sidecar.progress import ProgressLine, line_of


def test_control_and_direction_marks_are_shown_not_obeyed() -> None:
    assert output.visible("a\x1b[2Jb\x9bc\u202ed\rE\ttab\nline") == "a�[2Jb�c�d�E\ttab\nline"


@given(st.text())
def test_visible_text_never_commands(text: str) -> None:
    assert not set(output.visible(text)) & {"\x1b", "\x07", "\r", "\x9b", "\u202e", "\u2066"}


def test_the_answer_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    output.deliver(Answer({"text": "two\nlines, 用户"}, ("never shown",), notes=("nor this",)), as_json=True)
    said = capsys.readouterr()
    assert json.loads(said.out) == {"text": "two\nlines, 用户"}
    assert (said.out.count("\n"), said.err) == (1, "")


def test_a_lone_surrogate_leaves_as_a_json_escape(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.use_utf8()
    output.deliver(Answer({"path": "caf\udce9"}, ()), as_json=True)
    assert json.loads(capfdbinary.readouterr().out.decode("utf-8")) == {"path": "caf\udce9"}


def test_lines_and_notes_for_a_person(capsys: pytest.CaptureFixture[str]) -> None:
    output.deliver(Answer({}, ("one", "two"), notes=("beside",)), as_json=False)
    said = capsys.readouterr()
    assert (said.out, said.err) == ("one\ntwo\n", "beside\n")


def test_a_librarys_chatter_does_not_spoil_json(capsys: pytest.CaptureFixture[str]) -> None:
    with output.nothing_else_speaks(as_json=True) as heard:
        print("chatter")  # noqa: T201 - the very thing
    assert (capsys.readouterr().out, heard.getvalue()) == ("", "chatter\n")


def progress(done: int, total: int, *, finished: bool = False) -> Progress:
    return Progress(1, "import", "personal", "reading", done, total, 2, 30, 90, "A title", finished)


def test_progress_now_and_then_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 1.0, 6.0, 7.0, 12.0])
    line = ProgressLine(clock=lambda: next(times))
    line.hear(progress(1, 10))
    line.hear(MindChanged("personal", frozenset({Area.FRAMES})))
    line.hear(progress(5, 10))
    line.hear(progress(6, 10))
    line.hear(progress(10, 10, finished=True))
    line.end()
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "50 %, 2 conversations, 30 messages\n")


def test_a_terminal_gets_one_line_that_goes_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "progress_is_seen", lambda: True)
    times = iter([0.0, 1.0, 2.0])
    line = ProgressLine(clock=lambda: next(times))
    line.hear(progress(1, 0))
    line.hear(progress(9, 8))
    line.end()
    err = capsys.readouterr().err
    assert err.count("\n") == 0
    assert "100 %, 2 conversations" in err
    assert err.endswith("\r\x1b[K")


def test_progress_without_a_total_names_no_share() -> None:
    assert line_of(progress(5, 0)) == "2 conversations, 30 messages"


def test_long_text_is_cut_at_a_word() -> None:
    assert plain.shortened("one\n two") == "one two"
    cut = plain.shortened("word " * 60)
    assert len(cut) <= 102
    assert cut.endswith("word …")
