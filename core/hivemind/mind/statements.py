"""What the operator states about a mind's use. Stored as one JSON value in `meta`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from hivemind.domain.checks import DECLARABLE, LEAST_MONTHS, RiskClass, Statement
from hivemind.errors import InvalidValue
from hivemind.mind.meta import MetaStore
from hivemind.storage import Connection

KEY = "operator_statement"
#: Longest name, purpose or reference, characters.
LONGEST = 500
_MOST_MONTHS = 1200
_AREAS = range(1, 9)


class StatementStore:
    """Owns one key of `meta`."""

    def __init__(self, connection: Connection) -> None:
        self._meta = MetaStore(connection)

    def read(self) -> Statement:
        """The stored one, or one in which nothing is stated."""
        stored = self._meta.find(KEY)
        return Statement() if stored is None else from_plain(json.loads(stored))

    def replace(self, statement: Statement) -> None:
        """Keep this instead. One in which nothing is stated leaves no trace."""
        if statement == Statement():
            self._meta.remove(KEY)
        else:
            self._meta.set(KEY, json.dumps(asdict(statement), ensure_ascii=False, sort_keys=True))

    def words(self) -> str:
        """Everything in it that a person wrote, as one text."""
        said = self.read()
        return "\0".join((said.operator, said.set_by, said.purpose, said.instructions))

    def blank(self) -> bool:
        """Take out every word; the choices stay. Returns whether there were any."""
        if not self.words().strip("\0"):
            return False
        self.replace(replace(self.read(), operator="", set_by="", purpose="", instructions=""))
        return True


def from_plain(values: Mapping[str, Any]) -> Statement:
    """A statement from JSON data."""
    known = {key: values[key] for key in Statement.__slots__ if key in values}
    known["risk"] = RiskClass(known.get("risk", RiskClass.NOT_ASSESSED))
    known["declared"] = tuple(known.get("declared", ()))
    return Statement(**known)


def check_statement(statement: Statement) -> None:
    """Raises InvalidValue for what cannot be stated."""
    if statement.risk is RiskClass.ANNEX_III and statement.area not in _AREAS:
        raise InvalidValue("An Annex III area is needed", "Choose one of the areas 1 to 8.")
    if unknown := set(statement.declared) - set(DECLARABLE):
        raise InvalidValue("This paragraph cannot be declared", details=", ".join(sorted(unknown))[:100])
    if statement.keep_texts_months and not LEAST_MONTHS <= statement.keep_texts_months <= _MOST_MONTHS:
        raise InvalidValue(
            f"Texts are kept for at least {LEAST_MONTHS} calendar months",
            f"Choose {LEAST_MONTHS} to {_MOST_MONTHS}, or 0 to keep them.",
        )
    for text in (statement.set_by, statement.operator, statement.purpose, statement.instructions):
        if len(text) > LONGEST:
            raise InvalidValue("This statement is too long", f"Use at most {LONGEST} characters for each line.")
