"""What a dropped path is taken for: archives, folders, parts, companions, other vendors. Covers: companions"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.samples.chatgpt import many, write_json, write_zip

from hivemind.domain.harvest import ImportPreview
from hivemind.errors import ArchiveEncrypted, ArchiveRefused, SourceUnknown, SourceUnreadable
from hivemind.harvest.detection import preview, recognise
from hivemind.harvest.sources import OpenedSource, natural

USER = {"id": "user-1", "email": "a@example.org", "chatgpt_plus_user": False}
LINKS = [{"id": "s", "conversation_id": "c", "title": "t", "is_anonymous": True}]


def export(parts: int = 12) -> dict[str, bytes]:
    members = {f"conversations-{n:03d}.json": json.dumps(many(1)).encode() for n in range(parts)}
    return {
        "user.json": json.dumps(USER).encode(),
        "shared_conversations.json": json.dumps(LINKS).encode(),
        "message_feedback.json": b"[]",
        "chat.html": b"<html></html>",
        "file-abc-photo.png": b"\x89PNG",
        "__MACOSX/._conversations-000.json": b"junk",
        **members,
    }


def check_export(seen: ImportPreview) -> None:
    assert (seen.source, seen.label) == ("chatgpt", "ChatGPT")
    assert [Path(part).name for part in seen.parts] == [f"conversations-{n:03d}.json" for n in range(12)]


def test_a_zip_with_parts_and_companions(tmp_path: Path) -> None:
    check_export(preview(write_zip(tmp_path / "export.zip", export())))


def test_a_zip_under_another_name(tmp_path: Path) -> None:
    check_export(preview(write_zip(tmp_path / "export.dms", export())))


def test_an_unpacked_folder(tmp_path: Path) -> None:
    for name, data in export().items():
        file = tmp_path / "export" / "inner" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    check_export(preview(tmp_path / "export"))


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = write_json(tmp_path / "outside.json", many(1))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "conversations.json").symlink_to(outside)
    assert preview(folder).source == ""


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ([{"uuid": "u", "full_name": "Odo", "email_address": "a@example.org"}], "account file of a Claude"),
        ({"conversations": [{"conversation": {}, "responses": []}]}, "Grok"),
        (USER, "account file"),
        (LINKS, "shared links"),
        ([{"id": "c", "mapping": {"a": {"message": {"fragments": []}}}}], "DeepSeek"),
        ({"a": 1}, "this version reads ChatGPT"),
    ],
)
def test_what_is_not_ours_is_named(tmp_path: Path, value: object, word: str) -> None:
    path = write_json(tmp_path / "conversations.json", value)
    seen = preview(path)
    assert seen.source == "" and word in seen.label
    with OpenedSource(path) as source, pytest.raises(SourceUnknown) as caught:
        recognise(source)
    assert word in caught.value.hint


def test_archives_in_an_archive_are_opened_one_level_deep(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"conversations.json": json.dumps(many(1)).encode()}).read_bytes()
    middle = write_zip(tmp_path / "middle.zip", {"conversations-000.zip": inner}).read_bytes()
    seen = preview(write_zip(tmp_path / "once.zip", {"conversations-000.zip": inner}))
    assert (seen.source, seen.parts) == ("chatgpt", ("conversations-000.zip/conversations.json",))
    twice = write_zip(tmp_path / "twice.zip", {"part.zip": middle})
    with pytest.raises(SourceUnreadable, match="too many other archives") as caught:
        preview(twice)
    assert "Unpack it" in caught.value.hint


def test_archives_in_a_folder_are_opened_and_what_is_no_archive_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    for n in (10, 9):
        write_zip(folder / f"part-{n}.zip", {f"conversations-{n:03d}.json": json.dumps(many(1)).encode()})
    (folder / "cut.zip").write_bytes((folder / "part-9.zip").read_bytes()[:-30])
    with OpenedSource(folder) as source:
        assert [part.name for part in recognise(source).parts] == [
            "part-9.zip/conversations-009.json", "part-10.zip/conversations-010.json",
        ]  # fmt: skip
        assert [(shut.name, shut.fault.title) for shut in source.closed] == [("cut.zip", "This archive is incomplete")]


def test_a_locked_archive_inside_says_what_to_do(tmp_path: Path) -> None:
    inner = bytearray(write_zip(tmp_path / "inner.zip", {"conversations.json": b"[1]"}).read_bytes())
    inner[6] |= 1
    inner[inner.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(ArchiveEncrypted) as caught:
        preview(write_zip(tmp_path / "outer.zip", {"secret.zip": bytes(inner)}))
    assert "password" in caught.value.title and "Unpack it with its password" in caught.value.hint


def test_what_is_left_out_has_a_reason(tmp_path: Path) -> None:
    members = export(1) | {
        "other.json": b'{"a": 1}',
        "grok.json": b'{"conversations": [{"conversation": {}, "responses": []}]}',
        "export_manifest.json": b'{"export_id": "x", "files": []}',
        "conversation_asset_file_names.json": b'{"9f3a.dat": "boathouse.png"}',
        "library_files.json": b'[{"file_id": "f", "file_name": "x"}]',
    }
    with OpenedSource(write_zip(tmp_path / "export.zip", members)) as source:
        reasons = {left.name: left.reason for left in recognise(source).left_out}
    assert reasons == {
        "grok.json": "looks like Grok: import it by itself",
        "conversation_asset_file_names.json": "the names of attachments of a ChatGPT export",
        "export_manifest.json": "settings or lists of an export",
        "library_files.json": "the list of attachments of a ChatGPT export",
        "message_feedback.json": "an empty file",
        "other.json": "no conversation in it",
        "shared_conversations.json": "the list of shared links of a ChatGPT export",
        "user.json": "the account file of a ChatGPT export",
    }


def test_only_the_web_page(tmp_path: Path) -> None:
    assert "chat.html" in preview(write_zip(tmp_path / "a.zip", {"chat.html": b"<html>"})).label


def test_faults_of_opening(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable, match="no such file"):
        preview(tmp_path / "nothing.zip")
    bomb = write_zip(tmp_path / "bomb.zip", {"conversations.json": b"0" * 20_000_000})
    with pytest.raises(ArchiveRefused):
        preview(bomb)


def test_asking_for_a_reader_by_name(tmp_path: Path) -> None:
    path = write_json(tmp_path / "a.json", many(1))
    with OpenedSource(path) as source:
        assert recognise(source, "chatgpt").adapter.name == "chatgpt"
        with pytest.raises(SourceUnknown):
            recognise(source, "carrier pigeon")


def test_numbers_in_names_are_numbers() -> None:
    assert sorted(["p-10", "p-9", "P-1", "p"], key=natural) == ["p", "P-1", "p-9", "p-10"]


@pytest.mark.parametrize("at", [0, 4_000_000, 7_999_999])
def test_a_changed_file_has_another_fingerprint(tmp_path: Path, at: int) -> None:
    path = tmp_path / "big.json"
    data = bytearray(b"x" * 8_000_000)
    path.write_bytes(data)
    with OpenedSource(path) as source:
        before = source.fingerprint()
        assert source.fingerprint() == before
        data[at] = ord("y")
        path.write_bytes(data)
        assert source.fingerprint() != before
