"""A folder of many things: one source per reader under one run, sums, reasons for the rest. Covers: sorting."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from random import Random

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import conversation, many, write_json, write_zip

from hivemind.domain.harvest import RunState
from hivemind.errors import SourceUnknown
from hivemind.harvest.detection import preview, recognise, recognise_all
from hivemind.harvest.sources import OpenedSource

TALK = [{"role": "user", "content": "Where is the key?"}, {"role": "assistant", "content": "Under the mat."}]
USER = {"id": "user-1", "email": "a@example.org", "chatgpt_plus_user": False}


def folder(tmp_path: Path) -> Path:
    """Everything a person may have lying about."""
    top = tmp_path / "things"
    (top / "vault" / ".obsidian").mkdir(parents=True)
    (top / "vault" / ".obsidian" / "app.json").write_text("{}")
    (top / "vault" / "sloop.md").write_text("# Sloop\n\nTar the seams.")
    (top / "vault" / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (top / "talk.txt").write_text("User: hi\nAssistant: hello\nUser: bye\n")
    write_json(top / "conversations.json", many(2))
    write_json(top / "other.json", TALK)
    write_json(top / "strange.json", {"a": 1})
    return top


def random(seed: int) -> bytes:
    return Random(seed).randbytes(500)


def damage(path: Path, name: str) -> None:
    """Bytes in the last quarter of a member of a ZIP are no longer what they were."""
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(name)
    data = bytearray(path.read_bytes())
    place = info.header_offset + 30 + len(info.filename) + info.compress_size * 3 // 4
    data[place : place + 8] = b"\xff" * 8
    path.write_bytes(data)


def readers(path: Path) -> dict[str, list[str]]:
    with OpenedSource(path) as source:
        return {one.adapter.name: [part.name for part in one.parts] for one in recognise_all(source)}


def test_each_file_goes_to_its_reader(tmp_path: Path) -> None:
    assert readers(folder(tmp_path)) == {
        "chatgpt": ["conversations.json"],
        "markdown": ["vault/sloop.md"],
        "plaintext": ["talk.txt"],
        "universal": ["other.json"],
    }
    seen = preview(tmp_path / "things")
    assert seen.source == "several" and "ChatGPT and Markdown" in seen.label


def test_one_run_with_a_source_each_and_sums(harvest: Harvest) -> None:
    report = harvest.run(folder(harvest.folder))
    assert report.state is RunState.FINISHED and report.source == "several"
    assert [child.source for child in report.children] == ["chatgpt", "markdown", "plaintext", "universal"]
    assert (report.new, report.found) == (5, 6)
    assert [(reason.reason, reason.count) for reason in report.skipped] == [("no conversation in it", 1)]
    again = harvest.run(harvest.folder / "things")
    assert (again.new, again.unchanged) == (0, 5)
    harvest.undo(report.run_id)
    harvest.undo(again.run_id)
    assert harvest.rows("SELECT count(*) FROM sessions WHERE source IS NOT NULL") == [(0,)]


def test_beside_other_paths_too(harvest: Harvest) -> None:
    alone = harvest.folder / "alone.md"
    alone.write_text("Alone.")
    report = harvest.run(alone, folder(harvest.folder))
    assert [child.source for child in report.children] == ["markdown", "chatgpt", "markdown", "plaintext", "universal"]
    assert report.new == 6 and report.state is RunState.FINISHED


def test_a_damaged_export_beside_notes_costs_only_itself(harvest: Harvest) -> None:
    top = folder(harvest.folder)
    (top / "conversations.json").unlink()
    many_talks = json.dumps([conversation(str(n), [("user", f"{n} {random(n).hex()}")]) for n in range(200)]).encode()
    damage(write_zip(top / "export.zip", {"conversations.json": many_talks}), "conversations.json")
    report = harvest.run(top)
    assert [(one.source, one.state) for one in report.children if one.state is not RunState.FINISHED] == [
        ("chatgpt", RunState.FAILED)
    ]
    assert "damaged" in report.children[0].error and report.new == 3


def test_a_vault_says_what_it_left_out(harvest: Harvest) -> None:
    report = harvest.run(folder(harvest.folder) / "vault")
    assert (report.source, report.new) == ("markdown", 1)
    reasons = {reason.reason: reason.count for reason in report.skipped}
    assert reasons == {"an attachment: not read as text": 1, "a hidden folder: settings, not notes": 1}


def test_texts_in_an_export_are_its_attachments(tmp_path: Path) -> None:
    members = {"conversations.json": json.dumps(many(1)).encode(), "file-1-notes.md": b"# Notes", "a.txt": b"text"}
    packed = write_zip(tmp_path / "export.zip", members)
    assert readers(packed) == {"chatgpt": ["conversations.json"]}
    with OpenedSource(packed) as source:
        assert {one.name for one in recognise(source).left_out} == {"file-1-notes.md", "a.txt"}
    unpacked = tmp_path / "export"
    unpacked.mkdir()
    for name, data in {**members, "user.json": json.dumps(USER).encode()}.items():
        (unpacked / name).write_bytes(data)
    (tmp_path / "beside.md").write_text("Beside.")
    assert readers(unpacked) == {"chatgpt": ["conversations.json"]}


def test_a_reader_asked_for_by_name_gets_its_own(tmp_path: Path) -> None:
    with OpenedSource(folder(tmp_path)) as source:
        assert [part.name for part in recognise(source, "plaintext").parts] == ["talk.txt"]
        with pytest.raises(SourceUnknown):
            recognise(source, "claude")


@pytest.mark.parametrize("value", [many(1), [{"uuid": "a", "name": "", "chat_messages": []}], {"a": 1}, [1, 2]])
def test_the_loose_readers_take_no_export_and_nothing_unknown(tmp_path: Path, value: object) -> None:
    path = write_json(tmp_path / "conversations.txt", value)
    assert preview(path).source in ("", "chatgpt", "claude")
