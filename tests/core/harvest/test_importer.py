"""Whole imports: what lands in the mind, the report that adds up, faults by name. Covers: writing"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import chain, conversation, many, message, write_zip

from hivemind.domain.harvest import FailedItem, FrameCounts, ImportProgress, ImportReport, Reason, RunState
from hivemind.errors import InternalFault
from hivemind.harvest.report import check, list_reports
from hivemind.paths import resource_path

LONG = " ".join(f"Sentence number {n} is about the boathouse and its keys." for n in range(40))


def test_a_small_export_arrives_whole(harvest: Harvest) -> None:
    report = harvest.run(harvest.give([conversation("c", [("user", "Where is the key?"), ("assistant", LONG)])]))
    assert (report.state, report.found, report.new, report.messages) == (RunState.FINISHED, 1, 1, 2)
    pieces = [text for (text,) in harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'P' ORDER BY t")]
    assert pieces[0] == "Where is the key?"
    assert " ".join(pieces[1:]) == LONG and all(len(piece) <= 600 for piece in pieces)
    assert report.frames == FrameCounts(1, len(pieces), 0)
    (session,) = harvest.rows("SELECT kind, title, source, item_id, started_at, ended_at FROM sessions")
    assert session == (
        "conversation", "Talk c", "chatgpt", "c", "2025-06-15T15:06:40.000Z", "2025-06-15T15:07:40.000Z",
    )  # fmt: skip
    assert harvest.problems() == []


def test_frames_carry_who_when_and_where(harvest: Harvest) -> None:
    harvest.run(harvest.give([conversation("c", [("user", "Where?"), ("assistant", "There.")])]))
    rows = harvest.rows(
        "SELECT s.name, f.role, f.position, f.part, f.branch, f.event_at, f.origin, f.source,"
        " f.last_accessed = f.event_at FROM memory_frames AS f JOIN speakers AS s ON s.id = f.speaker_id ORDER BY f.t"
    )
    assert rows == [
        ("user", "user", 0, 0, 0, "2025-06-15T15:06:40.000Z", "import", "import", 1),
        ("assistant", "assistant", 1, 0, 0, "2025-06-15T15:07:40.000Z", "import", "import", 1),
    ]


def test_spans_join_frames_to_their_messages(harvest: Harvest) -> None:
    harvest.run(harvest.give([conversation("c", [("user", LONG)])]))
    rows = harvest.rows(
        'SELECT f.content, fm."start", fm."end", b.bytes, m.offset, m.length FROM frame_messages AS fm'
        " JOIN memory_frames AS f ON f.id = fm.frame_id JOIN messages AS m ON m.id = fm.message_id"
        " JOIN archive_blocks AS b ON b.id = m.block_id"
    )
    assert len(rows) > 2
    for content, start, end, packed, offset, length in rows:
        assert zlib.decompress(packed)[offset : offset + length].decode()[start:end] == content


def test_alternatives_and_silent_messages_are_archived(harvest: Harvest) -> None:
    mapping = chain([message("q", "user", "Which quay?"), message("a", "assistant", "The west quay.")])
    mapping["old"] = {"id": "old", "parent": "q", "message": message("old", "assistant", "The east quay.")}
    mapping["t"] = {"id": "t", "parent": "a", "message": message("t", "tool", "raw output")}
    report = harvest.run(harvest.give([conversation("c", [], mapping=mapping, current_node="t")]))
    assert (report.messages, report.frames.p) == (4, 3)
    assert harvest.rows("SELECT ext_id, branch, position FROM messages ORDER BY branch, position") == [
        ("q", 0, 0), ("a", 0, 1), ("t", 0, 2), ("old", 1, 1),
    ]  # fmt: skip
    assert harvest.rows("SELECT content FROM memory_frames WHERE branch = 1") == [("The east quay.",)]


def test_every_item_is_accounted_for(harvest: Harvest) -> None:
    items = [*many(3), {"id": "x", "title": "Lost"}, 17, conversation("e", [], mapping={})]
    report = harvest.run(harvest.give(items))
    assert (report.found, report.new) == (6, 3)
    assert set(report.skipped) == {Reason("no messages in file", 1), Reason("empty", 1)}
    assert [failed.item for failed in report.failed] == ["Item 5"]


def test_a_report_that_does_not_add_up_is_a_fault(harvest: Harvest) -> None:
    report = harvest.run(harvest.give(many(1)))
    check(report)
    harvest.write(lambda tx: tx.connection.execute("UPDATE import_runs SET counts = json_set(counts, '$.found', 2)"))
    with pytest.raises(InternalFault, match="mistake"):
        harvest.read(lambda tx: list_reports(tx.connection))


def test_half_a_file_keeps_what_came_before(harvest: Harvest) -> None:
    path = harvest.folder / "half.json"
    path.write_bytes(json.dumps(many(4)).encode()[:-300])
    report = harvest.run(path)
    assert (report.state, report.new, len(report.failed)) == (RunState.FINISHED, 3, 1)
    assert "byte" in report.failed[0].reason
    assert harvest.counts()["sessions"] == 3


def test_a_bad_neighbour_costs_nothing(harvest: Harvest) -> None:
    first, second, third = (json.dumps(item) for item in many(3))
    path = harvest.folder / "bad.json"
    path.write_text(f'[{first}, {second[:-1]}, "depth": NaN}}, {third}]')
    report = harvest.run(path)
    assert (report.new, len(report.failed)) == (2, 1)


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (b"", "empty"),
        (b"[]", "nothing to import"),
        (b"hello", "not look like a chat export"),
        (b'[{"uuid": "a", "pictures": []}]', "not look like a chat export"),
        (b"PK\x03\x04 cut", "incomplete"),
    ],
)
def test_what_cannot_be_imported_has_a_name_and_leaves_nothing(harvest: Harvest, data: bytes, title: str) -> None:
    path = harvest.folder / "conversations.json"
    path.write_bytes(data)
    report = harvest.run(path)
    assert report.state is RunState.FAILED
    assert title in report.error or "not look like" in report.error
    assert report.found == 0
    assert not any(harvest.counts().values())


def test_a_damaged_zip_brings_nothing(harvest: Harvest) -> None:
    path = write_zip(harvest.folder / "a.zip", {"conversations.json": json.dumps(many(50)).encode()})
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    report = harvest.run(path)
    assert report.state is RunState.FAILED and "conversations.json" in report.error
    assert not any(harvest.counts().values())


def test_a_zip_with_parts_is_one_source(harvest: Harvest) -> None:
    parts = {f"conversations-{n:03d}.json": json.dumps([item]).encode() for n, item in enumerate(many(3))}
    report = harvest.run(write_zip(harvest.folder / "a.zip", parts))
    assert (report.found, report.new, report.children) == (3, 3, ())


def test_several_sources_have_one_report_with_sums(harvest: Harvest) -> None:
    first = harvest.give(many(2), "a.json")
    second = harvest.give([*many(3), {"id": "x"}], "b.json")
    nothing = harvest.give({"a": 1}, "c.json")
    report = harvest.run(first, second, nothing)
    assert [child.state for child in report.children] == [RunState.FINISHED, RunState.FINISHED, RunState.FAILED]
    assert (report.state, report.found, report.new, report.unchanged) == (RunState.FINISHED, 6, 3, 2)
    assert report.skipped == (Reason("no messages in file", 1),)
    assert "c.json" in report.error
    assert harvest.read(lambda tx: [r.run_id for r in list_reports(tx.connection)]) == [report.run_id]


def test_texts_are_repaired_and_counted(harvest: Harvest) -> None:
    path = harvest.folder / "a.json"
    text = json.dumps([conversation("c", [("user", "Rent: 640\x00 kr"), ("assistant", "half \ud83d emoji")])])
    path.write_text(text)
    report = harvest.run(path)
    assert report.repaired == 2
    bodies = harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'P' ORDER BY t")
    assert bodies == [("Rent: 640 kr",), ("half \ufffd emoji",)]


def test_progress_counts_up_and_is_not_too_chatty(harvest: Harvest) -> None:
    told: list[ImportProgress] = []
    report = harvest.run(harvest.give(many(300)), on_progress=told.append)
    assert told[-1].items == report.found == 300
    assert told[-1].state is RunState.FINISHED
    assert (told[-1].messages, told[-1].frames) == (1200, 1500)
    assert [p.done for p in told] == sorted(p.done for p in told)
    assert told[-1].done <= told[-1].total
    assert len(told) <= 3 + 10 * (report.seconds + 1)


def test_a_large_conversation_is_written_in_chunks(harvest: Harvest) -> None:
    turns = [("user" if n % 2 == 0 else "assistant", f"turn {n}") for n in range(900)]
    report = harvest.run(harvest.give([conversation("c", turns)]))
    assert (report.new, report.messages, report.frames) == (1, 900, FrameCounts(1, 900, 0))
    assert harvest.rows("SELECT count(DISTINCT position), max(position) FROM messages") == [(900, 899)]
    assert harvest.rows("SELECT state, messages FROM import_items") == [("new", 900)]


def test_what_was_erased_does_not_come_back(harvest: Harvest) -> None:
    from hivemind.mind.suppressions import SuppressionStore, suppression_key

    def erase(tx: Any) -> None:
        store = SuppressionStore(tx.connection)
        store.add("chatgpt", suppression_key("chatgpt", "c0000"))
        store.add("chatgpt", suppression_key("chatgpt", "c0001", "c0001-1", 0))

    harvest.write(erase)
    report = harvest.run(harvest.give(many(2)))
    assert report.skipped == (Reason("erased earlier", 1),)
    assert harvest.rows("SELECT ext_id FROM messages ORDER BY position") == [
        ("c0001-0",), ("c0001-2",), ("c0001-3",),
    ]  # fmt: skip


def test_hostile_names_stay_names(harvest: Harvest) -> None:
    items = [conversation("../../x", [("user", "hi")], title="</script>'; DROP TABLE messages; --" + "ø" * 400)]
    report = harvest.run(harvest.give(items))
    assert report.new == 1
    assert sorted(p.name for p in harvest.folder.iterdir() if not p.name.startswith("test.mind")) == [
        "conversations.json", "spool",
    ]  # fmt: skip


def test_the_seeds_row_about_the_source(harvest: Harvest) -> None:
    path = harvest.give(many(2))
    harvest.run(path)
    harvest.run(path)
    assert harvest.rows("SELECT source_type, source_path, items_imported, frames_created FROM harvest_sources") == [
        ("chatgpt", str(path), 2, 10)
    ]


def test_the_bundled_sample_arrives(harvest: Harvest) -> None:
    report = harvest.run(Path(resource_path("samples", "chatgpt-sample.json")))
    assert (report.found, report.new, report.failed) == (12, 12, ())
    assert report.frames.p >= 55
    assert harvest.rows("SELECT count(*) FROM memory_frames_cjk")[0][0] >= 5


def test_reports_can_be_summed_by_hand() -> None:
    base = dict.fromkeys(ImportReport.__dataclass_fields__, 0) | {
        "skipped": (Reason("empty", 2),), "failed": (FailedItem("x", "y"),), "found": 6, "new": 1, "updated": 1,
        "unchanged": 1,
    }  # fmt: skip
    check(ImportReport(**base))  # type: ignore[arg-type]
    with pytest.raises(InternalFault):
        check(ImportReport(**(base | {"found": 7})))  # type: ignore[arg-type]
