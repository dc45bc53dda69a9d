"""The only module that speaks: the answer on stdout, everything else on stderr, UTF-8 on every platform."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from collections.abc import Iterator
from typing import TextIO

from hivemind.sidecar.answers import Answer

# What a terminal would obey, and what turns the direction of a line: imported text must do neither.
_COMMANDING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def use_utf8() -> None:
    """Whatever the platform's own encoding is. A lone surrogate (an odd file name) becomes a JSON escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def deliver(answer: Answer, as_json: bool) -> None:
    """The answer itself. A reader that has gone away is no fault."""
    if as_json:
        _write(sys.stdout, json.dumps(answer.document, ensure_ascii=False) + "\n")
        return
    if answer.lines:
        _write(sys.stdout, "\n".join(map(visible, answer.lines)) + "\n")
    for line in answer.notes:
        note(line)


def note(line: str) -> None:
    """A line for a person, beside the answer."""
    _write(sys.stderr, visible(line) + "\n")


def progress(line: str) -> None:
    """Replace the progress line of a terminal; '' takes it away."""
    _write(sys.stderr, f"\r\x1b[K{visible(line)}")


def at_terminal() -> bool:
    """Whether a person can read stderr and answer on stdin."""
    return sys.stdin is not None and sys.stdin.isatty() and progress_is_seen()


def progress_is_seen() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def asked(question: str) -> str:
    """What the person types in answer; '' at the end of the input."""
    _write(sys.stderr, visible(question) + " ")
    return sys.stdin.readline().strip()


def visible(text: str) -> str:
    """Text that cannot steer the terminal it is shown on."""
    return _COMMANDING.sub("\N{REPLACEMENT CHARACTER}", text)


@contextlib.contextmanager
def nothing_else_speaks(as_json: bool) -> Iterator[io.StringIO]:
    """With JSON, catch what anybody else says on stdout: help texts, or a library's chatter."""
    heard = io.StringIO()
    if not as_json:
        yield heard
        return
    with contextlib.redirect_stdout(heard):
        yield heard


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end; that must not fail either.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
