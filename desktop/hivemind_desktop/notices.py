"""The only place that tells people something: toasts, errors, questions. Nothing here blocks the event loop.

`Notices` decides what is shown and in which order; a surface draws it (`widgets.notice_layer` in the window, a
recording one in tests).
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from hivemind.errors import Cancelled, HiveMindError, InternalFault

#: Innermost calls named in the details of a fault of ours.
FRAMES = 6


@dataclass(frozen=True, slots=True)
class Toast:
    """One line that goes by itself, and the way back."""

    text: str
    action_text: str = ""
    action: Callable[[], object] | None = None
    icon: str = "circle-check"
    ink: str = "ok"


@dataclass(frozen=True, slots=True)
class ErrorNotice:
    """title: what happened. hint: what is safe and what to do. details: to copy into a report."""

    title: str
    hint: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer. A dangerous one is never the default."""

    key: str
    text: str
    danger: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A decision. Closing it any other way than by an option is the answer '', and nothing happens."""

    title: str
    text: str
    options: tuple[Option, ...]
    cancel_text: str = ""

    def __post_init__(self) -> None:
        if not self.options:
            raise ValueError("a question needs at least one option")

    @property
    def is_dangerous(self) -> bool:
        return any(option.danger for option in self.options)


class NoticeSurface(Protocol):
    """What draws notices. Every method returns at once and calls back later, exactly once."""

    def show_toast(self, toast: Toast) -> None: ...
    def show_error(self, error: ErrorNotice, closed: Callable[[], None]) -> None: ...
    def show_question(self, question: Question, answered: Callable[[str], None]) -> None: ...


class Notices:
    """Toasts at once, errors and questions one after the other."""

    def __init__(self, surface: NoticeSurface, on_fault: Callable[[BaseException], object] | None = None) -> None:
        """on_fault: told of every mistake of ours that is shown, to write it down."""
        self._surface = surface
        self._on_fault = on_fault
        self._waiting: deque[tuple[ErrorNotice | Question, Callable[[str], None]]] = deque()
        self._shown: ErrorNotice | Question | None = None
        self._closing = False

    def toast(
        self,
        text: str,
        action_text: str = "",
        action: Callable[[], object] | None = None,
        *,
        icon: str = "circle-check",
        ink: str = "ok",
    ) -> None:
        """Say that something is done; `action` is the way back, such as Undo. Errors are never toasts."""
        if not self._closing:
            self._surface.show_toast(Toast(text, action_text, action, icon, ink))

    def error(self, title: str, hint: str, details: str = "") -> None:
        """Show an error. The same error is not shown again while it is open or waiting."""
        notice = ErrorNotice(title, hint, details)
        if notice != self._shown and all(notice != each for each, _ in self._waiting):
            self._enqueue(notice, lambda _key: None)

    def failure(self, error: BaseException) -> None:
        """Show an exception in plain words. That somebody asked to stop is no error."""
        if isinstance(error, (Cancelled, asyncio.CancelledError)):
            return
        if isinstance(error, HiveMindError):
            self.error(error.title, error.hint, error.details)
        else:
            if self._on_fault is not None:
                self._on_fault(error)
            self.error(InternalFault.title, InternalFault.hint, fault_details(error))

    def ask(self, question: Question, on_answer: Callable[[str], None]) -> None:
        """Ask; `on_answer` gets the option's key, or '' when it was closed without a choice."""
        self._enqueue(question, on_answer)

    async def choose(self, question: Question) -> str:
        """The same for a coroutine: the option's key, or ''."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def settle(key: str) -> None:
            if not answer.done():  # the coroutine may have been cancelled meanwhile
                answer.set_result(key)

        self.ask(question, settle)
        return await answer

    async def confirm(self, title: str, text: str, confirm_text: str, danger: bool = False) -> bool:
        """Whether the person pressed `confirm_text`. With danger the focus is on the safe button."""
        return await self.choose(Question(title, text, (Option("yes", confirm_text, danger),))) == "yes"

    def close(self) -> None:
        """The window goes: whatever waits is answered with '', nothing new is shown."""
        self._closing = True
        while self._waiting:
            _, on_answer = self._waiting.popleft()
            on_answer("")

    def _enqueue(self, notice: ErrorNotice | Question, on_answer: Callable[[str], None]) -> None:
        if self._closing:
            on_answer("")
            return
        self._waiting.append((notice, on_answer))
        if self._shown is None:
            self._next()

    def _next(self) -> None:
        if not self._waiting:
            return
        notice, on_answer = self._waiting.popleft()
        self._shown = notice

        def done(key: str = "") -> None:
            if self._shown is notice:
                self._shown = None
                on_answer(key)
                if self._shown is None:
                    self._next()

        if isinstance(notice, ErrorNotice):
            self._surface.show_error(notice, done)
        else:
            self._surface.show_question(notice, done)


def fault_details(error: BaseException) -> str:
    """Type and place of a fault of ours. Its message is left out: it may quote remembered text."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    lines = [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join([type(error).__name__, *lines])


def cancel_words(question: Question) -> str:
    """The text of the button that changes nothing."""
    return question.cancel_text or QCoreApplication.translate("Notices", "Cancel")
