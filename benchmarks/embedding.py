"""Texts of mixed lengths per second, one thread: short ones with short ones, against the same graph with everything
padded to the longest in batches of 256, and as a second step against full precision padded so."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hivemind.embeddings.encoding import TextEncoder
from hivemind.embeddings.windows import Window
from measuring import alternate, arguments, median, median_ratio, seconds, tell
from models import bundled, mixed, unquantised

GOAL, REACH = 4.0, 5.0
_BATCH = 256


def padded(encoder: TextEncoder, texts: Sequence[str]) -> None:
    """The texts in their order, `_BATCH` at a time, each batch as long as its longest text."""
    windows: list[Window] = [
        window
        for number, text in enumerate(texts)
        for window in encoder._slicer.windows(number, encoder._slicer.pieces(text))
    ]
    for start in range(0, len(windows), _BATCH):
        encoder._rows(windows[start : start + _BATCH])


def bucketed(encoder: TextEncoder, texts: Sequence[str]) -> None:
    for _ in encoder.documents(texts):
        pass


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--texts", type=int, default=288)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    eight, full = TextEncoder(bundled(), 1), TextEncoder(unquantised(), 1)
    texts = mixed(options.texts, seed=3)
    for encoder in (eight, full):
        bucketed(encoder, texts[:16])
    taken = alternate(
        options.rounds,
        {
            "ours": lambda: seconds(lambda: bucketed(eight, texts)),
            "padded": lambda: seconds(lambda: padded(eight, texts)),
            "padded_float": lambda: seconds(lambda: padded(full, texts)),
        },
    )
    ratio = median_ratio(taken["padded"], taken["ours"])
    document = {
        "benchmark": "embedding",
        "ratio": ratio,
        "goal": f"at least {GOAL} times as fast as the same graph padded to the longest (reach {REACH})",
        "met": ratio >= GOAL,
        "against": f"the same graph in batches of {_BATCH}, padded",
        "ratio_to_float_padded": median_ratio(taken["padded_float"], taken["ours"]),
        "texts_per_second": len(texts) / median(taken["ours"]),
        "padded_texts_per_second": len(texts) / median(taken["padded"]),
        "texts": len(texts),
        "rounds": options.rounds,
    }
    tell(document, options.json)


if __name__ == "__main__":
    main()
