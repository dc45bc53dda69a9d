"""Keys and other secrets are masked by kind; ids, hashes, code, pictures and prose are not.

Covers: secret_kinds.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.masking import find_secrets, labels_in, mark_of, mask, masked_example, secret_hash
from hivemind.domain.secret_kinds import luhn

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"


def token(alphabet: str, length: int, seed: int = 0) -> str:
    """Random characters with at least one digit: made up here, so no real key stands in the source."""
    chance = random.Random(seed * 1_000 + length)
    return "".join(chance.choice(alphabet) for _ in range(length - 1)) + ("7" if "7" in alphabet else alphabet[-1])


def jwt() -> str:
    parts = [json.dumps(one).encode() for one in ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890"})]
    head = ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    return f"{head}.{token(_ALNUM, 43)}"


def pem(kind: str = "RSA ") -> str:
    body = "\n".join(token(_ALNUM + "+/", 64, seed) for seed in range(12))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


def with_check_digit(digits: str) -> str:
    return next(digits + str(last) for last in range(10) if luhn(digits + str(last)))


SECRETS = {
    "openai": [
        f"sk-proj-{token(_ALNUM + '_-', 80)}",
        f"sk-{token(_ALNUM, 20)}T3BlbkFJ{token(_ALNUM, 20, 2)}",
        f"sk-{token(_HEX, 32)}",
    ],
    "anthropic": [f"sk-ant-api03-{token(_ALNUM + '_-', 95)}"],
    "openrouter": [f"sk-or-v1-{token(_HEX, 64)}"],
    "github": [f"ghp_{token(_ALNUM, 36)}", f"github_pat_{token(_ALNUM, 22)}_{token(_ALNUM, 59)}"],
    "gitlab": [f"glpat-{token(_ALNUM + '_-', 20)}"],
    "aws_id": [f"AKIA{token('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}"],
    "google": [f"AIza{token(_ALNUM + '_-', 35)}"],
    "slack": [f"xoxb-{token(string.digits, 12)}-{token(string.digits, 12, 1)}-{token(_ALNUM, 24)}"],
    "stripe": [f"sk_live_{token(_ALNUM, 24)}"],
    "huggingface": [f"hf_{token(_ALNUM, 34)}"],
    "npm": [f"npm_{token(_ALNUM, 36)}"],
    "groq": [f"gsk_{token(_ALNUM, 52)}"],
    "telegram": [f"{token('123456789', 10)}:AA{token(_ALNUM + '_-', 33)}"],
    "jwt": [jwt()],
    "private_key": [pem(), pem(""), pem("OPENSSH ")],
    "iban": ["ES91 2100 0418 4502 0005 1332", "DE89370400440532013000", "NO93 8601 1117 947"],
    "card": ["4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005"],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "secret"), [(kind, one) for kind, many in SECRETS.items() for one in many])
@pytest.mark.parametrize(
    "around", ["{}", "It is {}, keep it.", "export X='{}'\nnext line", "```\n{}\n```", "früher: {}。"]
)
def test_a_secret_is_masked_whole(kind: str, secret: str, around: str) -> None:
    masked = mask(around.format(secret))
    assert [one.kind for one in masked.secrets] == [kind]
    assert masked.text == around.format(mark_of(masked.secrets[0].label))
    assert labels_in(masked.text) == (masked.secrets[0].label,)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("postgres://odo:hunter22@db.example/x", "postgres://odo:⟨masked: password⟩@db.example/x"),
        ("my password is hunter22.", "my password is ⟨masked: password⟩."),
        ("Passwort: Sommer2024!", "Passwort: ⟨masked: password⟩"),
        ('"password": "tr0ub4dor&3"', '"password": "⟨masked: password⟩"'),
        (f"AWS_SECRET_ACCESS_KEY={token(_ALNUM + '+/', 40)}", "AWS_SECRET_ACCESS_KEY=⟨masked: API key⟩"),
        (f'api_key = "{token(_HEX, 32)}"', 'api_key = "⟨masked: API key⟩"'),
        (f"Authorization: Bearer {token(_ALNUM, 40)}", "Authorization: Bearer ⟨masked: sign-in token⟩"),
        ("Authorization: Basic b2RvOmh1bnRlcjIy", "Authorization: Basic ⟨masked: password⟩"),
    ],
)
def test_only_the_secret_itself_is_masked(text: str, left: str) -> None:
    assert mask(text).text == left


PLAIN = (
    "password is required and has 12 characters",
    "The password is wrong.",
    "password: ********",
    "password = getpass()",
    "api_key = os.environ['OPENAI_API_KEY']",
    "OPENAI_API_KEY=your-key-goes-here-0000",
    "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "AKIAIOSFODNN7EXAMPLE",
    "token = get_token(user)",
    "tokens: 4096",
    "max_tokens=16384",
    "secret santa is on 24 December",
    "the key to success: patience2024",
    "https://example.org:8080/path",
    "https://user@example.org/",
    "mailto:odo@example.org",
    "git commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "order 1234567890123456",
    "1700000000000000 microseconds",
    "phone +49 170 1234567",
    "3.14159265358979323846",
    "ISBN 978-3-16-148410-0",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA",
    "AutoTokenizer.from_pretrained('bert-base-uncased')",
    "eyJhbGciOi is how such a token begins",
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "ghp_ is the prefix of a GitHub token",
    "primary key: user_id",
    "foreign_key='accounts.organisation_id_2024'",
    "DE12 3456 7890 1234 5678 90",
)


@pytest.mark.parametrize("text", PLAIN)
def test_what_only_looks_like_one_is_left_alone(text: str) -> None:
    assert mask(text).text == text


@given(st.uuids(), st.binary(min_size=20, max_size=64), st.binary(min_size=60, max_size=600))
def test_ids_hashes_and_pictures_are_no_keys(one: uuid.UUID, blob: bytes, picture: bytes) -> None:
    digest = hashlib.sha256(blob).hexdigest()
    encoded = base64.b64encode(picture).decode()
    text = (
        f"id {one}\ncommit {digest[:40]}\nhash = '{digest}'\n<img src='data:image/png;base64,{encoded}'>\n{blob.hex()}"
    )
    assert mask(text).text == text


@given(st.integers(10**14, 10**15 - 1))
def test_of_random_card_numbers_only_those_with_a_check_digit_are_masked(number: int) -> None:
    digits = f"4{number}"
    good = with_check_digit(digits[:15])
    assert len(find_secrets(good)) == 1
    wrong = good[:-1] + str((int(good[-1]) + 1) % 10)
    assert mask(wrong).text == wrong


@given(
    st.lists(
        st.one_of(st.text(max_size=60), st.sampled_from([one for many in SECRETS.values() for one in many])), max_size=6
    )
)
def test_masking_twice_changes_nothing(parts: list[str]) -> None:
    once = mask(" ".join(parts))
    again = mask(once.text)
    assert again == (once.text, ())
    for one in once.secrets:
        assert 0 <= one.start < one.end


def test_what_a_person_called_no_secret_stays() -> None:
    first, second = SECRETS["github"][0], SECRETS["npm"][0]
    allowed = {secret_hash(first)}
    assert mask(f"{first} {second}", allowed).text == f"{first} ⟨masked: npm token⟩"


@pytest.mark.parametrize(("kind", "secret"), [(kind, many[0]) for kind, many in SECRETS.items()])
def test_an_example_does_not_give_the_secret_away(kind: str, secret: str) -> None:
    (found,) = find_secrets(secret)
    example = masked_example(secret, found)
    assert found.kind == kind
    assert secret not in example
    body = secret if kind != "private_key" else secret.split("\n")[1]
    assert not any(body[at : at + 9] in example for at in range(8, len(body) - 9))
