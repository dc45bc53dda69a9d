"""Masking: secrets in a text become a readable mark, and the same text is always masked the same way."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from typing import NamedTuple

from hivemind.domain.secret_kinds import NAMED_RULES, NUMBER_RULES, TOKEN_RULES, SecretRule

#: A mark in a masked text; group 1 is the label.
MARK = re.compile(r"⟨masked: ([^⟨⟩\n]{1,40})⟩")
_CARD = re.compile(r"\d{4}[\d \-]{8}")
_IBAN = re.compile(r"[A-Z]{2}\d{2} ?[A-Z0-9]{4}")
# Every rule for tokens and numbers asks for digits: most messages have none, and are done with.
_DIGIT = re.compile(r"\d")
_FOUR = re.compile(r"\d{4}")
#: No token of a vendor is shorter; few words of a language are longer.
_LONG = 20
_NOTHING: frozenset[bytes] = frozenset()


class Secret(NamedTuple):
    """A secret at start..end of a text."""

    start: int
    end: int
    kind: str
    label: str


class Masked(NamedTuple):
    """A text with marks, and the secrets that stood in the original, in order: one mark for each."""

    text: str
    secrets: tuple[Secret, ...]


def secret_hash(secret: str) -> bytes:
    """16 bytes by which a text that somebody called no secret is known again."""
    return hashlib.sha256(b"not a secret\0" + secret.encode("utf-8", "replace")).digest()[:16]


def mark_of(label: str) -> str:
    return f"⟨masked: {label}⟩"


def find_secrets(text: str, allowed: Collection[bytes] = _NOTHING) -> list[Secret]:
    """Secrets of a text in order, without overlaps; where two begin together, the longer one.

    `allowed`: hashes (`secret_hash`) of what a person said is none.
    """
    found: list[Secret] = []
    digits = _DIGIT.search(text) is not None
    if digits and max(map(len, text.split())) >= _LONG:
        for rule in TOKEN_RULES:
            for needle in rule.needles:
                if needle in text:
                    found.extend(_matches(rule, text))
                    break
    folded = text.lower()
    for rule in NAMED_RULES:
        for needle in rule.needles:
            if needle in folded:
                found.extend(_matches(rule, text))
                break
    if digits and _FOUR.search(text) and (_CARD.search(text) or _IBAN.search(text)):
        for rule in NUMBER_RULES:
            found.extend(_matches(rule, text))
    if not found:
        return found
    if allowed:
        found = [one for one in found if secret_hash(text[one.start : one.end]) not in allowed]
    return _apart(found)


def _matches(rule: SecretRule, text: str) -> list[Secret]:
    group = "secret" if "secret" in rule.pattern.groupindex else 0
    return [
        Secret(match.start(group), match.end(group), rule.kind, rule.label)
        for match in rule.pattern.finditer(text)
        if rule.holds(match[group]) and not MARK.search(match[0])
    ]


def _apart(found: list[Secret]) -> list[Secret]:
    """A secret inside another is part of it; of two that overlap, the one found by the more precise rule stays."""
    taken: list[Secret] = []
    for one in found:
        if all(one.end <= other.start or one.start >= other.end for other in taken):
            taken.append(one)
    return sorted(taken)


def mask(text: str, allowed: Collection[bytes] = _NOTHING) -> Masked:
    """The text with a mark in place of each secret. Masking what is masked changes nothing."""
    secrets = find_secrets(text, allowed)
    if not secrets:
        return Masked(text, ())
    pieces: list[str] = []
    at = 0
    for secret in secrets:
        pieces += (text[at : secret.start], mark_of(secret.label))
        at = secret.end
    pieces.append(text[at:])
    return Masked("".join(pieces), tuple(secrets))


def masked_example(text: str, secret: Secret) -> str:
    """A secret as it may be shown: its first few characters where they only name the vendor, and how long it is."""
    body = text[secret.start : secret.end]
    if secret.kind == "card":
        return f"•••• {re.sub(r'[^0-9]', '', body)[-4:]}"
    if secret.kind == "iban":
        return f"{body[:2]}•• … {body.replace(' ', '')[-4:]}"
    if secret.kind == "private_key":
        return "-----BEGIN … PRIVATE KEY-----"
    if secret.kind in {"password", "url_password", "basic", "assigned", "bearer", "slack_hook", "azure", "telegram"}:
        return f"•••••• ({len(body)} characters)"
    return f"{body[:4]}•••••• ({len(body)} characters)"


def labels_in(text: str) -> tuple[str, ...]:
    """Labels of the marks in a text, in order."""
    return tuple(MARK.findall(text)) if "⟨masked: " in text else ()
