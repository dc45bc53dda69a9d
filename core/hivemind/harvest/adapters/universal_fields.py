"""Which keys of unknown objects name the speaker, the text, the time and the rest: sure ones only, else none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

_SPEAKERS = ("role", "sender", "author", "from", "speaker", "sender_name", "user", "name", "type")
#: Of these, names of people are believed in a list of messages.
_PEOPLE = frozenset({"sender", "author", "from", "speaker", "sender_name", "user"})
#: The share of samples that must agree where a few may differ: an answer by tools alone has no text.
_MOST = 0.6
_TEXTS = ("content", "text", "message", "value", "body", "parts", "utterance", "msg")
_TIMES = (
    "timestamp", "created_at", "create_time", "createdat", "time", "date", "sent_at", "datetime", "created", "ts",
    "datetime_utc", "updated_at",
)  # fmt: skip
_IDS = ("id", "uuid", "message_id", "messageid", "msg_id")
_PARENTS = ("parent_id", "parentid", "parentmessageid", "parent_message_id", "parent")
_TALKS = (
    "conversation_id",
    "conversationid",
    "chat_id",
    "chatid",
    "thread_id",
    "session_id",
    "conversation",
    "dialog_id",
)
#: Lists that hold the messages of a talk, and those that hold talks.
MESSAGE_LISTS = ("messages", "conversation", "conversations", "dialog", "dialogue", "turns", "chat", "history")
TALK_LISTS = ("conversations", "chats", "threads", "sessions", "data", "items", "results")
_TITLES = ("title", "name", "topic", "subject", "conversation", "chat_name")
#: Two texts of one object that are a request and its answer.
PAIRS = (
    ("prompt", "response"),
    ("prompt", "completion"),
    ("question", "answer"),
    ("query", "answer"),
    ("user", "assistant"),
)

_ROLES = {
    **dict.fromkeys(("user", "human", "me", "you", "customer", "prompter", "client", "person"), "user"),
    **dict.fromkeys(
        ("assistant", "ai", "bot", "gpt", "model", "chatgpt", "claude", "chatbot", "agent", "llm", "gemini", "copilot"),
        "assistant",
    ),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("tool", "function", "observation"), "tool"),
}
#: Keys that show mails, tickets or logs: lists of those are no talks.
_FOREIGN = frozenset({"subject", "to", "cc", "bcc", "level", "severity", "logger", "price", "sku", "status_code"})


class Fields(NamedTuple):
    """Keys of a message, as they are written in the file; '' where there is none."""

    speaker: str
    text: str
    time: str
    id: str
    parent: str
    talk: str


def known_role(value: object) -> str:
    """user, assistant, system or tool, where a value says so; an object's `role` or `name` counts."""
    if isinstance(value, Mapping):
        value = value.get("role") or value.get("name")
    return _ROLES.get(value.strip().casefold(), "") if isinstance(value, str) else ""


def fields_of(samples: Sequence[Mapping[str, Any]], *, in_talk: bool) -> Fields | None:
    """The keys that every sample has in common as a message, or None when that is not sure.

    `in_talk`: the list they are from is named as one of messages; only then may speakers have names of their own.
    """
    if not samples:
        return None
    keys = [{str(key).casefold(): str(key) for key in sample} for sample in samples]
    speaker = _speaker(samples, keys, in_talk=in_talk)
    text = next((key for name in _TEXTS if (key := _common(name, keys, _MOST)) and _is_text(samples, key)), "")
    if not speaker or not text or speaker == text:
        return None
    time, own, parent = (_other(names, keys, text) for names in (_TIMES, _IDS, _PARENTS))
    talk = next((key for name in _TALKS if (key := _any(name, keys)) and _scalar(samples, key)), "")
    return Fields(speaker, text, time, own, parent, talk)


def _other(names: Sequence[str], keys: list[dict[str, str]], text: str) -> str:
    return next((key for name in names if (key := _any(name, keys)) and key != text), "")


def _speaker(samples: Sequence[Mapping[str, Any]], keys: list[dict[str, str]], *, in_talk: bool) -> str:
    for name in _SPEAKERS:
        key = _common(name, keys, 1.0)
        if not key:
            continue
        roles = [known_role(sample.get(key)) for sample in samples]
        if sum(map(bool, roles)) >= _MOST * len(roles) and set(roles) & {"user", "assistant"}:
            return key
        named = all(isinstance(sample.get(key), str) and 0 < len(sample[key]) <= 60 for sample in samples)
        foreign = any(_FOREIGN & known.keys() for known in keys)
        if in_talk and named and not foreign and name in _PEOPLE:
            return key
    return ""


def _common(name: str, keys: list[dict[str, str]], share: float) -> str:
    """The key as written, when so many samples have it, all written alike."""
    found = [known[name] for known in keys if name in known]
    return found[0] if found and len(found) >= share * len(keys) and len(set(found)) == 1 else ""


def _any(name: str, keys: list[dict[str, str]]) -> str:
    return next((known[name] for known in keys if name in known), "")


def _is_text(samples: Sequence[Mapping[str, Any]], key: str) -> bool:
    values = [sample.get(key) for sample in samples]
    return any(text_of(value)[0].strip() for value in values) and all(
        isinstance(value, str | list | Mapping) or value is None for value in values
    )


def _scalar(samples: Sequence[Mapping[str, Any]], key: str) -> bool:
    return all(isinstance(sample.get(key), str | int) for sample in samples)


def is_message(keys: set[str]) -> bool:
    """Whether keys of one object can be those of a message: for a first look only."""
    lowered = {key.casefold() for key in keys}
    return any(name in lowered for name in _SPEAKERS) and any(name in lowered for name in _TEXTS)


def text_of(value: object) -> tuple[str, str]:
    """(what is said, everything): parts of a kind that is not known stay in the second as they are written."""
    said: list[str] = []
    raw: list[str] = []
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, Mapping):
            text = next((part[key] for key in ("text", "content", "value") if isinstance(part.get(key), str)), None)
            nested = part.get("parts")
            if text is None and isinstance(nested, list):
                text = "\n".join(item for item in nested if isinstance(item, str)) or None
            (
                said.append(text)
                if text is not None
                else raw.append(json.dumps(part, ensure_ascii=False, sort_keys=True))
            )
        elif part is not None:
            raw.append(json.dumps(part, ensure_ascii=False))
    spoken = "\n".join(filter(None, said))
    return spoken, "\n".join(filter(None, (spoken, *raw)))


def title_of(talk: Mapping[str, Any]) -> str | None:
    """What a talk is called."""
    lowered = {str(key).casefold(): value for key, value in talk.items()}
    return next((v.strip() for name in _TITLES if isinstance(v := lowered.get(name), str) and v.strip()), None)


def talk_id(talk: Mapping[str, Any]) -> str | None:
    """The id of a talk; its messages' own id is no such thing."""
    lowered = {str(key).casefold(): value for key, value in talk.items()}
    names = ("conversation_id", "conversationid", "chat_id", "uuid", "id", "session_id", "thread_id")
    value = next((lowered[name] for name in names if isinstance(lowered.get(name), str | int)), None)
    return None if value is None or isinstance(value, bool) or not str(value).strip() else str(value).strip()[:200]


def talk_times(talk: Mapping[str, Any]) -> tuple[object, object]:
    """When a talk began and was last changed, as written."""
    lowered = {str(key).casefold(): value for key, value in talk.items()}
    began = next((lowered[name] for name in _TIMES if name in lowered), None)
    changed = next(
        (lowered[name] for name in ("updated_at", "update_time", "updatedat", "updated") if name in lowered), None
    )
    return began, changed


def message_list(talk: Mapping[str, Any]) -> tuple[str, list[Any]] | None:
    """The list of messages of a talk and its key; a `chat` object around it is looked into."""
    for name in MESSAGE_LISTS:
        value = talk.get(name)
        if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value[:20]):
            return name, value
    inner = talk.get("chat")
    return message_list(inner) if isinstance(inner, Mapping) else None


def pair_of(samples: Iterable[Mapping[str, Any]]) -> tuple[str, str] | None:
    """Keys of a request and its answer that every sample has as text."""
    samples = list(samples)
    for ask, answer in PAIRS:
        if samples and all(isinstance(one.get(ask), str) and isinstance(one.get(answer), str) for one in samples):
            return ask, answer
    return None
