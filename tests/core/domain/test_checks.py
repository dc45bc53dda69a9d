"""Which risk classes are high-risk, and that results are the five words that reports may use."""

from __future__ import annotations

from hivemind.domain.checks import RiskClass, Status


def test_high_risk_is_what_the_annexes_name() -> None:
    assert [one for one in RiskClass if one.high] == [RiskClass.ANNEX_III, RiskClass.ANNEX_I]


def test_results_are_five_plain_words() -> None:
    assert [str(one) for one in Status] == ["pass", "attention", "fail", "not assessed", "not applicable"]
