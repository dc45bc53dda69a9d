"""Scripts written without spaces between words: which text needs the CJK table, and its padded bigrams."""

from __future__ import annotations

import re

# Han, kana, hangul, Thai, Lao, Myanmar and Khmer: unicode61 makes one token of a whole run of these.
_RUN = re.compile("[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿가-힯ᄀ-ᇿ฀-๿຀-໿က-႟ក-៿\U00020000-\U0003134f]+")


def runs(text: str) -> list[str]:
    """Every stretch of unspaced script in the text."""
    return _RUN.findall(text)


def has_unspaced_script(text: str) -> bool:
    return not text.isascii() and _RUN.search(text) is not None


def padded_bigrams(text: str) -> str:
    """`用户身份` → `用户 户身 身份 `; a lone character stands as `字  `. Each is one trigram for FTS5."""
    pairs: list[str] = []
    for run in runs(text):
        if len(run) == 1:
            pairs.append(run + " ")
        pairs.extend(run[i : i + 2] for i in range(len(run) - 1))
    return "".join(pair + " " for pair in dict.fromkeys(pairs))
