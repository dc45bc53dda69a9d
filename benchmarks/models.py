"""The models that the embedding benchmarks need: the bundled one, and the same without quantisation."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from hivemind.embeddings import ModelFolder, read_folder

ROOT = Path(__file__).resolve().parents[1]
#: Words of everyday text, so that a line of n of them is close to n pieces.
_TEXT = """
the we of to and in that it for on with as was at by this from have or one had not but what all were when there can
more if out so up about time than them would other into new some could these two may then do first any my now people
over work year day house water place right small large find still between name should home big give air line set own
read last never us left end along while might next sound below saw something thought both few those always looked
show often together asked don going want school important until form food keep children feet land side without boy
once animal life enough took four head above kind began almost live page got earth need far hand
"""
WORDS = tuple(_TEXT.split())


def bundled() -> ModelFolder:
    """The model as `make` builds it; ends the benchmark when there is none."""
    return read_folder(Path(_provided("--strict") or ROOT / "resources" / "models" / "minilm"), "bundled")


def unquantised() -> ModelFolder:
    """The same weights in full precision, from the cache or built there."""
    return read_folder(Path(_provided("--strict", "--float").splitlines()[-1]), "float")


def lines(count: int, words: int, seed: int) -> list[str]:
    """`count` lines of `words` words each."""
    draw = random.Random(seed)
    return [" ".join(draw.choice(WORDS) for _ in range(words)) for _ in range(count)]


def mixed(count: int, seed: int) -> list[str]:
    """Shuffled: of 96 texts 64 have 20 pieces, 24 have 100 and 8 have 250 ([CLS] and [SEP] are two of them)."""
    texts = []
    for share, pieces in ((64, 20), (24, 100), (8, 250)):
        texts += lines(round(count * share / 96), pieces - 2, seed + pieces)
    random.Random(seed).shuffle(texts)
    return texts


def _provided(*words: str) -> str:
    script = ROOT / "packaging" / "models" / "provide.py"
    done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stdout.strip() or done.stderr.strip())
    return "" if "--float" not in words else done.stdout.strip()
