"""Pages, data and rows of 50 random logs say the same."""

from __future__ import annotations

import pytest
from tests.core.compliance.busy_log import busy_log
from tests.core.compliance.recount import faults, read_pages, report_of

from hivemind.compliance import print_report, to_json


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(100, 150))
def test_pages_data_and_rows_say_the_same(seed: int) -> None:
    log = busy_log(seed, 10 + seed * 7 % 80)
    report = report_of(log)
    text = read_pages([volume.data for volume in print_report(to_json(report))])
    assert faults(log, report, text) == []
