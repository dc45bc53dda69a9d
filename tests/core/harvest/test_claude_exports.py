"""Whole exports of Claude as they were and are handed out, and asking for readers by name at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import many, write_zip
from tests.samples.claude import at, talk

from hivemind.domain.harvest import Reason
from hivemind.harvest.adapters import ADAPTERS
from hivemind.harvest.detection import preview
from hivemind.sidecar.door import run

PROJECT = {
    "uuid": "p1", "name": "Sloop", "description": "", "prompt_template": "", "created_at": at(0),
    "docs": [{"uuid": "d1", "filename": "rig.md", "content": "The mast is nine metres.", "created_at": at(0)}],
}  # fmt: skip
MEMORY = {"account_uuid": "u", "conversations_memory": "Sails a sloop.", "project_memories": {}}
USERS = [{"uuid": "u", "full_name": "Odo", "email_address": "odo@example.org", "verified_phone_number": None}]
MANIFEST = {"files": [{"url": "https://claude.ai/export/conversations-000.zip?sig=1", "name": "conversations-000.zip"}]}


def packed(value: object) -> bytes:
    return json.dumps(value).encode()


def sessions(harvest: Harvest) -> list[tuple[str, str, str]]:
    rows = harvest.rows("SELECT kind, item_id, title FROM sessions WHERE source = 'claude' ORDER BY item_id")
    return [(str(kind), str(item), str(title)) for kind, item, title in rows]


EXPECTED = [
    ("conversation", "c", "Talk c"), ("document", "memories:u", "What Claude remembers"),
    ("document", "project:p1", "Sloop"),
]  # fmt: skip


def test_one_zip_with_everything(harvest: Harvest) -> None:
    members = {
        "conversations.json": packed([talk("c", ["Which quay?", "West."])]),
        "projects.json": packed([PROJECT]),
        "memories.json": packed([MEMORY]),
        "users.json": packed(USERS),
    }
    path = write_zip(harvest.folder / "data.dms", members)
    report = harvest.run(path)
    assert sessions(harvest) == EXPECTED
    assert (report.found, report.new) == (4, 3)
    assert report.skipped == (Reason("the account file of a Claude export", 1),)
    again = harvest.run(path)
    assert (again.new, again.updated, again.unchanged) == (0, 0, 3)


def test_several_zips_and_their_manifest_in_one_folder(harvest: Harvest) -> None:
    folder = harvest.folder / "drop"
    folder.mkdir()
    write_zip(folder / "conversations-000.zip", {"conversations.json": packed([talk("c", ["Which quay?", "West."])])})
    write_zip(folder / "projects-000.zip", {"projects/p1.json": packed(PROJECT)})
    write_zip(folder / "memories.zip", {"memories.json": packed(MEMORY)})
    (folder / "manifest-1.json").write_bytes(packed(MANIFEST))
    report = harvest.run(folder)
    assert sessions(harvest) == EXPECTED
    ((left),) = report.skipped
    assert "download links" in left.reason and report.failed == ()


def test_an_index_with_one_file_for_each_conversation(harvest: Harvest) -> None:
    index = {key: value for key, value in talk("c", []).items() if key != "chat_messages"}
    members = {
        "conversations.json": packed([index]),
        "conversations/c.json": packed(talk("c", ["Which quay?", "West."])),
        "projects/p1.json": packed(PROJECT),
        "memories.json": packed(MEMORY),
    }
    report = harvest.run(write_zip(harvest.folder / "data.zip", members))
    assert sessions(harvest) == EXPECTED
    assert report.skipped == (Reason("a list of Claude conversations without their texts", 1),)


@pytest.mark.parametrize(("value", "words"), [(MANIFEST, "download links"), (USERS, "the account file of a Claude")])
def test_files_beside_the_export_alone_are_explained(tmp_path: Path, value: object, words: str) -> None:
    path = tmp_path / "some.json"
    path.write_bytes(packed(value))
    seen = preview(path)
    assert seen.source == "" and words in seen.label and "Nothing was imported" in seen.label


def test_a_newer_memory_replaces_the_older_one(harvest: Harvest) -> None:
    harvest.run(harvest.give(MEMORY))
    report = harvest.run(harvest.give(MEMORY | {"conversations_memory": "Sails a ketch."}))
    assert (report.new, report.updated) == (0, 1)
    found = harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'P'")
    assert found == [("Sails a ketch.",)]


def test_a_growing_talk_with_attachments_is_brought_up_to_date(harvest: Harvest) -> None:
    first = talk("c", ["Which quay?", "West."])
    harvest.run(harvest.give([first]))
    longer = talk("c", ["Which quay?", "West.", "And in winter?", "Ashore."], name="Moorings")
    report = harvest.run(harvest.give([longer]))
    assert (report.updated, report.messages) == (1, 2)
    assert sessions(harvest) == [("conversation", "c", "Moorings")]


def test_large_attachments_are_committed_in_portions_and_resumed(harvest: Harvest) -> None:
    text = "\n".join(f"Line {n} of the log of the sloop." for n in range(12_000))
    item = talk("c", ["Read it"])
    item["chat_messages"][0]["attachments"] = [{"file_name": "log.txt", "extracted_content": text}]
    report = harvest.run(harvest.give([item]))
    sizes = [size for (size,) in harvest.rows("SELECT length FROM messages WHERE kind = 'document' ORDER BY position")]
    assert sum(sizes) == len(text) and max(sizes) <= 50_000
    assert (report.attachments_text, len(sizes)) == (1, len(sizes)) and len(sizes) > 5


@pytest.mark.parametrize("name", ["chatgpt", "claude"])
def test_the_command_line_takes_the_reader_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / "conversations.json"
    path.write_bytes(packed(many(1) if name == "chatgpt" else [talk("c", ["Hei"])]))
    assert name in [adapter.name for adapter in ADAPTERS]
    code = run(["--data-dir", str(tmp_path / "data"), "--json", "import", "--source", name, str(path)])
    document = json.loads(capsys.readouterr().out)
    assert (code, document["source"], document["new"]) == (0, name, 1)
