"""Known faults of importers, sections D, G, H and Q: sizes, archives, names that lead out, success that was none.

The table of all of them is in test_known_faults_chat.
"""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import chain, conversation, many, message, write_zip
from tests.samples.claude import talk, told

from hivemind.domain.harvest import RunState
from hivemind.domain.protocols import HarvestAdapter
from hivemind.harvest.adapters.chatgpt import ChatGptAdapter
from hivemind.harvest.adapters.claude import ClaudeAdapter
from hivemind.readers.archives import ArchiveLimits

CHATS = json.dumps(many(2)).encode()


class _Endless(io.RawIOBase):
    """An array of chats that is made while it is read."""

    def __init__(self, item: bytes, count: int) -> None:
        super().__init__()
        self._pieces = self._made(item, count)
        self._left = b""

    @staticmethod
    def _made(item: bytes, count: int) -> Iterator[bytes]:
        yield b"["
        for n in range(count):
            yield item if n == count - 1 else item + b","
        yield b"]"

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while len(self._left) < size:
            piece = next(self._pieces, b"")
            if not piece:
                break
            self._left += piece
        data, self._left = self._left[:size], self._left[size:]
        return data


@dataclass(frozen=True)
class _Generated:
    """A source of `count` chats of one size."""

    item: bytes
    count: int
    name: str = "conversations.json"
    place: str = "conversations.json"
    modified: datetime | None = None

    @property
    def size(self) -> int:
        return (len(self.item) + 1) * self.count + 1

    def open(self) -> _Endless:
        return _Endless(self.item, self.count)


@pytest.mark.parametrize("vendor", ["chatgpt", "claude"])
def test_hb_040_memory_does_not_grow_with_the_file(vendor: str) -> None:
    words = "the ferry leaves at noon " * 1_600
    item: Any = talk("c", [words]) if vendor == "claude" else conversation("c", [("user", words)])
    adapter: HarvestAdapter = ClaudeAdapter() if vendor == "claude" else ChatGptAdapter()
    peaks = []
    for count in (100, 600):
        source = _Generated(json.dumps(item).encode(), count)
        tracemalloc.start()
        events = sum(1 for _ in adapter.read(source))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert events >= 3 * count
    # Six times the file, 24 MB, and not a megabyte more in memory.
    assert peaks[1] < peaks[0] + (1 << 20) and peaks[1] < 24 << 20


def _sparse_zip(path: Path, size: int) -> Path:
    """A ZIP whose first member is `size` zero bytes that are a hole on disk, written by hand; then the chats."""
    header = struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 45, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF, 8, 20)
    with path.open("wb") as file:
        file.write(header + b"film.mp4" + struct.pack("<HHQQ", 1, 16, size, size))
        file.truncate(file.tell() + size)
        file.seek(0, io.SEEK_END)
        chats_at = file.tell()
        checksum = zlib.crc32(CHATS)
        file.write(struct.pack("<4sHHHHHIIIHH", b"PK\x03\x04", 20, 0, 0, 0, 0, checksum, len(CHATS), len(CHATS), 18, 0))
        file.write(b"conversations.json" + CHATS)
        directory_at = file.tell()
        file.write(struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 45, 45, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF,
                               8, 20, 0, 0, 0, 0, 0))  # fmt: skip
        file.write(b"film.mp4" + struct.pack("<HHQQ", 1, 16, size, size))
        file.write(struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\x01\x02", 45, 20, 0, 0, 0, 0, checksum, len(CHATS),
                               len(CHATS), 18, 12, 0, 0, 0, 0, 0xFFFFFFFF))  # fmt: skip
        file.write(b"conversations.json" + struct.pack("<HHQ", 1, 8, chats_at))
        end_at = file.tell()
        file.write(
            struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 2, 2, end_at - directory_at, directory_at)
        )
        file.write(struct.pack("<4sIQI", b"PK\x06\x07", 0, end_at, 1))
        file.write(struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 2, 2, 0xFFFFFFFF, 0xFFFFFFFF, 0))
    return path


def test_hb_041_five_gigabytes_beside_the_chats_are_not_read(harvest: Harvest) -> None:
    path = _sparse_zip(harvest.folder / "export.zip", 5 << 30)
    assert path.stat().st_blocks * 512 < 1 << 20
    report = harvest.run(path)
    assert (report.new, report.failed) == (2, ())
    assert report.seconds < 20


def test_hb_062_archives_inside_are_opened_and_a_bad_one_costs_itself(harvest: Harvest) -> None:
    inner = write_zip(harvest.folder / "inner.zip", {"conversations-000.json": CHATS}).read_bytes()
    outer = {"Export-Part-1.zip": inner, "Export-Part-2.zip": inner[:-40]}
    report = harvest.run(write_zip(harvest.folder / "outer.zip", outer))
    assert (report.state, report.new) == (RunState.FINISHED, 2)
    ((bad,)) = report.failed
    assert bad.item == "Export-Part-2.zip" and "incomplete" in bad.reason and "Download it again" in bad.reason


def test_hb_062_files_beside_an_archive_inside_do_not_count_as_archives(harvest: Harvest) -> None:
    inner = write_zip(harvest.folder / "inner.zip", {"conversations-000.json": CHATS}).read_bytes()
    beside = {f"{number:03}.png": b"\x89PNG\r\n" for number in range(ArchiveLimits().nested + 1)}
    report = harvest.run(write_zip(harvest.folder / "outer.zip", {**beside, "chats.zip": inner}))
    assert (report.state, report.new, report.failed) == (RunState.FINISHED, 2, ())


def test_hb_062_one_unreadable_member_is_told_and_the_others_arrive(harvest: Harvest) -> None:
    other = json.dumps([conversation("x", [("user", "Another part")])]).encode()
    path = write_zip(harvest.folder / "export.zip", {"conversations-000.json": CHATS, "conversations-001.json": other})
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("conversations-000.json")
    data = bytearray(path.read_bytes())
    middle = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    data[middle : middle + 8] = b"\xff" * 8
    path.write_bytes(data)
    report = harvest.run(path)
    assert (report.new, [bad.item for bad in report.failed]) == (1, ["conversations-000.json"])
    assert "damaged" in report.failed[0].reason
    assert harvest.rows("SELECT item_id FROM sessions WHERE kind = 'conversation'") == [("x",)]


def test_hb_064_litter_of_the_finder_is_skipped_silently(harvest: Harvest) -> None:
    members = {"conversations.json": CHATS, "__MACOSX/._conversations.json": b"\x00\x05\x16", "._x.json": b"\x00"}
    report = harvest.run(write_zip(harvest.folder / "export.zip", members))
    assert (report.found, report.new, report.skipped, report.failed) == (2, 2, (), ())


def test_hb_065_a_cut_archive_says_so_and_brings_nothing(harvest: Harvest) -> None:
    path = write_zip(harvest.folder / "export.zip", {"conversations.json": CHATS})
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    report = harvest.run(path)
    assert (report.state, report.found) == (RunState.FAILED, 0)
    assert "incomplete" in report.error and "Download it again" in report.error
    assert harvest.rows("SELECT count(*) FROM messages") == [(0,)]


def test_hb_067_a_member_that_leads_out_is_refused(harvest: Harvest) -> None:
    members = {"conversations.json": CHATS, "../../.config/autostart/x.desktop": b"[Desktop Entry]"}
    report = harvest.run(write_zip(harvest.folder / "export.zip", members))
    assert (report.state, report.found) == (RunState.FAILED, 0)
    assert "unsafe place" in report.error
    assert list(harvest.folder.rglob("*.desktop")) == [] and not (harvest.folder.parent.parent / ".config").exists()


def test_hb_116_nothing_imported_is_no_success(harvest: Harvest) -> None:
    paths = []
    for n in range(3):
        paths.append(harvest.folder / f"{n}.json")
        paths[-1].write_bytes(b'[{"mapping": {"a": {"message": {"author": 1}}}, "id": NaN}]')
    report = harvest.run(*paths)
    assert (report.found, report.new, len(report.failed)) == (3, 0, 3)
    assert all("NaN" in failed.reason for failed in report.failed)


def test_hb_116_text_is_stored_although_no_vector_can_be_made(harvest: Harvest) -> None:
    report = harvest.run(harvest.give(many(1)))
    assert report.new == 1
    assert harvest.rows("SELECT count(*) > 0 FROM memory_frames_fts WHERE memory_frames_fts MATCH 'ferry'") == [(1,)]
    assert harvest.rows("SELECT count(*) > 0 FROM outbox") == [(1,)]


@pytest.mark.parametrize("vendor", ["chatgpt", "claude"])
def test_hb_118_a_part_of_a_new_kind_costs_only_itself(harvest: Harvest, vendor: str) -> None:
    part = {"type": "data-foo", "data": [1]}
    if vendor == "claude":
        item = talk("c", [told("m", "assistant", "", content=[part, {"type": "text", "text": "Moor west."}])])
    else:
        content = {"content_type": "multimodal_text", "parts": [part, "Moor west."]}
        body = message("m", "assistant", "", content=content)
        item = conversation("c", [], mapping=chain([body]), current_node="m")
    assert harvest.run(harvest.give([item])).failed == ()
    assert harvest.rows("SELECT content FROM memory_frames WHERE frame_type = 'P'") == [("Moor west.",)]
    (size,) = harvest.rows("SELECT sum(length) FROM messages")
    assert size[0] > len("Moor west.") + len("data-foo")
