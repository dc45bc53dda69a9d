"""Known faults of importers, sections C, E, F, J and K: threads, time, importing again, titles.

The table of all of them is in test_known_faults_chat.
"""

from __future__ import annotations

import json
import locale
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import START, chain, conversation, many, message, write_zip
from tests.samples.claude import at, talk, told

MAIN = "SELECT ext_id FROM messages WHERE branch = 0 ORDER BY position"
FRAMES = "SELECT content FROM memory_frames WHERE frame_type = 'P' ORDER BY branch, position, part, t"


def frames(harvest: Harvest) -> list[str]:
    return [str(text) for (text,) in harvest.rows(FRAMES)]


def test_hb_034_the_visible_thread_ends_at_the_current_node(harvest: Harvest) -> None:
    mapping = chain([message("q", "user", "Which quay?", START), message("a1", "assistant", "West.", START + 1)])
    mapping["a2"] = {"id": "a2", "parent": "q", "message": message("a2", "assistant", "East.", START + 9)}
    mapping["q"]["children"] = ["a2", "a1"]
    harvest.run(harvest.give([conversation("c", [], mapping=mapping, current_node="a1")]))
    assert harvest.rows("SELECT ext_id, branch FROM messages ORDER BY branch, position") == [
        ("q", 0), ("a1", 0), ("a2", 1),
    ]  # fmt: skip
    assert harvest.rows("SELECT branch, content FROM memory_frames WHERE frame_type = 'P' ORDER BY branch, t") == [
        (0, "Which quay?"), (0, "West."), (1, "East."),
    ]  # fmt: skip


def test_hb_035_one_thread_alternatives_and_hidden_apart(harvest: Harvest) -> None:
    hidden = message("h", "user", "context", weight=0)
    mapping = chain([hidden, message("q1", "user", "Which quay?")], "root")
    mapping["q2"] = {"id": "q2", "parent": "h", "message": message("q2", "user", "Which quay for the sloop?")}
    harvest.run(harvest.give([conversation("c", [], mapping=mapping, current_node="q2")]))
    assert harvest.rows("SELECT ext_id, branch, position, hidden FROM messages ORDER BY branch, position") == [
        ("h", 0, 0, 1), ("q2", 0, 1, 0), ("q1", 1, 1, 0),
    ]  # fmt: skip
    assert frames(harvest) == ["Which quay for the sloop?", "Which quay?"]


def test_hb_037_question_and_answer_of_one_moment_keep_their_order(harvest: Harvest) -> None:
    turns = [told("zz", "human", "Which quay?", 3), told("aa", "assistant", "West.", 3)]
    harvest.run(harvest.give([talk("c", turns)]))
    assert harvest.rows(MAIN) == [("zz",), ("aa",)]
    assert frames(harvest) == ["Which quay?", "West."]


def test_hb_038_repeated_messages_are_stored_once_and_orphans_stay(harvest: Harvest) -> None:
    root = "00000000-0000-4000-8000-000000000000"
    u1 = told("u1", "human", "Which quay?", 0, parent_message_uuid=root)
    u2 = told("u2", "assistant", "West.", 1, parent_message_uuid="u1")
    u3 = told("u3", "human", "And in winter?", 2, parent_message_uuid="u9")
    harvest.run(harvest.give([talk("c", [u1, u2])], "a.json"))
    report = harvest.run(harvest.give([talk("c", [u1, u2, u3])], "b.json"))
    assert (report.updated, report.messages) == (1, 1)
    assert harvest.rows("SELECT ext_id, parent_ext_id, branch, position FROM messages ORDER BY branch, position") == [
        ("u1", None, 0, 0), ("u2", "u1", 0, 1), ("u3", None, 1, 0),
    ]  # fmt: skip


def test_hb_046_a_talk_of_then_has_the_date_of_then(harvest: Harvest) -> None:
    item = conversation("c", [], mapping=chain([message("m", "user", "Sow", 1678017600.0)]), create_time=1678017600.0)
    harvest.run(harvest.give([item]))
    (row,) = harvest.rows(
        "SELECT f.event_at, s.started_at, f.created_at > '2026' FROM memory_frames AS f"
        " JOIN sessions AS s ON s.gop_id = f.gop_id WHERE f.frame_type = 'P'"
    )
    assert row == ("2023-03-05T12:00:00.000Z", "2023-03-05T12:00:00.000Z", 1)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A computer in Berlin, and one that writes dates its own way."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    before = locale.setlocale(locale.LC_TIME)
    with suppress(locale.Error):
        locale.setlocale(locale.LC_TIME, "de_DE.UTF-8")
    if hasattr(time, "tzset"):
        time.tzset()
    yield
    locale.setlocale(locale.LC_TIME, before)
    os.environ.pop("TZ", None)
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.mark.usefixtures("elsewhere")
def test_hb_047_dates_are_the_same_on_every_system_and_never_guessed(harvest: Harvest) -> None:
    turns = [
        told("a", "human", "One", created_at="2025-04-03T10:00:00"),
        told("b", "human", "Two", created_at="03/04/2025"),
    ]
    harvest.run(harvest.give([talk("c", turns, created_at=at(0))]))
    assert harvest.rows("SELECT ext_id, time FROM messages ORDER BY position") == [
        ("a", "2025-04-03T10:00:00.000Z"), ("b", None),
    ]  # fmt: skip
    assert harvest.rows("SELECT event_at_original FROM memory_frames WHERE content = 'Two'") == [("03/04/2025",)]


def test_hb_052_the_same_zip_again_brings_nothing(harvest: Harvest) -> None:
    path = write_zip(harvest.folder / "export.zip", {"conversations.json": json.dumps(many(3)).encode()})
    first, counts = harvest.run(path), harvest.counts()
    second = harvest.run(path)
    assert (first.new, second.new, second.updated, second.unchanged, second.messages) == (3, 0, 0, 3, 0)
    assert {k: v for k, v in harvest.counts().items() if k != "import_claims"} == {
        k: v for k, v in counts.items() if k != "import_claims"
    }


@pytest.mark.parametrize("vendor", ["chatgpt", "claude"])
def test_hb_053_what_a_newer_export_lacks_stays_and_so_do_changes_of_ones_own(harvest: Harvest, vendor: str) -> None:
    def export(*texts: str) -> Any:
        if vendor == "claude":
            return [talk("c", list(texts))]
        return [conversation("c", [("user", text) for text in texts])]

    harvest.run(harvest.give(export("Sow beans", "In May", "Thanks")))
    harvest.write(lambda tx: tx.connection.execute("UPDATE memory_frames SET pinned = 1 WHERE content = 'Sow beans'"))
    harvest.run(harvest.give(export("Sow beans")))
    assert sorted(frames(harvest)) == ["In May", "Sow beans", "Thanks"]
    assert harvest.rows("SELECT content FROM memory_frames WHERE pinned = 1") == [("Sow beans",)]
    assert harvest.rows("SELECT count(*) FROM messages") == [(3,)]


def test_hb_056_records_written_again_are_one_each(harvest: Harvest) -> None:
    u1, u2, u3 = (told(f"u{n}", "human", f"Turn {n}", n) for n in (1, 2, 3))
    harvest.run(harvest.give([talk("c", [u1, u2, u1, u2, u3])]))
    assert harvest.rows(MAIN) == [("u1",), ("u2",), ("u3",)]
    assert frames(harvest) == ["Turn 1", "Turn 2", "Turn 3"]


def test_hb_058_the_same_talk_thirty_times_is_one(harvest: Harvest) -> None:
    report = harvest.run(harvest.give([talk("c", ["Which quay?", "West."])] * 30))
    assert (report.found, report.new, report.unchanged) == (30, 1, 29)
    assert frames(harvest) == ["Which quay?", "West."]


def test_hb_059_what_is_nearly_the_same_is_both_kept(harvest: Harvest) -> None:
    report = harvest.run(harvest.give([talk("c", ["Door code is 4417", "Door code is 4471"])]))
    assert frames(harvest) == ["Door code is 4417", "Door code is 4471"]
    assert report.duplicates_exact == 0


def test_hb_061_the_same_bytes_under_two_names_are_one_content_and_two_sources(harvest: Harvest) -> None:
    for name in ("a.json", "b.json"):
        harvest.run(harvest.give([talk("c", ["Which quay?"])], name))
    assert frames(harvest) == ["Which quay?"]
    listed = harvest.rows(
        "SELECT r.name, count(c.message_id) FROM import_runs AS r JOIN import_claims AS c ON c.run_id = r.id"
        " GROUP BY r.id ORDER BY r.id"
    )
    assert listed == [("a.json", 1), ("b.json", 1)]


@pytest.mark.parametrize("vendor", ["chatgpt", "claude"])
def test_hb_076_markup_in_a_title_is_text(harvest: Harvest, vendor: str) -> None:
    title = "</script><script>x()"
    item = talk("c", ["Hei"], name=title) if vendor == "claude" else conversation("c", [("user", "Hei")], title=title)
    harvest.run(harvest.give([item]))
    assert harvest.rows("SELECT title FROM sessions WHERE kind = 'conversation'") == [(title,)]


@pytest.mark.parametrize("title", ["ø" * 300, "🛶" * 300, "CON", "nul.", "a/b:c\\d?.", "../../x"])
def test_hb_083_no_title_is_too_long_or_a_name_of_a_file(harvest: Harvest, title: str) -> None:
    report = harvest.run(harvest.give([conversation("c", [("user", "Hei")], title=title)]))
    (kept,) = harvest.rows("SELECT title FROM sessions WHERE kind = 'conversation'")
    assert report.new == 1
    assert kept[0] == title if len(title) <= 200 else (len(kept[0]) <= 200 and title.startswith(kept[0][:-1]))
    assert sorted(p.name for p in harvest.folder.iterdir() if not p.name.startswith("test.mind")) == [
        "conversations.json", "spool",
    ]  # fmt: skip
