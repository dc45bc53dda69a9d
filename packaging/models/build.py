"""Builds a model folder from checked weights: `build.py PACKAGES OUT` (PACKAGES: what requirements-models.lock names).

Two passes: a float graph to fit the projection on, then the final 8-bit graph. The fitted projection must agree with
the recorded one, and the recorded one is built in: eigenvectors differ in their last digits from one processor to the
next, and a model built anywhere has to be the same file. `--record` writes projection, digest and golden vectors anew.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from fitting import agreement, fit, token_states, vocabulary_lines
from graph import Projection, Shape, encoder
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "core"))
from hivemind.embeddings.rotation import rotation  # noqa: E402 - the one rotation, also for models of other people

GOLDEN_TEXTS = (
    "We agreed on Postgres for the new service.",
    "8 May 2023 Caroline: I went to a support group yesterday and it was so powerful.",
    "What did the team decide about the database?",
    "Ünïcode, 日本語 and 12.5 % of punctuation!",
    "ok",
)
#: A built model must give these cosines with the golden vectors.
GOLDEN_COSINE = 0.999


class BuildFault(Exception):
    """The build cannot go on, in one line."""


class Build:
    """One recipe, its checked sources, and what was recorded of an earlier build."""

    def __init__(self, recipe: Path, packages: Path) -> None:
        self.recipe = json.loads(recipe.read_text("utf-8"))
        self.basis_file = recipe.with_name(f"{recipe.stem}-basis.npy")
        self.golden_file = recipe.with_name(f"{recipe.stem}-golden.json")
        source = self.recipe["source"]
        self.source = packages / source["package"] / source["path"]
        for name, digest in source["sha256"].items():
            if not (self.source / name).is_file() or sha256(self.source / name) != digest:
                raise BuildFault(f"{name} is not the file the recipe names")
        self.weights = load_file(self.source / "model.safetensors")
        self.shape = Shape(**self.recipe["shape"])

    def model(self, projection: Projection, eight_bits: bool = True) -> bytes:
        turn = rotation(self.recipe["embedder"]["model_dim"])
        return encoder(self.weights, self.shape, eight_bits, (projection, turn)).SerializeToString(deterministic=True)

    def fitted(self) -> tuple[Projection, NDArray[Any]]:
        """First pass. Returns the projection fitted here and the token states it was fitted on."""
        basis, tokenizer = self.recipe["basis"], self.source / "tokenizer.json"
        lines = vocabulary_lines(tokenizer, basis["lines"], basis["words"], basis["seed"])
        plain = encoder(self.weights, self.shape, False, None).SerializeToString(deterministic=True)
        states = token_states(plain, tokenizer, lines)
        return fit(states, basis["dims"]), states

    def recorded(self) -> Projection:
        table = np.load(self.basis_file, allow_pickle=False)
        return Projection(table[0], np.ascontiguousarray(table[1:].T))

    def record(self, projection: Projection) -> None:
        np.save(self.basis_file, np.concatenate([projection.mean[None], projection.basis.T]), allow_pickle=False)
        model = self.model(projection)
        golden = [
            {"text": text, "ids": ids, "pooled": _pack(pooled), "tokens": _pack(tokens)}
            for text, ids, pooled, tokens in self._encoded(model)
        ]
        record = {"model_sha256": hashlib.sha256(model).hexdigest(), "cosine": GOLDEN_COSINE, "texts": golden}
        self.golden_file.write_text(json.dumps(record, indent=1) + "\n", "utf-8")

    def write(self, out: Path) -> str:
        """Second pass: the folder, checked. Returns the digest of model.onnx."""
        fitted, states = self.fitted()
        projection = self.recorded()
        least, found = self.recipe["basis"]["agreement"], agreement(fitted, projection, states)
        if found < least:
            raise BuildFault(f"the projection fitted here agrees with the recorded one only to {found:.4f}")
        model = self.model(projection)
        record = json.loads(self.golden_file.read_text("utf-8"))
        self._check_golden(model, record)
        out.mkdir(parents=True, exist_ok=True)
        (out / "model.onnx").write_bytes(model)
        for name in ("tokenizer.json", "LICENSE"):
            (out / name).write_bytes((self.source / name).read_bytes())
        (out / "golden.json").write_text(json.dumps(record, indent=1) + "\n", "utf-8")
        (out / "embedder.json").write_text(json.dumps(self._card(model, projection), indent=2) + "\n", "utf-8")
        return hashlib.sha256(model).hexdigest()

    def write_float(self, out: Path) -> str:
        """The same model with every weight as it was, for comparisons: 90 MB, four times as many."""
        model = self.model(self.recorded(), eight_bits=False)
        out.mkdir(parents=True, exist_ok=True)
        (out / "model.onnx").write_bytes(model)
        (out / "tokenizer.json").write_bytes((self.source / "tokenizer.json").read_bytes())
        (out / "embedder.json").write_text(json.dumps(self._card(model, self.recorded()), indent=2) + "\n", "utf-8")
        return hashlib.sha256(model).hexdigest()

    def _card(self, model: bytes, projection: Projection) -> dict[str, Any]:
        tokenizer = self.recipe["source"]["sha256"]["tokenizer.json"]
        basis = np.concatenate([projection.mean[None], projection.basis.T])
        return {
            **self.recipe["embedder"],
            "dim": 1024,
            "token_dim": self.recipe["basis"]["dims"],
            "basis_sha": hashlib.sha256(basis.tobytes()).hexdigest(),
            "sha256": {"model.onnx": hashlib.sha256(model).hexdigest(), "tokenizer.json": tokenizer},
        }

    def _check_golden(self, model: bytes, record: dict[str, Any]) -> None:
        for golden, (text, ids, pooled, tokens) in zip(record["texts"], self._encoded(model), strict=True):
            least = min(float(_unpack(golden["pooled"], 1024)[0] @ pooled),
                        float((_unpack(golden["tokens"], tokens.shape[1]) * tokens).sum(1).min()))  # fmt: skip
            if ids != golden["ids"] or least < record["cosine"]:
                raise BuildFault(f"the built model gives another vector for {text!r}: cosine {least:.4f}")

    def _encoded(self, model: bytes) -> list[tuple[str, list[int], NDArray[Any], NDArray[Any]]]:
        tokenizer = Tokenizer.from_file(str(self.source / "tokenizer.json"))
        tokenizer.no_padding()
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        found = []
        for text in GOLDEN_TEXTS:
            ids = tokenizer.encode(text).ids
            feed = np.array([ids], np.int64)
            pooled, tokens = session.run(None, {"input_ids": feed, "attention_mask": np.ones_like(feed)})
            found.append((text, ids[1:-1], pooled[0], tokens[0, 1:-1]))
        return found


def sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _pack(values: NDArray[Any]) -> str:
    return base64.b64encode(values.astype("<f2").tobytes()).decode("ascii")


def _unpack(text: str, width: int) -> NDArray[Any]:
    """float32[n, width], unit rows (half precision costs a little length)."""
    rows = np.frombuffer(base64.b64decode(text), "<f2").astype(np.float32).reshape(-1, width)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--recipe", type=Path, default=HERE / "minilm.json")
    parser.add_argument("--record", action="store_true", help="fit anew and write what later builds are compared with")
    parser.add_argument("--float", action="store_true", help="do not quantise: what the benchmarks compare with")
    options = parser.parse_args()
    try:
        build = Build(options.recipe, options.packages)
        if options.record:
            build.record(build.fitted()[0])
        digest = build.write_float(options.out) if options.float else build.write(options.out)
    except BuildFault as fault:
        raise SystemExit(str(fault)) from None
    sys.stdout.write(f"{digest}\n")


if __name__ == "__main__":
    main()
