"""`search`, `save`, `frames`, `sessions`, `doctor`: the JSON of the contract, and lines for a person."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.sidecar.conftest import Sidecar

from hivemind.library import open_mind
from hivemind.sidecar import frame_commands, session_commands
from hivemind.sidecar.doctor_command import doctor

POSTGRES = "We agreed on Postgres for the new service."
HIT = {"frame_id", "session_id", "type", "content", "importance", "source", "event_at", "score"}


def saved(sidecar: Sidecar, text: str = POSTGRES, *options: str) -> int:
    frame_id: int = sidecar("save", text, *options).document["frame_id"]
    return frame_id


def test_doctor_says_what_there_is(sidecar: Sidecar, data_dir: object) -> None:
    outcome = sidecar("doctor")
    report = outcome.document
    assert set(report) == {
        "ok", "version", "sqlite", "sqlite_vec", "sqlite_vec_path", "embedder", "data_dir", "minds", "problems",
    }  # fmt: skip
    assert set(report["embedder"]) == {"id", "revision", "dim", "model_dim", "languages", "mode"}
    assert report["embedder"]["mode"] == "keyword-only"
    (mind,) = report["minds"]
    assert set(mind) == {"workspace", "path", "frames", "vectors", "pending_vectors", "schema", "long_texts"}
    assert (mind["workspace"], mind["frames"]) == ("personal", 0)
    assert report["data_dir"] == str(data_dir)
    assert outcome.code == (0 if report["ok"] else 1)
    plain = sidecar("doctor", plain=True)
    assert "Mind personal: 0 frames" in plain.out
    assert doctor.__doc__


def test_doctor_tells_of_a_missing_library(sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAGGLE_SQLITE_VEC_PATH", "/nowhere/vec0.so")
    outcome = sidecar("doctor")
    assert outcome.code == 1
    assert outcome.document["problems"]


def test_doctor_tells_of_the_model_and_tries_it(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch, search_model: Path
) -> None:
    monkeypatch.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))
    outcome = sidecar("doctor", "--selftest")
    report = outcome.document
    assert (outcome.code, report["ok"], report["problems"]) == (0, True, [])
    embedder = report["embedder"]
    assert embedder.pop("revision")
    assert embedder == {
        "id": "all-MiniLM-L6-v2", "dim": 1024, "model_dim": 384, "languages": ["en"], "mode": "onnx",
    }  # fmt: skip
    assert report["selftest"]["ok"] is True
    assert report["selftest"]["golden_cosine"] >= 0.999
    plain = sidecar("doctor", "--selftest", plain=True)
    assert "model all-MiniLM-L6-v2 (en), 384 numbers inside, stored as 1024" in plain.out
    assert "Model self-test: as it should be" in plain.out


def test_save_search_show(sidecar: Sidecar) -> None:
    outcome = sidecar("save", POSTGRES, "--importance", "important", "--source", "tool_verified")
    assert outcome.code == 0
    assert set(outcome.document) == {"frame_id", "session_id", "type", "duplicate_of", "contradicts"}
    frame_id = outcome.document["frame_id"]
    found = sidecar("search", "postgres")
    assert (found.code, found.err) == (0, "")
    assert set(found.document) == {"mode", "recipe", "hits"}
    (hit,) = found.document["hits"]
    assert set(hit) == HIT
    assert (hit["frame_id"], hit["content"], hit["importance"]) == (frame_id, POSTGRES, "important")
    shown = sidecar("frames", "show", str(frame_id)).document["frame"]
    assert (shown["frame_id"], shown["text"], shown["source"]) == (frame_id, POSTGRES, "tool_verified")


def test_search_explains_itself(sidecar: Sidecar) -> None:
    saved(sidecar)
    (hit,) = sidecar("search", "--explain", "postgres").document["hits"]
    assert set(hit) == HIT | {"why"}
    assert sum(part["value"] for part in hit["why"]["parts"]) == pytest.approx(hit["score"])
    plain = sidecar("search", "--explain", "postgres", plain=True)
    assert "matched: Postgres" in plain.out
    assert "by words only" in plain.err


def test_search_says_where_an_expected_frame_ranked(sidecar: Sidecar) -> None:
    first, other = saved(sidecar), saved(sidecar, "The ferry leaves at noon.")
    found = sidecar("search", "postgres", "--expect", str(first)).document["why_not"]
    assert (found["frame_id"], found["rank"]) == (first, 1)
    missed = sidecar("search", "postgres", "--expect", str(other)).document["why_not"]
    assert missed["rank"] is None
    assert "No word of the query" in missed["reason"]
    assert "why_not" not in sidecar("search", "postgres").document
    plain = sidecar("search", "postgres", "--expect", str(other), plain=True)
    assert f"Frame {other}: No word of the query" in plain.out


@pytest.mark.timeout(120)
def test_explain_by_meaning_holds_everything_that_made_the_score(
    sidecar: Sidecar, data_dir: Path, monkeypatch: pytest.MonkeyPatch, search_model: Path
) -> None:
    monkeypatch.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))
    ferry = saved(sidecar, "The ferry to the island leaves on Friday at noon.")
    cat = saved(sidecar, "My cat sleeps on the sofa.")
    with open_mind(data_dir / "minds" / "personal.mind") as mind:
        assert mind.embed() == 2
    document = sidecar("search", "when does the boat depart", "--explain", "--expect", str(cat)).document
    assert (document["mode"], document["recipe"]) == ("hybrid", "default")
    hit = document["hits"][0]
    why = hit["why"]
    assert hit["frame_id"] == ferry
    assert set(why) == {
        "matched", "lanes", "parts", "signals", "relevance", "score", "recipe", "profile", "late", "cues",
    }  # fmt: skip
    assert sum(part["value"] for part in why["parts"]) == pytest.approx(why["score"], abs=1e-6)
    assert {"lane", "rank", "raw"} == set(why["lanes"][0])
    assert [signal["name"] for signal in why["signals"]] == ["temporal", "popularity", "contextual", "importance"]
    boat = next(piece for piece in why["late"]["pieces"] if piece["query"] == "boat")
    assert (boat["found"], boat["frame_id"], boat["offset"]) == ("ferry", ferry, 0)
    assert "holds a time, which the query asks for" in why["cues"]
    assert document["why_not"]["frame_id"] == cat
    expected = document["why_not"]["explanation"]
    assert sum(part["value"] for part in expected["parts"]) == pytest.approx(expected["score"], abs=1e-6)
    plain = sidecar("search", "when does the boat depart", "--explain", plain=True)
    assert "“boat” by “ferry” (here)" in plain.out
    assert "vector: place 1" in plain.out


def test_search_options_reach_the_search(sidecar: Sidecar) -> None:
    first = saved(sidecar)
    session = sidecar("frames", "show", str(first)).document["frame"]["session_id"]
    assert sidecar("search", "postgres", "--until", "2020-01-01").code == 1
    assert sidecar("search", "postgres", "--since", "2020-01-01").code == 0
    assert sidecar("search", "postgres", "--source", "chatgpt").document["hits"] == []
    assert sidecar("search", "postgres", "--session", session).code == 0
    assert sidecar("search", "postgres", "--session", "other").code == 1
    saved(sidecar, "Postgres again.")
    assert len(sidecar("search", "postgres", "--limit", "1").document["hits"]) == 1
    for profile in ("balanced", "recent", "important", "connected"):
        assert sidecar("search", "postgres", "--profile", profile, "--recipe", "seed", "--mode", "keyword").code == 0
    refused = sidecar("search", "postgres", "--since", "soon")
    assert (refused.code, refused.error["code"]) == (2, "invalid_date")


@pytest.mark.parametrize("query", ["don't", 'C++ "', "AND OR NOT", "*", "a-b -c", "x" * 20_000, "\u202eabc", "()"])
def test_any_query_is_safe(sidecar: Sidecar, query: str) -> None:
    saved(sidecar, "I don't write C++ and a-b.")
    assert sidecar("search", "--", query).code in (0, 1)


def test_saving_again_and_changing(sidecar: Sidecar) -> None:
    first = saved(sidecar)
    again = sidecar("save", POSTGRES).document
    assert (again["frame_id"], again["duplicate_of"]) == (first, first)
    amended = sidecar("save", "We agreed on Postgres 17.", "--amends", str(first))
    assert amended.document["type"] == "P"
    history = sidecar("frames", "history", str(first)).document["frames"]
    assert [frame["patch_kind"] for frame in history] == [None, "amend"]
    assert sidecar("frames", "show", str(first)).document["frame"]["text"] == "We agreed on Postgres 17."
    assert sidecar("save", "It was a joke.", "--retracts", str(first)).code == 0
    assert sidecar("search", "postgres").code == 1
    assert sidecar("frames", "show", str(first)).document["frame"]["retracted"] is True
    both = sidecar("save", "x", "--amends", str(first), "--retracts", str(first))
    assert (both.code, both.error["code"]) == (2, "invalid_value")
    stray = sidecar("save", "x", "--amends", str(first), "--session", "s")
    assert (stray.code, stray.error["code"]) == (2, "invalid_value")


def test_an_empty_text_is_refused(sidecar: Sidecar) -> None:
    assert sidecar("save", "   ").error["code"] == "invalid_frame"
    assert sidecar("save", POSTGRES, "--session", "none").error["code"] == "session_not_found"


def test_lists_page_backwards(sidecar: Sidecar) -> None:
    ids = [saved(sidecar, f"Note number {n}") for n in range(5)]
    page = sidecar("frames", "list", "--limit", "2").document["frames"]
    assert [frame["frame_id"] for frame in page] == ids[:-3:-1]
    rest = sidecar("frames", "list", "--before", str(page[-1]["frame_id"])).document["frames"]
    assert [frame["frame_id"] for frame in rest] == ids[2::-1]
    assert "Note number 4" in sidecar("frames", "list", plain=True).out


def test_what_is_not_there(sidecar: Sidecar) -> None:
    for words in (("frames", "show", "7"), ("frames", "history", "7")):
        outcome = sidecar(*words)
        assert (outcome.code, outcome.error["code"]) == (1, "frame_not_found")
    for words in (("sessions", "show", "none"), ("sessions", "close", "none"), ("sessions", "archive", "none")):
        outcome = sidecar(*words)
        assert (outcome.code, outcome.error["code"]) == (1, "session_not_found")
    assert sidecar("frames", "list").document == {"frames": []}
    assert sidecar("sessions", "list").document == {"sessions": []}
    assert sidecar("sessions", "list", plain=True).out == "No sessions.\n"


def test_sessions(sidecar: Sidecar) -> None:
    saved(sidecar)
    (row,) = sidecar("sessions", "list").document["sessions"]
    assert (row["frames"], row["messages"], row["kind"]) == (1, 0, "notes")
    shown = sidecar("sessions", "show", row["session_id"]).document
    assert set(shown) == {"session", "messages"}
    assert sidecar("sessions", "close", row["session_id"]).document["session"]["status"] == "closed"
    assert sidecar("sessions", "archive", row["session_id"]).document["session"]["status"] == "archived"
    assert row["session_id"] in sidecar("sessions", "list", plain=True).out
    assert session_commands.sessions.info.help
    assert frame_commands.frames.info.help


def test_names_of_ids_are_the_same_everywhere(sidecar: Sidecar) -> None:
    frame_id = saved(sidecar)
    shown = sidecar("frames", "show", str(frame_id)).document["frame"]
    (listed,) = sidecar("frames", "list").document["frames"]
    (hit,) = sidecar("search", "postgres").document["hits"]
    assert shown["session_id"] == listed["session_id"] == hit["session_id"]
    assert "id" not in shown
