"""Known faults of importers that concern chats and the reading path, each as a test with the smallest input.

| Section | Faults | Where |
|---|---|---|
| A. Encodings | HB-001, 002, 005, 010, 013 | here |
| B. Shapes | HB-014, 016, 017, 019, 020, 022, 023, 025, 026, 028, 029, 032 | here |
| C. Branches and order | HB-034, 035, 037, 038 | test_known_faults_threads |
| D. Sizes | HB-040, 041 | test_known_faults_archives |
| E. Time | HB-046, 047 | test_known_faults_threads |
| F. Again and twice | HB-052, 053, 056, 058, 059, 061 | test_known_faults_threads |
| G. Archives | HB-062, 064, 065 | test_known_faults_archives |
| H. Names that lead out | HB-067 | test_known_faults_archives |
| J. Markup in titles | HB-076 | test_known_faults_threads |
| K. Long titles | HB-083 | test_known_faults_threads |
| Q. Success that was none | HB-116, 118 | test_known_faults_archives |
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import START, chain, conversation, message, write_zip
from tests.samples.claude import talk, told

from hivemind.domain.harvest import Reason
from hivemind.harvest.detection import preview

FRAMES = "SELECT content FROM memory_frames WHERE frame_type = 'P' ORDER BY branch, position, part, t"


def frames(harvest: Harvest) -> list[str]:
    return [str(text) for (text,) in harvest.rows(FRAMES)]


def raw(harvest: Harvest, text: str, name: str = "conversations.json") -> Path:
    path = harvest.folder / name
    path.write_bytes(text.encode())
    return path


def test_hb_001_half_an_emoji_is_repaired_and_the_rest_arrives(harvest: Harvest) -> None:
    items = [conversation("c", [("user", "Yrsa likes \ud83d"), ("assistant", "Which?")])]
    report = harvest.run(raw(harvest, json.dumps(items)))
    assert (report.new, report.repaired) == (1, 1)
    assert frames(harvest) == ["Yrsa likes \ufffd", "Which?"]


@pytest.mark.parametrize("border", [1 << 16, 1 << 18])
def test_hb_002_an_escaped_pair_joins_across_a_border_of_pieces(harvest: Harvest, border: int) -> None:
    first = "[" + json.dumps(conversation("a", [("user", "Hei")])) + ","
    item = json.dumps(conversation("c", [("user", "cheers \U0001f378, Odo")])) + "]"
    # The border between two pieces of the file falls between the two escapes.
    gap = " " * (border - len(first) - item.index("\\udf78"))
    assert harvest.run(raw(harvest, first + gap + item)).repaired == 0
    found = harvest.rows("SELECT content FROM memory_frames WHERE content LIKE '%\U0001f378%' AND frame_type = 'P'")
    assert found == [("cheers \U0001f378, Odo",)]


def test_hb_005_utf_8_is_utf_8_whatever_the_system_says(harvest: Harvest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONCOERCECLOCALE", "0")
    words = "Möwe 🛶 für Ødegaard"
    harvest.run(raw(harvest, json.dumps([talk("c", [words])], ensure_ascii=False)))
    assert frames(harvest) == [words]


def test_hb_010_control_characters_are_gone_from_text_and_index(harvest: Harvest) -> None:
    harvest.run(raw(harvest, json.dumps([conversation("c", [("user", "Rent: 640\x00 kr,\x07 tenant Sólveig")])])))
    assert frames(harvest) == ["Rent: 640 kr, tenant Sólveig"]
    for word in ("640", "tenant"):
        assert harvest.rows("SELECT count(*) FROM memory_frames_fts WHERE memory_frames_fts MATCH ?", word)[0][0] >= 1


def test_hb_013_markers_are_not_said_and_are_kept_in_the_archive(harvest: Harvest) -> None:
    text = 'Try these \ue200image_group\ue202{"query":["fjord"]}\ue201 tonight'
    report = harvest.run(harvest.give([conversation("c", [("assistant", text)])]))
    assert frames(harvest) == ["Try these tonight"]
    assert harvest.rows("SELECT length FROM messages") == [(len(text.encode()),)]
    assert report.repaired == 0


def test_hb_014_a_conversation_without_mapping_is_told(harvest: Harvest) -> None:
    whole = conversation("a", [("user", "Where to moor?")])
    no_model = conversation("b", [("user", "And in winter?")], title=None, current_node=None)
    report = harvest.run(harvest.give([whole, {"id": "x", "title": "Corrupted", "create_time": None}, no_model]))
    assert (report.found, report.new, report.skipped) == (3, 2, (Reason("no messages in file", 1),))


def test_hb_016_no_creation_time_and_a_moving_update_time_are_one_record(harvest: Harvest) -> None:
    for update in (1.0, 2.0):
        item = conversation("c", [], mapping=chain([message("m", "user", "Sow beans")]), update_time=update)
        del item["create_time"]
        harvest.run(harvest.give([item]))
    assert harvest.rows("SELECT item_id FROM sessions WHERE kind = 'conversation'") == [("c",)]
    assert harvest.rows("SELECT content, event_at FROM memory_frames WHERE frame_type = 'P'") == [("Sow beans", None)]
    assert "date unknown" in harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'I'")[0][0]


def test_hb_017_without_children_the_parents_lead(harvest: Harvest) -> None:
    mapping = chain([message(name, "user", f"Turn {name}") for name in "abc"])
    for node in mapping.values():
        del node["children"]
    harvest.run(harvest.give([conversation("c", [], mapping=dict(reversed(mapping.items())), current_node="c")]))
    assert frames(harvest) == ["Turn a", "Turn b", "Turn c"]


def test_hb_019_an_unknown_block_is_kept_raw_and_counted(harvest: Harvest) -> None:
    block = {"type": "hologram", "x": 1}
    turn = told("m", "assistant", "", content=[{"type": "text", "text": "hi"}, block])
    report = harvest.run(harvest.give([talk("c", [turn])]))
    assert frames(harvest) == ["hi"]
    assert harvest.rows("SELECT kind, length FROM messages ORDER BY position") == [
        ("other", len(json.dumps(block))), ("speech", 2),
    ]  # fmt: skip
    assert harvest.rows("SELECT counts ->> '$.other' FROM import_runs WHERE id = ?", report.run_id) == [(1,)]


def test_hb_020_a_bare_array_of_claude_is_claude_whatever_its_name(harvest: Harvest) -> None:
    block = {"type": "injected_prompt_block", "text": "be brief"}
    items = [talk("a", [told("m", "human", "", content=[block, {"type": "text", "text": "Hei"}])], name="")]
    path = write_zip(harvest.folder / "conversations-000.zip", {"conversations.json": json.dumps(items).encode()})
    assert preview(path).source == "claude"
    assert (harvest.run(path).source, frames(harvest)) == ("claude", ["Hei"])


@pytest.mark.parametrize("grouping", ["two drops", "two drops, the second first", "one ZIP", "one folder", "two ZIPs"])
def test_hb_022_parts_arrive_whole_in_any_grouping(harvest: Harvest, grouping: str) -> None:
    parts = [json.dumps([conversation(f"c{n}", [("user", f"Talk {n}")])]).encode() for n in range(2)]
    names = ["conversations-000.json", "conversations-001.json"]
    folder = harvest.folder / "drop"
    folder.mkdir()
    paths = [folder]
    if grouping == "one ZIP":
        paths = [write_zip(harvest.folder / "export.zip", dict(zip(names, parts, strict=True)))]
    elif grouping == "two ZIPs":
        for n in range(2):
            write_zip(folder / f"export-{n}.zip", {names[n]: parts[n]})
    else:
        for name, part in zip(names, parts, strict=True):
            (folder / name).write_bytes(part)
        if grouping.startswith("two drops"):
            paths = [folder / name for name in names][:: -1 if "first" in grouping else 1]
    for path in paths:
        assert harvest.run(path).failed == ()
    assert harvest.rows("SELECT item_id FROM sessions WHERE kind = 'conversation' ORDER BY 1") == [("c0",), ("c1",)]
    assert sorted(frames(harvest)) == ["Talk 0", "Talk 1"]


def _with_picture(pointer: str) -> list[dict[str, Any]]:
    parts = [{"content_type": "image_asset_pointer", "asset_pointer": f"sediment://{pointer}"}]
    picture = message("m", "user", "", content={"content_type": "multimodal_text", "parts": parts})
    return [conversation("c", [], mapping=chain([picture]), current_node="m")]


@pytest.mark.parametrize(("listed", "name"), [({"9f3a.dat": "boathouse.png"}, "boathouse.png"), ({}, "9f3a.png")])
def test_hb_023_names_of_opaque_attachments_are_recovered(harvest: Harvest, listed: dict[str, str], name: str) -> None:
    members = {
        "conversations-000.json": json.dumps(_with_picture("9f3a")).encode(),
        "9f3a.dat": b"\x89PNG\r\n\x1a\n" + b"\x00" * 40,
        "conversation_asset_file_names.json": json.dumps(listed).encode(),
    }
    report = harvest.run(write_zip(harvest.folder / "export.zip", members))
    assert harvest.rows("SELECT attachments FROM messages") == [(json.dumps([name]),)]
    assert frames(harvest) == [name]
    assert report.new == 1 and report.failed == ()


def test_hb_025_a_message_of_only_attachments_stays_and_empty_chats_are_told(harvest: Harvest) -> None:
    will = {"file_name": "will.txt", "extracted_content": "Leave the sloop to Aino."}
    bare = told("m", "human", "", attachments=[will])
    report = harvest.run(harvest.give([talk("c", [bare]), talk("e", [])]))
    assert (report.new, report.skipped) == (1, (Reason("empty", 1),))
    found = harvest.rows("SELECT count(*) FROM memory_frames_fts WHERE memory_frames_fts MATCH 'sloop'")
    assert found[0][0] >= 1
    assert "Leave the sloop to Aino." in frames(harvest)
    assert (report.attachments_text, report.attachments_missing) == (1, 0)


def test_hb_026_text_that_is_only_in_blocks_is_taken(harvest: Harvest) -> None:
    turn = told("m", "human", "", content=[{"type": "text", "text": "Plant the dahlias in May."}])
    harvest.run(harvest.give([talk("c", [turn])]))
    assert frames(harvest) == ["Plant the dahlias in May."]


def test_hb_028_a_list_of_blocks_says_the_same_as_a_text(harvest: Harvest) -> None:
    listed = told("a", "human", "", content=[{"type": "text", "text": "bake rye"}])
    plain = told("b", "human", "", content="bake rye")
    harvest.run(harvest.give([talk("c", [listed]), talk("d", [plain])]))
    assert frames(harvest) == ["bake rye", "bake rye"]


def test_hb_029_the_artifact_is_read_and_its_placeholder_is_not(harvest: Harvest) -> None:
    placeholder = "Viewing artifacts created via the Analysis Tool web feature preview isn't yet supported on mobile."
    made = {"type": "tool_use", "name": "artifacts", "input": {"command": "create", "content": "Recipe for Idun"}}
    turn = told("m", "assistant", placeholder, content=[made, {"type": "text", "text": placeholder}])
    harvest.run(harvest.give([talk("c", [turn])]))
    assert frames(harvest) == ["Recipe for Idun"]


def test_hb_032_context_is_not_what_the_person_said(harvest: Harvest) -> None:
    profile = {"content_type": "user_editable_context", "user_profile": "Calls himself Ottokar."}
    mapping = chain([message("ctx", "user", "", content=profile, weight=0), message("q", "user", "Hei", START)])
    harvest.run(harvest.give([conversation("c", [], mapping=mapping, current_node="q")]))
    assert frames(harvest) == ["Hei"]
    assert harvest.rows("SELECT hidden, kind FROM messages ORDER BY position") == [(1, "profile"), (0, "speech")]
    (summary,) = harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'I'")
    assert "Ottokar" not in summary[0]
