"""The engine's news: on the Qt thread, typed, joined while nobody has looked."""

from __future__ import annotations

import threading

from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from hivemind.events import Area, EventHub, MindChanged, Progress
from hivemind_desktop.bridge.signals import EngineSignals


def progress(job: int, done: int, finished: bool = False) -> Progress:
    return Progress(job, "import", "personal", "running", done, 100, done, done, done, f"Talk {done}", finished)


def test_news_of_another_thread_arrive_on_the_qt_thread(qtbot: QtBot) -> None:
    signals, hub = EngineSignals(), EventHub()
    hub.subscribe(signals.publish)
    seen: list[tuple[object, bool]] = []
    main = QThread.currentThread()
    signals.progress.connect(lambda event: seen.append((event, QThread.currentThread() is main)))
    thread = threading.Thread(target=lambda: hub.publish(progress(1, 5)))
    thread.start()
    qtbot.waitUntil(lambda: bool(seen), timeout=2000)
    thread.join()
    assert seen == [(progress(1, 5), True)]


def test_a_flood_is_joined(qtbot: QtBot) -> None:
    signals = EngineSignals()
    steps: list[Progress] = []
    changes: list[MindChanged] = []
    signals.progress.connect(steps.append)
    signals.mind_changed.connect(changes.append)
    for done in range(1000):
        signals.publish(progress(1, done))
        signals.publish(MindChanged("personal", frozenset({Area.FRAMES if done % 2 else Area.SESSIONS})))
    signals.publish(progress(2, 1))
    signals.publish(progress(1, 100, finished=True))
    signals.publish(MindChanged("legal", frozenset({Area.FRAMES})))
    qtbot.waitUntil(lambda: len(changes) == 2, timeout=2000)
    assert steps == [progress(2, 1), progress(1, 100, finished=True)]
    assert {change.workspace: change.areas for change in changes} == {
        "personal": {Area.FRAMES, Area.SESSIONS},
        "legal": {Area.FRAMES},
    }
    signals.publish(progress(1, 3))
    qtbot.waitUntil(lambda: len(steps) == 3, timeout=2000)
