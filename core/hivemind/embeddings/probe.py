"""What a model must show before it may serve: its files, its sizes, vectors that make sense, its own golden vectors."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import numpy as np

from hivemind.domain.vectors import POOLED_DIM, TOKEN_DIM, Encoded, ModelIdentity
from hivemind.embeddings.encoding import Floats, TextEncoder, digest
from hivemind.embeddings.folder import Card, ModelFolder
from hivemind.embeddings.refusals import refuse
from hivemind.errors import HiveMindError

#: A text and its paraphrase must be closer than a text of something else.
_NEAR = ("The cat is sleeping on the sofa.", "A cat lies asleep on the couch.")
_FAR = "Quarterly revenue of the shipping company fell by three percent."
_SAME = 0.9999


def probe(folder: ModelFolder, encoder: TextEncoder) -> ModelIdentity:
    """Check everything and say who the model is; lowers `encoder.batch` when vectors depend on their batch.

    Raises EmbedderUnavailable with what to change.
    """
    files = {name: digest(folder.path / name) for name in ("model.onnx", "tokenizer.json")}
    for name, expected in folder.card.digests:
        if files.get(name) != expected:
            raise refuse(
                f"{name} is not the file that embedder.json names", "Copy the folder again; it may be damaged."
            )
    if not folder.card.normalise:
        raise refuse("it compares by length", "Vectors are compared by direction here. Choose a model that normalises.")
    try:
        width, token_width = encoder.raw_width(), encoder.token_width()
        _check_tokens(token_width)
        _check_sense(encoder)
        _check_golden(folder, encoder)
    except HiveMindError:
        raise
    except Exception as error:
        raise refuse(
            "it fails on a sentence", "Check that tokenizer.json belongs to model.onnx.", details=type(error).__name__
        ) from error
    return _identity(folder.card, files, folder.card.model_dim or width, token_width)


def _check_tokens(width: int) -> None:
    if width not in (0, TOKEN_DIM):
        raise refuse(
            f"its token vectors have {width} numbers", f"Project them to {TOKEN_DIM}, or leave the output out."
        )


def _check_sense(encoder: TextEncoder) -> None:
    alone = [_documents(encoder, [text])[0] for text in (*_NEAR, _FAR)]
    for one in alone:
        if not (np.isfinite(one.pooled).all() and np.isfinite(one.tokens).all()) or one.pooled.shape != (POOLED_DIM,):
            raise refuse("it gives no usable numbers", "Export it again in full precision.")
    first, near, far = (one.pooled for one in alone)
    if float(first @ near) <= max(float(first @ far), float(near @ far)) or float(first @ far) > _SAME:
        raise refuse(
            "it cannot tell texts apart", "Check pooling, prefixes and tokenizer.json against the model's page."
        )
    together = _documents(encoder, [*_NEAR, _FAR, f"{_FAR} {_NEAR[0]} {_FAR}"])
    if min(float(one.pooled @ other.pooled) for one, other in zip(alone, together, strict=False)) < _SAME:
        encoder.batch = 1


def _check_golden(folder: ModelFolder, encoder: TextEncoder) -> None:
    file = folder.path / "golden.json"
    if not file.is_file():
        return
    try:
        told: dict[str, Any] = json.loads(file.read_text("utf-8"))
        texts = [(str(one["text"]), list(one["ids"]), one["pooled"], one.get("tokens", "")) for one in told["texts"]]
        least_allowed = float(told["cosine"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise refuse("golden.json cannot be read", "Copy the file again, or leave it out.") from error
    encodings = _documents(encoder, [text for text, *_ in texts])
    for (_, ids, pooled, tokens), encoded in zip(texts, encodings, strict=True):
        least = min(_least_cosine(pooled, encoded.pooled[None]), _least_cosine(tokens, encoded.tokens))
        if list(encoded.pieces) != ids or least < least_allowed:
            raise refuse(
                "it gives other vectors than it should",
                "Copy the folder again. If it stays so, this processor computes it differently: use another model.",
                details=f"cosine {least:.4f}",
            )


def _least_cosine(packed: str, rows: Floats) -> float:
    if not packed or not len(rows):
        return 1.0
    golden = np.frombuffer(base64.b64decode(packed), "<f2").astype(np.float32)
    if golden.size != rows.size:
        return -1.0
    golden = golden.reshape(rows.shape)
    return float(((golden * rows).sum(1) / np.linalg.norm(golden, axis=1)).min())


def _documents(encoder: TextEncoder, texts: list[str]) -> list[Encoded]:
    found = {number: encoded for ready in encoder.documents(texts) for number, encoded, _ in ready}
    return [found[number] for number in range(len(texts))]


def _identity(card: Card, files: dict[str, str], model_dim: int, token_dim: int) -> ModelIdentity:
    ways = [
        card.pooling,
        card.query_prefix,
        card.document_prefix,
        card.pooled,
        card.hidden,
        card.tokens,
        card.max_tokens,
    ]
    deciding = json.dumps([files["model.onnx"], files["tokenizer.json"], *ways]).encode()
    return ModelIdentity(
        name=card.name,
        revision=card.revision,
        sha=hashlib.sha256(deciding).hexdigest(),
        model_dim=model_dim,
        token_dim=token_dim,
        languages=card.languages,
        max_tokens=card.max_tokens,
        basis_sha=card.basis_sha if token_dim else "",
    )
