"""Campaign against the interaction log: SQL mutations, byte flips, clean logs, and two verifiers side by side.

HIVE_MIND_TAMPER_SEED, HIVE_MIND_TAMPER_SHARE (1.0 = the whole campaign) come from the environment.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.core.gateway.log_maker import MadeLog, any_log, tampered
from tests.core.gateway.plain_log import NOW

from hivemind.domain.calls import LogCheck, Verdict
from hivemind.gateway.known_schemas import AUDIT_TABLES
from hivemind.gateway.verification import verify_log

pytestmark = pytest.mark.soak

SEED = int(os.environ.get("HIVE_MIND_TAMPER_SEED", "20261130"))
SHARE = float(os.environ.get("HIVE_MIND_TAMPER_SHARE", "1"))
SCRIPT = Path(__file__).parents[2] / "resources" / "verifier" / "verify_log.py"
MUTATIONS, FLIPS, CLEAN, BOTH = (max(1, round(SHARE * count)) for count in (5_000, 10_000, 1_000, 1_000))


def checked(path: Path, log: MadeLog) -> LogCheck | None:
    """None: it cannot be verified, which is no verdict but no silence either."""
    try:
        connection = apsw.Connection(str(path))
        try:
            return verify_log(connection, anchors=log.anchors, public=log.public)
        finally:
            connection.close()
    except (apsw.Error, ValueError):
        return None


def logical(path: Path) -> Any:
    """Everything the log says, or None when it cannot be read."""
    try:
        connection = apsw.Connection(str(path))
        try:
            said: list[Any] = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in AUDIT_TABLES]
            said.append(connection.execute("SELECT value FROM meta WHERE key = 'mind_uuid'").fetchall())
            objects = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").fetchall()
            said.append([row for row in objects if any(word in str(row) for word in ("ai_interactions", "ai_log_"))])
            return said
        finally:
            connection.close()
    except (apsw.Error, ValueError):
        return None


@pytest.mark.timeout(3600)
def test_every_sql_mutation_is_seen(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    missed = []
    log = any_log(tmp_path / "log.mind", chance, 12)
    for number in range(MUTATIONS):
        if number % 50 == 0:
            log = any_log(tmp_path / f"{number}.mind", chance, chance.randint(4, 20))
        shutil.copyfile(log.path, tmp_path / "forged.mind")
        done = tampered(tmp_path / "forged.mind", chance)
        check = checked(tmp_path / "forged.mind", log)
        if check is not None and check.verdict is not Verdict.TAMPERED:
            missed.append((number, done))
    assert missed == []


@pytest.mark.timeout(3600)
def test_every_flipped_byte_that_counts_is_seen(tmp_path: Path, record_property: Any) -> None:
    chance = random.Random(SEED + 1)
    log = any_log(tmp_path / "log.mind", chance, 30)
    content = bytearray(log.path.read_bytes())
    honest = logical(log.path)
    forged = tmp_path / "forged.mind"
    outcome: Counter[str] = Counter()
    for _ in range(FLIPS):
        at, flip = chance.randrange(len(content)), chance.randrange(1, 256)
        content[at] ^= flip
        forged.write_bytes(content)
        content[at] ^= flip
        said = logical(forged)
        check = checked(forged, log)
        if said == honest:
            outcome["changed nothing the log says"] += 1
        elif check is None or check.verdict is Verdict.TAMPERED:
            outcome["seen"] += 1
        else:
            outcome[f"MISSED at {at} ^ {flip}"] += 1
    record_property("flips", dict(outcome))
    assert [name for name in outcome if name.startswith("MISSED")] == []


@pytest.mark.timeout(3600)
def test_no_false_alarm(tmp_path: Path) -> None:
    alarms = []
    for number in range(CLEAN):
        log = any_log(tmp_path / "clean.mind", random.Random(SEED + number))
        check = checked(log.path, log)
        if check is None or check.findings:
            alarms.append((number, check))
        log.path.unlink()
    assert alarms == []


@pytest.mark.timeout(3600)
def test_two_verifiers_agree(tmp_path: Path) -> None:
    script: dict[str, Any] = {"__name__": "verify_log"}
    exec(compile(SCRIPT.read_text("utf-8"), str(SCRIPT), "exec"), script)
    differ = []
    for number in range(BOTH):
        chance = random.Random(SEED * 7 + number)
        log = any_log(tmp_path / "one.mind", chance)
        done = tampered(log.path, chance) if number % 2 else "honest"
        anchors = tmp_path / "one.log"
        anchors.write_text("".join(f"{one.size} {one.head} {NOW}\n" for one in log.anchors), "ascii")
        check = checked(log.path, log)
        said = script["check"](str(log.path), str(anchors), log.public.hex() if log.public else "")
        if check is None or said["verdict"] != str(check.verdict):
            differ.append((number, done, said["verdict"], check and str(check.verdict)))
        log.path.unlink()
    assert differ == []
