"""The report of random logs: what its pages say is what its data says and what the rows say.

Covers: assembly, usage, entries, gaps, document, printing, press, wording, package, preview.
"""

from __future__ import annotations

import hashlib
import json
import logging
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from tests.core.compliance.busy_log import BusyLog, busy_log
from tests.core.compliance.recount import MORE_PROMISES, faults, read_pages, report_of
from tests.test_words import PROMISES

from hivemind.compliance import printing, to_json, wording
from hivemind.compliance.assembly import OPTIONAL
from hivemind.compliance.press import DenyAll, FontsOnly, print_whole
from hivemind.compliance.printing import print_report
from hivemind.domain.checks import Statement
from hivemind.errors import ReportFailed
from hivemind.mind.statements import StatementStore
from hivemind.paths import resource_path

HOSTILE = '<script>alert(1)</script></style><img src="http://x/y"> @import url(file:///etc/passwd) ' + "W" * 60


@pytest.mark.parametrize("seed", [1, 2])
def test_pages_data_and_rows_say_the_same(seed: int) -> None:
    log = busy_log(seed, 25)
    report = report_of(log)
    volumes = list(print_report(to_json(report)))
    assert [one.part for one in volumes] == [0]
    assert faults(log, report, read_pages([volumes[0].data])) == []


def test_a_changed_figure_is_noticed() -> None:
    log = busy_log(3, 20)
    report = report_of(log)
    text = read_pages([print_report(to_json(report)).__next__().data])
    assert faults(log, replace(report, totals=replace(report.totals, calls=report.totals.calls + 1)), text)
    assert faults(log, report, text.replace(report.log[3].row_hash[:10], ""))
    assert faults(log, report, f"{text} This product is certified")


def test_the_last_day_is_in_and_what_follows_is_not() -> None:
    log = BusyLog()
    for moment in ("2026-12-31T23:59:59.999", "2027-01-01T00:00:00"):
        log.now = datetime.fromisoformat(moment).replace(tzinfo=UTC)
        log.call(ends="open")
    report = report_of(log, date(2026, 12, 31))
    assert (report.totals.calls, report.log[-1].time) == (1, "2026-12-31T23:59:59.999Z")


def test_more_than_a_thousand_calls_are_counted() -> None:
    log = BusyLog()
    for _ in range(1100):
        log.call(ends="open")
    assert report_of(log).totals.calls == 1100


def test_unknown_figures_stay_unknown() -> None:
    log = BusyLog()
    log.call(cost=None, tokens=(None, None))
    only = report_of(log).totals
    assert (only.unknown_cost, only.unknown_tokens) == (1, 1)
    amount = {"calls": 1, "tokens_in": 0, "tokens_out": 0, "cost": 0.0, "unknown_tokens": 1, "unknown_cost": 1}
    assert (wording.cost(amount), wording.tokens_in(amount)) == ("unknown", "unknown")
    assert wording.cost(amount | {"calls": 2, "cost": 1234.5}) == "≥\u00a01,234.50"
    assert wording.tokens_out(amount | {"unknown_tokens": 0, "tokens_out": 5}) == "5"
    assert report_of(log).log[-1].cost is None


def test_anybody_draws_the_same_sample() -> None:
    report = report_of(busy_log(4))
    seed = report.integrity.head
    order = sorted(report.log, key=lambda row: hashlib.sha256(f"{seed}:{row.seq}".encode()).digest())
    assert sorted(row.seq for row in order[:25]) == [one.row.seq for one in report.sample.rows]
    unusual = [
        row.seq for row in report.log if row.action in ("denied", "modified", "stopped") or row.state == "failed"
    ]
    assert [one.row.seq for one in report.sample.always] == unusual


def test_commitments_are_salted_and_texts_come_only_when_asked_for() -> None:
    log = BusyLog()
    log.call(texts=("a secret question", "an answer"))
    report = report_of(log)
    data = to_json(report)
    for text in (b"a secret question", b"an answer"):
        assert text not in data
        assert hashlib.sha256(text).hexdigest().encode() not in data
    assert any(one.commitments for one in report.sample.rows)
    again = BusyLog()
    again.call(texts=("a secret question", "an answer"))
    assert [one.commitments for one in report_of(again).sample.rows] != [one.commitments for one in report.sample.rows]
    full = report_of(log, with_content=True)
    assert {text.text for one in full.sample.rows for text in one.texts} == {"a secret question", "an answer"}
    pages = read_pages([next(print_report(to_json(full))).data])
    assert "a secret question" in pages


def test_what_is_left_out_says_so() -> None:
    report = report_of(busy_log(5, 15), leave_out=frozenset(OPTIONAL))
    assert (report.models, report.log, report.sample.rows, report.oversight.latest) == ((), (), (), ())
    pages = read_pages([next(print_report(to_json(report))).data])
    assert pages.count("Left out by whoever made this report") == len(OPTIONAL)
    assert pages.count("(left out)") == len(OPTIONAL)


def test_only_the_latest_decisions_are_an_extract() -> None:
    log = BusyLog()
    for number in range(60):
        log.pass_time(seconds=1)
        log.decision("approved", number)
    seen = report_of(log).oversight
    assert (seen.total, len(seen.latest)) == (60, 50)
    assert [one.seconds for one in seen.latest] == [number / 1000 for number in range(59, 9, -1)]


def test_the_same_report_has_the_same_bytes_and_claims_no_archive_format() -> None:
    data = to_json(report_of(busy_log(6, 10)))
    [one], [two] = (list(print_whole(data)) for _ in range(2))
    assert one == two
    reader = PdfReader(BytesIO(one[1]))
    assert b"pdfaid" not in one[1]
    assert reader.attachments["report.json"] == [data]
    assert reader.trailer["/Root"]["/Lang"] == "en-US"
    assert "/StructTreeRoot" in reader.trailer["/Root"]
    assert [f"Page {n} of {one[0]}" in page.extract_text() for n, page in enumerate(reader.pages, 1)] == [True] * one[0]
    names = set()
    for page in reader.pages:
        resources = page["/Resources"]
        names |= {font.get_object()["/BaseFont"].split("+")[1] for font in resources.get("/Font", {}).values()}
        assert not [one for one in resources.get("/XObject", {}).values() if one.get_object()["/Subtype"] == "/Image"]
    assert all(name.startswith(("Inter", "JetBrains")) for name in names), names


def test_hostile_words_are_only_words(caplog: pytest.LogCaptureFixture) -> None:
    log = BusyLog()
    said = Statement(set_at="2026-11-30T12:00:00.000Z", set_by=HOSTILE, operator=HOSTILE * 3, purpose=HOSTILE * 3)
    StatementStore(log.connection).replace(said)
    log.call(persona=HOSTILE[:190], tools=(HOSTILE[:190],), texts=(HOSTILE, "x"))
    report = report_of(log, with_content=True)
    with caplog.at_level(logging.ERROR):
        [(_, pdf)] = list(print_whole(to_json(report)))
    reader = PdfReader(BytesIO(pdf))
    first = reader.pages[0].extract_text()
    assert "<script>alert(1)</script></style>" in read_pages([pdf]).replace(
        " ", ""
    ) or "<script>alert(1)</script>" in read_pages([pdf])
    assert "It is not a legal opinion" in " ".join(first.split()), "the limits stand on page 1 whatever is stated"


def test_nothing_is_fetched() -> None:
    from weasyprint.urls import FatalURLFetchingError

    for fetcher in (DenyAll(), FontsOnly()):
        for url in ("http://example.com/x", "file:///etc/passwd", "data:text/plain,x", "report-font:../secret.ttf"):
            with pytest.raises(FatalURLFetchingError):
                fetcher.fetch(url)
    assert FontsOnly().fetch("report-font:Inter-Regular.ttf").read(4) == b"\x00\x01\x00\x00"


def test_a_report_that_cannot_be_laid_out_is_named() -> None:
    data = json.loads(to_json(report_of(BusyLog())))
    del data["checks"]
    with pytest.raises(ReportFailed):
        list(print_report(json.dumps(data).encode()))


def test_templates_law_and_read_me_promise_nothing() -> None:
    places = [*resource_path("report").rglob("*.j2"), *resource_path("law").glob("*.json")]
    assert len(places) > 10
    for place in [*places, Path(wording.__file__), Path(wording.__file__).with_name("package.py")]:
        text = place.read_text("utf-8")
        assert not PROMISES.findall(text), place
        assert not MORE_PROMISES.findall(text), place


def test_months_and_weeks_begin_with_the_log() -> None:
    log = BusyLog()
    log.pass_time(days=40)
    log.call()
    report = report_of(log)
    assert [one.label for one in report.months] == ["2026-11", "2026-12", "2027-01"]
    assert report.weeks[0].label == "2026-11-30"
    assert sum(one.amount.calls for one in report.weeks) == sum(one.amount.calls for one in report.months) == 1
    assert {one.kind: one.count for one in report.gaps}["Days without any entry"] == 41 - 2
    log.pass_time(days=600)
    assert report_of(log).weeks == ()


def test_gaps_name_what_was_looked_for() -> None:
    log = BusyLog()
    log.call(ends="open", cost=None)
    log.event("restore")
    log.event("log_gap", missed=2)
    found = {one.kind: one.count for one in report_of(log).gaps}
    assert found["Restores from a backup"] == 1
    assert found["Failed log writes"] == 2
    assert found["Calls without an end"] == 1
    assert found["Entries without a signed checkpoint"] == 4
    assert found["Missing entry numbers"] == 0


def test_retention_and_erasures() -> None:
    log = BusyLog()
    StatementStore(log.connection).replace(Statement(keep_texts_months=6))
    log.call()
    erased = log.event("erasure", reason="request")
    log.connection.execute(
        "UPDATE ai_log_payload SET state = 'erased', body = NULL, salt = NULL, erased_by_seq = ? WHERE field = 'input'",
        (erased,),
    )
    kept = report_of(log).retention
    assert (kept.texts_present, kept.texts_due, [(one.reason, one.texts) for one in kept.erasures]) == (
        1,
        0,
        [("request", 1)],
    )
    assert "too early to say" in kept.six_months
    log.now += timedelta(days=190)
    later = report_of(log).retention
    assert (later.texts_due, later.months_kept) == (1, 6)
    assert "No entry was removed" in later.six_months


def test_a_long_log_is_written_in_volumes_that_go_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "WHOLE_LOG_PAGES", 1)
    monkeypatch.setattr(printing, "VOLUME_PAGES", 2)
    log = BusyLog()
    for _ in range(70):
        log.pass_time(minutes=1)
        log.call()
    report = report_of(log)
    volumes = list(print_report(to_json(report)))
    log_pages = -(-len(report.log) // wording.ROWS_PER_PAGE)
    assert log_pages == 3
    assert [(one.part, one.first, one.pages) for one in volumes] == [
        (0, 1, volumes[0].pages), (1, volumes[0].pages + 1, 2), (2, volumes[0].pages + 3, 1),
    ]  # fmt: skip
    total = volumes[0].pages + log_pages
    pages = [page.extract_text() for one in volumes for page in PdfReader(BytesIO(one.data)).pages]
    assert [f"Page {number} of {total}" in page for number, page in enumerate(pages, 1)] == [True] * total
    assert faults(log, report, read_pages([one.data for one in volumes])) == []
    assert [one.name("r") for one in volumes] == ["r.pdf", "r annex A 1.pdf", "r annex A 2.pdf"]
    assert "report.json" in PdfReader(BytesIO(volumes[0].data)).attachments
