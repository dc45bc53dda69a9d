"""The checks over facts: what passes, what does not, and that nothing passes that was not looked at.

Covers: law, facts, decisions.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.core.compliance.busy_log import BusyLog, busy_log

from hivemind.compliance import Matter, Period, gather, load_law, read_oversight, standing
from hivemind.compliance.checks import CHECKS
from hivemind.domain.audit_report import Grant
from hivemind.domain.calls import CallKind, LogCheck, LogFinding
from hivemind.domain.checks import CheckResult, RiskClass, Standing, Statement, Status
from hivemind.gateway import genesis, verify_log
from hivemind.mind import Mind

YEAR = Period(datetime(2026, 11, 1, tzinfo=UTC).date(), datetime(2027, 12, 31, tzinfo=UTC).date())
SAID = Statement(set_at="2026-11-30T12:00:00.000Z", as_provider=True, as_deployer=True)
LAW = load_law()


def look(log: BusyLog, today: str = "2027-12-01", statement: Statement = SAID, grants: tuple[Grant, ...] = (),
         unlogged: int | None = 0) -> Standing:  # fmt: skip
    facts = gather(log.connection, YEAR, verify_log(log.connection), today, unlogged)
    return standing(Matter(facts, read_oversight(log.connection, YEAR, grants), statement), LAW)


def of(found: Standing, article: str) -> CheckResult:
    [one] = [one for one in found.checks if one.article == article]
    return one


def statuses(found: Standing) -> dict[str, str]:
    return {one.article: str(one.status) for one in found.checks}


@pytest.mark.parametrize("statement", [Statement(), SAID, Statement(risk=RiskClass.ANNEX_III, area=4, set_at="x")])
@pytest.mark.parametrize("unlogged", [0, None])
def test_a_fresh_mind_passes_nothing(tmp_path: Path, statement: Statement, unlogged: int | None) -> None:
    def clock() -> datetime:
        return datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    mind = Mind.open(tmp_path / "t.mind", "t", create=True, clock=clock, seeders=(genesis(clock),))
    try:

        def asked(tx):  # type: ignore[no-untyped-def]
            facts = gather(tx.connection, YEAR, verify_log(tx.connection), "2026-11-30", unlogged)
            return standing(Matter(facts, read_oversight(tx.connection, YEAR), statement), LAW)

        found = mind.submit_read(asked).result(10)
    finally:
        mind.close()
    assert {one.status for one in found.checks} == {Status.NOT_ASSESSED}
    assert found.overall == "nothing assessed yet"


def test_a_used_and_watched_mind() -> None:
    log = BusyLog()
    log.event("notice")
    log.call()
    log.decision("approved")
    log.decision("denied")
    found = look(log)
    assert statuses(found) == {"12": "pass", "14": "pass", "19": "pass", "26(5)": "pass", "26(6)": "pass", "50": "pass"}
    assert found.overall == "no check found anything"
    assert look(log, statement=Statement(as_deployer=True)).overall == "checks passed with open items"


def test_recording_needs_counters_and_no_missed_write() -> None:
    log = BusyLog()
    log.call()
    assert of(look(log, unlogged=None), "12").status is Status.NOT_ASSESSED
    assert of(look(log, unlogged=2), "12").status is Status.FAIL
    log.call(ends="open")
    assert of(look(log), "12").status is Status.ATTENTION
    log.event(CallKind.LOG_GAP, missed=3)
    found = of(look(log), "12")
    assert found.status is Status.FAIL
    assert [(one.label, one.value) for one in found.evidence][1] == ("Failed writes", 3)
    assert "3 failed writes" in found.findings[0].condition


def test_rows_that_were_not_counted_fail() -> None:
    log = BusyLog()
    log.call()
    facts = gather(log.connection, YEAR, verify_log(log.connection), "2027-12-01", 0)
    assert facts.counters_agree
    for other in (replace(facts, counted_started=5), replace(facts, counted_rows=1)):
        assert CHECKS[0].look(Matter(other, read_oversight(log.connection, YEAR), SAID)).status is Status.FAIL


def test_a_broken_chain_fails_recording_and_keeping() -> None:
    log = BusyLog()
    log.call()
    facts = gather(log.connection, YEAR, LogCheck(3, "ab", 0, (LogFinding("chain", 2, "changed"),)), "2027-12-01", 0)
    found = statuses(standing(Matter(facts, read_oversight(log.connection, YEAR), SAID), LAW))
    assert [found[one] for one in ("12", "19", "26(6)")] == ["fail"] * 3


def test_approving_everything_at_once_is_looked_at() -> None:
    log = BusyLog()
    for _ in range(19):
        log.decision("approved", 900)
    assert of(look(log), "14").status is Status.PASS
    log.decision("approved", 900)
    found = of(look(log), "14")
    assert (found.status, found.findings[0].title) == (Status.ATTENTION, "Possible automation bias")
    log.decision("denied", 900)
    assert of(look(log), "14").status is Status.PASS


def test_policy_time_outs_and_terminals_are_no_people() -> None:
    log = BusyLog()
    log.decision("approved", by="policy")
    log.decision("expired", by="timeout", waited=120_000)
    log.decision("approved", channel="tty")
    log.call(human_action="approved", channel="cli")
    seen = read_oversight(log.connection, YEAR)
    assert (seen.total, seen.by_policy, seen.timed_out, seen.elsewhere) == (0, 1, 1, 2)
    assert of(look(log), "14").status is Status.NOT_ASSESSED
    log.call(human_action="modified")
    seen = read_oversight(log.connection, YEAR)
    assert (seen.total, seen.latest[0].kind, seen.latest[0].seconds) == (1, "modified", None)


def test_an_old_grant_needs_attention() -> None:
    log = BusyLog()
    for age, expected in ((30, Status.PASS), (31, Status.ATTENTION)):
        log.decision("approved")
        grant = Grant("Draftly may read Work", "permanent", "2026-12-01T00:00:00.000Z", age)
        assert of(look(log, grants=(grant,)), "14").status is expected


@pytest.mark.parametrize(
    ("today", "expected"), [("2027-05-29", "not assessed"), ("2027-05-30", "pass"), ("2026-11-30", "not assessed")]
)
def test_keeping_is_counted_in_calendar_months_from_the_first_entry(today: str, expected: str) -> None:
    assert statuses(look(BusyLog(), today))["26(6)"] == expected


def test_restores_need_attention_and_roles_decide_who_is_meant() -> None:
    log = BusyLog()
    log.event(CallKind.RESTORE)
    assert statuses(look(log))["26(6)"] == "attention"
    assert statuses(look(log, statement=Statement()))["19"] == "not assessed"
    other = statuses(look(log, statement=Statement(as_provider=False, personal_use=True)))
    assert [other[one] for one in ("19", "26(5)", "26(6)")] == ["not applicable"] * 3


def test_monitors_are_measured() -> None:
    log = BusyLog()
    log.call(persona="writer", tools=("search",))
    log.call(model=1, cost=0.0)
    found = of(look(log), "26(5)")
    assert found.status is Status.PASS
    assert [one.value for one in found.evidence] == [2, 2, 2, 1, 1]
    log.call(cost=None)
    assert of(look(log), "26(5)").status is Status.ATTENTION
    assert of(look(log), "26(5)").evidence[1].value == 2


def test_transparency() -> None:
    log = BusyLog()
    log.call(channel="cli")
    assert statuses(look(log))["50"] == "not assessed"
    log.call()
    assert statuses(look(log))["50"] == "attention"
    log.event("notice")
    log.event(CallKind.EXPORT, ai_pages=3, ai_pages_marked=3)
    assert statuses(look(log))["50"] == "pass"
    log.event(CallKind.EXPORT, ai_pages=2, ai_pages_marked=1)
    assert statuses(look(log))["50"] == "fail"


def test_counts_are_those_of_the_rows() -> None:
    for seed in range(5):
        log = busy_log(seed)
        facts = gather(log.connection, YEAR, verify_log(log.connection), "2027-12-01")
        rows = log.connection.execute("SELECT kind, state, cost_usd, persona FROM interactions").fetchall()
        assert (facts.calls, facts.model_calls) == (len(rows), len(rows))
        assert facts.open_calls == sum(state == "started" for _, state, _, _ in rows)
        assert facts.cost_unknown == sum(cost is None for _, _, cost, _ in rows)
        assert facts.with_persona == sum(persona is not None for *_, persona in rows)
        assert facts.counters_agree


def test_a_clock_set_back_is_seen() -> None:
    log = BusyLog()
    log.pass_time(days=2)
    log.event("notice")
    log.pass_time(hours=-1)
    log.event("notice")
    assert gather(log.connection, YEAR, verify_log(log.connection), "2027-12-01").clock_steps == 1


def test_law_is_dated_data() -> None:
    assert {check.article for check in CHECKS} == set(LAW.articles)
    assert LAW.articles["12"].applies_from(RiskClass.NOT_ASSESSED) == "2027-12-02"
    assert LAW.articles["12"].applies_from(RiskClass.ANNEX_I) == "2028-08-02"
    assert LAW.articles["50"].applies_from(RiskClass.ANNEX_I) == "2026-08-02"
    assert "not checked against the Official Journal" in LAW.note
    assert (LAW.basis("2027-05-29").old, LAW.basis("2027-05-30").old) == (False, True)
    declared = {one.number: one.how for one in LAW.paragraphs(Statement(declared=("26(7)",)))}
    assert (declared["26(7)"], declared["26(9)"]) == ("declared by operator, not checked", "not covered")


def test_a_high_risk_class_is_said_to_be_the_operators() -> None:
    high = look(BusyLog(), statement=Statement(risk=RiskClass.ANNEX_III, area=4, set_at="x"))
    assert "The operator says" in high.duty
    assert "not established" in look(BusyLog(), statement=Statement()).duty
