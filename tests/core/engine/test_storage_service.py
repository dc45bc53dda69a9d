"""Sizes on disk by kind, and what left this computer by destination.

Covers: privacy_service, storage_service, unrecorded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.core.engine.conftest import Driver

from hivemind.clock import stamp, system_clock
from hivemind.domain.calls import Call, CallKind, CallOutcome, Outbound
from hivemind.engine import Engine
from hivemind.engine.unrecorded import unrecorded_requests
from hivemind.net import OutboundStore


def test_everything_in_the_data_folder_is_counted_once(driver: Driver) -> None:
    driver.run(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
    driver.run(lambda engine: engine.workspaces.create("Legal"))
    driver.run(lambda engine: engine.backups.make("personal"))
    facts = driver.run(lambda engine: engine.storage.facts("personal"))
    root = driver.engine.data.root
    total = sum(file.stat().st_size for file in root.rglob("*") if file.is_file())
    assert facts.mind + facts.other_minds + facts.backups + facts.rest == total
    assert facts.other_minds > 0
    assert facts.backups > 0
    kinds = dict(facts.kinds)
    assert kinds["memories"] > 0
    assert list(kinds.values()) == sorted(kinds.values(), reverse=True)
    assert sum(kinds.values()) == facts.mind or "journal" not in kinds
    assert facts.free > 0


def test_nothing_sent_is_an_empty_list_and_what_is_sent_is_summed(driver: Driver) -> None:
    assert driver.run(lambda engine: engine.privacy.destinations()) == []
    now = stamp(system_clock())

    def line(at: str, host: str, size: int) -> Any:
        outbound = Outbound(call_uuid="a1", at=at, feature="ask", method="POST", host=host, path="/v1", bytes_out=size)
        return lambda connection: OutboundStore(connection).open_line(outbound)

    install = driver.engine._install
    assert install is not None
    for at, host, size in (
        (now, "api.example.com", 300),
        (now, "api.example.com", 200),
        (now, "other.example.com", 900),
        ("2020-01-01T00:00:00.000Z", "api.example.com", 5),
    ):
        work = line(at, host, size)
        driver.run(lambda _, work=work: install.write(work))
    rows = driver.run(lambda engine: engine.privacy.destinations())
    assert [(row.host, row.calls, row.bytes_today, row.bytes_month) for row in rows] == [
        ("other.example.com", 1, 900, 900),
        ("api.example.com", 2, 500, 500),
    ]
    assert rows[0].last_at == now
    assert Path(driver.engine.data.root).exists()


def test_a_request_without_an_entry_in_any_log_is_told(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        install = engine._install
        assert install is not None
        call = Call("known", CallKind.LLM_CALL, "m", "p")
        await engine.evidence.record("personal", call, CallOutcome("known"))
        for name in ("known", "unknown"):
            outbound = Outbound(name, stamp(system_clock()), "ask", "POST", "api.example.com", "/v1", 7)
            await install.write(lambda connection, line=outbound: OutboundStore(connection).open_line(line))
        lines, whole = await unrecorded_requests(engine._context, install)
        assert ([line.call_uuid for line in lines], whole) == (["unknown"], True)

    driver.run(errand)
