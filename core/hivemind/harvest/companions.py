"""Files that come along in exports and hold no conversation, and exports of vendors that are not read: by content."""

from __future__ import annotations

import json
import re

from hivemind.domain.harvest import Peek
from hivemind.readers.json_stream import keys_by_depth
from hivemind.readers.text import decode

EMPTY = "an empty file"
_SPACE = b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n"
_NOTHING = {b"", b"[]", b"{}", b"[\x00]", b"{\x00}"}

#: Keys of the first object → what the file is.
_KNOWN = (
    ({"chatgpt_plus_user"}, "the account file of a ChatGPT export"),
    ({"is_anonymous", "conversation_id"}, "the list of shared links of a ChatGPT export"),
    ({"rating", "conversation_id"}, "the ratings of a ChatGPT export"),
    ({"model_comparisons"}, "the model comparisons of a ChatGPT export"),
    ({"file_id", "file_name"}, "the list of attachments of a ChatGPT export"),
    ({"full_name", "email_address"}, "the account file of a Claude export"),
)
_ASSET = re.compile(r"[\w./-]+\.[A-Za-z0-9]{2,5}")
_LINK = re.compile(rb"https?:(?:\\?/){2}[^\"\s]+")
_DOWNLOADS = (b"conversations-0", b"projects-0", b"memories", b".zip")


def companion(seen: Peek) -> str:
    """What a file is that belongs to an export and holds no conversation; '' when it is none that is known."""
    if seen.head.strip(_SPACE) in _NOTHING:
        return EMPTY
    keys = keys_by_depth(seen.head)
    for marks, name in _KNOWN:
        if marks <= keys[0]:
            return name
    if is_asset_map(seen.head):
        return "the names of attachments of a ChatGPT export"
    if _is_manifest(seen.head):
        return "the list of download links of an export: open its links and drop the ZIPs that they download"
    if {"uuid", "name", "created_at"} <= keys[0]:
        return "a list of Claude conversations without their texts"
    if "export_id" in keys[0] or {"files", "version"} <= keys[0] or "user_settings" in keys[0] or "settings" in keys[0]:
        return "settings or lists of an export"
    return ""


def is_asset_map(head: bytes) -> bool:
    """Whether this begins a flat object of file names, the stored one to the person's own."""
    if not head.lstrip(_SPACE).startswith(b"{"):
        return False
    text, _ = decode(head)
    try:
        found = json.loads(text)
    except ValueError:
        cut = text.rfind('",')
        try:
            found = json.loads(text[: cut + 1] + "}")
        except ValueError:
            return False
    return bool(found) and all(isinstance(value, str) and _ASSET.fullmatch(key) for key, value in found.items())


def _is_manifest(head: bytes) -> bool:
    links = _LINK.findall(head)
    return bool(links) and any(mark in link for link in links for mark in _DOWNLOADS)


def looks_like(seen: Peek) -> str:
    """The vendor of an export that shows whose it is; '' when it does not."""
    keys = keys_by_depth(seen.head)
    if "chat_messages" in keys[0]:
        return "Claude"
    if "mapping" in keys[0]:
        deepseek = "fragments" in keys[3] or "inserted_at" in keys[0]
        return "DeepSeek" if deepseek else "ChatGPT"
    if "conversations" in keys[0] and "responses" in keys[1]:
        return "Grok"
    if "conversations" in keys[0] and keys[1] & {"entries", "query"}:
        return "Perplexity"
    if "titleUrl" in keys[0] or {"header", "products"} <= keys[0]:
        return "Gemini"
    if "chatId" in keys[0]:
        return "Mistral"
    return _program(keys[0])


def _program(keys: set[str]) -> str:
    """The program whose log of sessions has records with these keys."""
    if "projectHash" in keys:
        return "Gemini CLI"
    if {"payload", "timestamp", "type"} <= keys:
        return "Codex"
    if {"kind", "v"} <= keys or "requesterUsername" in keys:
        return "VS Code Copilot"
    claude = {"sessionId", "parentUuid"} <= keys or ({"type", "message"} <= keys and keys & {"cwd", "sessionId"})
    return "Claude Code" if claude else ""
