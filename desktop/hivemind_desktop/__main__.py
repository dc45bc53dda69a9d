"""`python -m hivemind_desktop [--data-dir DIR]`: the window; with `--selftest`, a trial of all its parts."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from pathlib import Path

from hivemind.paths import default_data_dir


def main(arguments: list[str] | None = None) -> int:
    """Run the window until it is closed. Returns the exit code."""
    multiprocessing.freeze_support()  # readers are spawned: in a frozen program they start here again
    multiprocessing.set_start_method("spawn", force=True)
    parser = argparse.ArgumentParser(prog="hive-mind", description="Hive-Mind: your AI memory, on this computer.")
    parser.add_argument("--data-dir", type=Path, help="where minds and settings are (default: %(default)s)")
    parser.add_argument("--selftest", action="store_true", help="try whether everything works here, then end")
    parser.add_argument("--report", type=Path, help="with --selftest: also write what was found to this file, as JSON")
    options = parser.parse_args(arguments)
    if options.selftest:
        from hivemind_desktop import selftest

        return selftest.run(options.report)
    data_dir = (options.data_dir or default_data_dir()).expanduser().resolve()
    return _open_window(data_dir)


def _open_window(data_dir: Path) -> int:
    import qasync

    from hivemind_desktop.application import AlreadyRunning, Application, application, close_on_signals
    from hivemind_desktop.theme import install

    app = application()
    install(app)
    loop = qasync.QEventLoop(app)
    with loop:
        try:
            running = Application(data_dir, loop)
        except AlreadyRunning as error:
            if sys.stderr is not None:  # a windowed program on Windows has none
                sys.stderr.write(f"{error.title}. {error.hint}\n")
            loop.run_until_complete(_tell(error.title, error.hint))
            return 1
        close_on_signals(running.window)
        loop.run_until_complete(running.run())
    return 0


async def _tell(title: str, hint: str) -> None:
    """A small window with the reason why there is no big one."""
    import asyncio

    from PySide6.QtWidgets import QMessageBox

    told = asyncio.get_running_loop().create_future()
    box = QMessageBox(QMessageBox.Icon.Information, "Hive-Mind", title)
    box.setInformativeText(hint)
    box.finished.connect(lambda _result: told.set_result(None))
    box.open()
    await told


if __name__ == "__main__":
    sys.exit(main())
