"""What a Claude message says: its spoken text, and apart from it thinking, tools, artifacts and unknown blocks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hivemind.harvest.adapters.facts import dict_of, list_of, text_of

# What the vendor writes where a block cannot be shown, with the fence it stands in.
_PLACEHOLDER = re.compile(
    r"(?:```[ \t]*\n)?[ \t]*(?:This block is not supported on your current device yet\."
    r"|Viewing artifacts created via (?:the )?Analysis Tool[^\n`]*)[ \t]*(?:\n[ \t]*```)?",
    re.IGNORECASE,
)
_SPOKEN = frozenset({"text", "voice_note"})
#: Bookkeeping without any content of the person's.
_NOISE = frozenset({"token_budget", "flag"})
_TEXT_KEYS = ("text", "transcript", "content")


@dataclass(frozen=True, slots=True)
class Block:
    """Something beside the speech. `key` tells it from the message's others; `spoken` is what frames are cut from."""

    key: str
    kind: str
    role: str
    speaker: str
    text: str
    spoken: str = ""
    captions: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Spoken:
    """`text` verbatim, `spoken` without the vendor's placeholders, `blocks` in their order."""

    text: str
    spoken: str
    blocks: tuple[Block, ...]


def spoken_of(text: str) -> str:
    """The text without the placeholders for blocks that could not be shown."""
    if "his block is not" not in text and "iewing artifacts" not in text:
        return text
    return _PLACEHOLDER.sub("", text).strip()


def read_message(message: dict[str, Any]) -> Spoken:
    """Text blocks joined; the flattened `text` where there are none. Never raises for a shape it does not know."""
    content = message.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    said: list[str] = []
    blocks: list[Block] = []
    for number, block in enumerate(list_of(content)):
        text = block if isinstance(block, str) else _said(dict_of(block))
        if text is not None:
            said.append(text)
        else:
            blocks.extend(_block(str(number), block))
    text = "\n\n".join(filter(None, said))
    flat = message.get("text")
    if not text.strip() and isinstance(flat, str):
        text = flat
    return Spoken(text, spoken_of(text), tuple(blocks))


def _said(block: dict[str, Any]) -> str | None:
    """The words of a spoken block, None for every other kind."""
    kind = _kind(block)
    if kind not in _SPOKEN and not (block.get("type") is None and isinstance(block.get("text"), str)):
        return None
    found = [value for key in _TEXT_KEYS if isinstance(value := block.get(key), str)]
    return found[0] if found else ""


def _kind(block: dict[str, Any]) -> str:
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def _block(key: str, block: object) -> Iterator[Block]:
    body = dict_of(block)
    kind = _kind(body)
    if kind in _NOISE:
        return
    if kind == "thinking":
        yield Block(key, "reasoning", "assistant", "assistant", _thinking(body))
    elif kind == "tool_use":
        yield _tool_use(key, body)
    elif kind == "tool_result":
        name = text_of(body.get("name"))[:100] or "tool"
        yield Block(key, "tool_result", "tool", name, _result(body.get("content")) or _raw(block))
    elif kind == "injected_prompt_block":
        yield Block(key, "profile", "system", "system", _result(body) or _raw(block), hidden=True)
    elif block is not None:
        yield Block(key, "other", "assistant", "assistant", _raw(block))


def _thinking(body: dict[str, Any]) -> str:
    told = body.get("thinking")
    if isinstance(told, str) and told.strip():
        return told
    summaries = (dict_of(each).get("summary") for each in list_of(body.get("summaries")))
    return "\n".join(one for one in summaries if isinstance(one, str)) or _raw(body)


def _tool_use(key: str, body: dict[str, Any]) -> Block:
    """A call of a tool; what was written with it, an artifact or a file, is a document of the assistant's."""
    name = text_of(body.get("name"))[:100] or "tool"
    given = dict_of(body.get("input"))
    written = _written(name, given)
    if written.strip():
        title = text_of(given.get("title")) or text_of(given.get("path")).rsplit("/", 1)[-1] or text_of(given.get("id"))
        return Block(key, "document", "assistant", "assistant", written, written, title[:200])
    return Block(key, "tool_call", "assistant", "assistant", _raw({"name": name, "input": body.get("input")}))


def _written(name: str, given: dict[str, Any]) -> str:
    """The text that a call wrote: the whole of a new artifact or file, the new passage of a changed one."""
    fields = {"artifacts": ("content", "new_str"), "create_file": ("file_text", "content"), "str_replace": ("new_str",)}
    for field in fields.get(name, ()):
        value = given.get(field)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def _result(content: object) -> str:
    """The texts in the answer of a tool, however it is wrapped."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content]
    found: list[str] = []
    for each in list_of(content):
        body = dict_of(each)
        texts = [value for key in ("title", "text", "content", "url") if isinstance(value := body.get(key), str)]
        found.append("\n".join(texts) if texts else "" if each is None else _raw(each))
    return "\n".join(filter(None, found))


def _raw(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
