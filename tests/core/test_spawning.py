"""Children started from several threads at once: each runs, and the program's main module is what it was."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection

from hivemind.spawning import pipe, settle_child, start_child


def tell(answers: Connection, word: str) -> None:
    """What a child does here."""
    settle_child()
    answers.send((word, "pytest" in sys.modules and sys.modules["__main__"].__name__))
    answers.close()


def started(word: str) -> str:
    receiving, sending = pipe(duplex=False)
    child = start_child(tell, (sending, word), "hive-mind-test")
    sending.close()
    answer: str = receiving.recv()[0]
    child.join(10)
    assert child.exitcode == 0
    receiving.close()
    return answer


def test_several_threads_start_children_and_main_stays() -> None:
    main = sys.modules["__main__"]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(started, ["one", "two", "three"])) == ["one", "two", "three"]
    assert sys.modules["__main__"] is main


def test_children_are_not_heirs_of_the_main_module() -> None:
    receiving, sending = pipe(duplex=False)
    child = start_child(tell, (sending, "x"), "hive-mind-test")
    sending.close()
    word, main = receiving.recv()
    child.join(10)
    receiving.close()
    assert word == "x"
    assert main in (False, "__main__")
