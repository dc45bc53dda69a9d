"""A model's folder: where it is looked for, and what its `embedder.json` says. Loads no model and no numpy.

A folder holds `model.onnx`, `tokenizer.json` and `embedder.json`; `1_Pooling/config.json` is read when the card does
not name a pooling, `golden.json` when it is there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hivemind.embeddings.refusals import refuse
from hivemind.errors import EmbedderUnavailable
from hivemind.paths import resource_path

VARIABLE = "HIVE_MIND_EMBEDDER_DIR"
FILES = ("model.onnx", "tokenizer.json", "embedder.json")
POOLINGS = ("in_graph", "mean", "cls")
_POOLING_FLAGS = {"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean"}


@dataclass(frozen=True, slots=True)
class Card:
    """`embedder.json`, checked. `pooling`: in_graph (output `pooled`), or mean or cls over output `hidden`.

    Outputs are names in the graph, '' when there is none. `digests`: expected sha256 of files, may be empty.
    `model_dim` 0: whatever the graph gives.
    """

    name: str
    revision: str
    languages: tuple[str, ...]
    max_tokens: int
    pooling: str
    normalise: bool
    query_prefix: str
    document_prefix: str
    pooled: str
    hidden: str
    tokens: str
    model_dim: int
    basis_sha: str
    digests: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that has the files and a readable card. `source`: environment, settings or bundled."""

    path: Path
    source: str
    card: Card


def bundled_place() -> Path:
    """Where the model lies that the program brings along."""
    return resource_path("models", "minilm")


def find_model(
    chosen: str = "", environment: Mapping[str, str] = os.environ, bundled: Path | None = None
) -> ModelFolder:
    """The model in force: the environment's, else the `chosen` one of the settings, else the bundled one.

    A named folder that does not work is refused and never replaced by another model: vectors of two models cannot be
    compared. Raises EmbedderUnavailable.
    """
    named = environment.get(VARIABLE, "").strip()
    if named:
        return read_folder(Path(named).expanduser(), "environment")
    if chosen.strip():
        return read_folder(Path(chosen.strip()).expanduser(), "settings")
    place = bundled or bundled_place()
    if not place.is_dir():
        raise EmbedderUnavailable("The search model was not built", details=str(place))
    return read_folder(place, "bundled")


def read_folder(path: Path, source: str) -> ModelFolder:
    """Check files and card. Raises EmbedderUnavailable with what to change."""
    if not path.is_dir():
        raise refuse("The folder is not there", f"Check the path {path}.")
    for name in FILES:
        if not (path / name).is_file():
            raise refuse(f"{name} is missing", f"Put {', '.join(FILES)} into {path}.")
    return ModelFolder(path, source, _card(path))


def _card(path: Path) -> Card:
    told = _json(path / "embedder.json")
    outputs = told.get("outputs", {})
    if not isinstance(outputs, dict):
        raise refuse("embedder.json does not name the outputs", 'Write "outputs": {"hidden": "last_hidden_state"}.')
    card = Card(
        name=_text(told, "name") or path.name,
        revision=_text(told, "revision"),
        languages=_languages(told),
        max_tokens=_number(told, "max_tokens", 256),
        pooling=_pooling(path, told, outputs),
        normalise=bool(told.get("normalise", True)),
        query_prefix=_text(told, "query_prefix"),
        document_prefix=_text(told, "document_prefix"),
        pooled=_text(outputs, "pooled"),
        hidden=_text(outputs, "hidden"),
        tokens=_text(outputs, "tokens"),
        model_dim=_number(told, "model_dim", 0),
        basis_sha=_text(told, "basis_sha"),
        digests=_digests(told),
    )
    if card.max_tokens < 8:
        raise refuse("max_tokens in embedder.json is too small", "Write how many pieces the model reads, such as 256.")
    return card


def _languages(told: dict[str, Any]) -> tuple[str, ...]:
    value = told.get("languages", [])
    if not isinstance(value, list):
        raise refuse("“languages” in embedder.json is no list", 'Write it as ["en"], or leave it out.')
    return tuple(str(one) for one in value)


def _digests(told: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    value = told.get("sha256", {})
    if not isinstance(value, dict):
        raise refuse("“sha256” in embedder.json is no table", 'Write it as {"model.onnx": "…"}, or leave it out.')
    return tuple(sorted((str(name), str(digest)) for name, digest in value.items()))


def _pooling(path: Path, told: dict[str, Any], outputs: dict[str, Any]) -> str:
    named = _text(told, "pooling")
    if named:
        if named not in POOLINGS:
            raise refuse(f"The pooling “{named}” is not known", f"Use one of {', '.join(POOLINGS)} in embedder.json.")
        return named
    if _text(outputs, "pooled"):
        return "in_graph"
    file = path / "1_Pooling" / "config.json"
    if not file.is_file():
        raise refuse("It is not said how the model pools", f'Write "pooling": "mean" or "cls" in {path}/embedder.json.')
    flags = _json(file)
    modes = [name for name, value in flags.items() if name.startswith("pooling_mode_") and value is True]
    if len(modes) != 1 or modes[0] not in _POOLING_FLAGS:
        raise refuse("This kind of pooling is not supported", "Choose a model with mean or cls pooling.")
    return _POOLING_FLAGS[modes[0]]


def _json(file: Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise refuse(f"{file.name} cannot be read", "Check that it is complete JSON.") from error
    if not isinstance(value, dict):
        raise refuse(f"{file.name} holds no settings", "It must be a JSON object in braces.")
    return value


def _text(among: dict[str, Any], key: str) -> str:
    value = among.get(key) or ""
    if not isinstance(value, str):
        raise refuse(f"“{key}” in embedder.json is not text", "Write it in quotation marks, or leave it out.")
    return value


def _number(among: dict[str, Any], key: str, default: int) -> int:
    value = among.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise refuse(
            f"“{key}” in embedder.json is not a whole number", f"Write it as {default or 384}, or leave it out."
        )
    return value
