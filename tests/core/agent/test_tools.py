"""What a model writes for a tool is checked field by field; nothing but a fitting object gets through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.agent.tools import TOOLS, read_arguments
from hivemind.domain.chat import ToolRequest
from hivemind.errors import InvalidValue

AMEND = next(tool for tool in TOOLS if tool.name == "amend_memory")
SEARCH = next(tool for tool in TOOLS if tool.name == "search_memories")


@pytest.mark.parametrize(
    "given_text",
    ["[]", "{", '{"number": 1}',
     '{"number": "1", "text": "x"}', '{"number": true, "text": "x"}', '{"number": -1, "text": "x"}',
     '{"number": 1, "text": ""}', '{"number": 1, "text": "x", "force": true}', "7", '{"number": 1e99, "text": "x"}'],
)  # fmt: skip
def test_what_does_not_fit_is_told(given_text: str) -> None:
    with pytest.raises(InvalidValue):
        read_arguments(AMEND, ToolRequest("1", "amend_memory", given_text))


def test_what_fits_gets_through_and_null_means_not_given() -> None:
    assert read_arguments(AMEND, ToolRequest("1", "", '{"number": 4, "text": "x"}')) == {"number": 4, "text": "x"}
    assert read_arguments(SEARCH, ToolRequest("1", "", '{"query": "x", "limit": null}')) == {"query": "x"}


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.dictionaries(
    st.sampled_from(["number", "text", "x"]), inner, max_size=3), max_leaves=5)  # fmt: skip


@given(JSON)
def test_whatever_is_written_is_fitting_or_refused(value: Any) -> None:
    try:
        found = read_arguments(AMEND, ToolRequest("1", "amend_memory", json.dumps(value)))
    except InvalidValue:
        return
    assert set(found) == {"number", "text"}
    assert isinstance(found["number"], int)


def test_every_tool_has_a_schema_a_service_can_read() -> None:
    for tool in TOOLS:
        schema = tool.spec.parameters
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) <= set(schema["properties"])
