"""What the model is found to do on this computer, by the very way that documents and queries go."""

from __future__ import annotations

import time

from hivemind.domain.minds import EmbedderSelfTest
from hivemind.engine.encoder_access import Encoder

#: A text alone must come this near to the same text among others.
ALONE = 0.9999
_SENTENCES = ("The ferry leaves at noon.", "A cat.", "The quarterly report of the shipping company is due on Friday.")


async def selftest(encoder: Encoder) -> EmbedderSelfTest:
    """Compare with what is recorded, and each text alone with the same one in a batch. Raises EmbedderUnavailable."""
    began = time.perf_counter()
    golden = encoder.golden()
    texts = _SENTENCES if golden is None else tuple(one.text for one in golden.texts)
    together = await encoder.encode_documents(texts)
    alone = [(await encoder.encode_documents([text]))[0] for text in texts]
    likeness = min(float(one.pooled @ other.pooled) for one, other in zip(together, alone, strict=True))
    recorded = 1.0 if golden is None else min(golden.least_cosine(together), golden.least_cosine(alone))
    return EmbedderSelfTest(
        ok=likeness >= ALONE and (golden is None or recorded >= golden.cosine),
        golden=0 if golden is None else len(golden.texts),
        golden_cosine=recorded,
        alone_cosine=likeness,
        seconds=time.perf_counter() - began,
    )
