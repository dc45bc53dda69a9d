"""The search line as window and programs read and write it: filters as text, and the request they make."""

from hivemind.search.syntax import (
    NAMES,
    TypedFilter,
    request_of,
    typed_filters,
    with_filter,
    without_filter,
    words_of,
)

__all__ = ["NAMES", "TypedFilter", "request_of", "typed_filters", "with_filter", "without_filter", "words_of"]
