"""The log as evidence through the engine: signed, anchored, restored, and recorded for agents."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import keyring
import pytest
from tests.core.credentials.test_store import Drawer
from tests.core.engine.conftest import Driver

from hivemind.domain.calls import Call, CallKind, CallOutcome, Verdict
from hivemind.engine import Engine
from hivemind.errors import InvalidValue, SourceUnreadable

CALL = Call("agent-1", CallKind.LLM_CALL, "m", "p", channel="cli", input_text="asked")
ENDED = CallOutcome("agent-1", input_tokens=3, output_tokens=4, cost_usd=0.5, output_text="answered")


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    one = Drawer()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


def test_what_an_agent_did_is_one_interaction(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        entry = await engine.evidence.record("personal", CALL, ENDED)
        [one] = await engine.evidence.interactions("personal")
        assert (one.state, one.input_tokens, one.cost_usd, one.call_uuid) == ("finished", 3, 0.5, "agent-1")
        assert entry.interaction_id == one.first_id + 1
        texts = await engine.evidence.texts("personal", "agent-1")
        assert [(text.field, text.body) for text in texts] == [("input", "asked"), ("output", "answered")]
        with pytest.raises(InvalidValue):
            await engine.evidence.record("personal", CALL, ENDED)

    driver.run(errand)


def test_signed_and_anchored(driver: Driver, drawer: Drawer) -> None:
    async def errand(engine: Engine) -> None:
        await engine.evidence.record("personal", CALL, ENDED)
        assert (await engine.evidence.verify("personal")).verdict is Verdict.GAPS
        assert await engine.evidence.checkpoint("personal")
        assert await engine.evidence.checkpoint("personal") is None
        public = await engine.evidence.public_key()
        check = await engine.evidence.verify("personal", public=public)
        assert (check.verdict, check.findings, check.gaps) == (Verdict.INTACT, (), ())
        assert check.anchors >= 2
        assert (await engine.evidence.verify("personal", public="ab" * 32)).verdict is Verdict.TAMPERED
        with pytest.raises(InvalidValue):
            await engine.evidence.verify("personal", public="no key")
        with pytest.raises(SourceUnreadable):
            await engine.evidence.verify("personal", anchors=Path("/nowhere/anchors.log"))

    driver.run(errand)


def test_without_a_key_store_the_log_is_unsigned_and_says_so(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        assert await engine.evidence.checkpoint("personal")
        assert await engine.evidence.public_key() is None
        check = await engine.evidence.verify("personal")
        assert check.intact
        assert [gap.place for gap in check.gaps] == ["signature"]

    driver.run(errand)


def test_restoring_twice_is_told_and_no_forgery(driver: Driver, tmp_path: Path) -> None:
    async def errand(engine: Engine) -> None:
        await engine.memory.save("The lemon tree stands on the balcony.", "personal")
        await engine.safety.backup("personal", tmp_path / "one.backup")
        for number in range(2):
            for call in range(3 - number):
                name = f"c{number}-{call}"
                await engine.evidence.record("personal", Call(name, CallKind.LLM_CALL, "m", "p"), CallOutcome(name))
            await engine.safety.restore("personal", tmp_path / "one.backup")
            check = await engine.evidence.verify("personal")
            assert check.findings == ()
            assert "restore" in {gap.place for gap in check.gaps}

    driver.run(errand)


def test_an_older_file_put_back_in_silence_is_seen(tmp_path: Path) -> None:
    first = Driver(tmp_path / "data")
    first.run(lambda engine: engine.evidence.interactions("personal"))
    first.close()
    file = tmp_path / "data" / "minds" / "personal.mind"
    shutil.copy(file, tmp_path / "old")
    second = Driver(tmp_path / "data")
    second.run(lambda engine: engine.evidence.record("personal", CALL, ENDED))
    second.close()
    shutil.copy(tmp_path / "old", file)
    third = Driver(tmp_path / "data")
    check = third.run(lambda engine: engine.evidence.verify("personal"))
    third.close()
    assert check.verdict is Verdict.TAMPERED
    assert check.findings[0].place == "anchors"


def test_heads_that_could_not_be_noted_are_told(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        engine.data.anchors.write_text("in the way", "utf-8")
        await engine.evidence.record("personal", CALL, ENDED)
        check = await engine.evidence.verify("personal")
        assert check.intact
        assert any("could not be noted" in str(gap) for gap in check.gaps)
        engine.data.anchors.unlink()
        name = "agent-2"
        await engine.evidence.record("personal", replace(CALL, uuid=name), replace(ENDED, uuid=name))
        check = await engine.evidence.verify("personal")
        assert not any("could not be noted" in str(gap) for gap in check.gaps)

    driver.run(errand)
