"""A call counts once however it went, unknown figures stay unknown, and words are kept in one place only."""

from __future__ import annotations

import uuid

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.core.gateway.plain_log import NOW, call, end, event, fill, plain_log, start

from hivemind.domain.calls import CallKind, CallOutcome, EntryState, HumanAction
from hivemind.errors import InvalidValue
from hivemind.gateway.chain import read_counters
from hivemind.gateway.log import list_interactions, record_ended, record_event, record_started
from hivemind.gateway.verification import verify_log

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def test_finished_failed_and_crashed_calls_count_once(log: apsw.Connection) -> None:
    start(log, "finished")
    start(log, "failed")
    start(log, "crashed")
    end(log, "failed", EntryState.FAILED, error="HTTP 500")
    end(log, "finished", output_text="yes", model="test-model-1-2026", input_tokens=5, output_tokens=0, cost_usd=0.0)
    calls = {one.call_uuid: one for one in list_interactions(log)}
    assert {name: one.state for name, one in calls.items()} == {
        "finished": "finished",
        "failed": "failed",
        "crashed": "started",
    }
    assert log.execute("SELECT count(*) FROM interactions").get == len(calls)
    assert [one.first_id for one in list_interactions(log)] == [2, 3, 4]
    assert calls["finished"].model == "test-model-1-2026"
    assert calls["crashed"].provider == "test"
    assert read_counters(log) == {
        "rows_written": 6,
        "events": 1,
        "calls_started": 3,
        "calls_finished": 1,
        "calls_failed": 1,
    }


def test_unknown_is_null_and_zero_is_zero(log: apsw.Connection) -> None:
    for name in ("zero", "unknown", "part", "running"):
        start(log, name)
    end(log, "zero", input_tokens=0, output_tokens=0, cost_usd=0.0)
    end(log, "unknown")
    end(log, "part", EntryState.FAILED, input_tokens=7)
    figures = {one.call_uuid: (one.input_tokens, one.output_tokens, one.cost_usd) for one in list_interactions(log)}
    assert figures == {
        "zero": (0, 0, 0.0),
        "unknown": (None, None, None),
        "part": (7, None, None),
        "running": (None, None, None),
    }
    stored = log.execute("SELECT input_tokens, output_tokens, cost_usd FROM ai_interactions").fetchall()
    assert all(None not in row for row in stored)


def test_what_calls_no_model_has_no_unknown_figures(log: apsw.Connection) -> None:
    start(log, "read", kind=CallKind.CROSS_MIND_READ, model="-", provider="-", human_action=HumanAction.DENIED)
    end(log, "read")
    [one] = list_interactions(log)
    assert (one.kind, one.input_tokens, one.cost_usd, one.human_action) == ("cross_mind_read", 0, 0.0, "denied")


def test_events_are_entries_and_no_calls(log: apsw.Connection) -> None:
    entry = event(log, CallKind.IMPORT, source="chatgpt", counts={"new": 2}, whole=True, parent=None, ids=[1, 2])
    assert list_interactions(log) == []
    row = log.execute(
        "SELECT model, provider, kind, detail_json FROM ai_log_chain JOIN ai_interactions ON id = ?1"
        " WHERE interaction_id = ?1",
        (entry.interaction_id,),
    ).get
    assert row[:3] == ("-", "-", "import")
    assert row[3] == (
        '{"channel":"app","counts":{"new":2},"ids":[1,2],"parent":null,"source":"chatgpt","state":"event","whole":true}'
    )


def test_a_call_keeps_what_it_started_with(log: apsw.Connection) -> None:
    start(
        log,
        "c",
        persona="Editor",
        workspace_id="work",
        session_id="s9",
        tools=("a", "b"),
        actor="agent:x",
        channel="mcp",
        human_action=HumanAction.APPROVED,
        risk_context="other mind",
    )
    end(log, "c", output_text="done")
    columns = "persona, workspace_id, session_id, tools_called, human_action, risk_context"
    first, last = log.execute(f"SELECT {columns} FROM ai_interactions WHERE id > 1 ORDER BY id").fetchall()
    assert first == last == ("Editor", "work", "s9", '["a", "b"]', "approved", "other mind")
    chain = log.execute("SELECT actor, detail_json ->> 'channel' FROM ai_log_chain WHERE seq > 1").fetchall()
    assert chain == [("agent:x", "mcp")] * 2


def test_the_end_may_correct_tools_and_the_decision(log: apsw.Connection) -> None:
    start(log, "c", tools=("a",))
    end(log, "c", tools=("b",), human_action=HumanAction.MODIFIED)
    assert log.execute("SELECT tools_called, human_action FROM interactions").get == ('["b"]', "modified")


def test_times_bound_the_list(log: apsw.Connection) -> None:
    for day in ("28", "29", "30"):
        with log:
            record_started(log, f"2026-11-{day}T10:00:00.000Z", call(f"d{day}"))
    since, until = "2026-11-28T10:00:00.001Z", "2026-11-30T10:00:00.000Z"
    assert [one.call_uuid for one in list_interactions(log, since, until)] == ["d29"]
    assert [one.call_uuid for one in list_interactions(log, since=until)] == ["d30"]
    assert [one.call_uuid for one in list_interactions(log, until=since)] == ["d28"]


def test_a_call_that_ended_after_the_period_is_listed_by_its_start(log: apsw.Connection) -> None:
    with log:
        record_started(log, "2026-11-28T23:59:59.000Z", call("late"))
        record_ended(log, "2026-11-29T00:00:01.000Z", CallOutcome("late"), EntryState.FINISHED)
    [one] = list_interactions(log, until="2026-11-29T00:00:00.000Z")
    assert one.state == "finished"


@pytest.mark.parametrize(
    ("case", "hint"),
    [("twice", "before"), ("never", "never"), ("ended", "ended")],
)
def test_a_call_starts_once_and_ends_once(case: str, hint: str, log: apsw.Connection) -> None:
    start(log, "c")
    end(log, "c")
    rows = log.execute("SELECT count(*) FROM ai_interactions").get
    with pytest.raises(InvalidValue, match=hint):
        if case == "twice":
            start(log, "c")
        else:
            end(log, "c" if case == "ended" else "other")
    assert log.execute("SELECT count(*) FROM ai_interactions").get == rows


def everywhere_but_payload(connection: apsw.Connection) -> list[str]:
    found = []
    for table in ("ai_interactions", "ai_log_chain", "ai_log_checkpoints", "ai_log_counters"):
        found += [str(value) for row in connection.execute(f"SELECT * FROM {table}") for value in row]
    return found


def test_words_are_only_in_the_payload_table(log: apsw.Connection) -> None:
    start(log, "c", input_text="INPUT-canary with words")
    end(log, "c", EntryState.FAILED, output_text="OUTPUT-canary", error="ERROR-canary: it said INPUT-canary")
    bodies = dict(log.execute("SELECT field, body FROM ai_log_payload").fetchall())
    assert bodies == {
        "input": "INPUT-canary with words",
        "output": "OUTPUT-canary",
        "error": "ERROR-canary: it said INPUT-canary",
    }
    assert not [text for text in everywhere_but_payload(log) if "canary" in text]
    assert (
        log.execute("SELECT count(*) FROM ai_interactions WHERE input_text NOT NULL OR output_text NOT NULL").get == 0
    )
    salts = {salt for (salt,) in log.execute("SELECT salt FROM ai_log_payload")}
    assert len(salts) == 3
    assert {len(salt) for salt in salts} == {32}


@pytest.mark.parametrize(
    "detail",
    [
        {"path": "/home/ana/diary.txt"},
        {"title": "two words"},
        {"note": "Grüße"},
        {"deep": {"list": [{"x": "a sentence."}, "with space"]}},
        {"two words": 1},
        {"size": 2**53},
        {"share": 0.5},
        {"state": "finished"},
        {"call_uuid": "c"},
        {"": 1},
    ],
)
def test_an_event_holds_no_words_of_a_person(detail: dict[str, object], log: apsw.Connection) -> None:
    with pytest.raises(InvalidValue):
        event(log, CallKind.IMPORT, **detail)
    assert log.execute("SELECT max(seq) FROM ai_log_chain").get == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"input_tokens": -1},
        {"output_tokens": 2**53},
        {"input_tokens": True},
        {"input_tokens": 1.0},
        {"cost_usd": float("nan")},
        {"cost_usd": float("inf")},
        {"cost_usd": -0.01},
        {"output_text": "half \ud83d"},
        {"error": "\udc00"},
        {"model": "a\nb"},
        {"model": "m" * 201},
        {"tools": ("a\x00",)},
    ],
)
def test_an_outcome_that_cannot_be_written_is_refused_whole(fields: dict[str, object], log: apsw.Connection) -> None:
    start(log, "c")
    before = log.execute("SELECT count(*) FROM ai_log_payload").get, read_counters(log)
    with pytest.raises(InvalidValue) as caught:
        end(log, "c", **fields)
    assert caught.value.title
    assert caught.value.hint
    assert (log.execute("SELECT count(*) FROM ai_log_payload").get, read_counters(log)) == before
    end(log, "c", output_text="repaired")
    assert verify_log(log).intact


@pytest.mark.parametrize(
    "fields",
    [
        {"uuid": "has space"},
        {"uuid": ""},
        {"actor": "Ana Lopez"},
        {"channel": ""},
        {"provider": ""},
        {"persona": ""},
        {"kind": "a kind"},
        {"input_text": "\ud800"},
        {"workspace_id": "w\x07"},
    ],
)
def test_a_call_that_cannot_be_written_is_refused(fields: dict[str, object], log: apsw.Connection) -> None:
    values = {"uuid": "c"} | fields
    with pytest.raises(InvalidValue):
        start(log, **values)  # type: ignore[arg-type]
    assert log.execute("SELECT count(*) FROM ai_interactions").get == 1


SURROUNDINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@SURROUNDINGS
@given(asked=TEXT, said=TEXT, error=TEXT, cost=st.floats(0, 1e6), tokens=st.integers(0, 2**53 - 1))
def test_any_text_and_figure_comes_back_and_verifies(
    log: apsw.Connection, asked: str, said: str, error: str, cost: float, tokens: int
) -> None:
    name = str(uuid.uuid4())
    started = start(log, name, input_text=asked)
    ended = end(log, name, output_text=said, error=error, cost_usd=cost, input_tokens=tokens)
    query = "SELECT field, body FROM ai_log_payload WHERE interaction_id IN (?, ?)"
    kept = dict(log.execute(query, (started.interaction_id, ended.interaction_id)).fetchall())
    assert kept == {"input": asked, "output": said} | ({"error": error} if error else {})
    one = list_interactions(log)[-1]
    assert (one.cost_usd, one.input_tokens, one.output_tokens) == (cost, tokens, None)
    assert verify_log(log).findings == ()


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("sfxenr"), st.integers(0, 4)), max_size=25))
def test_any_sequence_of_calls_keeps_the_books(steps: list[tuple[str, int]]) -> None:
    """s start, f finish, x fail, e event, n nonsense, r rolled back: the log follows a plain dict of states."""
    connection = plain_log(":memory:")
    states: dict[str, str] = {}
    for step, number in steps:
        name = f"c{number}"
        try:
            if step == "s":
                start(connection, name)
                assert name not in states
                states[name] = "started"
            elif step in "fx":
                end(connection, name, EntryState.FINISHED if step == "f" else EntryState.FAILED)
                assert states[name] == "started"
                states[name] = "finished" if step == "f" else "failed"
            elif step == "e":
                event(connection, CallKind.EXPORT)
            elif step == "r":
                with connection:
                    record_event(connection, NOW, CallKind.EXPORT)
                    raise InterruptedError
            else:
                start(connection, "not a token")
        except InvalidValue:
            assert step == "n" or (step == "s" and name in states) or states.get(name) != "started"
        except InterruptedError:
            assert step == "r"
    assert {one.call_uuid: one.state for one in list_interactions(connection)} == states
    check = verify_log(connection)
    assert check.findings == ()
    assert check.entries == read_counters(connection)["rows_written"]
    connection.close()


def test_the_entries_of_a_call_are_found_by_index(log: apsw.Connection) -> None:
    fill(log)
    plan = " ".join(
        str(row[3])
        for row in log.execute(
            "EXPLAIN QUERY PLAN SELECT seq FROM ai_log_chain WHERE json_extract(detail_json, '$.call_uuid') = 'c1'"
        )
    )
    assert "ai_log_chain_call" in plan
