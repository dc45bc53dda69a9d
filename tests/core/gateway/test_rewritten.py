"""A log whose hashes were all computed anew: what its own rules still show, and what only a kept head can."""

from __future__ import annotations

import json

import apsw
import pytest
from tests.core.gateway.plain_log import event, fill, start, without_guards

from hivemind.domain.calls import CallKind
from hivemind.gateway.canonical import NO_HASH, canonical_json, row_hash
from hivemind.gateway.chain import read_row
from hivemind.gateway.verification import verify_log
from hivemind.storage import schema_hash


def rewrite(connection: apsw.Connection, act: str = "SELECT 1") -> None:
    """Change something and give every entry the hash it would have had: the work of somebody who knows the format."""

    def forge(unguarded: apsw.Connection) -> None:
        unguarded.execute(act)
        head = NO_HASH
        for (seq,) in unguarded.execute("SELECT seq FROM ai_log_chain ORDER BY seq").fetchall():
            chain = read_row(unguarded, "ai_log_chain", "seq", seq) or {}
            del chain["row_hash"]
            chain["prev_hash"] = head
            interaction = read_row(unguarded, "ai_interactions", "id", int(str(chain["interaction_id"]))) or {}
            previous, head = head, row_hash(interaction, chain)
            unguarded.execute(
                "UPDATE ai_log_chain SET prev_hash = ?, row_hash = ? WHERE seq = ?", (previous, head, seq)
            )

    without_guards(connection, forge)


@pytest.mark.parametrize(
    ("act", "seq"),
    [
        ("UPDATE ai_log_chain SET alg = 'md5' WHERE seq = 4", 4),
        ("UPDATE ai_log_chain SET epoch = 7 WHERE seq = 4", 4),
        ("UPDATE ai_log_chain SET epoch = 0", 9),
        (
            "UPDATE ai_log_chain SET kind = 'genesis',"
            " detail_json = (SELECT detail_json FROM ai_log_chain WHERE seq = 1) WHERE seq = 6",
            6,
        ),
        ("UPDATE ai_log_chain SET kind = 'import' WHERE seq = 1", 1),
        ("UPDATE ai_log_chain SET kind = 'import' WHERE seq = 8", 7),
        (
            "UPDATE ai_log_chain SET interaction_id = 100 WHERE seq = 6;"
            "UPDATE ai_log_chain SET interaction_id = 6 WHERE seq = 8;"
            "UPDATE ai_log_chain SET interaction_id = 8 WHERE seq = 6",
            7,
        ),
    ],
)
def test_what_the_rules_of_the_log_still_show(act: str, seq: int, log: apsw.Connection) -> None:
    fill(log)
    rewrite(log, act)
    assert seq in {found.seq for found in verify_log(log).findings}


def test_a_text_erased_by_an_entry_before_it_is_seen(log: apsw.Connection) -> None:
    early = event(log, CallKind.ERASURE, reason="request")
    late = start(log, "c")
    log.execute("UPDATE ai_log_payload SET state = 'erased', salt = NULL, body = NULL, erased_by_seq = ?", (early.seq,))
    assert {found.seq for found in verify_log(log).findings} == {late.seq}


def test_guards_that_no_version_had_are_seen_even_when_the_log_was_bound_to_them(log: apsw.Connection) -> None:
    fill(log)
    log.execute("DROP TRIGGER ai_log_payload_no_delete")
    bind(log, schema_hash(log))
    assert [found.place for found in verify_log(log).findings] == ["schema"]


def test_a_log_bound_to_other_guards_than_it_has_is_seen(log: apsw.Connection) -> None:
    fill(log)
    bind(log, "00" * 32)
    assert [found.place for found in verify_log(log).findings] == ["schema"]


def test_a_migration_binds_the_guards_anew(log: apsw.Connection) -> None:
    event(log, CallKind.MIGRATION, schema_hash="11" * 32)
    assert [found.place for found in verify_log(log).findings] == ["schema"]
    event(log, CallKind.MIGRATION, schema_hash=schema_hash(log))
    assert verify_log(log).intact


def test_what_only_a_head_kept_elsewhere_can_show(log: apsw.Connection) -> None:
    """The limit that the window and the report must tell: the whole log written anew, or its end cut off."""
    fill(log)
    kept = verify_log(log)
    rewrite(log, "UPDATE ai_interactions SET human_action = 'denied' WHERE human_action = 'approved'")
    forged = verify_log(log)
    assert forged.intact
    assert forged.head != kept.head
    without_guards(
        log,
        lambda c: c.execute(
            "DELETE FROM ai_log_payload WHERE interaction_id = 10; DELETE FROM ai_log_chain WHERE seq = 10;"
            "DELETE FROM ai_interactions WHERE id = 10;"
            "UPDATE ai_log_counters SET v = v - 1 WHERE k IN ('rows_written', 'calls_started')"
        ),
    )
    cut = verify_log(log)
    assert (cut.intact, cut.entries) == (True, kept.entries - 1)


def bind(connection: apsw.Connection, fingerprint: str) -> None:
    detail = connection.execute("SELECT detail_json FROM ai_log_chain WHERE seq = 1").get
    bound = canonical_json(json.loads(str(detail)) | {"schema_hash": fingerprint})
    rewrite(connection, f"UPDATE ai_log_chain SET detail_json = '{bound}' WHERE seq = 1")
