"""Known keys never reach a log: not in words, not in arguments, not in tracebacks."""

from __future__ import annotations

import io
import logging

import pytest

from hivemind.credentials import Redaction

KEY = "sk-canary-1234567890"


def logged(redaction: Redaction, message: str, *args: object, fault: BaseException | None = None) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(redaction)
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, message, args, None)
    if fault is not None:
        record.exc_info = (type(fault), fault, fault.__traceback__)
    handler.handle(record)
    return stream.getvalue()


def test_keys_are_blotted_out() -> None:
    redaction = Redaction()
    redaction.learn(KEY)
    assert logged(redaction, f"sent {KEY}") == "sent [key]\n"
    assert logged(redaction, "sent %s to %d", {"key": KEY}, 7) == "sent {'key': '[key]'} to 7\n"
    try:
        raise ValueError(f"bad {KEY}")
    except ValueError as fault:
        text = logged(redaction, "oops", fault=fault)
    assert KEY not in text
    assert "ValueError: bad [key]" in text


def test_the_rest_stays_and_short_words_are_no_keys() -> None:
    redaction = Redaction()
    redaction.learn("short")
    assert logged(redaction, "a short text, 100%") == "a short text, 100%\n"


def test_a_key_inside_another_goes_whole() -> None:
    redaction = Redaction()
    redaction.learn(KEY)
    redaction.learn(KEY + "-longer")
    assert redaction.cleaned(f"{KEY}-longer") == "[key]"


def test_what_prints_without_any_set_up_is_watched(capsys: pytest.CaptureFixture[str]) -> None:
    redaction = Redaction()
    redaction.learn(KEY)
    last = logging.lastResort
    assert last is not None
    redaction.watch_logs()
    try:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "sent %s", (KEY,), None)
        last.handle(record)
    finally:
        last.removeFilter(redaction)
        for handler in logging.getLogger().handlers:
            handler.removeFilter(redaction)
    assert "sent [key]" in capsys.readouterr().err
