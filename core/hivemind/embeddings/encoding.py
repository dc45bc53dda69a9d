"""Runs a model's graph and makes unit vectors of 1024 numbers of what it gives. Lives in the child process."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from hivemind.domain.vectors import POOLED_DIM, TOKEN_DIM, Encoded
from hivemind.embeddings.folder import ModelFolder
from hivemind.embeddings.refusals import refuse
from hivemind.embeddings.rotation import rotation
from hivemind.embeddings.windows import Slicer, Window, batches

Floats = NDArray[np.float32]
_KINDS: dict[str, type[np.int64] | type[np.int32]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
_FED = ("input_ids", "attention_mask", "token_type_ids")
#: Texts in one pass. Eight of similar length are as fast as more, and waste no padding.
BATCH = 8
_NO_TOKENS: Floats = np.zeros((0, TOKEN_DIM), np.float32)


class ModelPass:
    """The graph: ids in; pooled rows and token rows out, as the card says. Safe to call from two threads."""

    def __init__(self, folder: ModelFolder, threads: int) -> None:
        self._card = folder.card
        self._session = _session(folder.path / "model.onnx", threads)
        self._feeds = {one.name: _kind(one.name, one.type) for one in self._session.get_inputs()}
        names = [one.name for one in self._session.get_outputs()]
        wanted = self._card.pooled if self._card.pooling == "in_graph" else self._card.hidden or "last_hidden_state"
        self._outputs = [name for name in (wanted, self._card.tokens) if name]
        for name in self._outputs or [wanted]:
            if name not in names:
                raise refuse(
                    f"it has no output “{name}”", f"Name one of {', '.join(names)} under “outputs” in embedder.json."
                )

    def run(self, group: Sequence[Window]) -> tuple[Floats, Floats | None]:
        """Raw pooled float32[B, d], not yet unit, and token rows float32[B, S, k] when there are any."""
        longest = max(len(window.ids) for window in group)
        ids = np.zeros((len(group), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, window in enumerate(group):
            ids[row, : len(window.ids)] = window.ids
            mask[row, : len(window.ids)] = 1
        values = dict(zip(_FED, (ids, mask, np.zeros_like(ids)), strict=True))
        found = self._session.run(
            self._outputs, {name: values[name].astype(kind, copy=False) for name, kind in self._feeds.items()}
        )
        tokens = found[1] if len(found) > 1 else None
        if self._card.pooling == "in_graph":
            return found[0], tokens
        hidden = found[0]
        if self._card.pooling == "cls":
            return hidden[:, 0], tokens
        return (hidden * mask[:, :, None]).sum(1, dtype=np.float32) / mask.sum(1, keepdims=True), tokens


class TextEncoder:
    """Texts to `Encoded`: prefixes, windows, batches, pooling over several windows, rotation to 1024.

    `batch` is lowered to 1 by the probe when a model's vectors depend on their batch.
    """

    def __init__(self, folder: ModelFolder, threads: int = 1) -> None:
        self.card = folder.card
        self.batch = BATCH
        self._pass = ModelPass(folder, threads)
        self._slicer = Slicer(_tokenizer(folder.path / "tokenizer.json"), folder.card.max_tokens)
        self._document = self._slicer.pieces(folder.card.document_prefix.rstrip())
        self._query = self._slicer.pieces(folder.card.query_prefix.rstrip())
        self._turns: dict[int, Floats] = {}

    def documents(self, texts: Sequence[str]) -> Iterator[list[tuple[int, Encoded, int]]]:
        """Text number, result and passes, as they are ready: one list for each pass of the model."""
        pieces = [self._slicer.pieces(text) for text in texts]
        cut = [self._slicer.windows(number, own, self._document) for number, own in enumerate(pieces)]
        waiting: dict[int, dict[int, tuple[Floats, Floats]]] = {}
        for group in batches([window for own in cut for window in own], self.batch):
            ready = []
            for window, rows in zip(group, self._rows(group), strict=True):
                done = waiting.setdefault(window.text, {})
                done[window.part] = rows
                if len(done) == len(cut[window.text]):
                    parts = [done[part] for part in range(len(done))]
                    ready.append((window.text, self._joined(cut[window.text], parts, pieces[window.text]), len(parts)))
                    del waiting[window.text]
            yield ready

    def query(self, text: str) -> Encoded:
        """One text with the query's prefix. Rarely more than one pass."""
        pieces = self._slicer.pieces(text)
        windows = self._slicer.windows(0, pieces, self._query)
        return self._joined(windows, [self._rows([window])[0] for window in windows], pieces)

    def _rows(self, group: Sequence[Window]) -> list[tuple[Floats, Floats]]:
        pooled, tokens = self._pass.run(group)
        unit = self._rotated(_unit(pooled))
        rows = []
        for row, window in enumerate(group):
            own = _NO_TOKENS if tokens is None else tokens[row, window.lead : window.lead + window.count]
            rows.append((unit[row], own))
        return rows

    def _joined(
        self, windows: Sequence[Window], parts: Sequence[tuple[Floats, Floats]], pieces: tuple[int, ...]
    ) -> Encoded:
        if len(parts) == 1:
            pooled, tokens = parts[0]
        else:
            weights = np.array([window.count for window in windows], np.float32)
            pooled = _unit((np.stack([part[0] for part in parts]) * weights[:, None]).sum(0, keepdims=True))[0]
            tokens = np.concatenate([part[1] for part in parts])
        return Encoded(np.ascontiguousarray(pooled), np.ascontiguousarray(tokens), pieces, len(parts))

    def _rotated(self, unit: Floats) -> Floats:
        width = unit.shape[1]
        if width == POOLED_DIM:
            return unit
        if width > POOLED_DIM:
            raise refuse(
                f"its vectors have {width} numbers and a mind keeps {POOLED_DIM}",
                "Choose a model with fewer dimensions.",
            )
        if width not in self._turns:
            self._turns[width] = rotation(width)
        return np.asarray(unit @ self._turns[width])

    def raw_width(self) -> int:
        """Numbers in a pooled vector as the graph gives it."""
        (window,) = islice(self._slicer.windows(0, self._slicer.pieces("width")), 1)
        return int(self._pass.run([window])[0].shape[-1])

    def token_width(self) -> int:
        """Numbers in a token vector; 0 when the model gives none."""
        tokens = self._pass.run(self._slicer.windows(0, self._slicer.pieces("width")))[1]
        return 0 if tokens is None else int(tokens.shape[-1])


def digest(file: Path) -> str:
    """sha256 of a file, 64 hex digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-12), np.float32)


def _session(file: Path, threads: int) -> onnxruntime.InferenceSession:
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime has a family of its own, made of plain Exceptions
        raise refuse(
            "model.onnx cannot be loaded",
            "Copy the folder again, or export the model anew.",
            details=type(error).__name__,
        ) from error


def _tokenizer(file: Path) -> Tokenizer:
    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises plain Exceptions
        raise refuse("tokenizer.json cannot be read", "Copy the file again from where the model comes from.") from error


def _kind(name: str, kind: str) -> type[np.int64] | type[np.int32]:
    if name not in _FED or kind not in _KINDS:
        raise refuse(f"it asks for an input “{name}”", f"Export it with the inputs {', '.join(_FED)} only.")
    return _KINDS[kind]
