"""The vendor's mail "your export is ready", saved or dragged in: recognised and explained. No link is ever followed."""

from __future__ import annotations

import re
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import NamedTuple

#: vendor, domains its mails come from or link to, how to get to the export again
_VENDORS = (
    ("ChatGPT", ("openai.com", "chatgpt.com"), "Settings, Data controls, Export data"),
    ("Claude", ("anthropic.com", "claude.ai", "claude.com"), "Settings, Privacy, Export data"),
)
_HEADER = re.compile(rb"^(?:From |[!-9;-~]{1,60}:)")
_FIELDS = re.compile(rb"^(?:from|subject|date|received|return-path|message-id|mime-version):", re.I | re.M)
_LINK = re.compile(r"https?://([^\s/\"'<>]+)(/[^\s\"'<>]*)?")
_BODY = 40_000


class VendorMail(NamedTuple):
    """What a person reads about the mail. `title` and `hint` as in the tree of errors."""

    vendor: str
    title: str
    hint: str


def vendor_mail(head: bytes) -> VendorMail | None:
    """Tell the mail of a vendor by its headers and links; `head`: its first bytes. None for everything else."""
    head = head.lstrip(b"\xef\xbb\xbf\r\n")
    top = head[:8_192]
    if not _HEADER.match(top) or len({found.lower() for found in _FIELDS.findall(top)}) < 2:
        return None
    mail = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(head)
    sender, links = _text(mail, "from").lower(), _links(mail)
    for vendor, domains, way in _VENDORS:
        by_sender = any(re.search(rf"@(?:[\w-]+\.)*{re.escape(domain)}(?![\w.-])", sender) for domain in domains)
        by_link = any(_ends(host, domain) and "export" in path.lower() for host, path in links for domain in domains)
        if by_sender or by_link:
            return VendorMail(vendor, *_words(vendor, way))
    return None


def _words(vendor: str, way: str) -> tuple[str, str]:
    return (
        f"This is the mail about your {vendor} export, not the export itself",
        f"Nothing was imported. Open the mail, download the ZIP with its link, and drop that ZIP here. The link stops"
        f" working after about 24 hours; then ask for a new export in {vendor}: {way}. Links in mails are never"
        f" opened from here; if you asked for no export, leave them alone.",
    )


def _text(mail: EmailMessage, field: str) -> str:
    try:
        return str(mail.get(field, ""))
    except (ValueError, LookupError, AttributeError, TypeError, IndexError):
        # The library's parser of headers has its own faults; such a header says nothing.
        return ""


def _links(mail: EmailMessage) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            payload = part.get_payload(decode=True)
            body = payload if isinstance(payload, bytes) else b""
            text = body[:_BODY].decode("utf-8", "replace")
            found += [(match[1].lower(), match[2] or "") for match in _LINK.finditer(text)]
    return found


def _ends(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")
