"""Checks and reports through the engine: statements that can be undone, files, packages, requests without an entry.

Covers: report_surroundings.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable, Coroutine
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from tests.core.engine.conftest import Driver

from hivemind.changes.operations import replace_statement
from hivemind.domain.calls import Call, CallKind, CallOutcome, HumanAction, Outbound
from hivemind.domain.checks import RiskClass, Statement, Status
from hivemind.domain.report_order import ReportOrder
from hivemind.engine import Engine
from hivemind.errors import CannotUndo, FileInTheWay, InvalidDate, InvalidValue, ReadOnlyPlace
from hivemind.net import OutboundStore

SAID = Statement(RiskClass.NOT_HIGH_RISK, set_by="Mara", operator="Alder & Voss <b>", purpose="Find letters")


def patiently(driver: Driver, errand: Callable[[Engine], Coroutine[Any, Any, None]]) -> None:
    """Pages take longer than a minute where everything else runs at once."""
    driver.runner.run(errand(driver.engine))


async def called(engine: Engine, uuid: str = "agent-1") -> None:
    call = Call(uuid, CallKind.LLM_CALL, "north-1", "North", input_text="a secret question")
    outcome = CallOutcome(uuid, 3, 4, 0.5, output_text="an answer", human_action=HumanAction.APPROVED)
    await engine.evidence.record("personal", call, outcome)


def test_a_fresh_mind_passes_nothing(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        found = await engine.reports.standing("personal")
        assert {one.status for one in found.checks} == {Status.NOT_ASSESSED}
        assert (await engine.reports.build("personal")).overall == "nothing assessed yet"

    driver.run(errand)


def test_a_statement_is_one_change_that_can_be_undone(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        kept = await engine.reports.state("personal", SAID)
        assert kept.set_at
        assert await engine.reports.statement("personal") == kept
        assert await engine.reports.state("personal", SAID) == kept, "stating it again changes nothing"
        assert "statement" in (await engine.changes.undo("personal")).label
        assert await engine.reports.statement("personal") == Statement()
        with pytest.raises(InvalidValue):
            await engine.reports.state("personal", Statement(RiskClass.ANNEX_III))

    driver.run(errand)


def test_a_statement_changed_since_is_not_undone(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await engine.reports.state("personal", SAID)
        mind = await engine.minds.get("personal")
        with pytest.raises(CannotUndo):
            await mind.write(lambda tx: replace_statement(tx, {"to": {}, "expect": {}}))
        assert (await engine.reports.statement("personal")).operator == SAID.operator

    driver.run(errand)


def test_a_request_without_an_entry_fails_recording(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await called(engine)
        await engine.workspaces.create("Work")
        assert (await engine.reports.standing("personal")).checks[0].status is Status.PASS
        now = engine._clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        for uuid in ("agent-1", "nobody"):
            line = Outbound(uuid, now, "ask", "POST", "api.example", "/v1", 9)
            await engine._installed().write(lambda connection, line=line: OutboundStore(connection).open_line(line))
        found = (await engine.reports.standing("personal")).checks[0]
        assert found.status is Status.FAIL
        assert "1 sent requests without an entry" in found.findings[0].condition

    driver.run(errand)


def test_the_report_and_its_package(driver: Driver, tmp_path: Path) -> None:
    pdf, package = tmp_path / "report.pdf", tmp_path / "evidence.zip"

    async def errand(engine: Engine) -> None:
        await called(engine)
        await engine.reports.state("personal", SAID)
        made = await engine.reports.write("personal", ReportOrder(), pdf, package)
        assert (made.files, made.package, made.signed) == ((str(pdf),), str(package), False)
        reader = PdfReader(pdf)
        assert len(reader.pages) == made.pages
        text = " ".join(page.extract_text() for page in reader.pages)
        assert made.log_head in text
        assert "Alder & Voss <b>" in text
        assert "a secret question" not in text
        with pytest.raises(FileInTheWay):
            await engine.reports.write("personal", ReportOrder(), pdf)
        with pytest.raises(ReadOnlyPlace):
            await engine.reports.write("personal", ReportOrder(), tmp_path / "gone" / "report.pdf")
        entries = (await engine.reports.build("personal")).log
        assert [row.kind for row in entries][-1] == "export"
        data = made_data(package, made.report_id)
        assert data["integrity"]["head"] == made.log_head
        assert reader.attachments["report.json"] == [raw(package, made.report_id, "report.json")]
        assert b"a secret question" not in raw(package, made.report_id, "report.json")

    patiently(driver, errand)
    sums(package)
    with zipfile.ZipFile(package) as opened:
        script = next(name for name in opened.namelist() if name.endswith("verify_log.py"))
        opened.extractall(tmp_path / "out")
    anchors = next((tmp_path / "out").rglob("*.log"))
    mind = tmp_path / "data" / "minds" / "personal.mind"
    command = [sys.executable, "-I", str(tmp_path / "out" / script), str(mind), "--anchor", str(anchors)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 11


def test_with_content_the_sampled_texts_are_in(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        await called(engine)
        report = await engine.reports.build("personal", ReportOrder(with_content=True))
        texts = {text.text for row in report.sample.rows for text in row.texts}
        assert {"a secret question", "an answer"} <= texts

    driver.run(errand)


def test_pages_can_be_looked_at(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        pages, pictures = await engine.reports.preview("personal", ReportOrder(), [0, 1, 99], 0.5)
        assert pages > 5
        assert [one.number for one in pictures] == [0, 1]
        first = pictures[0]
        assert len(first.pixels) == first.stride * first.height
        assert len(set(first.pixels)) > 10, "an empty page"

    patiently(driver, errand)


def test_what_cannot_be_asked_for(driver: Driver) -> None:
    async def errand(engine: Engine) -> None:
        with pytest.raises(InvalidDate):
            await engine.reports.build("personal", ReportOrder(since="soon"))
        with pytest.raises(InvalidValue):
            await engine.reports.build("personal", ReportOrder(leave_out=frozenset({"checks"})))

    driver.run(errand)


def raw(package: Path, report_id: str, name: str) -> bytes:
    with zipfile.ZipFile(package) as opened:
        return opened.read(f"{report_id}/{name}")


def made_data(package: Path, report_id: str) -> dict[str, dict[str, object]]:
    data: dict[str, dict[str, object]] = json.loads(raw(package, report_id, "report.json"))
    assert datetime.fromisoformat(str(data["generated"]))
    return data


def sums(package: Path) -> None:
    """Every file is named with its digest, and they agree."""
    with zipfile.ZipFile(package) as opened:
        named = {name.split("/", 1)[1]: opened.read(name) for name in opened.namelist()}
    listed = dict(line.split("  ")[::-1] for line in named.pop("SHA256SUMS").decode().splitlines())
    assert listed == {name: sha256(data).hexdigest() for name, data in named.items()}
