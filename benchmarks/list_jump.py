"""How long a jump to the middle of a list of a million memories takes until its text is on the screen.

The file is real: a mind made by the engine, filled by plain SQL (no word index, no vectors: the list needs neither).
Measured in the real page without a display: from the move of the scroll bar to the first painted frame that holds the
text of every row in sight. Processor time of the whole process is printed beside it, because on a busy machine the wall
clock measures the neighbours too. Also printed: opening the page until the list is there, and the longest stop of the
Qt thread meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
from pathlib import Path

from measuring import arguments, tell

TEXT = "Memory number {n}: we chose the harbour plan over the hill plan because the ferry leaves at {h} o'clock. " * 2


def fill(file: Path, frames: int) -> float:
    """Add frames to a mind by SQL, triggers off. Returns seconds."""
    import apsw

    began = time.perf_counter()
    connection = apsw.Connection(str(file))
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.pragma("synchronous", 0)
    with connection:
        connection.execute("INSERT INTO sessions (gop_id, title, source) VALUES ('bulk', 'Bulk', 'chatgpt')")
        rows = (
            ("bulk", n, TEXT.format(n=n, h=n % 24), f"u{n}", n.to_bytes(16, "big"), n.to_bytes(8, "big"))
            for n in range(1, frames + 1)
        )
        connection.executemany(
            "INSERT INTO memory_frames (frame_type, gop_id, t, content, uuid, content_hash, norm_hash)"
            " VALUES ('I', ?, ?, ?, ?, ?, ?)",
            rows,
        )
    connection.close()
    return time.perf_counter() - began


async def measure(data: Path, frames: int, jumps: int) -> dict[str, float | int]:
    from PySide6.QtWidgets import QApplication

    from hivemind_desktop.application import Application
    from hivemind_desktop.widgets.memory_row import LINE
    from hivemind_desktop.widgets.page import Target

    app = Application(data, asyncio.get_running_loop())
    app.show()
    stops: list[float] = []

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.002)
            stops.append((time.perf_counter() - began) * 1000)

    def is_read() -> bool:
        model = page.panel.model
        return all(model.data(model.index(row), LINE).title != "…" for row in page.panel.list.rows_in_sight())

    async def until(what: object) -> None:
        assert callable(what)
        while not what():
            await asyncio.sleep(0.001)

    try:
        app.window.show_target(Target("memories"))
        page = app.window.page("memories")
        began = time.perf_counter()
        watching = asyncio.create_task(watch())
        await until(lambda: page.panel.model.rowCount() == frames)
        opened = time.perf_counter() - began
        await until(is_read)
        longest, rng, bar = max(stops), random.Random(7), page.panel.list.verticalScrollBar()
        watching.cancel()
        times, costs = [], []
        for jump in range(jumps):
            share = 0.5 if not jump else rng.random()
            await asyncio.sleep(0.05)
            began, cost = time.perf_counter(), time.process_time()
            bar.setValue(int(bar.maximum() * share))
            QApplication.processEvents()
            await until(is_read)
            page.panel.list.viewport().repaint()
            times.append((time.perf_counter() - began) * 1000)
            costs.append((time.process_time() - cost) * 1000)
    finally:
        await app.aclose()
    return {
        "frames": frames,
        "list_shown_s": round(opened, 2),
        "longest_stop_ms": round(longest, 1),
        "jump_to_middle_ms": round(times[0], 1),
        "jump_p50_ms": round(statistics.median(times), 1),
        "jump_max_ms": round(max(times), 1),
        "jump_cpu_p50_ms": round(statistics.median(costs), 1),
    }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--jumps", type=int, default=20)
    options = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["HIVE_MIND_EMBEDDER_DIR"] = "none"

    import qasync

    from hivemind.engine import Engine
    from hivemind_desktop.application import application
    from hivemind_desktop.theme import install, theme

    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)

        async def make() -> Path:
            engine = Engine(data)
            await engine.open()
            file = (await engine.minds.get("personal")).path
            await engine.close()
            return file

        filled = fill(asyncio.run(make()), options.frames)
        app = application()
        install(app, "light")
        theme().reduced_motion = True
        loop = qasync.QEventLoop(app)
        with loop:
            figures = loop.run_until_complete(measure(data, options.frames, options.jumps))
    tell({"benchmark": "jump in a list", "filled_s": round(filled, 1), **figures}, options.json)


if __name__ == "__main__":
    import multiprocessing

    multiprocessing.set_start_method("spawn")
    main()
