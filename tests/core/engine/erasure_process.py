"""A process of its own that erases words and is killed at a chosen transaction, before or after it is committed.

python -m tests.core.engine.erasure_process DATA WORDS NUMBER before|after
Without NUMBER (0) it is not killed and says how many transactions the erasure took.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw

from hivemind.domain.erasure import ErasureTarget, TargetKind
from hivemind.engine import Engine
from hivemind.storage import writer


class Killer:
    """Counts what is committed, by whichever file, and kills this process at one of them."""

    def __init__(self, number: int, moment: str) -> None:
        self.number, self.moment = number, moment
        self.seen = 0
        self.armed = False

    def around(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def in_transaction(this: writer.Writer, fn: Callable[[apsw.Connection], Any]) -> Any:
            if not self.armed:
                return original(this, fn)
            self.seen += 1
            here = self.seen == self.number

            def work(connection: apsw.Connection) -> Any:
                result = fn(connection)
                if here and self.moment == "before":
                    os.kill(os.getpid(), signal.SIGKILL)
                return result

            result = original(this, work)
            if here:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return in_transaction


async def work(data: Path, words: str, killer: Killer) -> None:
    engine = Engine(data, leads=False)
    await engine.open()
    await engine.minds.get("personal")
    killer.armed = True
    await engine.erasure.erase("personal", ErasureTarget(TargetKind.TEXT, (words,)), "request")
    killer.armed = False
    await engine.close()
    sys.stdout.write(f"{killer.seen}\n")


if __name__ == "__main__":
    made = Killer(int(sys.argv[3]), sys.argv[4])
    writer.Writer._in_transaction = made.around(writer.Writer._in_transaction)  # type: ignore[method-assign]
    asyncio.run(work(Path(sys.argv[1]), sys.argv[2], made))
