"""Known faults of importers, where notes, texts and unknown files are concerned: encodings, shapes, sizes, times.

HB-001, HB-002, HB-004, HB-005, HB-007, HB-010, HB-011, HB-019, HB-022, HB-028, HB-031, HB-032, HB-034, HB-037, HB-040,
HB-043, HB-046, HB-047, HB-049, HB-050, HB-056, HB-059, HB-115, HB-118. The rest: test_known_faults_vaults.py.
"""

from __future__ import annotations

import io
import json
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from hivemind.domain.harvest import HarvestEvent, ItemEnded, ItemFailed, MessageRead
from hivemind.domain.protocols import HarvestAdapter
from hivemind.harvest.adapters.markdown import MarkdownAdapter
from hivemind.harvest.adapters.plaintext import PlainTextAdapter
from hivemind.harvest.adapters.universal import UniversalAdapter
from hivemind.harvest.adapters.universal_rows import ROW_CAP
from hivemind.harvest.sources import FilePart

READERS: dict[str, HarvestAdapter] = {".md": MarkdownAdapter(), ".txt": PlainTextAdapter()}


class Generated:
    """A source that is made while it is read: nothing of its size lies anywhere."""

    name = "big.json"
    size = 1
    place = "/big.json"
    modified = None

    def __init__(self, pieces: Any, name: str = "big.json") -> None:
        self._pieces = pieces
        self.name = name

    def open(self) -> BinaryIO:
        return io.BufferedReader(_Pieces(self._pieces()), 1 << 16)


class _Pieces(io.RawIOBase):
    def __init__(self, pieces: Iterator[bytes]) -> None:
        super().__init__()
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count


def events(folder: Path, data: bytes | str, name: str) -> list[HarvestEvent]:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    adapter = READERS.get(path.suffix, UniversalAdapter())
    return list(adapter.read(FilePart(name, path.stat().st_size, path)))


def read(folder: Path, data: bytes | str, name: str = "a.txt") -> list[MessageRead]:
    return [event for event in events(folder, data, name) if isinstance(event, MessageRead)]


def texts(folder: Path, data: bytes | str, name: str = "a.txt") -> list[str]:
    return [message.text for message in read(folder, data, name)]


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Sets the time zone of the computer, for one test."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of this system cannot be changed for a test")

    def put(name: str) -> None:
        patch.setenv("TZ", name)
        time.tzset()

    with monkeypatch.context() as patch:
        yield put
    time.tzset()


def chat(*said: tuple[str, Any], **more: Any) -> str:
    return json.dumps([{"role": role, "content": text, **more} for role, text in said])


# A. Encodings


def test_hb_001_half_an_emoji_is_replaced_and_the_rest_read(tmp_path: Path) -> None:
    data = '[{"role":"user","content":"Yrsa likes \\ud83d"},{"role":"assistant","content":"Who does not"}]'
    first, second = read(tmp_path, data, "a.json")
    assert (first.text, first.repaired, second.text) == ("Yrsa likes \ufffd", True, "Who does not")


@pytest.mark.parametrize("before", range(65_500, 65_560, 3))
def test_hb_002_a_pair_of_escapes_is_one_sign_across_chunks(tmp_path: Path, before: int) -> None:
    padding = "x" * (before - 30)
    data = '[{"role":"user","content":"' + padding + '\\ud83c\\udf78, Odo"}]'
    assert texts(tmp_path, data, "a.json")[0].endswith("x\U0001f378, Odo")


def test_hb_004_bytes_that_are_no_utf_8_never_become_surrogates(tmp_path: Path) -> None:
    (message,) = read(tmp_path, b"\x4f\x64\x6f\x20\xff")
    assert (message.text, message.repaired) == ("Odo ÿ", True)
    assert texts(tmp_path, "Odo ÿ".encode("utf-16")) == ["Odo ÿ"]
    assert texts(tmp_path, "Odo ÿ".encode("utf-16-be")) == ["Odo ÿ"]


def test_hb_005_utf_8_is_read_as_utf_8_on_every_system(tmp_path: Path) -> None:
    assert texts(tmp_path, "Möwe 🛶 für Ødegaard".encode()) == ["Möwe 🛶 für Ødegaard"]


def test_hb_007_a_table_with_a_bom_has_its_first_column(tmp_path: Path) -> None:
    table = "\ufeffConversation,Time,Author,Message\r\nBoat,2026-05-04T10:11:12,Human,Is it dry?\r\n"
    table += 'Boat,2026-05-04T10:11:12,AI,"Yes,\r\nquite ""dry""."\r\nBoat,2026-05-04T10:12:00,Human,Good\r\n'
    found = events(tmp_path, table, "copilot-activity-history.csv")
    said = [(event.role, event.text) for event in found if isinstance(event, MessageRead)]
    assert said == [("user", "Is it dry?"), ("assistant", 'Yes,\nquite "dry".'), ("user", "Good")]
    assert [event.title for event in found if isinstance(event, ItemEnded)] == ["Boat"]


def test_hb_010_nul_characters_go_and_the_text_stays(tmp_path: Path) -> None:
    (message,) = read(tmp_path, "Rent: 640\x00 kr, tenant Sólveig")
    assert (message.text, message.repaired) == ("Rent: 640 kr, tenant Sólveig", True)


def test_hb_011_an_old_note_is_decoded_by_fallback_and_flagged(tmp_path: Path) -> None:
    assert [(m.text, m.repaired) for m in read(tmp_path, b"\x63\x61\x66\xe9", "old.md")] == [("café", True)]
    russian = "Привет, это довольно длинная заметка о лодке, которая стоит в сарае у моря."
    assert [(m.text, m.repaired) for m in read(tmp_path, russian.encode("cp1251"), "ru.md")] == [(russian, True)]
    damaged = "Möwe, Öl, Äpfel, Übermut und " * 3
    assert texts(tmp_path, damaged.encode() + b"\xff!", "d.md") == [damaged + "\ufffd!"]


# B. Shapes


def test_hb_019_and_hb_118_an_unknown_part_costs_only_itself(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "hi"}, {"type": "data-foo", "x": 1}]
    first, second = read(tmp_path, chat(("user", parts), ("assistant", "hello")), "a.json")
    assert first.spoken == "hi" and '"data-foo"' in first.text and second.text == "hello"


def test_hb_022_two_files_with_one_talk_each_are_two_talks(tmp_path: Path) -> None:
    both = [
        events(tmp_path, chat(("user", f"{n}?"), ("assistant", "yes")), f"conversations-00{n}.json") for n in (0, 1)
    ]
    ids = {event.item_id for found in both for event in found if isinstance(event, ItemEnded)}
    assert len(ids) == 2


def test_hb_028_a_content_that_is_an_array_is_read_like_a_string(tmp_path: Path) -> None:
    listed = texts(tmp_path, chat(("user", [{"type": "text", "text": "bake rye"}]), ("assistant", "ok")), "a.json")
    assert listed == texts(tmp_path, chat(("user", "bake rye"), ("assistant", "ok")), "a.json")


def test_hb_031_a_cut_off_last_line_costs_only_itself(tmp_path: Path) -> None:
    whole = '{"role":"user","content":"one"}\n{"role":"assistant","content":"two"}\n'
    found = events(tmp_path, whole + '{"role":"user","cont', "a.jsonl")
    assert [event.text for event in found if isinstance(event, MessageRead)] == ["one", "two"]
    assert [event.reason for event in found if isinstance(event, ItemFailed)] == ["Line 3 is not valid JSON"]
    grown = texts(tmp_path, whole + '{"role":"user","content":"three"}\n', "a.jsonl")
    assert grown == ["one", "two", "three"]


def test_hb_032_instructions_of_the_system_are_nobodys_words(tmp_path: Path) -> None:
    for data, name in (
        (chat(("system", "Be nice"), ("user", "hi")), "a.json"),
        ("System: Be nice\nUser: hi\nAssistant: ho\n", "a.txt"),
    ):
        first, second, *_ = read(tmp_path, data, name)
        assert (first.hidden, first.spoken, second.hidden, second.spoken) == (True, "", False, "hi")


# C. Order


def test_hb_034_both_answers_are_there_by_their_links(tmp_path: Path) -> None:
    value = [
        {"id": "q", "parent_id": None, "role": "user", "content": "?"},
        {"id": "x", "parent_id": "q", "role": "assistant", "content": "first"},
        {"id": "y", "parent_id": "q", "role": "assistant", "content": "second"},
    ]
    found = events(tmp_path, json.dumps(value), "a.json")
    assert [event.parents for event in found if isinstance(event, ItemEnded)] == [(("q", None), ("x", "q"), ("y", "q"))]


def test_hb_037_messages_of_one_moment_keep_the_order_of_the_file(tmp_path: Path) -> None:
    data = chat(("user", "b asks"), ("assistant", "a answers"), timestamp="2026-05-04T10:11:12Z")
    assert texts(tmp_path, data, "a.json") == ["b asks", "a answers"]


# D. Size


def test_hb_040_a_huge_file_is_read_in_bounded_memory() -> None:
    body = json.dumps(
        [{"role": "user", "content": "x" * 20_000}, {"role": "assistant", "content": "y" * 20_000}]
    ).encode()

    def pieces() -> Iterator[bytes]:
        yield b"["
        for n in range(1_000):
            yield b'%s{"id":"conversation-%06d","messages":%s}' % (b"," if n else b"", n, body)
        yield b"]"

    tracemalloc.start()
    try:
        ended = sum(isinstance(event, ItemEnded) for event in UniversalAdapter().read(Generated(pieces)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert ended == 1_000 and peak < 40_000_000


def test_hb_043_a_line_without_end_is_left_out_with_a_notice() -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"role":"user","content":"before"}\n{"role":"tool","content":"'
        for _ in range(30):
            yield b"z" * 1_000_000
        yield b'"}\n{"role":"assistant","content":"after"}\n'

    found = list(UniversalAdapter().read(Generated(pieces, "big.jsonl")))
    assert [event.text for event in found if isinstance(event, MessageRead)] == ["before", "after"]
    reasons = [event.reason for event in found if isinstance(event, ItemFailed)]
    assert reasons == [f"Line 2 is larger than {ROW_CAP // 1_000_000} MB"]


def test_hb_043_a_text_of_one_huge_line_is_read_in_bounded_memory() -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(30):
            yield b"word " * 200_000

    source = Generated(pieces, "big.txt")
    tracemalloc.start()
    try:
        size = sum(len(event.text) for event in PlainTextAdapter().read(source) if isinstance(event, MessageRead))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > 29_000_000 and peak < 20_000_000


# E. Time


def test_hb_046_a_note_has_its_own_date_and_a_talk_its_own(tmp_path: Path) -> None:
    note = events(tmp_path, "---\ndate: 2023-03-05\n---\nSpring.\n", "a.md")
    (end,) = (event for event in note if isinstance(event, ItemEnded))
    assert (end.created_at, end.dated_by) == ("2023-03-05T00:00:00.000Z", "“date” in its front matter")
    (message,) = (event for event in note if isinstance(event, MessageRead) and event.spoken)
    assert (message.sent_at, message.sent_at_original) == ("2023-03-05T00:00:00.000Z", "date: 2023-03-05")
    talk = events(tmp_path, json.dumps([{"created_at": "2023-03-05T10:00:00Z", "messages": [
        {"role": "user", "content": "hi"}]}]), "a.json")  # fmt: skip
    assert [event.created_at for event in talk if isinstance(event, ItemEnded)] == ["2023-03-05T10:00:00.000Z"]


def test_hb_047_a_day_and_month_that_could_be_either_are_not_guessed_in_a_note(tmp_path: Path) -> None:
    (end,) = (e for e in events(tmp_path, "---\ndate: 03/04/2025\n---\nx\n", "a.md") if isinstance(e, ItemEnded))
    assert end.dated_by == "date of the file"


@pytest.mark.parametrize(
    ("first", "second", "stamp"),
    [("03/04/2025", "13/04/2025", "2025-04-03"), ("03/04/2025", "03/14/2025", "2025-03-04")],
)
def test_hb_047_in_a_talk_the_other_lines_tell(tmp_path: Path, zone: Any, first: str, second: str, stamp: str) -> None:
    zone("UTC")
    found = read(tmp_path, f"[{first}, 10:00] Ola: a\n[{second}, 10:00] Maja: b\n")
    assert (found[0].sent_at or "")[:10] == stamp


def test_hb_049_local_times_of_a_table_are_those_of_this_computer(tmp_path: Path, zone: Any) -> None:
    zone("Europe/Brussels")
    table = "Conversation,Time,Author,Message\nBoat,2026-05-04T10:11:12,Human,hi\n"
    (message,) = read(tmp_path, table, "a.csv")
    assert message.sent_at == "2026-05-04T08:11:12.000Z"
    assert message.sent_at_original == "2026-05-04T10:11:12 (local time assumed)"


def test_hb_050_summer_time_ends_between_two_lines(tmp_path: Path, zone: Any) -> None:
    zone("Europe/Oslo")
    found = read(tmp_path, "[25.10.2025, 12:00] Ola: a\n[27.10.2025, 12:00] Maja: b\n")
    assert [(message.sent_at or "")[:16] for message in found] == ["2025-10-25T10:00", "2025-10-27T11:00"]


# F. The same again


def test_hb_056_a_record_that_is_written_repeatedly_is_one(tmp_path: Path) -> None:
    rows = [json.dumps({"id": f"u{n}", "role": "user", "content": f"text {n}"}) for n in (1, 2, 1, 2, 3)]
    assert texts(tmp_path, "\n".join(rows), "a.jsonl") == ["text 1", "text 2", "text 3"]


def test_hb_059_two_texts_that_are_alike_are_two(tmp_path: Path) -> None:
    assert texts(tmp_path, "User: Door code is 4417\nAssistant: ok\nUser: Door code is 4471\n") == [
        "Door code is 4417", "ok", "Door code is 4471",
    ]  # fmt: skip


def test_hb_115_talks_without_ids_are_the_same_talk_when_they_have_grown(tmp_path: Path) -> None:
    said = [("user", "one"), ("assistant", "two"), ("user", "three")]
    before = [message.ext_id for message in read(tmp_path, chat(*said), "a.json")]
    after = [message.ext_id for message in read(tmp_path, chat(*said, ("assistant", "four")), "a.json")]
    assert after[:3] == before and len(after) == 4


def test_a_generated_source_is_one() -> None:
    assert Generated(lambda: iter((b"a", b"bc"))).open().read() == b"abc"
