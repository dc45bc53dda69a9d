"""Checkpoints, keys and anchors: a forger without the key or the anchor is seen, and honest histories are not blamed.

Covers: anchors, checkpoints, notes, signing.
"""

from __future__ import annotations

import base64
import shutil
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.gateway.plain_log import MIND, NOW, event, fill, plain_log, start, without_guards

from hivemind.domain.calls import CallKind, LogCheck, Verdict
from hivemind.errors import KeyStoreUnavailable
from hivemind.gateway.anchors import Anchor, AnchorFile, anchor_path, parse_anchors, read_anchors
from hivemind.gateway.chain import append_entry
from hivemind.gateway.checkpoints import bound_key, entries_since_checkpoint, make_checkpoint
from hivemind.gateway.entries import Entry
from hivemind.gateway.notes import Note, SignatureLine, parse_note, signed
from hivemind.gateway.signing import KEPT_AS, SigningKey, find_or_make_key, signed_by
from hivemind.gateway.verification import verify_log

KEY, OTHER = SigningKey(bytes(range(32))), SigningKey(bytes(32))
BYTES32 = st.binary(min_size=32, max_size=32)
NOTES = st.builds(Note, st.just(MIND), st.integers(1, 10**9), BYTES32, BYTES32, st.just(NOW), st.none() | BYTES32)


def seal(connection: apsw.Connection, key: SigningKey | None = KEY, previous: SigningKey | None = None) -> str | None:
    with connection:
        return make_checkpoint(connection, NOW, key, previous_key=previous)


def anchored(connection: apsw.Connection, folder: Path) -> list[Anchor]:
    """Every head the log has had, as the file beside it would know them."""
    rows = connection.execute("SELECT seq, row_hash FROM ai_log_chain ORDER BY seq").fetchall()
    return [Anchor(seq, head.hex(), NOW) for seq, head in rows]


def problems(check: LogCheck) -> str:
    return "\n".join(str(one) for one in check.findings)


def test_a_signed_log_has_no_gap(log: apsw.Connection) -> None:
    start(log, "c1")
    event(log, CallKind.EXPORT)
    assert "not signed" in str(verify_log(log).gaps[0])
    seal(log)
    check = verify_log(log, public=KEY.public)
    assert (check.findings, check.signer, check.checkpoints) == ((), KEY.public.hex(), 1)
    assert [gap.place for gap in check.gaps] == ["calls"]
    assert check.verdict is Verdict.GAPS


def test_a_finished_and_signed_log_is_intact(log: apsw.Connection) -> None:
    event(log)
    seal(log)
    assert verify_log(log, anchors=anchored(log, Path())).verdict is Verdict.INTACT


def test_nothing_new_needs_no_checkpoint(log: apsw.Connection) -> None:
    event(log)
    assert entries_since_checkpoint(log) == 2
    assert seal(log)
    assert seal(log) is None
    assert entries_since_checkpoint(log) == 0
    event(log)
    assert seal(log)
    assert verify_log(log).intact


def test_another_key_than_expected(log: apsw.Connection) -> None:
    event(log)
    seal(log)
    assert "compared with" in problems(verify_log(log, public=OTHER.public))


def test_keys_are_replaced_in_the_open(log: apsw.Connection) -> None:
    seal(log)
    seal(log, OTHER, previous=KEY)
    assert bound_key(log) == OTHER.public
    check = verify_log(log)
    assert check.verdict is Verdict.INTACT
    seal(log, KEY)
    check = verify_log(log)
    assert check.intact
    assert [str(gap) for gap in check.gaps] == ["Entry 4: the key was replaced without the old one's signature"]


def test_a_forged_succession_is_seen(log: apsw.Connection) -> None:
    seal(log)
    facts = {"key": OTHER.public.hex(), "by_previous": OTHER.sign(b"anything").hex()}
    with log:
        append_entry(log, NOW, Entry(kind=CallKind.KEY_ROTATION, actor="app", detail=facts))
    assert "did not have the old one" in problems(verify_log(log))


def test_a_checkpoint_signed_with_another_key_is_seen(log: apsw.Connection) -> None:
    event(log)
    text = seal(log)
    assert text
    note, _ = parse_note(text)
    forged = signed(note, OTHER.sign_note(note))
    without_guards(log, lambda c: c.execute("UPDATE ai_log_checkpoints SET note = ?", (forged,)) and None)
    assert "not signed with the log's key" in problems(verify_log(log))


def test_the_end_cut_off_is_seen_with_an_anchor_only(log: apsw.Connection) -> None:
    fill(log)
    anchors = anchored(log, Path())

    def cut(connection: apsw.Connection) -> None:
        last = connection.execute("SELECT max(seq) FROM ai_log_chain").get
        row = connection.execute("SELECT interaction_id FROM ai_log_chain WHERE seq = ?", (last,)).get
        connection.execute("DELETE FROM ai_log_payload WHERE interaction_id = ?", (row,))
        connection.execute("DELETE FROM ai_log_chain WHERE seq = ?", (last,))
        connection.execute("DELETE FROM ai_interactions WHERE id = ?", (row,))
        connection.execute("UPDATE ai_log_counters SET v = v - 1 WHERE k IN ('rows_written', 'calls_started')")

    without_guards(log, cut)
    assert verify_log(log).intact
    assert "an anchor knows 10 entries, and the log has 9" in problems(verify_log(log, anchors=anchors))


def test_a_log_written_anew_is_seen_with_an_anchor_only(log: apsw.Connection, tmp_path: Path) -> None:
    fill(log)
    anew = plain_log(str(tmp_path / "anew.mind"))
    fill(anew)
    event(anew)
    assert verify_log(anew).intact
    check = verify_log(anew, anchors=anchored(log, tmp_path))
    assert "with another head" in problems(check)
    anew.close()


def restored(connection: apsw.Connection, replaced: int) -> None:
    event(connection, CallKind.RESTORE, replaced_size=replaced)


def test_a_restore_that_is_told_is_a_gap_and_no_finding(tmp_path: Path) -> None:
    """Also a second restore of the same old copy, whose log knows nothing of the first one."""
    path, old = tmp_path / "one.mind", tmp_path / "old.mind"
    anchors: list[Anchor] = []
    connection = plain_log(str(path))
    event(connection)
    anchors += anchored(connection, tmp_path)
    connection.close()
    shutil.copy(path, old)
    for _ in range(2):
        connection = apsw.Connection(str(path))
        for _ in range(4):
            event(connection)
        anchors += anchored(connection, tmp_path)[2:]
        known = max(anchor.size for anchor in anchors)
        connection.close()
        shutil.copy(old, path)
        connection = apsw.Connection(str(path))
        restored(connection, known)
        check = verify_log(connection, anchors=anchors)
        assert check.intact, problems(check)
        anchors += anchored(connection, tmp_path)[2:]
        check = verify_log(connection, anchors=anchors)
        assert check.intact, problems(check)
        assert "restore" in {gap.place for gap in check.gaps}
        connection.close()


def test_an_older_copy_put_back_in_silence_is_seen(tmp_path: Path) -> None:
    path, old = tmp_path / "one.mind", tmp_path / "old.mind"
    connection = plain_log(str(path))
    event(connection)
    connection.close()
    shutil.copy(path, old)
    connection = apsw.Connection(str(path))
    event(connection)
    anchors = anchored(connection, tmp_path)
    connection.close()
    shutil.copy(old, path)
    connection = apsw.Connection(str(path))
    assert "an anchor knows 3 entries, and the log has 2" in problems(verify_log(connection, anchors=anchors))
    for _ in range(3):
        event(connection)
    assert "with another head" in problems(verify_log(connection, anchors=anchors))
    connection.close()


def test_the_clock_set_back_is_a_gap(log: apsw.Connection) -> None:
    event(log)
    with log:
        append_entry(log, "2026-11-29T12:00:00.000Z", Entry(kind="import"))
    check = verify_log(log)
    assert check.intact
    assert "the clock went back by 86400 seconds" in str(check.gaps[0])


def test_anchors_are_appended_once_and_read_back(log: apsw.Connection, tmp_path: Path) -> None:
    anchors = AnchorFile(tmp_path / "anchors")
    anchors.note(log)
    anchors.note(log)
    event(log)
    anchors.note(log)
    file = anchor_path(tmp_path / "anchors", log)
    assert file.name == f"{MIND}.log"
    assert [(one.size, one.head) for one in read_anchors(file)] == [
        (one.size, one.head) for one in anchored(log, tmp_path)
    ]
    assert verify_log(log, anchors=read_anchors(file)).intact
    assert file.stat().st_mode & 0o077 == 0


def test_an_anchor_that_cannot_be_written_is_counted(log: apsw.Connection, tmp_path: Path) -> None:
    (tmp_path / "anchors").write_text("in the way", "utf-8")
    anchors = AnchorFile(tmp_path / "anchors")
    anchors.note(log)
    assert anchors.missed == 1


@given(st.lists(st.text(max_size=120)))
def test_lines_that_are_no_anchors_are_left_out(lines: list[str]) -> None:
    good = f"1 {'a' * 64} {NOW}"
    assert Anchor(1, "a" * 64, NOW) in list(parse_anchors([*lines, good, good[:-3]]))


@given(NOTES, st.booleans())
def test_a_note_is_read_as_it_was_written(note: Note, with_signature: bool) -> None:
    signature = KEY.sign_note(note) if with_signature else None
    assert parse_note(signed(note, signature)) == (note, signature)


@given(NOTES, st.data())
def test_a_note_has_one_form_only(note: Note, data: st.DataObject) -> None:
    text = signed(note, KEY.sign_note(note))
    at = data.draw(st.integers(0, len(text) - 1))
    other = text[:at] + data.draw(st.characters(exclude_characters=text[at])) + text[at + 1 :]
    try:
        changed, signature = parse_note(other)
    except ValueError:
        return
    genuine = isinstance(signature, SignatureLine) and signed_by(
        KEY.public, changed.text().encode(), signature.signature
    )
    # A changed key name or key id is seen by comparing them; everything else by the signature.
    assert not genuine or signature != KEY.sign_note(note)


@given(st.text())
def test_any_text_is_a_note_or_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        parse_note(text)


class Pocket:
    """A key store in memory, or none at all."""

    def __init__(self, *, there: bool = True) -> None:
        self.kept: dict[str, str] = {}
        self.there = there

    def read(self, name: str) -> str | None:
        if not self.there:
            raise KeyStoreUnavailable
        return self.kept.get(name)

    def write(self, name: str, secret: str) -> None:
        self.kept[name] = secret

    def remove(self, name: str) -> None:
        self.kept.pop(name, None)


def test_the_key_is_made_once_and_kept() -> None:
    pocket = Pocket()
    one, again = find_or_make_key(pocket), find_or_make_key(pocket)
    assert one
    assert again
    assert one.public == again.public
    assert base64.b64decode(pocket.kept[KEPT_AS]) == one.seed


def test_without_a_safe_place_there_is_no_key() -> None:
    assert find_or_make_key(Pocket(there=False)) is None
    damaged = Pocket()
    damaged.kept[KEPT_AS] = "no key"
    assert find_or_make_key(damaged) is None
