"""The library facade: Appendix B in Python, the README's example, errors by name, no event loop and no Qt."""

from __future__ import annotations

import asyncio
import dataclasses
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.source_tree import ROOT

import hivemind
from hivemind.domain.frames import FrameType, Importance, PatchKind, Provenance
from hivemind.domain.search import Mode
from hivemind.domain.sessions import SessionStatus
from hivemind.errors import (
    Cancelled,
    FileInTheWay,
    FrameNotFound,
    InvalidDate,
    InvalidFrame,
    InvalidValue,
    MindMissing,
    NotAMind,
    SessionNotFound,
)
from hivemind.gateway import genesis
from hivemind.library import MindAwareness, MindFrames, MindIdentity, MindSessions, OpenMind, open_mind
from hivemind.library.arguments import counted, moment
from hivemind.library.calls import read, write
from hivemind.mind import Mind, MindTransaction
from hivemind.storage.backup import verify_backup

POSTGRES = "Alice suggested we use Postgres for the new service."
AGREED = "Team agreed on Postgres. Bob will handle migration."


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[OpenMind]:
    with open_mind(tmp_path / "work.mind") as opened:
        yield opened


def readme_example() -> str:
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## As a library", 1)[1].split("\n## ", 1)[0]
    (code,) = re.findall(r"^```python\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE)
    return str(code)


def test_readme_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(readme_example(), "README.md", "exec"), names)
    assert (tmp_path / "work.mind").exists()
    assert verify_backup(tmp_path / "work.backup").frames == 4
    assert names["answer"] == AGREED
    assert names["state"] == f"{POSTGRES}\nTeam agreed on Postgres 17. Bob will handle migration."


def test_a_session_with_frames_is_found_and_reconstructed(mind: OpenMind) -> None:
    session = mind.sessions.create("Database")
    keyframe = mind.frames.create_i_frame(session.id, POSTGRES, "normal", "user_stated")
    delta = mind.frames.create_p_frame(session.id, AGREED, keyframe.id, "important", "user_stated")
    assert (keyframe.type, keyframe.t, keyframe.source) == (FrameType.I, 0, Provenance.USER_STATED)
    assert (delta.type, delta.base_frame_id, delta.importance) == (FrameType.P, keyframe.id, Importance.IMPORTANT)
    found = mind.search("which database: postgres?", profile="recent", limit=10)
    assert {hit.frame.id for hit in found.hits} == {keyframe.id, delta.id}
    assert found.mode is Mode.KEYWORD
    assert found.degraded
    assert mind.search("postgres", limit=1).total == 2
    assert mind.frames.reconstruct_state(session.id).current_content == f"{POSTGRES}\n{AGREED}"
    assert [row.frames for row in mind.sessions.list_rows()] == [2]
    assert mind.sessions.conversation(session.id).messages == ()


def test_patches_change_what_is_said_now(mind: OpenMind) -> None:
    session = mind.sessions.create()
    frame = mind.frames.create_i_frame(session.id, "We use Postgres 16.")
    amend = mind.frames.amend(frame.id, "We use Postgres 17.")
    assert mind.frames.text(frame.id) == "We use Postgres 17."
    assert [one.patch_kind for one in mind.frames.history(frame.id)] == [None, PatchKind.AMEND]
    assert [one.id for one in mind.frames.list_current()] == [amend.id]
    mind.frames.retract(frame.id, "It was a plan only.")
    assert mind.frames.count() == 0
    mind.frames.retract(frame.id)
    assert mind.frames.count() == 1


def test_a_link_joins_two_frames(mind: OpenMind) -> None:
    session = mind.sessions.create()
    first = mind.frames.create_i_frame(session.id, POSTGRES)
    second = mind.frames.create_p_frame(session.id, "MySQL was the other choice.", first.id)
    link = mind.frames.create_b_frame("Two databases", [first.id, (second.id, "alternative")])
    assert mind.frames.text(link.id) == "Two databases"
    assert [(one.ref_frame_id, str(one.kind)) for one in mind.frames.references(link.id)] == [
        (first.id, "link"),
        (second.id, "alternative"),
    ]
    with pytest.raises(InvalidFrame):
        mind.frames.create_b_frame("One alone", [first.id])


def test_saving_twice_keeps_one(mind: OpenMind) -> None:
    first = mind.save(POSTGRES)
    again = mind.save(POSTGRES, importance="important")
    assert again.duplicate_of == first.frame.id
    assert mind.frames.get(first.frame.id).importance is Importance.IMPORTANT
    assert mind.frames.count() == 1


def test_use_counts_once_per_search(mind: OpenMind) -> None:
    saved = mind.save(POSTGRES)
    found = mind.search("Postgres")
    for _ in range(2):
        mind.used([hit.frame.id for hit in found.hits], query_id=found.query_id)
    assert mind.frames.get(saved.frame.id).access_count == 1


def test_trash_and_back(mind: OpenMind) -> None:
    frame = mind.save(POSTGRES).frame
    assert mind.frames.trash([frame.id]) == [frame.id]
    assert mind.search("Postgres").hits == ()
    assert mind.frames.restore([frame.id]) == [frame.id]
    assert mind.search("Postgres").total == 1
    mind.frames.set_importance(frame.id, "critical")
    assert mind.frames.get(frame.id).importance is Importance.CRITICAL


def test_sessions_close_and_reopen(mind: OpenMind) -> None:
    session = mind.sessions.create("Plan")
    assert mind.sessions.close(session.id, "Done").summary == "Done"
    assert mind.sessions.archive(session.id).status is SessionStatus.ARCHIVED
    assert mind.sessions.reopen(session.id).status is SessionStatus.ACTIVE
    assert mind.sessions.get(session.id).title == "Plan"


def test_identity_and_awareness(mind: OpenMind) -> None:
    assert mind.identity.get() is None
    assert mind.identity.set("Dana", role="engineer").created_at
    assert "Role: engineer" in mind.identity.to_context()
    item = mind.awareness.add("task", "Migrate to Postgres", priority=3, expires_at="2099-01-01T02:00:00+02:00")
    assert item.expires_at == "2099-01-01T00:00:00.000Z"
    assert "Migrate to Postgres" in mind.awareness.to_context()
    assert mind.awareness.list_active("flag") == []
    assert mind.awareness.clear([item.id]) == 1
    assert mind.awareness.list_active() == []


def test_what_comes_out_is_frozen(mind: OpenMind) -> None:
    saved = mind.save(POSTGRES)
    with pytest.raises(dataclasses.FrozenInstanceError):
        saved.frame.content = "changed"  # type: ignore[misc]


def test_the_mind_is_there_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "work.mind"
    with open_mind(path) as mind:
        mind.save(POSTGRES)
    with open_mind(str(path), create=False) as mind:
        assert mind.search("postgres").total == 1
        assert mind.path == path


def test_two_in_one_process_see_each_other(tmp_path: Path) -> None:
    with open_mind(tmp_path / "work.mind") as one, open_mind(tmp_path / "work.mind") as other:
        one.save(POSTGRES)
        assert other.search("postgres").total == 1


def test_works_inside_a_running_loop_and_from_many_threads(mind: OpenMind) -> None:
    mind.save(POSTGRES)

    async def within() -> int:
        return mind.search("postgres").total

    assert asyncio.run(within()) == 1
    session = mind.sessions.create()
    base = mind.frames.create_i_frame(session.id, "Base")
    threads = [
        threading.Thread(target=mind.frames.create_p_frame, args=(session.id, f"Note {n}", base.id)) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mind.frames.reconstruct_state(session.id).frame_count == 9


def test_errors_have_names(mind: OpenMind, tmp_path: Path) -> None:
    session = mind.sessions.create()
    with pytest.raises(SessionNotFound):
        mind.frames.create_i_frame("no such session", POSTGRES)
    with pytest.raises(InvalidFrame):
        mind.frames.create_i_frame(session.id, "  ")
    with pytest.raises(FrameNotFound):
        mind.frames.get(404)
    with pytest.raises(InvalidValue, match="critical, important, normal"):
        mind.frames.create_i_frame(session.id, POSTGRES, "vital")
    with pytest.raises(InvalidValue, match="balanced"):
        mind.search("x", profile="newest")
    with pytest.raises(InvalidValue):
        mind.search("x", limit=0)
    with pytest.raises(InvalidDate):
        mind.search("x", since="soon")
    with pytest.raises(InvalidDate):
        mind.frames.create_i_frame(session.id, POSTGRES, event_at="2025-06-30")
    assert mind.frames.count() == 0
    with pytest.raises(MindMissing):
        open_mind(tmp_path / "none.mind", create=False)
    (tmp_path / "letter.txt").write_text("Dear reader", encoding="utf-8")
    with pytest.raises(NotAMind):
        open_mind(tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text(encoding="utf-8") == "Dear reader"


def test_a_backup_never_overwrites(mind: OpenMind, tmp_path: Path) -> None:
    mind.save(POSTGRES)
    made = mind.backup(tmp_path / "copy.backup")
    assert (made.frames, made.path) == (1, str(tmp_path / "copy.backup"))
    with pytest.raises(FileInTheWay):
        mind.backup(tmp_path / "copy.backup")
    with open_mind(tmp_path / "copy.backup", create=False) as copy:
        assert copy.search("postgres").total == 1


def test_after_closing_every_call_says_so(tmp_path: Path) -> None:
    mind = open_mind(tmp_path / "work.mind")
    mind.close()
    mind.close()
    for call in (mind.frames.count, lambda: mind.save(POSTGRES), lambda: mind.search("x"), mind.identity.get):
        with pytest.raises(Cancelled, match="closed"):
            call()


def test_arguments_are_checked() -> None:
    assert moment("2025-06-30T14:00:00+02:00") == "2025-06-30T12:00:00.000Z"
    assert moment(None) is None
    with pytest.raises(InvalidDate):
        moment("2025-06-30T14:00:00")
    for limit in (0, -1):
        with pytest.raises(InvalidValue):
            counted(limit)


@settings(max_examples=40, deadline=None)
@given(texts=st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=5), query=st.text(max_size=80))
def test_any_text_goes_in_and_any_query_is_answered(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str], query: str
) -> None:
    with open_mind(tmp_path_factory.mktemp("mind") / "any.mind") as mind:
        kept = set()
        for text in texts:
            try:
                kept.add(mind.save(text).frame.id)
            except InvalidFrame:
                continue
        assert mind.frames.count() == len(kept)
        assert {hit.frame.id for hit in mind.search(query, limit=100).hits} <= kept


def test_the_parts_stand_on_one_mind(tmp_path: Path) -> None:
    """What `OpenMind` offers is four views of one mind, each call of which is one transaction."""
    mind = Mind.open(tmp_path / "work.mind", "work", create=True, seeders=(genesis(),))
    try:
        session = MindSessions(mind).create("Plan")
        frame = MindFrames(mind).create_i_frame(session.id, POSTGRES)
        MindIdentity(mind).set("Dana")
        MindAwareness(mind).add("flag", "Read only on Fridays")
        assert read(mind, lambda tx: tx.frames.get(frame.id).content) == POSTGRES

        def deprecate_then_fail(tx: MindTransaction) -> None:
            tx.frames.deprecate(frame.id)
            tx.frames.get(404)

        with pytest.raises(FrameNotFound):
            write(mind, deprecate_then_fail)
        assert MindFrames(mind).get(frame.id).importance is Importance.NORMAL
    finally:
        mind.close()


def test_a_program_that_forgets_to_close_still_ends(tmp_path: Path) -> None:
    """In its own process: no Qt is loaded, nothing holds the interpreter, and what was saved is there."""
    program = (
        "import sys, hivemind\n"
        f"mind = hivemind.open_mind({str(tmp_path / 'work.mind')!r})\n"
        f"mind.save({POSTGRES!r})\n"
        "assert mind.search('postgres').total == 1\n"
        "assert not [name for name in sys.modules if name.startswith('PySide6')]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with hivemind.open_mind(tmp_path / "work.mind", create=False) as mind:
        assert mind.search("postgres").total == 1
