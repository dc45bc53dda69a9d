"""One adapter per vendor's format. The order is the order of asking."""

from __future__ import annotations

from hivemind.domain.protocols import HarvestAdapter
from hivemind.harvest.adapters.chatgpt import ChatGptAdapter
from hivemind.harvest.adapters.claude import ClaudeAdapter
from hivemind.harvest.adapters.markdown import MarkdownAdapter
from hivemind.harvest.adapters.plaintext import PlainTextAdapter
from hivemind.harvest.adapters.universal import UniversalAdapter

ADAPTERS: tuple[HarvestAdapter, ...] = (
    ChatGptAdapter(),
    ClaudeAdapter(),
    MarkdownAdapter(),
    PlainTextAdapter(),
    UniversalAdapter(),
)


def adapter_named(name: str) -> HarvestAdapter | None:
    """The adapter whose `name` this is."""
    return next((adapter for adapter in ADAPTERS if adapter.name == name), None)
