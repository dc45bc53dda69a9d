"""What one pass over the chain counts and keeps, and how it names what is missing."""

from __future__ import annotations

import apsw
from tests.core.gateway.plain_log import MIND, erase, fill, start, without_guards

from hivemind.gateway.walk import ChainWalk
from hivemind.storage import schema_hash


def walked(connection: apsw.Connection) -> ChainWalk:
    walk = ChainWalk(connection)
    walk.run()
    return walk


def test_it_counts_states_and_keeps_what_the_log_is_bound_to(log: apsw.Connection) -> None:
    fill(log)
    walk = walked(log)
    assert walk.findings == []
    assert walk.states == {"event": 4, "started": 4, "finished": 1, "failed": 1}
    assert (walk.bound_mind, walk.bound_schema, walk.erased) == (MIND, schema_hash(log), 1)
    assert walk.head == log.execute("SELECT row_hash FROM ai_log_chain ORDER BY seq DESC LIMIT 1").get


def test_a_run_of_missing_entries_is_named_by_its_first(log: apsw.Connection) -> None:
    fill(log)
    without_guards(log, lambda c: c.execute("DELETE FROM ai_log_chain WHERE seq IN (4, 5, 6)"))
    findings = walked(log).findings
    assert [str(found) for found in findings] == [
        "Entry 4: it is missing, with every entry before 7",
        "Entry 7: it does not follow on the entry before it",
    ]


def test_every_erased_text_counts(log: apsw.Connection) -> None:
    for name in ("c1", "c2"):
        erase(log, start(log, name).interaction_id)
    assert walked(log).erased == 2


def test_a_chain_that_is_gone_is_a_finding(log: apsw.Connection) -> None:
    log.execute("DROP VIEW interactions; DROP TABLE ai_log_chain")
    [found] = walked(log).findings
    assert (found.seq, found.place) == (None, "chain")
    assert str(found) == "The chain cannot be read to its end (SQLError)."
