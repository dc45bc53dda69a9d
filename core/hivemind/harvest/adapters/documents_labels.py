"""Lines that name who speaks next: headings, bold and plain names, stamped lines of messengers and IRC."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = r"[^\W\d_][\w .'’+&()-]{0,39}?"
_TIME = r"(?P<time>[^\n]{4,40}?\d)"
_QUOTE = r"(?P<quote>>[ \t]?(?:\[![\w-]+\][+-]?[ \t]*)?)?"
_DAY = r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})"
_CLOCK = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u202f]?[AaPp]\.?[ ]?[Mm]\.?)?(?:Z|[+-]\d{2}:\d{2})?"
_STAMP = _DAY + r"\.?,?[ T\u202f]+" + _CLOCK
_MARKS = "[\u200e\u200f\u202a-\u202e\ufeff]*"

_HEADING = re.compile(_QUOTE + r"#{1,6}[ \t]+(?:[^\w\s]{1,3}[ \t]+)?\**(?P<name>" + _NAME + r")\**[ \t]*:?\**"
                      r"(?:[ \t]*[-–—|(@][ \t]*" + _TIME + r"\)?)?[ \t]*")  # fmt: skip
_BOLD = re.compile(_QUOTE + r"(?:[^\w\s*]{1,3}[ \t]+)?(?:\*\*|__)(?P<name>" + _NAME + r")(?P<inner>[ \t]*:)?(?:\*\*|__)"
                   r"(?:[ \t]*[(\[–—-][ \t]*" + _TIME + r"[)\]]?)?(?P<outer>[ \t]*:)?(?P<said>[ \t].*|)")  # fmt: skip
_PLAIN = re.compile(
    _QUOTE + r"(?P<name>" + _NAME + r")(?:[ \t]*[(\[][ \t]*" + _TIME + r"[)\]])?[ \t]*:(?P<said>[ \t].*|)"
)
_STAMPED = re.compile(
    _MARKS + r"(?:\[(?P<time>" + _STAMP + r")\]|(?P<time2>" + _STAMP + r")[ \t]*[-–])[ \t]+" + _MARKS
    + r"(?P<name>[^:\n]{1,60}?):(?P<said>[ \t\u200e].*|)"
)  # fmt: skip
_NICK = re.compile(
    r"(?:\[?(?P<time>" + _STAMP + r"|\d{1,2}:\d{2}(?::\d{2})?)\]?[ \t]+)(?:<[ ~&@%+]?(?P<nick>[^<>\s]{1,40})>|"
    r"\*[ \t](?P<actor>[^\s*]{1,40}))(?P<said>[ \t].*|)"
)  # fmt: skip
_SYSTEM_LINE = re.compile(
    _MARKS + r"(?:\[(?P<time>" + _STAMP + r")\]|(?P<time2>" + _STAMP + r")[ \t]*[-–])[ \t]+(?P<said>\S.*)"
)

_USER = frozenset(
    [
        "user",
        "human",
        "you",
        "me",
        "prompt",
        "question",
        "i",
        "q",
        "du",
        "ich",
        "nutzer",
        "benutzer",
        "frage",
        "vous",
        "moi",
        "utilisateur",
        "usuario",
        "tú",
        "tu",
    ]
)
_ASSISTANT = re.compile(
    r"assistant|ai|bot|model|response|answer|a|assistent|ki|chatbot|ai assistant|antwort|assistente|asistente"
    r"|copilot|grok|mistral|le chat|perplexity|(?:(?:chat)?gpt|claude|gemini|deepseek|llama)(?:[ -]?[0-9][\w. -]*|"
    r"[ -](?:opus|sonnet|haiku|fable|pro|flash|code|mini|turbo|chat|ai)\b[\w. -]*)?"
)
#: Words that also head the parts of other texts: they need to come again.
_WEAK = frozenset(
    {"prompt", "question", "i", "q", "frage", "tu", "du", "model", "response", "answer", "a", "antwort", "bot"}
)
_SYSTEM = frozenset({"system", "developer", "system prompt"})
_TOOL = frozenset({"tool", "function", "tool result"})
#: Words before a colon that head a line of something else than a talk.
_NO_NAMES = frozenset(
    [
        "info",
        "error",
        "warn",
        "warning",
        "debug",
        "trace",
        "fatal",
        "critical",
        "notice",
        "verbose",
        "note",
        "notes",
        "date",
        "time",
        "from",
        "to",
        "cc",
        "bcc",
        "subject",
        "re",
        "fwd",
        "title",
        "author",
        "tags",
        "summary",
        "description",
        "source",
        "url",
        "http",
        "https",
        "ftp",
        "file",
        "todo",
        "tip",
        "hint",
        "example",
        "important",
        "version",
        "status",
        "name",
        "email",
        "phone",
        "address",
        "location",
        "ingredients",
        "step",
        "steps",
        "total",
        "price",
        "topic",
        "agenda",
        "attendees",
        "participants",
        "deadline",
        "due",
        "priority",
        "category",
        "type",
        "id",
        "key",
        "value",
        "keywords",
        "abstract",
        "conclusion",
        "introduction",
        "see",
        "cf",
        "ps",
        "nb",
        "eg",
        "ie",
        "output",
        "input",
        "result",
        "results",
        "usage",
        "requirements",
        "license",
        "copyright",
    ]
)


class Label(NamedTuple):
    """A line that begins a turn. `style`: heading, bold, plain, stamped or nick. `time`: as written, '' without one."""

    style: str
    name: str
    time: str
    said: str
    quoted: bool = False


def role_of(name: str) -> str:
    """user, assistant, system or tool for a word that says so; '' for anybody's name."""
    word = " ".join(name.casefold().replace("*", " ").split()).removesuffix(":").removesuffix(" said").strip()
    if word in _USER:
        return "user"
    if word in _SYSTEM:
        return "system"
    if word in _TOOL:
        return "tool"
    return "assistant" if _ASSISTANT.fullmatch(word) else ""


def is_weak(name: str) -> bool:
    """Whether a word for a role heads other things as well."""
    return name.casefold().strip(" *:") in _WEAK


def label_of(line: str, style: str) -> Label | None:
    """The label that a line is in this style, if it is one."""
    return _READERS[style](line)


def labels_of(line: str) -> list[Label]:
    """The line as a label, in every style in which it could be one."""
    if not line or line.isspace() or len(line) > 20_000:
        return []
    return [found for style in _READERS if (found := _READERS[style](line)) is not None]


def system_line(line: str) -> tuple[str, str] | None:
    """(time, text) of a messenger's own notice: a stamped line that nobody speaks."""
    found = _SYSTEM_LINE.fullmatch(line)
    return None if found is None else (found["time"] or found["time2"], found["said"])


def _heading(line: str) -> Label | None:
    found = _HEADING.fullmatch(line) if "#" in line[:12] else None
    if found is None or not role_of(found["name"]):
        return None
    return Label("heading", found["name"].strip(), found["time"] or "", "", found["quote"] is not None)


def _bold(line: str) -> Label | None:
    found = _BOLD.fullmatch(line) if "**" in line[:16] or "__" in line[:16] else None
    if found is None or _is_no_name(found["name"]):
        return None
    marked = found["inner"] or found["outer"]
    if not marked and (found["said"].strip() or not role_of(found["name"])):
        return None
    return Label("bold", found["name"].strip(), found["time"] or "", found["said"].strip(), found["quote"] is not None)


def _plain(line: str) -> Label | None:
    found = _PLAIN.fullmatch(line) if ":" in line[:96] else None
    if found is None or _is_no_name(found["name"]) or found["name"].count(" ") > 3:
        return None
    return Label("plain", found["name"].strip(), found["time"] or "", found["said"].strip(), found["quote"] is not None)


def _stamped(line: str) -> Label | None:
    found = _STAMPED.fullmatch(line)
    if found is None or _is_no_name(found["name"]):
        return None
    said = found["said"].replace("\u200e", "").strip()
    return Label("stamped", found["name"].strip(" \u200e\u202a\u202c"), found["time"] or found["time2"], said)


def _nick(line: str) -> Label | None:
    found = _NICK.fullmatch(line)
    if found is None:
        return None
    if found["actor"]:
        return Label("nick", found["actor"], found["time"], f"* {found['actor']}{found['said']}")
    return Label("nick", found["nick"], found["time"], found["said"].strip())


def _is_no_name(name: str) -> bool:
    return name.strip().casefold() in _NO_NAMES


_READERS = {"heading": _heading, "bold": _bold, "plain": _plain, "stamped": _stamped, "nick": _nick}
