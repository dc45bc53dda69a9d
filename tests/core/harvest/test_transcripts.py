"""Talks written down as text: who speaks, when, and that no line is lost.

Covers: documents_lines, documents_blocks, documents_labels, documents_transcripts, documents_times, documents_reading.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hivemind.domain.harvest import HarvestEvent, ItemEnded, MessageRead
from hivemind.harvest.adapters.documents_labels import role_of
from hivemind.harvest.adapters.documents_lines import LINE_CAP
from hivemind.harvest.adapters.markdown import MarkdownAdapter
from hivemind.harvest.adapters.plaintext import PlainTextAdapter
from hivemind.harvest.sources import FilePart


def events(path: Path) -> list[HarvestEvent]:
    """What the reader of a file says about it."""
    adapter = MarkdownAdapter() if path.suffix == ".md" else PlainTextAdapter()
    return list(adapter.read(FilePart(path.name, path.stat().st_size, path)))


def read(folder: Path, text: str | bytes, name: str = "talk.txt") -> list[MessageRead]:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return [event for event in events(path) if isinstance(event, MessageRead)]


def said(messages: list[MessageRead]) -> list[tuple[str, str]]:
    return [(message.speaker, message.text) for message in messages]


@pytest.fixture
def oslo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A computer in Norway."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of this system cannot be changed for a test")
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Europe/Oslo")
        time.tzset()
        yield
    time.tzset()


HEADINGS = "# My talk\n\n## User\nWhere is it?\n\n```\n## User\n```\n\n## Assistant\nThere.\n"
BOLD = "**You:** Where is it?\n\n**ChatGPT:** There.\nBehind the door.\n"
QUOTED = "> **User**: Where\n> is it?\n\n**Assistant**: There.\n"
CALLOUTS = "> [!question] **User**\n> Where?\n\n> [!success] **ChatGPT**\n> There.\n"
SAID = "You said:\nWhere?\n\nChatGPT said:\nThere.\n"
PLAIN = "Maja: Where?\nOla: There.\nMaja: Thanks.\nOla: Sure.\nAs always.\n"


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (HEADINGS, "a.md", [("", "# My talk"), ("User", "Where is it?\n\n```\n## User\n```"), ("Assistant", "There.")]),
        (BOLD, "a.md", [("You", "Where is it?"), ("ChatGPT", "There.\nBehind the door.")]),
        (QUOTED, "a.md", [("User", "Where\n> is it?"), ("Assistant", "There.")]),
        (CALLOUTS, "a.md", [("User", "> Where?"), ("ChatGPT", "> There.")]),
        (SAID, "a.txt", [("You said", "Where?"), ("ChatGPT said", "There.")]),
        (PLAIN, "a.txt", [("Maja", "Where?"), ("Ola", "There."), ("Maja", "Thanks."), ("Ola", "Sure.\nAs always.")]),
        ("[10:11] <ola> hi\n[10:12] <maja> hello\n[10:13] * ola waves\n", "a.log",
         [("ola", "hi"), ("maja", "hello"), ("ola", "* ola waves")]),
    ],
)  # fmt: skip
def test_talks_are_recognised(tmp_path: Path, text: str, name: str, expected: list[tuple[str, str]]) -> None:
    assert said(read(tmp_path, text, name)) == expected


def test_a_quoted_turn_is_spoken_without_its_marks(tmp_path: Path) -> None:
    first, second = read(tmp_path, CALLOUTS, "a.md")
    assert (first.text, first.spoken, second.spoken) == ("> Where?", "Where?", "There.")


@pytest.mark.parametrize(
    "text",
    [
        "Ingredients: eggs\nSteps: mix\nTime: 3 min\nServes: 4\n",
        "From: a@example.org\nTo: b@example.org\nSubject: the boat\n\nIt is sold.\n",
        "2026-01-02 10:11:12 INFO: started\n2026-01-02 10:11:13 ERROR: failed\n2026-01-02 10:11:14 INFO: ended\n",
        "Q: What is it?\nA: A boat.\n",
        "The user: asks.\nNothing else.\n",
        "# Prompt\n\nHow to write one.\n\n# Response\n\nHow to read one.\n",
        "name: x\nname: y\nplace: z\nplace: w\n",
        "Only one line with a colon: here.\n",
    ],
)
def test_lists_letters_and_logs_stay_documents(tmp_path: Path, text: str) -> None:
    (message,) = read(tmp_path, text)
    assert (message.role, message.text) == ("document", text.strip())


def test_roles() -> None:
    assert [role_of(name) for name in ("You said:", "Claude 3.5 Sonnet", "gpt-4o", "System", "Ola", "Claudette")] == [
        "user", "assistant", "assistant", "system", "", "",
    ]  # fmt: skip


def test_a_system_prompt_is_hidden(tmp_path: Path) -> None:
    messages = read(tmp_path, "## System\nBe nice.\n\n## User\nHi\n\n## Assistant\nHello\n", "a.md")
    assert [(message.hidden, bool(message.spoken)) for message in messages] == [
        (True, False),
        (False, True),
        (False, True),
    ]


@pytest.mark.usefixtures("oslo")
@pytest.mark.parametrize(
    ("lines", "stamps"),
    [
        (("[25/10/2025, 10:00:00] Ola: a", "[27/10/2025, 10:00:00] Maja: b"), ("2025-10-25T08:00", "2025-10-27T09:00")),
        (("25.10.25, 10:00 - Ola: a", "27.10.25, 10:00 - Maja: b"), ("2025-10-25T08:00", "2025-10-27T09:00")),
        (("3/14/25, 1:05\u202fPM - Ola: a", "3/15/25, 12:05\u202fAM - Maja: b"),
         ("2025-03-14T12:05", "2025-03-14T23:05")),
        (("03/04/2025, 10:00 - Ola: a", "04/04/2025, 10:00 - Maja: b"), ("2025-04-03T08:00", "2025-04-04T08:00")),
        (("2025-07-01 10:00 <ola> a", "2025-07-01 10:01 <maja> b"), ("2025-07-01T08:00", "2025-07-01T08:01")),
    ],
)  # fmt: skip
def test_local_times_with_summer_time(tmp_path: Path, lines: tuple[str, str], stamps: tuple[str, str]) -> None:
    messages = read(tmp_path, "\n".join(lines) + "\n")
    assert tuple((message.sent_at or "")[:16] for message in messages) == stamps
    assert all("(local time assumed)" in (message.sent_at_original or "") for message in messages)


def test_a_file_that_contradicts_itself_has_no_times(tmp_path: Path) -> None:
    messages = read(tmp_path, "[13/04/2025, 10:00] Ola: a\n[04/13/2025, 10:00] Maja: b\n")
    assert [(m.sent_at, m.sent_at_original) for m in messages] == [
        (None, "13/04/2025, 10:00"),
        (None, "04/13/2025, 10:00"),
    ]


def test_a_notice_of_the_messenger_is_kept_and_said_by_nobody(tmp_path: Path) -> None:
    text = "[12/03/2024, 10:11] Ola: hi\n[12/03/2024, 10:12] Maja was added\n[13/03/2024, 10:13] Maja: hello\n"
    assert [message.speaker for message in read(tmp_path, text)] == ["Ola", "", "Maja"]


def test_the_same_line_again_is_another_message(tmp_path: Path) -> None:
    messages = read(tmp_path, "User: ok\nAssistant: ok\nUser: ok\n")
    assert messages[0].ext_id == messages[2].ext_id != messages[1].ext_id


def test_a_talk_is_named_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(HEADINGS)
    (end,) = (event for event in events(path) if isinstance(event, ItemEnded))
    assert (end.title, end.document, end.named_by_place) == ("My talk", False, True)


LABELS = st.sampled_from(
    ["User:", "Assistant:", "## User", "## Assistant", "**You:**", "**Claude**: ", "Ola:", "Maja: ", "> **User**",
     "[12/03/2024, 10:11:12] Ola:", "10:11 <ola>", "3/14/24, 10:11 PM - Maja:", "---", "```", "# Title", "Note:",
     "[12/03/2024, 10:11:12]", ""]
)  # fmt: skip
WORDS = st.text(st.sampled_from("ab:#>*`[]<-é漢🛶\u200e \t\x00\ufeff"), max_size=12)
LINES = st.lists(st.tuples(LABELS, WORDS).map(" ".join), max_size=14)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def letters(text: str) -> str:
    """What must not be lost: every letter and sign that has a meaning of its own."""
    return "".join(char for char in text if char.isalnum() or char in "🛶")


def kept(messages: list[MessageRead]) -> str:
    parts = [(m.speaker, m.sent_at_original or "", m.text) for m in messages]
    return "\n".join(part for three in parts for part in three)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, end=ENDS, name=st.sampled_from(["a.md", "a.txt"]))
def test_every_line_ends_up_in_the_archive(tmp_path: Path, lines: list[str], end: str, name: str) -> None:
    messages = read(tmp_path, end.join(lines), name)
    everything = letters(kept(messages))
    for line in lines:
        for word in line.split():
            bare = letters(word)
            assert bare in everything, (line, kept(messages))
    total = sum(len(letters(line)) for line in lines)
    labels = sum(len(letters(m.speaker)) + len(letters(m.sent_at_original or "")) for m in messages)
    assert total <= sum(len(letters(m.text)) for m in messages) + labels


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400), name=st.sampled_from(["a.md", "a.txt"]))
def test_no_bytes_break_the_reading(tmp_path: Path, data: bytes, name: str) -> None:
    for message in read(tmp_path, data, name):
        message.text.encode("utf-8")
        assert "\x00" not in message.text


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    size=st.integers(LINE_CAP - 3, 5 * LINE_CAP), char=st.sampled_from("aé漢🛶"), gap=st.integers(0, 9_000),
    end=st.sampled_from(["", "\r\n", "\n"]),
)  # fmt: skip
def test_a_huge_line_comes_in_pieces_and_whole(tmp_path: Path, size: int, char: str, gap: int, end: str) -> None:
    line = "".join(" " if gap and n % (gap + 2) == gap + 1 else char for n in range(size))
    messages = read(tmp_path, f"first{end or chr(10)}{line}{end}last")
    joined = "".join(message.text for message in messages)
    assert joined.replace(" ", "").replace("\n", "") == f"first{line}last".replace(" ", "")
    assert max(len(message.text) for message in messages) <= LINE_CAP + 3_000
