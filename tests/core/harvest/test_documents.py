"""Documents in a mind: blocks of one text, edited files, copies, moved folders, and what a person made their own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import write_zip

from hivemind.domain.harvest import ImportReport
from hivemind.harvest.adapters.markdown import MarkdownAdapter
from hivemind.harvest.assembly import Assembly
from hivemind.harvest.documents import SAME_TEXT
from hivemind.harvest.prepared import Batch, PreparedChunk
from hivemind.harvest.runs import RunStore
from hivemind.harvest.sources import FilePart
from hivemind.harvest.writing import BatchWriter

NOTE = """# The sloop

Tar the seams in April.

## Sails

The mainsail is stored in the attic.

## Engine

The engine needs two litres of oil.
"""
TEXTS = "SELECT content FROM memory_frames WHERE frame_type = 'P' AND branch = 0 ORDER BY position, part"


def note(harvest: Harvest, text: str = NOTE, name: str = "sloop.md") -> Path:
    path = harvest.folder / "notes" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def texts(harvest: Harvest) -> list[str]:
    return [str(row[0]) for row in harvest.rows(TEXTS)]


def outcome(report: ImportReport) -> tuple[int, int, int]:
    return report.new, report.updated, report.unchanged


def test_a_note_is_a_document_with_an_opening_and_its_blocks(harvest: Harvest) -> None:
    report = harvest.run(note(harvest))
    assert (report.source, report.new, report.frames.i, report.frames.p) == ("markdown", 1, 1, 3)
    assert harvest.rows("SELECT kind, title, source FROM sessions") == [("document", "The sloop", "markdown")]
    assert texts(harvest) == [
        "# The sloop\n\nTar the seams in April.",
        "## Sails\n\nThe mainsail is stored in the attic.",
        "## Engine\n\nThe engine needs two litres of oil.",
    ]
    rows = harvest.rows("SELECT captions, speaker_id FROM memory_frames WHERE frame_type = 'P' ORDER BY position")
    assert rows == [(None, None), ("The sloop", None), ("The sloop", None)]
    (opening,) = harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'I'")
    assert opening[0].startswith("The sloop\nMarkdown document, ") and "(date of the file)" in opening[0]
    assert harvest.problems() == []


def test_long_paragraphs_are_cut_into_parts_of_six_hundred(harvest: Harvest) -> None:
    harvest.run(note(harvest, "Words of the log go on. " * 200))
    rows = harvest.rows("SELECT length(content), position, part FROM memory_frames WHERE frame_type = 'P' ORDER BY id")
    assert all(length <= 600 for length, _, _ in rows) and len(rows) >= 8
    assert [row[1:] for row in rows] == sorted(row[1:] for row in rows)


def test_an_unchanged_note_is_unchanged_whatever_its_file_time(harvest: Harvest) -> None:
    path = note(harvest)
    harvest.run(path)
    before = harvest.counts()
    os.utime(path, (1_600_000_000, 1_600_000_000))
    assert outcome(harvest.run(path)) == (0, 0, 1)
    after = harvest.counts()
    assert after.pop("import_claims") == 2 * before.pop("import_claims")
    assert after == before


def test_an_edit_replaces_its_block_and_no_other(harvest: Harvest) -> None:
    path = note(harvest)
    harvest.run(path)
    ids = dict(harvest.rows("SELECT content, id FROM memory_frames"))
    note(harvest, NOTE.replace("attic", "boathouse"))
    report = harvest.run(path)
    assert outcome(report) == (0, 1, 0) and report.frames.p == 1
    assert "## Sails\n\nThe mainsail is stored in the boathouse." in texts(harvest)
    assert not any("attic" in text for text in texts(harvest))
    now = dict(harvest.rows("SELECT content, id FROM memory_frames"))
    assert (
        now["## Engine\n\nThe engine needs two litres of oil."]
        == ids["## Engine\n\nThe engine needs two litres of oil."]
    )
    archived = harvest.rows("SELECT count(*) FROM messages WHERE branch = 1")
    assert archived == [(1,)], "the earlier wording stays to be read"
    assert harvest.problems() == []


def test_a_text_put_back_is_a_memory_again(harvest: Harvest) -> None:
    path = note(harvest)
    harvest.run(path)
    first = texts(harvest)
    note(harvest, NOTE.replace("attic", "boathouse"))
    harvest.run(path)
    note(harvest)
    assert outcome(harvest.run(path)) == (0, 1, 0)
    assert texts(harvest) == first
    assert harvest.problems() == []


def test_a_moved_paragraph_keeps_its_memories(harvest: Harvest) -> None:
    path = note(harvest, "## A\n\nAlpha.\n\n## B\n\nBeta.\n")
    harvest.run(path)
    before = set(harvest.rows("SELECT id FROM memory_frames"))
    note(harvest, "## B\n\nBeta.\n\n## A\n\nAlpha.\n")
    assert outcome(harvest.run(path)) == (0, 1, 0)
    assert set(harvest.rows("SELECT id FROM memory_frames")) == before
    assert texts(harvest) == ["## B\n\nBeta.", "## A\n\nAlpha."]


def test_what_a_person_edited_stays_when_the_file_changes(harvest: Harvest) -> None:
    path = note(harvest)
    harvest.run(path)
    (target,) = (row[0] for row in harvest.rows("SELECT id FROM memory_frames WHERE content LIKE '%attic%'"))
    harvest.write(lambda tx: tx.frames.amend(target, "The mainsail is at Ola's."))
    note(harvest, NOTE.replace("attic", "boathouse"))
    harvest.run(path)
    assert harvest.read(lambda tx: tx.frames.current_text(target)) == "The mainsail is at Ola's."
    assert any("boathouse" in text for text in texts(harvest)), "and what the file says now is found too"
    assert harvest.problems() == []


def test_what_was_thrown_away_stays_thrown_away(harvest: Harvest) -> None:
    path = note(harvest)
    harvest.run(path)
    (target,) = (row[0] for row in harvest.rows("SELECT id FROM memory_frames WHERE content LIKE '%attic%'"))
    harvest.write(lambda tx: tx.frames.trash([target]))
    assert outcome(harvest.run(path)) == (0, 0, 1)
    living = harvest.rows("SELECT count(*) FROM memory_frames WHERE content LIKE '%attic%' AND trashed_at IS NULL")
    assert living == [(0,)]


def test_the_same_note_moved_or_zipped_is_the_same(harvest: Harvest) -> None:
    path = note(harvest)
    harvest.run(path.parent)
    moved = harvest.folder / "elsewhere"
    shutil.copytree(path.parent, moved)
    assert outcome(harvest.run(moved)) == (0, 0, 1)
    packed = write_zip(harvest.folder / "vault.zip", {"sloop.md": NOTE.encode()})
    assert outcome(harvest.run(packed)) == (0, 0, 1)
    assert harvest.rows("SELECT count(*) FROM sessions WHERE kind = 'document'") == [(1,)]


def test_a_copy_that_was_edited_is_a_document_of_its_own(harvest: Harvest) -> None:
    harvest.run(note(harvest))
    copy = note(harvest, name="copy.md")
    assert outcome(harvest.run(copy)) == (0, 0, 1)
    note(harvest, NOTE.replace("oil", "tar"), name="copy.md")
    assert outcome(harvest.run(copy)) == (1, 0, 0)
    assert any("litres of oil" in text for text in texts(harvest))


def test_two_notes_of_one_name_in_two_places_are_two(harvest: Harvest) -> None:
    note(harvest, "Alpha.", "a/readme.md")
    note(harvest, "Beta.", "b/readme.md")
    assert outcome(harvest.run(harvest.folder / "notes")) == (2, 0, 0)


def test_a_lasting_id_survives_moving_and_editing(harvest: Harvest) -> None:
    head = "---\nid: 202405061011\n---\n"
    harvest.run(note(harvest, head + "Alpha is here."))
    (harvest.folder / "notes" / "sloop.md").unlink()
    assert outcome(harvest.run(note(harvest, head + "Alpha is there.", "moved/other.md"))) == (0, 1, 0)
    assert texts(harvest) == ["Alpha is there."]


def test_two_notes_with_one_id_are_told_apart(harvest: Harvest) -> None:
    head = "---\nid: 202405061011\n---\n"
    note(harvest, head + "Alpha.", "a.md")
    note(harvest, head + "Beta.", "b.md")
    assert outcome(harvest.run(harvest.folder / "notes")) == (2, 0, 0)
    assert outcome(harvest.run(harvest.folder / "notes")) == (0, 0, 2)


def test_undo_takes_a_document_out_again(harvest: Harvest) -> None:
    before = harvest.counts()
    report = harvest.run(note(harvest))
    harvest.undo(report.run_id)
    after = harvest.counts()
    assert {table: after[table] for table in ("memory_frames", "messages", "sessions")} == {
        table: before[table] for table in ("memory_frames", "messages", "sessions")
    }
    assert harvest.problems() == []


def test_undo_of_a_second_import_leaves_what_the_first_brought(harvest: Harvest) -> None:
    harvest.run(note(harvest))
    copy = note(harvest, name="copy.md")
    harvest.undo(harvest.run(copy).run_id)
    assert len(texts(harvest)) == 3


def test_the_same_text_twice_in_one_import_is_one_document(harvest: Harvest) -> None:
    note(harvest)
    note(harvest, name="copy.md")
    report = harvest.run(harvest.folder / "notes")
    assert (report.found, report.new) == (2, 1)
    assert [(reason.reason, reason.count) for reason in report.skipped] == [(SAME_TEXT, 1)]


def test_a_document_taken_up_again_after_a_cut_is_whole(harvest: Harvest) -> None:
    """The second half of a long document arrives in a later attempt: no block of the first half counts as gone."""
    body = "\n\n".join(f"## Part {n}\n\nText of part {n}." for n in range(300))
    path = note(harvest, body)
    item = chunks_of(path)
    writer = BatchWriter(1, "markdown")
    harvest.write(lambda tx: RunStore(tx.connection, tx.now).begin("markdown", path.name, str(path)))
    harvest.write(lambda tx: writer.write(tx, Batch(item[:1], 0, ""), 0.0))
    later = BatchWriter(1, "markdown")
    for chunk in item[1:]:
        harvest.write(lambda tx, c=chunk: later.write(tx, Batch((c,), 0, ""), 0.0))  # type: ignore[misc]
    assert len(item) > 2 and len(texts(harvest)) == 300
    assert harvest.rows("SELECT state FROM import_items") == [("new",)]
    assert outcome(harvest.run(path)) == (0, 0, 1)


def chunks_of(path: Path) -> tuple[PreparedChunk, ...]:
    """A note as the reading process sends it."""
    assembly = Assembly("markdown", "Markdown", None)
    events = MarkdownAdapter().read(FilePart(path.name, path.stat().st_size, path))
    found = [entry for event in events for entry in assembly.take(event)]
    return tuple(entry for entry in found if isinstance(entry, PreparedChunk))
