"""The services a person has set up: a small file beside the settings, without any key in it."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from hivemind.domain.chat import Endpoint, Vendor
from hivemind.errors import AddressRefused, InvalidValue
from hivemind.net import Reach, check_target

#: What may be set up with one choice. Addresses as these services document them; nothing is sent until a question is.
SUGGESTED = (
    Endpoint("ollama", "Ollama", "http://localhost:11434/v1", local=True, needs_key=False),
    Endpoint("lmstudio", "LM Studio", "http://localhost:1234/v1", local=True, needs_key=False),
    Endpoint("litellm", "LiteLLM", "http://localhost:4000/v1", local=True, needs_key=True),
    Endpoint("anthropic", "Anthropic", "https://api.anthropic.com", Vendor.ANTHROPIC),
    Endpoint("voyage", "Voyage AI (vectors only)", "https://api.voyageai.com/v1"),
    Endpoint("openai", "OpenAI", "https://api.openai.com/v1"),
)
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_LABEL_LIMIT = 60
_MOST = 50


@dataclass(frozen=True, slots=True)
class Setup:
    """Every endpoint, and which of them answers with which model unless something else is chosen ('' = none)."""

    endpoints: tuple[Endpoint, ...] = ()
    chosen: str = ""
    model: str = ""

    def find(self, name: str) -> Endpoint | None:
        return next((one for one in self.endpoints if one.name == name), None)


def check_endpoint(endpoint: Endpoint) -> Endpoint:
    """The endpoint with a tidy address. Raises InvalidValue or AddressRefused."""
    if not _NAME.fullmatch(endpoint.name):
        raise InvalidValue("The short name does not fit", "Use up to 40 small letters, digits and . _ -")
    label = endpoint.label.strip()
    if not label or len(label) > _LABEL_LIMIT or not label.isprintable():
        raise InvalidValue("The service needs a name", f"Use up to {_LABEL_LIMIT} characters on one line.")
    url = endpoint.base_url.strip().rstrip("/")
    check_target(url, Reach.LOCAL if endpoint.local else Reach.PUBLIC)
    if "?" in url or "#" in url or not url.isascii():
        raise InvalidValue("The address does not fit", "It ends before any ? or #, usually with /v1.")
    return Endpoint(endpoint.name, label, url, Vendor(endpoint.vendor), endpoint.local, endpoint.needs_key)


def load_setup(file: Path) -> Setup:
    """What was set up. An entry that does not fit (somebody edited the file) is left out; no file is an empty setup."""
    try:
        stored: Any = json.loads(file.read_text("utf-8"))
        entries = stored["endpoints"]
        chosen, model = str(stored.get("chosen", "")), str(stored.get("model", ""))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Setup()
    endpoints = tuple(_fitting(entries if isinstance(entries, list) else []))
    return Setup(endpoints, chosen if any(one.name == chosen for one in endpoints) else "", model)


def save_setup(file: Path, setup: Setup) -> None:
    """Write atomically, for the owner only. Raises OSError."""
    draft = file.with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            json.dump(asdict(setup), stream, indent=2, ensure_ascii=False)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise


def with_endpoint(setup: Setup, endpoint: Endpoint) -> Setup:
    """The setup with this endpoint, in the place of one of the same name. Raises InvalidValue."""
    checked = check_endpoint(endpoint)
    others = tuple(one for one in setup.endpoints if one.name != checked.name)
    if len(others) >= _MOST:
        raise InvalidValue(f"More than {_MOST} services cannot be set up", "Remove one first.")
    return Setup((*others, checked), setup.chosen, setup.model)


def _fitting(entries: Iterable[Any]) -> Iterable[Endpoint]:
    for entry in entries:
        try:
            yield check_endpoint(
                Endpoint(
                    str(entry["name"]),
                    str(entry["label"]),
                    str(entry["base_url"]),
                    Vendor(entry.get("vendor", Vendor.OPENAI)),
                    entry.get("local") is True,
                    entry.get("needs_key") is not False,
                )
            )
        except (InvalidValue, AddressRefused, KeyError, TypeError, ValueError, AttributeError):
            continue
