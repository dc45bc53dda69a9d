"""What a ChatGPT message says: its kind, its verbatim text, the part that is spoken, its attachments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hivemind.harvest.adapters.chatgpt_assets import AssetIndex
from hivemind.harvest.adapters.facts import dict_of, id_of

_TOOL_RESULTS = frozenset(
    {
        "execution_output", "tether_browsing_display", "tether_quote", "citable_code_output", "computer_output",
        "sonic_webpage",
    }
)  # fmt: skip
_PROFILES = frozenset({"user_editable_context", "model_editable_context"})
_REASONING = frozenset({"thoughts", "reasoning_recap"})
_SPEECH = frozenset({"text", "multimodal_text"})
_TEXT_KEYS = ("text", "result", "content", "output_str", "summary", "output", "name")

# Inline citations and widgets: U+E200 name U+E202 arguments U+E201; older ones look like 【12†source】.
_OPAQUE = re.compile(r"file[-_][0-9A-Za-z]+|[a-z_]+_pointer")
_WRAPPED = re.compile("[\ue200-\ue20f【]")
_MARKERS = re.compile("[ \t]?(?:\ue200[^\ue201]*\ue201|【\\d+(?::\\d+)?†[^】]*】)|[\ue200-\ue20f]")


@dataclass(frozen=True, slots=True)
class AttachedText:
    """An attachment whose text came along. `key` tells it from the message's others, the same in every export."""

    key: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Content:
    """`text` verbatim; `spoken` without markers, empty when it is not speech; `captions` describe the attachments.

    `attachments` are only named; those in `files` are there with their texts.
    """

    kind: str
    text: str
    spoken: str = ""
    captions: str = ""
    attachments: tuple[str, ...] = ()
    files: tuple[AttachedText, ...] = ()


def spoken_of(text: str) -> str:
    """The text as people see it: private-use markers and what they wrap are gone."""
    if not _WRAPPED.search(text):
        return text
    return _MARKERS.sub("", text)


def read_content(message: dict[str, Any], role: str, *, hidden: bool, assets: AssetIndex | None = None) -> Content:
    """The content of a message object. Never raises for a shape it does not know: that becomes kind 'other'."""
    content = message.get("content")
    metadata = dict_of(message.get("metadata"))
    assets = assets or AssetIndex()
    known = dict(_names(metadata.get("attachments"), assets))
    files = tuple(_texts_along(known, assets))
    along = {file.name for file in files}
    named = tuple(name for name in known.values() if name not in along)
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    if not isinstance(content, dict):
        text, kind = ("", "speech") if content is None else (_raw(content), "other")
        return Content(kind, text, captions=_captions(named), attachments=named, files=files)
    if not isinstance(content.get("content_type"), str | None):
        content = content | {"content_type": "unknown"}
    kind = _kind(content, message, role)
    canvas = _canvas(content, message) if kind == "tool_call" else None
    if canvas is not None and not hidden:
        return Content("document", canvas.text, canvas.text, canvas.name, (), files)
    text, spoken, seen = _body(content, kind)
    pointed = (known.get(name) or assets.name_of(name) or name for name in seen)
    attachments = tuple(dict.fromkeys((*named, *(name for name in pointed if name not in along))))
    silent = hidden or kind not in {"speech", "code", "other"} or role not in {"user", "assistant"}
    captions = _captions((*along, *attachments))
    return Content(kind, text, "" if silent else spoken_of(spoken), captions, attachments, files)


def _canvas(content: dict[str, Any], message: dict[str, Any]) -> AttachedText | None:
    """A document that the assistant began on the canvas: the call's JSON holds its name and its text."""
    if message.get("recipient") != "canmore.create_textdoc":
        return None
    parts = _strings(content.get("parts"))
    raw = content.get("text") if isinstance(content.get("text"), str) else "".join(parts)
    try:
        call = dict_of(json.loads(str(raw)))
    except (ValueError, RecursionError):
        return None
    text, name = call.get("content"), call.get("name")
    if not isinstance(text, str) or not text.strip():
        return None
    return AttachedText("canvas", name[:200] if isinstance(name, str) else "", text)


def _texts_along(known: dict[str, str], assets: AssetIndex) -> Iterator[AttachedText]:
    for asset, name in known.items():
        text = assets.text_of(asset, name)
        if text.strip():
            yield AttachedText(id_of(asset) or name, name, text)


def _kind(content: dict[str, Any], message: dict[str, Any], role: str) -> str:
    content_type = content.get("content_type")
    recipient = message.get("recipient")
    if content_type in _PROFILES:
        return "profile"
    if content_type in _REASONING:
        return "reasoning"
    if content_type == "system_error":
        return "error"
    if content_type in _TOOL_RESULTS or role == "tool":
        return "tool_result"
    if isinstance(recipient, str) and recipient not in {"", "all"}:
        return "tool_call"
    if role == "system":
        return "profile" if dict_of(message.get("metadata")).get("is_user_system_message") is True else "other"
    if content_type == "code":
        return "code"
    return "speech" if content_type in _SPEECH or (content_type is None and "parts" in content) else "other"


def _body(content: dict[str, Any], kind: str) -> tuple[str, str, list[str]]:
    """(verbatim text, text that may be spoken, names of attachments)."""
    content_type = content.get("content_type")
    if kind == "profile":
        values = [value for key, value in content.items() if key != "content_type" and isinstance(value, str)]
        parts = content.get("parts")
        return "\n".join([*values, *(_strings(parts) if isinstance(parts, list) else ())]), "", []
    if content_type == "thoughts":
        thoughts = content.get("thoughts")
        items = [item for item in thoughts if isinstance(item, dict)] if isinstance(thoughts, list) else []
        told = "\n\n".join(t for item in items for t in _texts(item, ("summary", "content")))
        return told or "\n\n".join(_strings(content.get("parts"))) or _raw(content), "", []
    if content_type in _SPEECH or isinstance(content.get("parts"), list):
        text, spoken, seen = _parts(content.get("parts"))
        known = content_type in _SPEECH or content_type is None
        return (text if known else _raw(content)), spoken, seen
    found = "\n".join(_texts(content, _TEXT_KEYS))
    if kind == "other":
        return _raw(content), found, []
    return found or ("" if set(content) <= {"content_type", "text"} else _raw(content)), found, []


def _parts(parts: object) -> tuple[str, str, list[str]]:
    """Strings and transcripts are said; pictures and sounds are attachments; unknown parts are kept raw, unsaid."""
    verbatim: list[str] = []
    said: list[str] = []
    seen: list[str] = []
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, str):
            verbatim.append(part)
            said.append(part)
        elif isinstance(part, dict):
            transcript = part.get("text")
            if part.get("content_type") == "audio_transcription" and isinstance(transcript, str):
                verbatim.append(transcript)
                said.append(transcript)
            elif (name := _pointer(part)) is not None:
                seen.append(name)
            else:
                verbatim.append(_raw(part))
        elif part is not None:
            verbatim.append(_raw(part))
    return "\n".join(filter(None, verbatim)), "\n".join(filter(None, said)), seen


def _pointer(part: dict[str, Any]) -> str | None:
    """What an attachment part can be called: the prompt of a drawn picture, else the id of its file."""
    pointer = part.get("asset_pointer")
    nested = part.get("audio_asset_pointer")
    if not isinstance(pointer, str) and isinstance(nested, dict):
        pointer = nested.get("asset_pointer")
    content_type = part.get("content_type")
    if not isinstance(pointer, str) and not (isinstance(content_type, str) and content_type.endswith("_pointer")):
        return None
    prompt = dict_of(dict_of(part.get("metadata")).get("dalle")).get("prompt")
    if isinstance(prompt, str) and prompt.strip():
        return prompt.strip()[:200]
    return str(pointer).rsplit("/", 1)[-1][:200] if isinstance(pointer, str) else str(content_type)


def _names(attachments: object, assets: AssetIndex) -> Iterable[tuple[str, str]]:
    """(file id, name) of each attachment that says what it is called, or whose bytes or list beside it do."""
    for item in attachments if isinstance(attachments, list) else ():
        if not isinstance(item, dict):
            continue
        own = item.get("id") or item.get("file_id")
        known = assets.name_of(own) if isinstance(own, str) else ""
        name = item.get("name") or known or own
        if isinstance(name, str) and name.strip():
            yield str(own or name), _base_name(name, known)[:200]


def _base_name(name: str, known: str) -> str:
    """The person's own name of a file: an opaque one gives way to what the list beside it says."""
    name = name.strip()
    return known if known and name.lower().endswith(".dat") else name


def _captions(names: tuple[str, ...]) -> str:
    """Names worth finding something by: a file's bare id is not."""
    return ", ".join(name for name in names if not _OPAQUE.fullmatch(name))[:500]


def _texts(value: dict[str, Any], keys: tuple[str, ...]) -> list[str]:
    return [text for key in keys if isinstance(text := value.get(key), str) and text]


def _strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str) and item] if isinstance(value, list) else []


def _raw(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
