"""Two verifiers that share no code: the same verdict on random logs, honest and forged, and on the same gaps."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.gateway.log_maker import any_log, tampered
from tests.core.gateway.plain_log import NOW

from hivemind.domain.calls import LogCheck
from hivemind.gateway.anchors import Anchor
from hivemind.gateway.verification import verify_log

SCRIPT = Path(__file__).parents[3] / "resources" / "verifier" / "verify_log.py"
CODES = {0: "intact", 10: "tampered", 11: "intact with gaps"}


def stand_alone(file: Path, *more: str) -> dict[str, Any]:
    """What the script says, run by a Python that has nothing of ours (-I: no environment, no current folder)."""
    done = subprocess.run(
        [sys.executable, "-I", str(SCRIPT), str(file), "--json", *more], capture_output=True, text=True, check=False
    )
    assert done.returncode in CODES, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    assert said["verdict"] == CODES[done.returncode]
    return said


def ours(file: Path, anchors: list[Anchor] | None = None, public: bytes | None = None) -> LogCheck:
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return verify_log(connection, anchors=anchors or [], public=public)
    finally:
        connection.close()


@pytest.mark.parametrize("seed", range(12))
def test_both_say_the_same(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    log = any_log(tmp_path / "one.mind", chance)
    anchor_file = tmp_path / "one.log"
    anchor_file.write_text("".join(f"{one.size} {one.head} {NOW}\n" for one in log.anchors), "ascii")
    if seed % 3:
        tampered(log.path, chance)
    check = ours(log.path, log.anchors, log.public)
    key = ("--pubkey", log.public.hex()) if log.public else ()
    said = stand_alone(log.path, "--anchor", str(anchor_file), *key)
    assert said["verdict"] == str(check.verdict), (said, check)
    assert (said["entries"], said["head"], said["erased"]) == (check.entries, check.head, check.erased)
    assert {one["seq"] for one in said["gaps"]} == {one.seq for one in check.gaps}
    if not seed % 3:
        assert check.findings == ()


def test_the_file_is_not_touched_and_its_wal_is_read(tmp_path: Path) -> None:
    log = any_log(tmp_path / "one.mind", random.Random(1), wal=True)
    holder = apsw.Connection(str(log.path))
    holder.execute("SELECT count(*) FROM ai_log_chain").fetchall()
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")}
    assert stand_alone(log.path)["entries"] == ours(log.path).entries
    after = {file.name: file.read_bytes() for file in tmp_path.iterdir() if not file.name.endswith("-shm")}
    holder.close()
    assert before == after


@pytest.mark.parametrize("content", [b"", b"no database at all, just words" * 50, b"SQLite format 3\0" + bytes(500)])
def test_what_is_no_mind_cannot_be_checked(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.mind"
    file.write_bytes(content)
    done = subprocess.run([sys.executable, "-I", str(SCRIPT), str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


@settings(max_examples=15, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 63), st.integers(1, 255))
def test_its_own_signature_check_agrees(message: bytes, at: int, flip: int) -> None:
    script: dict[str, Any] = {"__name__": "verify_log"}
    exec(compile(SCRIPT.read_text("utf-8"), str(SCRIPT), "exec"), script)
    private = Ed25519PrivateKey.generate()
    public, signature = private.public_key().public_bytes_raw(), private.sign(message)
    forged = bytes(byte ^ flip if number == at else byte for number, byte in enumerate(signature))
    assert script["ed25519"](public, message, signature)
    assert not script["ed25519"](public, message, forged)
    assert not script["ed25519"](public, message + b"x", signature)
