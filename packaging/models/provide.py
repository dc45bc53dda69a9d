"""Puts the search model where the app looks for it: from the cache when it was built before, else builds it once.

`provide.py`: says in one line when it cannot, and ends well, because the app starts without it (search by keyword).
`provide.py --strict`: ends with 1 then. `provide.py --float`: makes the unquantised model that benchmarks compare with,
in the cache only, and says where it is. Standard library only; the cache's name is a digest of the recipe, so a changed
recipe is built anew and an unchanged one needs no network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LOCK = ROOT / "requirements-models.lock"
TARGET = ROOT / "resources" / "models" / "minilm"
STAMP = "recipe.txt"


class NotBuilt(Exception):
    """Why there is no model, in a few words."""


def recipe_key() -> str:
    """A digest of everything that decides the built files."""
    scripts = [script for script in sorted(HERE.glob("*.py")) if script != Path(__file__).resolve()]
    parts = [*scripts, *sorted(HERE.glob("minilm*")), LOCK]
    parts.append(ROOT / "core" / "hivemind" / "embeddings" / "rotation.py")
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.name.encode() + b"\0" + part.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/hive-mind/models`, else below `~/.cache`."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(chosen) if chosen else Path.home() / ".cache") / "hive-mind" / "models"


def stands(folder: Path, key: str) -> bool:
    """True when the folder holds the model of this recipe. The stamp is written last."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text("utf-8").strip() == key


def build(kept: Path, key: str, *words: str) -> None:
    """Download what the lock names, build beside the cache, then move into it. Raises NotBuilt."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent, prefix=".building-") as work:
        packages, made = Path(work, "packages"), Path(work, "model")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input",
               "--no-deps", "--require-hashes", "--only-binary", ":all:", "--retries", "2",
               "--target", str(packages), "-r", str(LOCK)]  # fmt: skip
        _run(pip, "its parts could not be downloaded")
        path = os.pathsep.join([str(packages), *filter(None, [os.environ.get("PYTHONPATH", "")])])
        _run([sys.executable, str(HERE / "build.py"), *words, str(packages), str(made)], "building it failed", path)
        (made / STAMP).write_text(f"{key}\n", "utf-8")
        shutil.rmtree(kept, ignore_errors=True)
        made.rename(kept)


def place(kept: Path, target: Path) -> None:
    """Copy into the tree under another name, then swap: whoever reads it sees the old one or the new one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".placing-") as work:
        shutil.copytree(kept, Path(work, "new"))
        if target.exists():
            target.rename(Path(work, "old"))
        Path(work, "new").rename(target)


def provide(target: Path) -> None:
    """Make `target` hold the model of this recipe. Raises NotBuilt."""
    key = recipe_key()
    if stands(target, key):
        return
    kept = cache_folder() / f"minilm-{key}"
    try:
        if not stands(kept, key):
            _say("building the search model, once (downloads 110 MB; takes a minute)")
            build(kept, key)
        place(kept, target)
    except OSError as error:
        raise NotBuilt(f"{error.strerror or type(error).__name__}: {error.filename or target}") from error


def provide_float() -> Path:
    """The folder of the unquantised model, built when it is not in the cache. Raises NotBuilt."""
    key = recipe_key()
    kept = cache_folder() / f"minilm-float-{key}"
    if not stands(kept, key):
        build(kept, key, "--float")
    return kept


def _run(command: list[str], fault: str, path: str | None = None) -> None:
    environment = os.environ if path is None else {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        raise NotBuilt(" — ".join([fault, *last]))


def _say(what: str) -> None:
    sys.stdout.write(f"hive-mind: {what}\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    """0, or with --strict 1 when there is no model."""
    try:
        if "--float" in words:
            sys.stdout.write(f"{provide_float()}\n")
        else:
            provide(TARGET)
    except NotBuilt as fault:
        _say(f"no search model, so search works by keyword until the next try ({fault})")
        return 1 if "--strict" in words else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
