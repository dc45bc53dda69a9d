"""Campaign: random secrets in random places of a living mind, erased one by one; nothing of any may be left anywhere.

HIVE_MIND_ERASURE_SEED and HIVE_MIND_ERASURE_SECRETS (200 = the whole campaign) come from the environment.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.core.engine.erasure_killing import killed_and_finished, plant, run
from tests.samples.encoders import WordEncoder
from tests.samples.secrets import PLACES, RandomSecret, random_secret

from hivemind.domain.erasure import BackupChoice, ErasureState, ErasureTarget, TargetKind
from hivemind.engine import Engine

pytestmark = pytest.mark.soak

SEED = int(os.environ.get("HIVE_MIND_ERASURE_SEED", "20261130"))
SECRETS = int(os.environ.get("HIVE_MIND_ERASURE_SECRETS", "200"))
HERE = "personal"


def forms(secret: str) -> set[bytes]:
    """As it is written, in small and capital letters, and as JSON writes it."""
    written = {secret, secret.lower(), secret.upper(), secret.casefold()}
    escaped = {json.dumps(one, ensure_ascii=ascii)[1:-1] for one in written for ascii in (True, False)}
    return {one.encode() for one in written | escaped}


def holding(root: Path, secret: str) -> list[str]:
    wanted = forms(secret)
    files = [file for file in root.rglob("*") if file.is_file()]
    return [file.name for file in files if any(form in content for content in [file.read_bytes()] for form in wanted)]


async def one(engine: Engine, secret: RandomSecret, chance: random.Random) -> tuple[str, list[str]]:
    """Plant, embed, perhaps back up, erase, look. Returns how it was erased and what is wrong."""
    mind = await engine.minds.get(HERE)
    await mind.write(secret.plant)
    await engine.embedding.embed_now(HERE)
    if chance.random() < 0.3:
        await engine.backups.make(HERE)
    kind = chance.choice([TargetKind.TEXT, TargetKind.TEXT, TargetKind.PERSON])
    words = chance.choice([secret.text, secret.text.lower()])
    choice = chance.choice(list(BackupChoice))
    assert holding(engine.data.root, secret.text), secret
    receipt = await engine.erasure.erase(HERE, ErasureTarget(kind, (words,)), "request", backups=choice)
    problems = []
    if receipt.state is not ErasureState.ERASED or receipt.residue is None or receipt.residue.total:
        problems.append(f"receipt {receipt.state} {receipt.waiting_for} {receipt.residue}")
    if receipt.residue is not None and receipt.residue.passages == 0:
        problems.append("nothing was searched for in the bytes")
    return str(kind), problems + [f"left in {name}" for name in holding(engine.data.root, secret.text)]


async def campaign(data: Path) -> tuple[Counter[str], list[Any]]:
    chance = random.Random(SEED)
    engine = Engine(data, find_encoder=WordEncoder("words").find)
    await engine.open()
    for number in range(40):
        await engine.memory.save(f"Ordinary talk number {number} about lemons and the weather", HERE)
    told: Counter[str] = Counter()
    wrong: list[Any] = []
    for number in range(SECRETS):
        secret = random_secret(chance, number)
        kind, problems = await one(engine, secret, chance)
        told.update([kind, *secret.places])
        if problems:
            wrong.append((number, secret, problems))
    if found := await engine.safety.verify(HERE):
        wrong.append(("mind", found))
    check = await engine.evidence.verify(HERE)
    if check.findings:
        wrong.append(("log", check.findings))
    told["entries"] = check.entries
    left = [frame.content for frame in await engine.memory.list_frames(HERE, limit=1000)]
    if sum(text.startswith("Ordinary talk") for text in left) != 40:
        wrong.append(("others", left))
    await engine.close()
    return told, wrong


@pytest.mark.timeout(3600)
def test_no_secret_is_left_anywhere(tmp_path: Path, record_property: Any) -> None:
    began = time.monotonic()
    told, wrong = asyncio.run(campaign(tmp_path / "data"))
    record_property("erased", dict(told))
    record_property("seconds", round(time.monotonic() - began))
    assert wrong == []
    if SECRETS >= 200:
        assert set(PLACES) <= set(told), "a place was never used"


@pytest.mark.timeout(3600)
@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_killed_at_every_step(tmp_path: Path) -> None:
    secret = "Mirabellenkompott-2207"
    asyncio.run(plant(tmp_path / "whole", secret))
    shutil.copytree(tmp_path / "whole", tmp_path / "count")
    steps = int(run(tmp_path / "count", secret, 0, "after")[1])
    for number in range(1, steps + 1):
        for moment in ("before", "after"):
            code, problems = killed_and_finished(tmp_path / "whole", tmp_path / "data", secret, number, moment)
            assert (code, problems) == (-9, []), (number, moment, steps)
