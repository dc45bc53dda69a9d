"""Services that answer: each behind one protocol, each call recorded, each request through the one client."""

from __future__ import annotations

from hivemind.llm.anthropic_messages import AnthropicProvider
from hivemind.llm.endpoints import SUGGESTED, Setup, load_setup, save_setup, with_endpoint
from hivemind.llm.openai_compatible import OpenAICompatibleProvider
from hivemind.llm.openai_embeddings import OpenAIEmbeddings
from hivemind.llm.prices import Price, PriceTable, load_prices

__all__ = [
    "SUGGESTED",
    "AnthropicProvider",
    "OpenAICompatibleProvider",
    "OpenAIEmbeddings",
    "Price",
    "PriceTable",
    "Setup",
    "load_prices",
    "load_setup",
    "save_setup",
    "with_endpoint",
]
