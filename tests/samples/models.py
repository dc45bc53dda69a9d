"""Tiny model folders for the embedder: a bag of words as an ONNX graph, written byte by byte, and a word tokenizer.

onnx is no test tool (only the builder has it), so the few fields of its protobuf that are needed are written here.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
_SENTENCES = """the cat is sleeping on the sofa. a cat lies asleep on the couch. quarterly revenue of the shipping
company fell by three percent. query: passage: alpha beta gamma delta width"""
_LITTLE = (*SPECIAL, "the", "a", "of", "on", "by", "is", ".", ":")
WORDS = (*SPECIAL, *dict.fromkeys(re.findall(r"\w+|[.:]", _SENTENCES)))
INT64, INT32, FLOAT = 7, 6, 1


def table(width: int, seed: int = 7) -> NDArray[np.float32]:
    """One random row for each word: small words say little and “cat” says much, so that the probe finds sense."""
    rows = np.random.default_rng(seed).standard_normal((len(WORDS), width))
    weights = [0.1 if word in _LITTLE else 3.0 if word == "cat" else 1.0 for word in WORDS]
    return (rows * np.array(weights)[:, None]).astype(np.float32)


def bag_of_words(
    rows: NDArray[np.float32],
    output: str = "last_hidden_state",
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    tokens: NDArray[np.float32] | None = None,
    mixes_batch: bool = False,
    kind: int = INT64,
) -> bytes:
    """A model whose hidden state is each word's row. `mixes_batch`: plus the mean over the whole batch.

    `tokens`: rows of a second output of that name.
    """
    nodes = [_node("Gather", ["table", "input_ids"], ["rows"])]
    if mixes_batch:
        nodes += [_node("ReduceMean", ["rows"], ["mean"]), _node("Mul", ["mean", "much"], ["more"]),
                  _node("Add", ["rows", "more"], [output])]  # fmt: skip
    else:
        nodes.append(_node("Identity", ["rows"], [output]))
    constants = [_tensor("table", rows), _tensor("much", np.array([0.4], np.float32))]
    outputs = [_value(output, FLOAT, ["B", "S", rows.shape[1]])]
    if tokens is not None:
        nodes.append(_node("Gather", ["token_table", "input_ids"], ["tokens"]))
        constants.append(_tensor("token_table", tokens))
        outputs.append(_value("tokens", FLOAT, ["B", "S", tokens.shape[1]]))
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, b"bag")
    graph += b"".join(_field(5, constant) for constant in constants)
    graph += b"".join(_field(11, _value(name, kind, ["B", "S"])) for name in inputs)
    graph += b"".join(_field(12, value) for value in outputs)
    opset = _field(1, b"") + _number(2, 17)
    return _number(1, 8) + _field(7, graph) + _field(8, opset)


def word_tokenizer() -> Tokenizer:
    """Lower-case words and punctuation; [CLS] and [SEP] around a text, as BERT has them."""
    tokenizer = Tokenizer(models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", WORDS.index("[CLS]")), ("[SEP]", WORDS.index("[SEP]"))]
    )
    return tokenizer


def write_model(folder: Path, model: bytes | None = None, **card: Any) -> Path:
    """A complete folder. `card` replaces or adds keys of embedder.json; a value None leaves the key out."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(bag_of_words(table(24)) if model is None else model)
    word_tokenizer().save(str(folder / "tokenizer.json"))
    told = {"name": "bag", "pooling": "mean", "max_tokens": 16, "outputs": {"hidden": "last_hidden_state"}} | card
    (folder / "embedder.json").write_text(json.dumps({key: value for key, value in told.items() if value is not None}))
    return folder


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _field(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _node(kind: str, inputs: Sequence[str], outputs: Sequence[str]) -> bytes:
    names = b"".join(_field(1, name.encode()) for name in inputs) + b"".join(_field(2, one.encode()) for one in outputs)
    return names + _field(3, f"{kind}_{outputs[0]}".encode()) + _field(4, kind.encode())


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    dims = b"".join(_number(1, size) for size in values.shape)
    raw = struct.pack(f"<{values.size}f", *values.ravel().tolist())
    return dims + _number(2, FLOAT) + _field(8, name.encode()) + _field(9, raw)


def _value(name: str, kind: int, dims: Sequence[str | int]) -> bytes:
    sizes = b"".join(_field(1, _field(2, one.encode()) if isinstance(one, str) else _number(1, one)) for one in dims)
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind) + _field(2, sizes)))
