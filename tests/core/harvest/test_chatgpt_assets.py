"""Attachments of a ChatGPT export: names from lists and first bytes, texts, the canvas. Covers: chatgpt_assets"""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import chain, conversation, message, write_zip
from tests.samples.sources import HeldSource

from hivemind.harvest.adapters.chatgpt_assets import AssetIndex, kind_of


def part(name: str, data: bytes) -> HeldSource:
    """A file of an export."""
    return HeldSource(data, name)


NAMES = json.dumps({"9f3a.dat": "boathouse.png", "77aa.dat": "lease.txt", "88.dat": "lease.txt"}).encode()
LIBRARY = json.dumps(
    [{"file_id": "file_0c", "file_name": "plan", "file_extension": "md"}, {"file_id": 7}, "x"]
).encode()


def index(*parts: HeldSource) -> AssetIndex:
    return AssetIndex((part("conversation_asset_file_names.json", NAMES), part("library_files.json", LIBRARY), *parts))


def test_names_come_from_the_lists_else_from_the_first_bytes() -> None:
    found = index(part("x/9f3a.dat", b"\x89PNG\r\n"), part("file_0c.dat", b"# Plan"), part("bb.dat", b"%PDF-1.7"))
    assert found.name_of("9f3a") == found.name_of("9f3a.dat") == "boathouse.png"
    assert found.name_of("file_0c") == "plan.md"
    assert found.name_of("bb") == "bb.pdf"
    assert found.name_of("nobody") == "" == found.name_of("")


def test_texts_are_taken_and_other_files_are_not() -> None:
    found = index(
        part("file-ab12-notes.txt", "Möwe".encode("utf-16")),
        part("file-cd-photo.png", b"\x89PNG\r\n"),
        part("file_0c.dat", b"# Plan"),
        part("file-ee-lie.txt", b"MZ\x00\x01binary"),
    )
    assert found.text_of("file-ab12", "notes.txt") == "Möwe"
    assert found.text_of("file-cd", "photo.png") == ""
    assert found.text_of("file_0c", "plan.md") == "# Plan"
    assert found.text_of("file-ee", "lie.txt") == ""


def test_a_name_that_several_files_had_tells_nothing() -> None:
    one = index(part("77aa.dat", b"The lease of 2019"))
    assert one.text_of("file-unknown", "lease.txt") == "The lease of 2019"
    two = index(part("77aa.dat", b"The lease of 2019"), part("88.dat", b"The lease of 2024"))
    assert two.text_of("file-unknown", "lease.txt") == ""


@pytest.mark.parametrize(
    ("head", "ending"),
    [
        (b"\xff\xd8\xff\xe0", "jpg"), (b"RIFF\x00\x00\x00\x00WEBP", "webp"), (b"RIFF\x00\x00\x00\x00WAVE", "wav"),
        (b"\x00\x00\x00\x18ftypM4A ", "m4a"), (b"\x00\x00\x00\x18ftypisom", "mp4"), (b"PK\x03\x04", "zip"),
        ("Ødegaard".encode(), "txt"), (b"\xfe\x00\x01", ""), (b"", ""),
    ],
)  # fmt: skip
def test_kinds_by_first_bytes(head: bytes, ending: str) -> None:
    assert kind_of(head) == ending


@given(st.binary(max_size=64), st.text(max_size=12), st.dictionaries(st.text(max_size=6), st.text(max_size=6)))
def test_no_file_breaks_the_index(data: bytes, name: str, listed: dict[str, str]) -> None:
    found = AssetIndex((part(f"{name}.dat", data), part("n.json", json.dumps(listed).encode()), part("m.json", data)))
    assert isinstance(found.name_of(name), str) and isinstance(found.text_of(name, name), str)


def _attaching(text: str, **file: Any) -> dict[str, Any]:
    body = message("m", "user", text, metadata={"attachments": [file]})
    answer = message("a", "assistant", "It says nine metres.")
    return conversation("c", [], mapping=chain([body, answer]), current_node="a")


def test_the_text_of_an_attachment_is_searched_and_is_nobodys_words(harvest: Harvest) -> None:
    members = {
        "conversations-000.json": json.dumps([_attaching("How long?", id="file-ab", name="mast.txt")]).encode(),
        "file-ab-mast.txt": b"The mast is 9 m.",
    }
    report = harvest.run(write_zip(harvest.folder / "export.zip", members))
    assert harvest.rows("SELECT ext_id, role, kind, branch, position, attachments FROM messages ORDER BY position") == [
        ("m#file-ab", "attachment", "document", 0, 0, '["mast.txt"]'),
        ("m", "user", "speech", 0, 1, "[]"),
        ("a", "assistant", "speech", 0, 2, "[]"),
    ]
    assert (report.attachments_text, report.attachments_missing) == (1, 0)
    found = harvest.rows("SELECT content, captions FROM memory_frames WHERE frame_type = 'P' ORDER BY position")
    assert found[0] == ("The mast is 9 m.", "mast.txt")
    (summary,) = harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'I'")
    assert "9 m." not in summary[0] and "attachment" not in summary[0]


def test_attachments_that_arrive_later_take_their_place(harvest: Harvest) -> None:
    chats = json.dumps([_attaching("How long?", id="file-ab", name="mast.txt")]).encode()
    first = harvest.run(write_zip(harvest.folder / "a.zip", {"conversations.json": chats}))
    assert (first.attachments_text, first.attachments_missing) == (0, 1)
    both = {"conversations.json": chats, "file-ab.dat": b"The mast is 9 m."}
    second = harvest.run(write_zip(harvest.folder / "b.zip", both))
    assert (second.updated, second.messages) == (1, 1)
    assert [row[0] for row in harvest.rows("SELECT ext_id FROM messages ORDER BY position")] == ["m#file-ab", "m", "a"]


def test_a_document_on_the_canvas_is_read(harvest: Harvest) -> None:
    call = json.dumps({"name": "Packing", "type": "document", "content": "Rope\nand tar"})
    content = {"content_type": "code", "text": call}
    told = message("m", "assistant", "", recipient="canmore.create_textdoc", content=content)
    update = message("u", "assistant", '{"updates": []}', recipient="canmore.update_textdoc")
    harvest.run(harvest.give([conversation("c", [], mapping=chain([told, update]), current_node="u")]))
    assert harvest.rows("SELECT content, captions FROM memory_frames WHERE frame_type = 'P'") == [
        ("Rope\nand tar", "Packing")
    ]
    assert harvest.rows("SELECT kind FROM messages ORDER BY position") == [("document",), ("tool_call",)]
