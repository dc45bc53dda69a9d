"""Minds of an installation: listed, made, and one that is damaged does not take the others down.

Covers: workspace_service.
"""

from __future__ import annotations

import pytest

from hivemind.domain.minds import Scope
from hivemind.errors import FileInTheWay, InvalidName


def test_doctor_says_what_stands_and_what_does_not(driver):
    report = driver.run(lambda e: e.workspaces.doctor())
    assert report.ok
    assert report.embedder.mode == "keyword-only"
    assert [mind.workspace for mind in report.minds] == ["personal"]
    broken = driver.engine.data.mind("broken")
    broken.write_bytes(b"not a mind" * 1000)
    report = driver.run(lambda e: e.workspaces.doctor())
    assert not report.ok
    assert [mind.frames for mind in report.minds] == [0, -1]
    assert "broken" in report.problems[0].title
    assert broken.read_bytes() == b"not a mind" * 1000


def test_a_mind_is_made_once_and_named_once(driver):
    made = driver.run(lambda e: e.workspaces.create("Q2 Planning", Scope.TEAM))
    assert (made.workspace, made.scope) == ("q2-planning", Scope.TEAM)
    assert driver.run(lambda e: e.workspaces.facts("q2-planning")).scope is Scope.TEAM
    for name in ("Q2 planning", "Personal"):
        with pytest.raises(FileInTheWay):
            driver.run(lambda e, name=name: e.workspaces.create(name))
    with pytest.raises(InvalidName):
        driver.run(lambda e: e.workspaces.create("../"))


def test_a_damaged_personal_mind_still_gets_a_diagnosis(driver):
    driver.engine.data.mind("personal").write_bytes(b"SQLite format 3\x00" + b"\x00" * 5000)
    report = driver.run(lambda e: e.workspaces.doctor())
    assert not report.ok
    assert report.problems[0].hint


def test_a_visit_from_outside_is_in_the_visited_minds_log(driver):
    made = driver.run(lambda e: e.workspaces.create("Legal"))
    driver.run(lambda e: e.workspaces.visited(made.workspace, channel="cli"))
    mind = driver.run(lambda e: e.minds.get(made.workspace))
    query = "SELECT kind, json_extract(detail_json, '$.channel') FROM ai_log_chain ORDER BY seq DESC LIMIT 1"
    assert driver.run(lambda _: mind.read(lambda tx: tx.connection.execute(query).get)) == ("cross_mind_read", "cli")
