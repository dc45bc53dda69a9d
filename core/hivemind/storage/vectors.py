"""sqlite-vec: found, loaded for one connection, or the reason why not in words."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import apsw

PATH_VARIABLE = "WAGGLE_SQLITE_VEC_PATH"
_ENTRY_POINT = "sqlite3_vec_init"


@dataclass(frozen=True, slots=True)
class VectorSupport:
    """Whether vectors can be stored and searched. `reason` is for a person and empty when loaded."""

    loaded: bool
    path: str
    version: str
    reason: str


def load_vectors(connection: apsw.Connection) -> VectorSupport:
    """Load sqlite-vec into this connection: `WAGGLE_SQLITE_VEC_PATH` first, else the wheel's. Never raises.

    Loading is switched on for this one call, and the SQL function load_extension() stays off. A path that is set
    and wrong is not replaced by the wheel: whoever set it wants to know.
    """
    configured = os.environ.get(PATH_VARIABLE, "")
    path, problem = (configured, "") if configured else _path_of_wheel()
    if problem:
        return VectorSupport(False, "", "", problem)
    problem = _load(connection, path)
    if not problem:
        version = connection.execute("SELECT vec_version()").get
        return VectorSupport(True, path, str(version).removeprefix("v"), "")
    step = (
        f"Correct {PATH_VARIABLE} or remove it, then start again."
        if configured
        else "Install the package sqlite-vec again, then start again."
    )
    return VectorSupport(False, path, "", f"Search works by keyword only: {problem}. {step}")


def _path_of_wheel() -> tuple[str, str]:
    try:
        import sqlite_vec
    except ImportError:
        return "", (
            "Search works by keyword only: the package sqlite-vec is not installed. "
            f"Install it or set {PATH_VARIABLE}, then start again."
        )
    return str(sqlite_vec.loadable_path()), ""


def _load(connection: apsw.Connection, path: str) -> str:
    """Returns what went wrong, or nothing."""
    folder, stem = Path(path).parent, Path(path).name
    if not any(folder.joinpath(stem + suffix).is_file() for suffix in ("", ".so", ".dylib", ".dll")):
        return f"there is no file at {path}"
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1)
    try:
        connection.load_extension(path, _ENTRY_POINT)
        connection.execute("SELECT vec_version()").get  # noqa: B018
    except (apsw.Error, ValueError):
        return f"the file at {path} could not be loaded as sqlite-vec"
    finally:
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    return ""
