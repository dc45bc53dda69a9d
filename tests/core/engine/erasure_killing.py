"""Kills an erasure at a transaction and finishes it with a new engine; then looks at everything that is left."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

from hivemind.domain.calls import Call, CallKind, CallOutcome
from hivemind.domain.erasure import ErasureState
from hivemind.engine import Engine

ROOT = Path(__file__).parents[3]
HERE = "personal"


async def plant(data: Path, secret: str) -> None:
    """A mind with the secret in memories, a log text, what undo knows, and a backup."""
    engine = Engine(data)
    await engine.open()
    first = await engine.memory.save(f"I like {secret} 用户", HERE)
    await engine.memory.save(f"I do not like {secret}", HERE, amends=first.frame.id)
    await engine.memory.save("I like lemons", HERE)
    await engine.memory.save(f"{secret} again", HERE)
    call = Call("call-1", CallKind.LLM_CALL, "m", "p", input_text=f"about {secret}")
    await engine.evidence.record(HERE, call, CallOutcome("call-1", output_text="a dish"))
    await engine.backups.make(HERE)
    await engine.close()


def run(data: Path, secret: str, number: int, moment: str) -> tuple[int, str]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'core'}"}
    words = [sys.executable, "-m", "tests.core.engine.erasure_process", str(data), secret, str(number), moment]
    done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode, done.stdout.strip()


async def finished(data: Path, secret: str) -> tuple[int, list[str], list[str]]:
    """Rows of the ledger, files that still hold the secret, and whatever does not add up."""
    engine = Engine(data, leads=False)
    await engine.open()
    problems = []
    await engine.erasure.finish_pending()
    from hivemind.maintenance.erasure_ledger import ErasureLedger

    rows = await engine._installed().read(lambda c: ErasureLedger(c).list_all())
    if any(row.state is not ErasureState.ERASED for row in rows):
        problems.append("still pending")
    texts = [frame.content for frame in await engine.memory.list_frames(HERE)]
    if rows and texts != ["I like lemons"]:
        problems.append(f"memories {texts}")
    problems += await engine.safety.verify(HERE)
    problems += [finding.problem for finding in (await engine.evidence.verify(HERE)).findings]
    mind = await engine.minds.get(HERE)
    query = "SELECT count(*) FROM ai_log_chain WHERE kind = 'erasure'"
    entries = await mind.read(lambda tx: int(tx.connection.execute(query).get))
    if entries != len(rows):
        problems.append(f"{entries} entries for {len(rows)} erasures")
    await engine.close()
    left = [file.name for file in data.rglob("*") if file.is_file() and secret.encode() in file.read_bytes()]
    return len(rows), left, problems


def killed_and_finished(whole: Path, data: Path, secret: str, number: int, moment: str) -> tuple[int, list[str]]:
    """From a copy of `whole`: the exit code, and everything that is wrong after it was finished."""
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(whole, data)
    code, _ = run(data, secret, number, moment)
    rows, left, problems = asyncio.run(finished(data, secret))
    if rows and left:
        problems.append(f"left in {left}")
    if not rows and (number, moment) != (1, "before"):
        problems.append("the ledger does not know of it")
    return code, problems
