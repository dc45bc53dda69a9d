"""Services set up by a person: checked on the way in, and again when the file is read."""

from __future__ import annotations

import json
import stat
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hivemind.domain.chat import Endpoint
from hivemind.errors import AddressRefused, HiveMindError, InvalidValue
from hivemind.llm.endpoints import SUGGESTED, Setup, check_endpoint, load_setup, save_setup, with_endpoint

ONE = Endpoint("mine", "Mine", "https://models.example.org/v1")


def test_suggestions_fit() -> None:
    assert [check_endpoint(one) for one in SUGGESTED] == list(SUGGESTED)


def test_a_setup_comes_back(tmp_path: Path) -> None:
    setup = replace(with_endpoint(with_endpoint(Setup(), ONE), SUGGESTED[0]), chosen="mine", model="big")
    save_setup(tmp_path / "endpoints.json", setup)
    assert load_setup(tmp_path / "endpoints.json") == setup
    assert stat.S_IMODE((tmp_path / "endpoints.json").stat().st_mode) == 0o600
    assert load_setup(tmp_path / "none.json") == Setup()


def test_the_same_name_is_replaced() -> None:
    setup = with_endpoint(with_endpoint(Setup(), ONE), replace(ONE, base_url=" https://other.example.org/v1/ "))
    assert [one.base_url for one in setup.endpoints] == ["https://other.example.org/v1"]


@pytest.mark.parametrize(
    ("endpoint", "fault"),
    [
        (replace(ONE, name="Has Space"), InvalidValue),
        (replace(ONE, name=""), InvalidValue),
        (replace(ONE, label=" "), InvalidValue),
        (replace(ONE, label="two\nlines"), InvalidValue),
        (replace(ONE, base_url="http://models.example.org/v1"), AddressRefused),
        (replace(ONE, base_url="https://key@models.example.org/v1"), AddressRefused),
        (replace(ONE, base_url="https://models.example.org/v1?key=1"), InvalidValue),
        (replace(ONE, base_url="file:///etc/passwd"), AddressRefused),
        (replace(ONE, base_url=""), AddressRefused),
    ],
)
def test_what_does_not_fit_is_refused(endpoint: Endpoint, fault: type[HiveMindError]) -> None:
    with pytest.raises(fault):
        with_endpoint(Setup(), endpoint)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
)


@given(JSON)
def test_a_file_with_anything_in_it_is_read(value: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "endpoints.json"
        for content in (value, {"endpoints": value}, {"endpoints": [value]}, {"endpoints": [{"name": value}]}):
            file.write_text(json.dumps(content), "utf-8")
            assert isinstance(load_setup(file), Setup)


def test_a_dangerous_entry_in_the_file_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "endpoints.json"
    entries = [
        {"name": "bad", "label": "Bad", "base_url": "http://169.254.169.254/v1"},
        {"name": "good", "label": "Good", "base_url": "https://models.example.org/v1"},
    ]
    file.write_text(json.dumps({"endpoints": entries, "chosen": "bad", "model": "m"}), "utf-8")
    setup = load_setup(file)
    assert [one.name for one in setup.endpoints] == ["good"]
    assert setup.chosen == ""
