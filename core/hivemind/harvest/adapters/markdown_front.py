"""The head of a Markdown note: its YAML front matter, and the title, date, id and tags that it gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from pathlib import PurePosixPath
from typing import NamedTuple

from hivemind.harvest.adapters.documents_lines import Line
from hivemind.harvest.adapters.documents_times import Dated, first_date
from hivemind.readers.text import sanitise

_MAX_LINES = 300
_DATES = ("date", "created", "created_at", "creation date", "date created", "created at", "published", "updated")
_IDS = ("id", "uid", "uuid")
#: An id that is not only one within its folder: a UUID, a number made of a time, a long random word.
_LASTING = re.compile(r"[0-9a-fA-F-]{32,36}|\d{12,20}|(?=[A-Za-z_-]*\d)[0-9A-Za-z_-]{16,64}")
#: Properties that say nothing beside what is kept elsewhere.
_SILENT = frozenset({"title", "aliases", "tags", "cssclass", "cssclasses", "publish", *_DATES, *_IDS})
_NOTION_ID = re.compile(r"[ -][0-9a-f]{32}$")
_LINK = re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")


class Front(NamedTuple):
    """`lines`: the head as it stands in the file, nothing is lost of it. `told`: it holds more than names and dates."""

    lines: tuple[Line, ...]
    values: dict[str, object]
    told: bool

    def title(self) -> str:
        found = self.values.get("title")
        return sanitise(str(found))[0].strip() if isinstance(found, str | int | float) else ""

    def date(self, now: datetime) -> Dated | None:
        """The first date among the properties, and which one it is."""
        return first_date(((name, self.values.get(name)) for name in _DATES), now)

    def lasting_id(self) -> str:
        """An id that survives moving and renaming, '' without one."""
        for name in _IDS:
            value = self.values.get(name)
            text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
            if _LASTING.fullmatch(text):
                return text
        return ""

    def captions(self) -> str:
        """Tags and aliases, to find the note by."""
        found = [word for name in ("tags", "aliases") for word in _words(self.values.get(name))]
        return sanitise(", ".join(found))[0][:300]


def _words(value: object) -> list[str]:
    if isinstance(value, str):
        return [word.strip("# ") for word in re.split(r"[,\n]", value) if word.strip("# ")]
    if isinstance(value, list):
        return [str(word).strip("# ")[:60] for word in value[:40] if isinstance(word, str | int | float)]
    return []


def split_front(lines: Iterable[Line]) -> tuple[Front, Iterator[Line]]:
    """The front matter of a note and the lines behind it. A head that is no YAML is text like all the rest."""
    rest = iter(lines)
    held: list[Line] = []
    first = next(rest, None)
    if first is None:
        return Front((), {}, False), rest
    held.append(first)
    if first.text.rstrip() == "---":
        for line in rest:
            held.append(line)
            if line.text.rstrip() in ("---", "...") or len(held) > _MAX_LINES or line.continued:
                break
        if len(held) > 2 and held[-1].text.rstrip() in ("---", "..."):
            values = _values(held)
            if values is not None:
                return Front(tuple(held), values, bool(values.keys() - _SILENT)), rest
    return Front((), {}, False), chain(held, rest)


def _values(lines: list[Line]) -> dict[str, object] | None:
    body = "\n".join(line.text for line in lines[1:-1])
    # An alias makes a small head into a huge value; notes do not need any.
    if re.search(r"(?m)[:\-\[,]\s+[&*]\w", body):
        return None
    import frontmatter  # on first use: only the process that reads notes needs YAML
    import yaml

    try:
        values, _ = frontmatter.parse(f"---\n{body}\n---\n")
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        return None
    if not isinstance(values, dict) or not values:
        return None
    return {str(key).strip().lower(): value for key, value in values.items()}


def title_from(front: Front, heading: str, name: str) -> str:
    """Front matter, else the first heading, else the file's name without what exporters add to it."""
    plain = _LINK.sub(r"\1", heading).replace("**", "").replace("`", "").strip()
    stem = PurePosixPath(name).stem
    return front.title() or plain or _NOTION_ID.sub("", stem).strip() or stem or name
