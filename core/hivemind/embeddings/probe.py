"""What a model must show before it may serve: its files, its sizes, vectors that make sense, its own golden vectors."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from hivemind.domain.vectors import POOLED_DIM, TOKEN_DIM, Encoded, ModelIdentity
from hivemind.embeddings.encoding import TextEncoder, digest
from hivemind.embeddings.folder import Card, ModelFolder
from hivemind.embeddings.golden import read_golden
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
    golden = read_golden(folder.path)
    if golden is None:
        return
    least = golden.least_cosine(_documents(encoder, [one.text for one in golden.texts]))
    if least < golden.cosine:
        raise refuse(
            "it gives other vectors than it should",
            "Copy the folder again. If it stays so, this processor computes it differently: use another model.",
            details=f"cosine {least:.4f}",
        )


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
