"""Write resources/licences.json: the licence of every library that is bundled, from the metadata of what is installed.

    .venv/bin/python packaging/licences.py

A test compares the names with requirements.lock: run this after the lock has changed.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Not installed on this system (they are for another one), or silent about their licence in their metadata.
KNOWN = {
    "apsw": "any OSI licence, taken as MIT",
    "colorama": "BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "pywin32-ctypes": "BSD-3-Clause",
    "sqlite-vec": "MIT or Apache-2.0",
}
#: Markers of what no bundle of ours gets.
NEVER = re.compile(r"emscripten'|!= 'CPython'|== 'PyPy'")


def locked_names() -> list[str]:
    """The libraries of requirements.lock that a computer with CPython may get, as they are written there."""
    text = (ROOT / "requirements.lock").read_text("utf-8")
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==[^;\n]*(;[^\n]*)?$", text, re.MULTILINE)
    return sorted({name for name, marker in found if not NEVER.search(marker)})


def licence_of(name: str) -> str:
    """What a package says of its licence, in one line. Raises LookupError when it says nothing."""
    if name in KNOWN:
        return KNOWN[name]
    try:
        told = metadata(name)
    except PackageNotFoundError as missing:
        raise LookupError(name) from missing
    expression = told.get("License-Expression") or ""
    classes = [one.split("::")[-1].strip() for one in told.get_all("Classifier") or [] if one.startswith("License ::")]
    named = [one for one in classes if one != "OSI Approved"]
    line = (told.get("License") or "").strip().splitlines()
    short = line[0] if line and len(line[0]) < 60 else ""
    found = expression or " or ".join(named) or short
    if not found:
        raise LookupError(name)
    return found


def main() -> int:
    found, silent = {}, []
    for name in locked_names():
        try:
            found[name] = licence_of(name)
        except LookupError:
            silent.append(name)
    if silent:
        raise SystemExit(f"no licence known of: {', '.join(silent)}. Add them to KNOWN.")
    file = ROOT / "resources" / "licences.json"
    file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
