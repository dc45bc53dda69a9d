"""The vendor's mail about an export: told by its headers and links, explained, never followed. Covers: mails"""

from __future__ import annotations

import json
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.samples.chatgpt import many, write_zip

from hivemind.errors import SourceUnknown
from hivemind.harvest.detection import preview, recognise
from hivemind.harvest.mails import vendor_mail
from hivemind.harvest.sources import OpenedSource


def mail(sender: str, subject: str, body: str, encoding: str = "quoted-printable", html: bool = False) -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "ottokar@example.org", subject
    made["Date"] = "Mon, 30 Nov 2026 09:00:00 +0000"
    made.set_content(body, cte=encoding)
    if html:
        made.add_alternative(f"<p>{body}</p>", subtype="html")
    return made.as_bytes()


OPENAI = mail("OpenAI <noreply@tm.openai.com>", "ChatGPT – Dein Datenexport ist bereit", "Laden: https://x.example/y")
CLAUDE = mail("Anthropic <no-reply@mail.anthropic.com>", "Your Claude data is ready", "Link", html=True)
FORWARDED = mail("Odo <odo@example.org>", "Fwd: data", "https://claude.ai/export/abc/download", "base64")


@pytest.mark.parametrize(
    ("data", "vendor"),
    [(OPENAI, "ChatGPT"), (CLAUDE, "Claude"), (FORWARDED, "Claude"), (b"\xef\xbb\xbf" + OPENAI, "ChatGPT")],
)
def test_the_mail_is_told_and_says_the_next_step(tmp_path: Path, data: bytes, vendor: str) -> None:
    path = tmp_path / "Ihre Daten.eml"
    path.write_bytes(data)
    with OpenedSource(path) as source, pytest.raises(SourceUnknown) as caught:
        recognise(source)
    assert vendor in caught.value.title and "not the export itself" in caught.value.title
    assert all(words in caught.value.hint for words in ("24 hours", "drop that ZIP", "Export data", "never"))
    seen = preview(path)
    assert seen.source == "" and seen.label == caught.value.hint


@pytest.mark.parametrize(
    "data",
    [
        mail("Aino <aino@example.org>", "Your export is ready", "https://shop.example/export"),
        mail("Eve <eve@openai.com.example.org>", "Your export", "https://openai.com.example.org/export"),
        mail("Eve <eve@notopenai.com>", "Your export", "https://chatgpt.com/pricing"),
        b"From: OpenAI <noreply@openai.com>",
        b"Dear diary,\nSubject: none",
        b"[]",
        b"",
        b"From: =?utf-8?q?broken\nSubject: =?x?b?!!?=\n\nhttps://[::1/export",
    ],
)
def test_other_mails_and_texts_are_not(data: bytes) -> None:
    assert vendor_mail(data) is None


@given(st.binary(max_size=300), st.sampled_from([b"", b"From: a@openai.com\nSubject: x\n", b"Subject: =?utf-8?b?"]))
def test_no_bytes_break_it(data: bytes, before: bytes) -> None:
    found = vendor_mail(before + data)
    assert found is None or found.vendor in {"ChatGPT", "Claude"}


def test_a_mail_beside_the_export_is_left_out_with_its_reason(tmp_path: Path) -> None:
    members = {"conversations.json": json.dumps(many(1)).encode(), "ready.eml": OPENAI}
    with OpenedSource(write_zip(tmp_path / "all.zip", members)) as source:
        found = recognise(source)
    assert [(left.name, left.reason) for left in found.left_out] == [("ready.eml", "the mail that announces an export")]
