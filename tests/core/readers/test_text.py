"""Foreign bytes become clean text, whatever encoding they came in."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.readers.text import DAMAGED, DecodedText, decode, sanitise

WORDS = "Möwe 🛶 für Београд 用户"


def read_all(data: bytes, size: int = 7) -> str:
    stream = DecodedText(io.BytesIO(data))
    return "".join(iter(lambda: stream.read(size), ""))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_are_told_from_their_first_bytes(encoding: str) -> None:
    assert read_all(f"[{WORDS}]".encode(encoding)) == f"[{WORDS}]"


def test_utf16_be_with_a_mark() -> None:
    assert read_all(b"\xfe\xff" + WORDS.encode("utf-16-be")) == WORDS


@pytest.mark.parametrize("data", [b"caf\xe9 au lait", b"half \xf0\x9f\x9b", b"\xed\xa0\xbd lone"])
def test_damaged_bytes_are_marked_and_the_rest_is_kept(data: bytes) -> None:
    text = read_all(data)
    clean, repaired = sanitise(text)
    assert DAMAGED in text
    assert repaired
    assert "\ufffd" in clean and DAMAGED not in clean


def test_sanitising_removes_controls_and_joins_nothing() -> None:
    assert sanitise("Rent: 640\x00 kr,\ttenant\nSólveig") == ("Rent: 640 kr,\ttenant\nSólveig", True)
    assert sanitise("likes \ud83d") == ("likes \ufffd", True)
    assert sanitise("cheers \U0001f378\r\nOdo") == ("cheers \U0001f378\nOdo", False)


@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_sanitised_text_can_always_be_stored(text: str) -> None:
    clean, _ = sanitise(text)
    clean.encode("utf-8")
    assert not any(ord(char) < 32 and char not in "\t\n" for char in clean)
    assert sanitise(clean) == (clean, False)


@given(st.binary(max_size=300), st.integers(1, 50))
def test_any_bytes_can_be_read(data: bytes, size: int) -> None:
    sanitise(read_all(data, size))[0].encode("utf-8")


def test_small_texts_fall_back_to_the_windows_code_page() -> None:
    assert decode(b"caf\xe9") == ("café", True)
    assert decode("café".encode()) == ("café", False)
    assert decode("café".encode("utf-16")) == ("café", False)
