"""What the operator states is kept as it was stated, and refused when it cannot be."""

from __future__ import annotations

from dataclasses import replace

import apsw
import pytest

from hivemind.domain.checks import RiskClass, Statement
from hivemind.errors import InvalidValue
from hivemind.mind.statements import StatementStore, check_statement, from_plain

FULL = Statement(
    RiskClass.ANNEX_III, 4, "Mara", "2026-11-30T12:00:00.000Z", "Alder & Voss", "Find earlier letters", "Handbook 4",
    as_provider=False, as_deployer=True, declared=("26(7)", "4"), keep_texts_months=24,
)  # fmt: skip


@pytest.fixture
def store() -> StatementStore:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")
    return StatementStore(connection)


def test_kept_and_taken_back(store: StatementStore) -> None:
    assert store.read() == Statement()
    store.replace(FULL)
    assert store.read() == FULL
    store.replace(Statement())
    assert store.read() == Statement()


def test_words_can_be_taken_out_and_choices_stay(store: StatementStore) -> None:
    assert not store.blank()
    store.replace(FULL)
    assert all(word in store.words() for word in ("Mara", "Alder & Voss", "Find earlier letters", "Handbook 4"))
    assert store.blank()
    assert (store.words().strip("\0"), store.read().risk, store.read().declared) == ("", FULL.risk, FULL.declared)
    assert not store.blank()


def test_what_a_later_version_added_is_passed_over() -> None:
    assert from_plain({"risk": "not_high_risk", "later": 1}) == Statement(RiskClass.NOT_HIGH_RISK)


@pytest.mark.parametrize(
    "change",
    [{"area": 0}, {"area": 9}, {"declared": ("26(5)",)}, {"keep_texts_months": 5}, {"keep_texts_months": -1},
     {"keep_texts_months": 1201}, {"purpose": "x" * 501}, {"set_by": "x" * 501}],
)  # fmt: skip
def test_what_cannot_be_stated(change: dict[str, object]) -> None:
    check_statement(FULL)
    with pytest.raises(InvalidValue):
        check_statement(replace(FULL, **change))  # type: ignore[arg-type]
