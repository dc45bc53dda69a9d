"""The child's side of a survey, and its rows in a file. What became of items, by run."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.core.harvest.conftest import Harvest
from tests.samples.chatgpt import conversation

from hivemind.domain.surveys import SurveyItem
from hivemind.harvest.items import ClaimStore, ItemStore
from hivemind.harvest.survey import Surveying, SurveyOpened, SurveyStep, survey_source
from hivemind.harvest.survey_rows import SurveyRows

KEY = "npm_" + "z9Y8x7W6v5U4t3S2r1Q0" + "p9O8n7M6l5K4j3I2"


def test_a_survey_names_items_as_the_import_does(harvest: Harvest) -> None:
    talks = [conversation("a", [("user", f"keep {KEY}"), ("assistant", "no")]), {"mapping": None, "id": "b"}]
    file = harvest.give(talks)
    opened, *steps = survey_source(Surveying(str(file), "auto", None))
    assert isinstance(opened, SurveyOpened)
    assert opened.source == "chatgpt"
    rows = [row for step in steps if isinstance(step, SurveyStep) for row in step.rows]
    assert (rows[0].item_id, rows[0].outcome, rows[0].messages, rows[0].secrets) == ("a", "import", 2, 1)
    assert rows[1].outcome != "import"
    assert rows[1].reason
    (tally,) = steps[-1].tallies
    assert (tally.kind, tally.count, tally.items) == ("npm", 1, 1)
    report = harvest.run(file)
    (row,) = harvest.rows("SELECT item_id, title, messages FROM import_items WHERE state = 'new'")
    assert row == (rows[0].item_id, rows[0].title, rows[0].messages)
    assert harvest.read(lambda tx: ItemStore(tx.connection).tally(report.run_id))["new"] == 1
    condition, values = harvest.read(lambda tx: ClaimStore(tx.connection).frames_of([report.run_id]))
    count = harvest.rows(f"SELECT count(*) FROM memory_frames AS f WHERE {condition}", *values)
    assert count == [(report.frames.i + report.frames.p,)]


ITEMS = st.builds(
    SurveyItem,
    st.integers(0, 9),
    st.integers(0, 3),
    st.none() | st.text(max_size=9),
    st.text(max_size=30),
    *[st.none() | st.just("2025-01-01T00:00:00.000Z")] * 2,
    *[st.integers(0, 99)] * 3,
    st.sampled_from(["import", "skipped", "failed"]),
    st.text(max_size=9),
    st.booleans(),
)


@given(st.lists(ITEMS, max_size=12), st.integers(0, 12), st.integers(0, 5))
def test_rows_come_back_page_by_page(tmp_path_factory, items, offset, limit) -> None:
    folder: Path = tmp_path_factory.getbasetemp()
    rows = SurveyRows(folder)
    rows.append(items[:5])
    rows.append(items[5:])
    page = rows.page(offset, limit)
    assert (list(page.items), page.total, len(rows)) == (items[offset : offset + limit], len(items), len(items))
    skipped = [one for one in items if one.outcome == "skipped"]
    assert list(rows.page(0, 99, outcome="skipped").items) == skipped
    rows.close()
    assert rows.page(0, 9).total == 0


def test_a_file_of_a_survey_is_in_the_folder_it_was_given(tmp_path: Path) -> None:
    rows = SurveyRows(tmp_path)
    rows.append([])
    rows.close()
    assert list(tmp_path.iterdir()) == []
