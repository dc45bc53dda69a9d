"""Fits the projection of token vectors on lines of random vocabulary words: no corpus, only the model and a seed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from graph import Projection
from numpy.typing import NDArray
from tokenizers import Tokenizer

Array = NDArray[Any]


def vocabulary_lines(tokenizer_file: Path, lines: int, words: int, seed: int) -> list[str]:
    """`lines` lines of `words` random whole words of the vocabulary; the same for a seed on every machine."""
    vocabulary = json.loads(tokenizer_file.read_text("utf-8"))["model"]["vocab"]
    whole = [word for word in sorted(vocabulary, key=vocabulary.__getitem__) if word.isalpha() and len(word) > 1]
    draw = random.Random(seed)  # noqa: S311 - a reproducible sample, nothing secret
    # random() alone is promised to stay the same between versions of Python; choice and sample are not.
    return [" ".join(whole[int(draw.random() * len(whole))] for _ in range(words)) for _ in range(lines)]


def token_states(model: bytes, tokenizer_file: Path, lines: list[str]) -> Array:
    """float32[n, d]: the last layer for all pieces of all lines, without [CLS] and [SEP]."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # one order of adding up
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    found = []
    for line in lines:
        ids = np.array([tokenizer.encode(line).ids], np.int64)
        (hidden,) = session.run(["hidden"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        found.append(hidden[0, 1:-1])
    return np.concatenate(found)


def fit(states: Array, dims: int) -> Projection:
    """The mean of the unit states and the main axes of what is left, each axis with its largest number positive."""
    unit = states.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    mean = unit.mean(0)
    centred = unit - mean
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    basis = np.linalg.eigh(centred.T @ centred)[1][:, ::-1][:, :dims]
    basis = basis * np.sign(basis[np.abs(basis).argmax(0), np.arange(dims)])
    return Projection(mean.astype(np.float32), basis.astype(np.float32))


def project(states: Array, projection: Projection) -> Array:
    """Unit token vectors, as the graph makes them."""
    unit = states / np.linalg.norm(states, axis=1, keepdims=True)
    short = (unit - projection.mean) @ projection.basis
    return np.asarray(short / np.maximum(np.linalg.norm(short, axis=1, keepdims=True), 1e-9))


def agreement(one: Projection, other: Projection, states: Array) -> float:
    """The worst cosine between the two projections of the same states."""
    return float((project(states, one) * project(states, other)).sum(1).min())
