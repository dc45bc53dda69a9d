"""Search over one mind or several: words now, every further lane through the same fusion."""

from hivemind.search.hybrid import search
from hivemind.search.query import ParsedQuery, parse

__all__ = ["ParsedQuery", "parse", "search"]
