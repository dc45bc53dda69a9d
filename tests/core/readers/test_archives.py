"""Archives from strangers: what is refused before a byte is unpacked, and what is read."""

from __future__ import annotations

import errno
import io
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.samples.chatgpt import write_zip

from hivemind.errors import ArchiveEncrypted, ArchiveRefused, DiskFull, ImportFault, SourceUnreadable
from hivemind.harvest.sources import OpenedSource
from hivemind.readers.archives import Archive, ArchiveLimits, is_archive


def read_all(path: Path, limits: ArchiveLimits | None = None) -> dict[str, bytes]:
    with Archive(path, limits) as archive:
        found = {}
        for member in archive.members:
            with archive.open(member) as stream:
                found[member.name] = stream.read()
        return found


def test_members_are_read_and_litter_is_not(tmp_path: Path) -> None:
    path = write_zip(
        tmp_path / "a.zip",
        {"conversations.json": b"[]", "__MACOSX/._conversations.json": b"x", "sub/._y": b"x", "sub/z.json": b"{}"},
    )
    assert is_archive(path.read_bytes()[:4])
    assert read_all(path) == {"conversations.json": b"[]", "sub/z.json": b"{}"}


@pytest.mark.parametrize(
    "name", ["../../.config/autostart/x.desktop", "/etc/passwd", "C:\\x.json", "a/../b", "..\\..\\x", "a\x00b.json"]
)
def test_unsafe_names_are_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    inside = tmp_path / "in"
    inside.mkdir()
    path = inside / "a.zip"
    placeholder = "n" * len(name)
    write_zip(path, {placeholder: b"x", "conversations.json": b"[]"})
    path.write_bytes(path.read_bytes().replace(placeholder.encode(), name.encode()))
    with pytest.raises(ArchiveRefused) as caught:
        Archive(path)
    assert "\x00" not in caught.value.title
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.zip", "in"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link.json")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(ArchiveRefused, match="link"):
        Archive(tmp_path / "a.zip")


def test_a_bomb_is_refused_by_its_ratio(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"conversations.json": b"0" * 30_000_000})
    with pytest.raises(ArchiveRefused, match="swell"):
        Archive(path)


@pytest.mark.parametrize(
    "limits",
    [ArchiveLimits(entries=2), ArchiveLimits(entry_bytes=10), ArchiveLimits(total_bytes=40), ArchiveLimits(depth=2)],
)
def test_caps(tmp_path: Path, limits: ArchiveLimits) -> None:
    path = write_zip(tmp_path / "a.zip", {"a/b/c.json": b"x" * 20, "d.json": b"y" * 20, "e.json": b"z" * 20})
    assert len(read_all(path)) == 3
    with pytest.raises(ArchiveRefused):
        Archive(path, limits)


def test_a_huge_list_of_members_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.json": b"x"})
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x05\x06")
    struct.pack_into("<HH", data, at + 8, 60_000, 60_000)
    path.write_bytes(data)
    with pytest.raises(ArchiveRefused):
        Archive(path)


def test_overlapping_members_are_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.json": os.urandom(500), "b.json": os.urandom(500)})
    data = bytearray(path.read_bytes())
    second = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, second + 42, 0)
    path.write_bytes(data)
    with pytest.raises(ArchiveRefused, match="overlap"):
        Archive(path)


def test_a_password_has_its_own_name(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "a.zip", {"a.json": b"x" * 100})
    data = bytearray(path.read_bytes())
    for magic, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = data.find(magic)
        data[at + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(ArchiveEncrypted):
        Archive(path)


def _cut(data: bytes) -> bytes:
    return data[: len(data) * 6 // 10]


def _flip(data: bytes) -> bytes:
    return data[:200] + bytes([data[200] ^ 0xFF]) + data[201:]


@pytest.mark.parametrize("damage", [_cut, _flip])
def test_damage_names_the_member_or_the_archive(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = write_zip(tmp_path / "a.zip", {"conversations.json": os.urandom(5000)})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(SourceUnreadable) as caught, Archive(path) as archive:
        archive.verify(archive.members[0])
    assert "incomplete" in caught.value.title or "conversations.json" in caught.value.title


def test_any_cut_or_flipped_byte_is_a_named_fault_or_harmless(tmp_path: Path) -> None:
    whole = write_zip(tmp_path / "a.zip", {"conversations.json": b'[{"title": "x"}]' * 9}).read_bytes()
    path = tmp_path / "b.zip"
    for at in range(len(whole)):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :]):
            path.write_bytes(damaged)
            try:
                read_all(path)
            except ImportFault as fault:
                assert fault.title and fault.hint


def test_nested_archives_are_named_and_stay_closed(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("conversations.json", "[]")
    path = write_zip(tmp_path / "a.zip", {"conversations-000.zip": inner.getvalue()})
    with Archive(path) as archive:
        assert archive.nested == ("conversations-000.zip",)


def test_zip64_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive, archive.open("a.json", "w", force_zip64=True) as member:
        member.write(b"[1]")
    assert read_all(tmp_path / "a.zip") == {"a.json": b"[1]"}


def test_an_archive_inside_is_read_without_a_trace(tmp_path: Path) -> None:
    inner = write_zip(tmp_path / "inner.zip", {"a.json": b"[1]"}).read_bytes()
    path = write_zip(tmp_path / "outer.zip", {"part.zip": inner, "notes.docx": inner, "b.json": b"[2]"})
    spool = tmp_path / "spool"
    spool.mkdir()
    with Archive(path) as outer:
        assert outer.nested == ("part.zip",)
        member = next(one for one in outer.members if one.name == "part.zip")
        with outer.inside(member, str(spool)) as opened, opened.open(opened.members[0]) as stream:
            assert stream.read() == b"[1]"
    assert list(spool.iterdir()) == []


def test_a_full_disk_is_not_taken_for_a_bad_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    inner = write_zip(tmp_path / "inner.zip", {"a.json": b"[1]"}).read_bytes()
    write_zip(tmp_path / "outer.zip", {"part.zip": inner})
    monkeypatch.setattr("shutil.copyfileobj", full)
    with pytest.raises(DiskFull):
        OpenedSource(tmp_path / "outer.zip", str(tmp_path))


@pytest.mark.parametrize(
    ("data", "limits", "words"),
    [(b"no archive", ArchiveLimits(), "incomplete"), (b"x" * 50, ArchiveLimits(nested_bytes=40), "too large")],
)
def test_what_is_called_an_archive_and_cannot_be_opened(
    tmp_path: Path, data: bytes, limits: ArchiveLimits, words: str
) -> None:
    outer = write_zip(tmp_path / "outer.zip", {"part.zip": data})
    with Archive(outer, limits) as archive, pytest.raises(ImportFault) as caught:
        archive.inside(archive.members[0], str(tmp_path))
    assert words in caught.value.title
    assert [path.name for path in tmp_path.iterdir()] == ["outer.zip"]
