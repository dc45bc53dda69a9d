"""The search line as the window reads and writes it: filters as text, and the request they make."""

from hivemind.search.syntax import request_of, typed_filters, with_filter, without_filter

__all__ = ["request_of", "typed_filters", "with_filter", "without_filter"]
