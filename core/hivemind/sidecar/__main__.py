"""The door of `hive-mind-sidecar` and of `python -m hivemind.sidecar`."""

from __future__ import annotations

import multiprocessing
import sys


def main() -> None:
    """Run one command and end with its exit code."""
    # First of all: in a frozen program a reader's child process comes in through this same door.
    multiprocessing.freeze_support()
    multiprocessing.set_start_method("spawn", force=True)
    from hivemind.sidecar.door import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
