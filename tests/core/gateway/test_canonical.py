"""The canonical form: every column is in it, no two different rows look alike, and it is RFC 8785 to the byte."""

from __future__ import annotations

import hashlib
import hmac

import apsw
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from tests.core.gateway.plain_log import fill

from hivemind.errors import InternalFault
from hivemind.gateway.canonical import (
    CHAIN_COLUMNS,
    INTERACTION_COLUMNS,
    SAFE_INTEGER,
    SqlValue,
    canonical_json,
    canonical_value,
    commitment,
    row_hash,
)
from hivemind.gateway.chain import read_row

STORABLE = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: st.SearchStrategy[SqlValue] = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    STORABLE,
    st.binary(),
)


def row(names: tuple[str, ...], value: SqlValue = None) -> dict[str, SqlValue]:
    return dict.fromkeys(names, value)


def test_every_column_but_the_hash_itself_is_hashed(log: apsw.Connection) -> None:
    for table, names in (("ai_interactions", INTERACTION_COLUMNS), ("ai_log_chain", (*CHAIN_COLUMNS, "row_hash"))):
        stored = [name for (name,) in log.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        hidden = [name for (name,) in log.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))]
        assert tuple(stored) == tuple(hidden) == names


def test_no_column_of_one_table_hides_one_of_the_other() -> None:
    assert not set(INTERACTION_COLUMNS) & set(CHAIN_COLUMNS)


def test_a_known_entry_has_a_known_hash() -> None:
    """Written out by hand, so that a verifier made from the description alone has something to hold on to."""
    interaction: dict[str, SqlValue] = row(INTERACTION_COLUMNS) | {"id": 1, "cost_usd": 0.5, "model": "ü\U0001f600"}
    chain: dict[str, SqlValue] = row(CHAIN_COLUMNS) | {"seq": 1, "mono_ns": 2**53, "prev_hash": bytes(32)}
    text = (
        '{"actor":null,"alg":null,"app_version":null,"boot_id":null,"commits_json":null,'
        '"cost_usd":{"typeof":"real","value":"0x1.0000000000000p-1"},"detail_json":null,"entry_uuid":null,'
        '"epoch":null,"human_action":null,"id":1,"imported_from":null,"input_text":null,"input_tokens":null,'
        '"interaction_id":null,"kind":null,"model":"ü\U0001f600",'
        '"mono_ns":{"typeof":"integer","value":"9007199254740992"},"output_text":null,"output_tokens":null,'
        '"persona":null,"prev_hash":{"typeof":"blob","value":"' + "00" * 32 + '"},"provider":null,'
        '"risk_context":null,"seq":1,"session_id":null,"timestamp":null,"tools_called":null,"workspace_id":null}'
    )
    expected = hashlib.sha256(b"hivemind/ai-log/row/v1\n" + text.encode()).digest()
    assert row_hash(interaction, chain) == expected


@given(st.lists(VALUES, min_size=29, max_size=29))
def test_the_bytes_are_those_of_rfc8785(values: list[SqlValue]) -> None:
    interaction = dict(zip(INTERACTION_COLUMNS, values, strict=False))
    chain = dict(zip(CHAIN_COLUMNS, values[len(INTERACTION_COLUMNS) :], strict=True))
    entry = {name: canonical_value(value) for name, value in (interaction | chain).items()}
    expected = hashlib.sha256(b"hivemind/ai-log/row/v1\n" + rfc8785.dumps(entry)).digest()
    assert row_hash(interaction, chain) == expected


def test_keys_are_ordered_as_utf16() -> None:
    assert canonical_json({"\ue000": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ue000":1}'


@given(VALUES, VALUES)
def test_different_values_have_different_forms(one: SqlValue, other: SqlValue) -> None:
    same = type(one) is type(other) and one == other and repr(one) == repr(other)
    assert (canonical_json(canonical_value(one)) == canonical_json(canonical_value(other))) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, 1.0), (0.0, -0.0), ("", None), ("ab", b"ab"), ("1", 1), (SAFE_INTEGER + 1, str(SAFE_INTEGER + 1))],
)
def test_values_that_look_alike_are_told_apart(one: SqlValue, other: SqlValue) -> None:
    assert canonical_value(one) != canonical_value(other) or repr(one) != repr(other)
    assert canonical_json(canonical_value(one)) != canonical_json(canonical_value(other))


@given(st.sampled_from([*INTERACTION_COLUMNS, *CHAIN_COLUMNS]), VALUES)
def test_each_column_changes_the_hash(name: str, value: SqlValue) -> None:
    interaction, chain = row(INTERACTION_COLUMNS, "same"), row(CHAIN_COLUMNS, "same")
    before = row_hash(interaction, chain)
    (interaction if name in interaction else chain)[name] = value
    assert (row_hash(interaction, chain) == before) == (value == "same")


@pytest.mark.parametrize("value", ["\ud800", "a\udfffb"])
def test_half_a_character_has_no_canonical_form(value: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        row_hash(row(INTERACTION_COLUMNS, value), row(CHAIN_COLUMNS))


def test_rows_of_another_shape_are_refused() -> None:
    short = row(INTERACTION_COLUMNS[:-1])
    with pytest.raises(InternalFault):
        row_hash(short, row(CHAIN_COLUMNS))
    with pytest.raises(InternalFault):
        row_hash(row(INTERACTION_COLUMNS), row(CHAIN_COLUMNS) | {"row_hash": b""})


def test_stored_hashes_are_those_of_the_stored_rows(log: apsw.Connection) -> None:
    fill(log)
    for seq, interaction_id in log.execute("SELECT seq, interaction_id FROM ai_log_chain").fetchall():
        chain = read_row(log, "ai_log_chain", "seq", seq) or {}
        stored = chain.pop("row_hash")
        assert row_hash(read_row(log, "ai_interactions", "id", interaction_id) or {}, chain) == stored


@given(STORABLE, st.binary(min_size=32, max_size=32))
def test_a_commitment_is_an_hmac_over_field_and_text(text: str, salt: bytes) -> None:
    expected = hmac.new(salt, b"input\x00" + text.encode(), hashlib.sha256).hexdigest()
    assert commitment("input", text, salt) == expected
    assert commitment("output", text, salt) != expected
