"""What is told, in which order, and how often; drawn by a surface that only remembers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from hivemind.errors import Cancelled, InternalFault, MindBusy, MindCorrupt
from hivemind_desktop.notices import ErrorNotice, Notices, Option, Question, Toast, cancel_words, fault_details

QUESTION = Question("Erase it?", "Gone is gone.", (Option("yes", "Erase", danger=True),), "Keep it")


@dataclass
class Recorder:
    """A surface that remembers; tests answer for the person."""

    toasts: list[Toast] = field(default_factory=list)
    errors: list[tuple[ErrorNotice, Callable[[], None]]] = field(default_factory=list)
    questions: list[tuple[Question, Callable[[str], None]]] = field(default_factory=list)

    def show_toast(self, toast: Toast) -> None:
        self.toasts.append(toast)

    def show_error(self, error: ErrorNotice, closed: Callable[[], None]) -> None:
        self.errors.append((error, closed))

    def show_question(self, question: Question, answered: Callable[[str], None]) -> None:
        self.questions.append((question, answered))


@pytest.fixture
def surface() -> Recorder:
    return Recorder()


@pytest.fixture
def notices(surface: Recorder) -> Notices:
    return Notices(surface)


def test_toast_is_shown_at_once_also_over_an_error(notices: Notices, surface: Recorder) -> None:
    notices.error("a", "b")
    notices.toast("Saved", "Undo", print)
    assert surface.toasts == [Toast("Saved", "Undo", print)]


def test_one_dialog_at_a_time_in_order(notices: Notices, surface: Recorder) -> None:
    answers: list[str] = []
    notices.error("first", "hint")
    notices.ask(QUESTION, answers.append)
    notices.error("second", "hint")
    assert [error.title for error, _ in surface.errors] == ["first"] and surface.questions == []
    surface.errors[0][1]()
    assert len(surface.questions) == 1 and len(surface.errors) == 1
    surface.questions[0][1]("yes")
    assert answers == ["yes"]
    assert [error.title for error, _ in surface.errors] == ["first", "second"]


def test_the_same_error_is_not_piled_up(notices: Notices, surface: Recorder) -> None:
    for _ in range(20):
        notices.error("Disk full", "Free some space.")
        notices.error("Busy", "Wait.")
    surface.errors[0][1]()
    surface.errors[1][1]()
    assert [error.title for error, _ in surface.errors] == ["Disk full", "Busy"]
    notices.error("Disk full", "Free some space.")
    assert len(surface.errors) == 3, "later it is news again"


def test_a_surface_that_answers_twice_counts_once(notices: Notices, surface: Recorder) -> None:
    answers: list[str] = []
    notices.ask(QUESTION, answers.append)
    notices.error("next", "hint")
    surface.questions[0][1]("yes")
    surface.questions[0][1]("yes")
    assert answers == ["yes"] and len(surface.errors) == 1


def test_an_answer_may_ask_again(notices: Notices, surface: Recorder) -> None:
    notices.ask(QUESTION, lambda _key: notices.error("Not erased", "Try again."))
    surface.questions[0][1]("yes")
    assert [error.title for error, _ in surface.errors] == ["Not erased"]


def test_known_errors_speak_for_themselves(notices: Notices, surface: Recorder) -> None:
    notices.failure(MindCorrupt(details="page 812"))
    assert surface.errors[0][0] == ErrorNotice(MindCorrupt.title, MindCorrupt.hint, "page 812")


def test_a_bug_is_told_without_its_message(notices: Notices, surface: Recorder) -> None:
    try:
        raise ValueError("the secret sentence somebody remembered")
    except ValueError as error:
        notices.failure(error)
    shown = surface.errors[0][0]
    assert (shown.title, shown.hint) == (InternalFault.title, InternalFault.hint)
    assert "secret" not in shown.details
    assert shown.details.startswith("ValueError\ntest_notices.py:")
    assert fault_details(KeyError("x")) == "KeyError"


@pytest.mark.parametrize("error", [Cancelled(), asyncio.CancelledError()])
def test_stopping_is_no_error(notices: Notices, surface: Recorder, error: BaseException) -> None:
    notices.failure(error)
    assert surface.errors == []


@pytest.mark.parametrize(("key", "confirmed"), [("yes", True), ("", False)])
def test_confirm_waits_without_blocking_the_loop(
    notices: Notices, surface: Recorder, key: str, confirmed: bool
) -> None:
    async def errand() -> bool:
        asking = asyncio.ensure_future(notices.confirm("Erase it?", "Gone is gone.", "Erase", danger=True))
        await asyncio.sleep(0)
        assert not asking.done() and surface.questions[0][0].is_dangerous
        surface.questions[0][1](key)
        return await asking

    assert asyncio.run(errand()) is confirmed


def test_a_cancelled_coroutine_leaves_the_dialog_harmless(notices: Notices, surface: Recorder) -> None:
    async def errand() -> None:
        asking = asyncio.ensure_future(notices.choose(QUESTION))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        surface.questions[0][1]("yes")

    asyncio.run(errand())
    notices.failure(MindBusy())
    assert len(surface.errors) == 1, "the next notice is not stuck"


def test_closing_answers_what_waits_and_shows_nothing_more(notices: Notices, surface: Recorder) -> None:
    answers: list[str] = []
    notices.error("open", "hint")
    notices.ask(QUESTION, answers.append)
    notices.close()
    assert answers == [""]
    notices.ask(QUESTION, answers.append)
    notices.toast("late")
    notices.error("late", "hint")
    assert answers == ["", ""] and surface.toasts == [] and len(surface.errors) == 1


def test_a_question_needs_an_option() -> None:
    with pytest.raises(ValueError, match="at least one option"):
        Question("a", "b", ())
    assert cancel_words(QUESTION) == "Keep it"
    assert cancel_words(Question("a", "b", (Option("x", "X"),))) == "Cancel"
