"""An entry before it is written, checked field by field: numbers are real, names short, free text only in `texts`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from hivemind.domain.calls import EntryState
from hivemind.errors import InvalidValue
from hivemind.gateway.canonical import SAFE_INTEGER

NAME_LIMIT = 200
#: What the chain's detail may say in words: an id, a kind, a hash, a time. Sentences and paths do not fit.
_TOKEN = re.compile(r"[A-Za-z0-9._:@+=-]{0,200}")
_FIELD = re.compile(r"[a-z][a-z_]{0,31}")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
#: Keys of the detail that the chain itself fills.
RESERVED = frozenset({"state", "call_uuid", "channel", "unknown"})
FIGURES = ("input_tokens", "output_tokens", "cost_usd")
#: Model and provider of what calls no model.
NO_MODEL = "-"

Fact = None | bool | int | str | tuple["Fact", ...] | list["Fact"] | Mapping[str, "Fact"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry to append. `texts` (field -> text) go to the erase-only payload table alone.

    Tokens and cost None = unknown. `detail` holds identifiers, numbers and truth values, never words of a person.
    """

    kind: str
    state: EntryState = EntryState.EVENT
    call_uuid: str | None = None
    model: str = NO_MODEL
    provider: str = NO_MODEL
    actor: str = "owner"
    channel: str = "app"
    workspace_id: str | None = None
    session_id: str | None = None
    persona: str | None = None
    tools: tuple[str, ...] = ()
    human_action: str | None = None
    risk_context: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    detail: Mapping[str, Fact] = field(default_factory=dict)

    @property
    def unknown(self) -> tuple[str, ...]:
        """The figures nobody knows. What calls no model has no figures to be unknown: they are 0."""
        if self.model == NO_MODEL and self.provider == NO_MODEL:
            return ()
        return tuple(name for name in FIGURES if getattr(self, name) is None)


def check_entry(entry: Entry) -> None:
    """Raises InvalidValue when a field cannot be written as it is; nothing is repaired silently."""
    for name in ("kind", "actor", "channel"):
        check_token(name, getattr(entry, name))
    if entry.call_uuid is not None:
        check_token("call_uuid", entry.call_uuid)
    if (entry.call_uuid is None) != (entry.state is EntryState.EVENT):
        raise InvalidValue("A call needs an id, and an event has none")
    for name in ("model", "provider", "workspace_id", "session_id", "persona", "risk_context"):
        _check_name(name, getattr(entry, name))
    for tool in entry.tools:
        _check_name("tools", tool)
    for name in FIGURES:
        _check_figure(name, getattr(entry, name))
    for name, text in entry.texts.items():
        _check_text(name, text)
    if RESERVED & set(entry.detail):
        raise InvalidValue("This fact's name is taken by the log itself", details=str(RESERVED & set(entry.detail)))
    _check_fact(entry.detail)


def check_token(name: str, value: str) -> None:
    """Raises InvalidValue unless the value is an identifier: ASCII letters, digits and `._:@+=-`, at most 200."""
    if not value or not _TOKEN.fullmatch(value):
        raise InvalidValue(
            f"{name} must be a short identifier", "Nothing was recorded. Use letters, digits and ._:@+=-."
        )


def _check_name(name: str, value: str | None) -> None:
    if value is None:
        return
    if not value or len(value) > NAME_LIMIT or _UNPRINTABLE.search(value):
        raise InvalidValue(f"{name} must be a printable name of at most {NAME_LIMIT} characters")


def _check_figure(name: str, value: float | None) -> None:
    if value is None:
        return
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole and not (name == "cost_usd" and isinstance(value, float) and math.isfinite(value)):
        raise InvalidValue(f"{name} must be a number")
    if not 0 <= value <= SAFE_INTEGER:
        raise InvalidValue(f"{name} must not be negative or beyond what can be counted")


def _check_text(name: str, text: str) -> None:
    if not _FIELD.fullmatch(name):
        raise InvalidValue("A text needs a plain field name", details=name[:NAME_LIMIT])
    if _SURROGATE.search(text):
        raise InvalidValue(
            f"{name} holds half a character", "Nothing was recorded. Repair the text before recording it."
        )


def _check_fact(fact: Fact) -> None:
    if isinstance(fact, Mapping):
        for key, value in fact.items():
            check_token("detail", key)
            _check_fact(value)
    elif isinstance(fact, tuple | list):
        for value in fact:
            _check_fact(value)
    elif isinstance(fact, str):
        if not _TOKEN.fullmatch(fact):
            raise InvalidValue("A fact in the log must be an identifier, a number or true or false")
    elif fact is not None and not isinstance(fact, int):
        raise InvalidValue("A fact in the log must be an identifier, a number or true or false")
    elif isinstance(fact, int) and abs(fact) > SAFE_INTEGER:
        raise InvalidValue("A number in the log is beyond what can be counted")
