"""The outcome of a log check says itself whether all is well, and each finding names its entry."""

from __future__ import annotations

from hivemind.domain.calls import LogCheck, LogFinding


def test_a_check_without_findings_is_intact():
    assert LogCheck(3, "ab", 0, ()).intact
    broken = LogCheck(3, "ab", 0, (LogFinding("chain", 2, "Something differs."),))
    assert not broken.intact


def test_a_finding_names_its_entry_when_it_has_one():
    assert str(LogFinding("chain", 2, "Something differs.")) == "Entry 2: Something differs."
    assert str(LogFinding("schema", None, "Something differs.")) == "Something differs."
