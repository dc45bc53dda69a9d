"""What keys and other secrets look like: one rule per kind, each precise enough to be masked without asking.

A rule is tried only where one of its needles stands in the text, so ordinary talk costs next to nothing.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

#: Length of an IBAN → countries that have it (ISO 13616 registry).
_IBAN_LENGTHS = {
    15: "NO", 16: "BE", 18: "DK FI FO GL NL", 19: "MK SI", 20: "AT BA EE KZ LT LU XK", 21: "CH HR LI LV",
    22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG", 25: "LY PT ST",
    26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV", 29: "BR EG PS QA UA",
    30: "JO KW MU", 31: "MT SC", 32: "LC", 33: "RU",
}  # fmt: skip
_IBANS = "|".join(
    rf"(?:{'|'.join(codes.split())})\d{{2}}(?: ?[A-Z0-9]){{{length - 4}}}" for length, codes in _IBAN_LENGTHS.items()
)
#: What stands in documentation where a secret would be.
_PLACEHOLDER = re.compile(
    r"(?i)x{4,}|\*{3,}|\.{3}|…|your|example|placeholder|changeme|change_me|insert|replace|redacted|masked|dummy|sample"
    r"|<[^>]*>|\{\{?|\$\{|\$\(|%\(|process\.env|os\.environ|getenv"
)
_CODE = re.compile(r"[(){}\[\]<>]|::|->|^[a-z_]+(?:\.[a-z_]+)+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SecretRule:
    """`needles`: one of them stands in every match. Group "secret", or the whole
    match, is what is masked. `holds` has the last word on it."""

    kind: str
    label: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]
    holds: Callable[[str], bool]


def _varied(secret: str, least: int = 8) -> bool:
    """Not a row of x or a placeholder: enough different characters, and a digit."""
    return len(set(secret)) >= least and any(c.isdigit() for c in secret) and not _PLACEHOLDER.search(secret)


def entropy(text: str) -> float:
    """Shannon's, in bits per character."""
    total = len(text)
    return -sum(n / total * math.log2(n / total) for n in Counter(text).values()) if total else 0.0


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _card(found: str) -> bool:
    """An issuer's number range of the right length, with a check digit that holds."""
    digits = re.sub(r"\D", "", found)
    length, two, four = len(digits), int(digits[:2]), int(digits[:4])
    issued = (
        (digits[0] == "4" and length in (13, 16, 19))
        or ((51 <= two <= 55 or 2221 <= four <= 2720) and length == 16)
        or (two in (34, 37) and length == 15)
        or ((four == 6011 or two == 65 or 644 <= int(digits[:3]) <= 649) and length in (16, 19))
        or (3528 <= four <= 3589 and length in (16, 19))
        or ((two in (36, 38) or 300 <= int(digits[:3]) <= 305) and length == 14)
    )
    return issued and len(set(digits)) > 1 and luhn(digits)


def _iban(found: str) -> bool:
    plain = found.replace(" ", "")
    number = "".join(str(int(c, 36)) for c in plain[4:] + plain[:4])
    return int(number) % 97 == 1


def _jwt(found: str) -> bool:
    """Its first part is JSON that names an algorithm."""
    head = found.split(".", 1)[0]
    try:
        header = json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except (binascii.Error, ValueError):
        return False
    return isinstance(header, dict) and "alg" in header


def _basic(found: str) -> bool:
    try:
        return b":" in base64.b64decode(found + "=" * (-len(found) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


def _password(found: str) -> bool:
    """Six characters or more with a digit, and a letter or sign: words of a sentence and numbers alone do not count."""
    plain = not _PLACEHOLDER.search(found) and not _CODE.search(found)
    return plain and len(set(found)) >= 5 and any(c.isdigit() for c in found) and not found.isdigit()


def _no_placeholder(found: str) -> bool:
    return not _PLACEHOLDER.search(found)


def _bearer(found: str) -> bool:
    return _varied(found) and entropy(found) >= 3.0


def _in_url(found: str) -> bool:
    return not _PLACEHOLDER.search(found) and found.lower() not in {
        "password",
        "pass",
        "pwd",
        "secret",
        "user",
        "token",
    }


def _assigned(found: str) -> bool:
    """What stands at a key-like name: no name or code, letters and digits, of the entropy of something random."""
    if _PLACEHOLDER.search(found) or _CODE.search(found) or len(found) < 16:
        return False
    mixed = any(c.isdigit() for c in found) and any(c.isalpha() for c in found)
    return mixed and entropy(found) >= (2.8 if re.fullmatch(r"[0-9a-fA-F-]+", found) else 3.4)


def _rule(kind: str, label: str, needles: str, pattern: str, holds: Callable[[str], bool] = _varied) -> SecretRule:
    """A token of its own: no letter, digit or dash touches it."""
    whole = re.compile(rf"(?<![A-Za-z0-9_\-])(?:{pattern})(?![A-Za-z0-9_\-])")
    return SecretRule(kind, label, tuple(needles.split()), whole, holds)


def _named(kind: str, label: str, needles: str, pattern: str, holds: Callable[[str], bool]) -> SecretRule:
    """Known by what stands before it, whatever its case; only the secret itself is masked."""
    return SecretRule(kind, label, tuple(needles.split("|")), re.compile(pattern, re.IGNORECASE), holds)


def _openai(found: str) -> bool:
    mixed = any(c.isupper() for c in found) and any(c.islower() for c in found)
    return _varied(found, 12) and (mixed or re.fullmatch(r"sk-[0-9a-f]{32,64}", found) is not None)


_QUOTE = r"[\"'`*]{0,3}"
_PHRASE = r"passw(?:or)?d|passphrase|passwort|(?<![a-z])pwd|mot de passe|contraseña"
_NAME = (
    r"(?:api|access|auth|client|secret|private|encryption|signing|master|service|session|webhook|bot|refresh|bearer"
    r"|app|account|storage|license)[_\- ]?(?:api[_\- ]?)?(?:key|token|secret)|secret|token|passwd|password|passphrase"
)
#: Tokens known by how they begin, each a word of twenty characters or more. Where two match, the first is told.
TOKEN_RULES: tuple[SecretRule, ...] = (
    _rule("anthropic", "Anthropic key", "sk-ant-", r"sk-ant-[a-z]{3,8}\d{2}-[A-Za-z0-9_\-]{32,}"),
    _rule("openrouter", "OpenRouter key", "sk-or-", r"sk-or-v1-[0-9a-f]{64}"),
    _rule(
        "openai", "OpenAI key", "sk-",
        r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{32,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{32,64}",
        _openai,
    ),
    _rule("github", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
          r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _rule("gitlab", "GitLab token", "glpat- gldt- glrt-", r"gl(?:pat|dt|rt)-[A-Za-z0-9_\-.]{20,}"),
    _rule("aws_id", "AWS access key id", "AKIA ASIA", r"(?:AKIA|ASIA)[A-Z2-7]{16}", _no_placeholder),
    _rule("google", "Google key", "AIza GOCSPX- ya29.",
          r"AIza[A-Za-z0-9_\-]{35}|GOCSPX-[A-Za-z0-9_\-]{28}|ya29\.[A-Za-z0-9_\-]{40,}"),
    _rule("slack", "Slack token", "xox xapp-",
          r"xox[abeoprs]-(?:[0-9A-Za-z]{1,20}-){1,4}[0-9A-Za-z]{12,}|xapp-\d-[A-Z0-9]+-\d+-[0-9a-f]{40,}"),
    SecretRule(
        "slack_hook", "Slack webhook", ("hooks.slack.com",),
        re.compile(r"hooks\.slack\.com/services/(?P<secret>T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{18,})"), _varied,
    ),
    _rule("stripe", "Stripe key", "_live_ _test_ whsec_",
          r"(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}"),
    _rule("sendgrid", "SendGrid key", "SG.", r"SG\.[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{39,50}"),
    _rule("huggingface", "Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{34,40}", _varied),
    _rule("npm", "npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    _rule("pypi", "PyPI token", "pypi-", r"pypi-AgE[A-Za-z0-9_\-]{50,}"),
    _rule("groq", "Groq key", "gsk_", r"gsk_[A-Za-z0-9]{48,56}"),
    _rule("xai", "xAI key", "xai-", r"xai-[A-Za-z0-9]{70,90}"),
    _rule("perplexity", "Perplexity key", "pplx-", r"pplx-[A-Za-z0-9]{48,56}"),
    _rule("replicate", "Replicate token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    _rule("digitalocean", "DigitalOcean token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    _rule("shopify", "Shopify token", "shpat_ shpss_ shpca_ shppa_", r"shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}"),
    _rule("databricks", "Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _rule("atlassian", "Atlassian token", "ATATT3x", r"ATATT3x[A-Za-z0-9_\-=]{100,}"),
    _rule("notion", "Notion token", "ntn_ secret_", r"ntn_[0-9]{8,}[A-Za-z0-9]{30,}|secret_[A-Za-z0-9]{43}"),
    _rule("linear", "Linear key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    _rule("supabase", "Supabase token", "sbp_", r"sbp_[0-9a-f]{40}"),
    _rule("vault", "Vault token", "hvs.", r"hvs\.[A-Za-z0-9_\-]{24,}"),
    _rule("twilio", "Twilio key", "SK", r"SK[0-9a-f]{32}"),
    _rule("mailgun", "Mailgun key", "key-", r"key-[0-9a-f]{32}"),
    _rule("age", "age key", "AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _rule("telegram", "Telegram bot token", ":AA", r"\d{8,10}:AA[A-Za-z0-9_\-]{33}"),
    _rule("discord", "Discord token", ".", r"[MNO][A-Za-z0-9_\-]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,40}"),
    _rule("jwt", "sign-in token (JWT)", "eyJ",
          r"eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{10,}", _jwt),
)  # fmt: skip

#: Known by what stands around them; their needles are looked for in the lower-cased text.
NAMED_RULES: tuple[SecretRule, ...] = (
    SecretRule(
        "private_key",
        "private key",
        ("private key",),
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
            r"(?:[^-]{1,20000}(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?)"
        ),
        lambda found: len(re.findall(r"[A-Za-z0-9+/=]", found)) > 80,
    ),
    _named("azure", "Azure key", "accountkey=", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)", _no_placeholder),
    _named("url_password", "password", "://",
           r"(?<![a-z0-9])[a-z][a-z0-9+.\-]{1,20}://[^\s:/@\"'<>]{0,80}:(?P<secret>[^\s/@\"'<>:]{3,120})@(?=[\w.\-\[])",
           _in_url),
    _named("bearer", "sign-in token", "bearer ", r"\bbearer\s+(?P<secret>[A-Za-z0-9_\-.~+/]{20,}=*)", _bearer),
    _named("basic", "password", "basic ",
           r"authorization['\"]?\s*[:=]\s*['\"]?basic\s+(?P<secret>[A-Za-z0-9+/]{8,}=*)", _basic),
    _named("password", "password", "passw|passphrase|pwd|mot de passe|contraseña",
           rf"(?:{_PHRASE}){_QUOTE}\s{{0,3}}(?::|=>?|\bis\b|\bist\b|\best\b|\bes\b)\s{{0,3}}{_QUOTE}"
           r"(?P<secret>[^\s\"'`*,;]{5,127}[^\s\"'`*,;.:)])", _password),
    _named("assigned", "API key", "key|token|secret|passw",
           rf"(?:{_NAME}){_QUOTE}\s{{0,3}}(?::?=>?|:|\bis\b)\s{{0,3}}{_QUOTE}"
           r"(?P<secret>[A-Za-z0-9_\-+/.~]{16,256}={0,2})(?![A-Za-z0-9_(])", _assigned),
)  # fmt: skip

#: Numbers have no needle but their digits: looked for only where enough of them stand.
NUMBER_RULES: tuple[SecretRule, ...] = (
    SecretRule(
        "card", "card number", (),
        re.compile(
            r"(?<![\w.,+\-/#])(?:\d{4}([ \-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ \-])\d{6}\2\d{4,5}|\d{13,19})"
            r"(?![\w\-]|[.,]\d)"
        ),
        _card,
    ),
    SecretRule("iban", "IBAN", (), re.compile(rf"(?<![A-Za-z0-9])(?:{_IBANS})(?![A-Za-z0-9])"), _iban),
)  # fmt: skip
