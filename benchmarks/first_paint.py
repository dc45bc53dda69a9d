"""The real main window's first paint against importing PySide6 and showing an empty window, offscreen, each in a
process of its own; and how many font files were opened before it."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measuring import alternate, arguments, child, median, median_ratio, tell

RATIO_GOAL = 2.5
FONTS_GOAL = 4


def empty(began: float) -> dict[str, Any]:
    """The named alternative."""
    from PySide6.QtWidgets import QApplication, QWidget

    app = QApplication([])
    window = QWidget()
    window.resize(1200, 800)
    window.show()
    return {"seconds": painted(app, window) - began, "fonts": 0}


def ours(began: float) -> dict[str, Any]:
    """What the program's own door does, up to the first paint; then an orderly end."""
    from PySide6.QtGui import QFontDatabase

    opened: list[str] = []
    original = QFontDatabase.addApplicationFont

    def counted(name: str) -> int:
        opened.append(name)
        return original(name)

    QFontDatabase.addApplicationFont = counted  # type: ignore[method-assign]
    import qasync

    from hivemind_desktop.application import Application, application
    from hivemind_desktop.theme import install

    app = application()
    app.setQuitOnLastWindowClosed(False)
    install(app)
    loop = qasync.QEventLoop(app)
    with tempfile.TemporaryDirectory() as folder, loop:
        running = Application(Path(folder), loop)
        running.show()
        taken = painted(app, running.window) - began
        fonts = len(opened)
        loop.run_until_complete(running.aclose())
    return {"seconds": taken, "fonts": fonts}


def painted(app: Any, window: Any) -> float:
    """The moment when the window and everything on it was painted for the first time."""
    from PySide6.QtCore import QEvent, QObject

    class FirstPaint(QObject):
        seen = False

        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            self.seen = self.seen or event.type() == QEvent.Type.Paint
            return False

    paint = FirstPaint()
    window.installEventFilter(paint)
    while not paint.seen:
        app.processEvents()
    moment = time.perf_counter()
    window.removeEventFilter(paint)
    return moment


WAYS: dict[str, Callable[[float], dict[str, Any]]] = {"empty": empty, "ours": ours}


def main() -> None:
    began = time.perf_counter()
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--child", choices=WAYS)
    options = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if options.child is not None:
        print(json.dumps(WAYS[options.child](began)))
        return
    fonts = 0

    def measured(name: str) -> float:
        nonlocal fonts
        answer = child(__file__, "--child", name)
        fonts = max(fonts, int(answer["fonts"]))
        return float(answer["seconds"])

    for name in WAYS:
        measured(name)  # fills the file cache and writes byte code, for both
    taken = alternate(options.rounds, {name: lambda name=name: measured(name) for name in WAYS})
    ratio = median_ratio(taken["ours"], taken["empty"])
    document = {
        "benchmark": "first_paint",
        "ratio": ratio,
        "goal": f"at most {RATIO_GOAL}, at most {FONTS_GOAL} font files",
        "met": ratio <= RATIO_GOAL and fonts <= FONTS_GOAL,
        "against": "import PySide6.QtWidgets, show an empty window",
        "font_files": fonts,
        "ours_seconds": median(taken["ours"]),
        "empty_seconds": median(taken["empty"]),
        "rounds": options.rounds,
    }
    tell(document, options.json)


if __name__ == "__main__":
    main()
