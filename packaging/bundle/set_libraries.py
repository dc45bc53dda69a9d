"""Runs in the frozen program before any import of ours: names the libraries that this bundle brings, and only those."""

import os
import sys


def _name_libraries() -> None:
    suffix = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    # Set, not offered: a path that somebody else put into the environment would be loaded as code.
    os.environ["WAGGLE_SQLITE_VEC_PATH"] = os.path.join(sys._MEIPASS, "sqlite_vec", f"vec0.{suffix}")  # type: ignore[attr-defined]  # noqa: PTH118


_name_libraries()
