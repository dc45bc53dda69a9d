"""Scripts without spaces: found as they stand, alone, in pairs, and glued to other words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.search.conftest import Searching
from tests.core.search.test_keyword_lane import add

from hivemind.mind import MindTransaction
from hivemind.search.cjk_lane import cjk_lane
from hivemind.search.filters import Scope
from hivemind.search.lanes import lane_query
from hivemind.search.query import parse
from hivemind.search.unspaced import MAX_NEEDLES, needles, occurrences


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("设备清单在阁楼", "设备"), ("设备清单在阁楼", "阁楼"), ("今天讨论了部署方案", "部署"),
        ("用户身份验证", "用户身份"), ("用户身份验证", "身"), ("重跑gen-itgc后", "itgc"),
        ("重跑gen-itgc后", "gen-itgc"), ("使用Python脚本", "python"), ("東京都に住む", "東京"),
        ("カタカナテスト", "ｶﾀｶﾅ"), ("เอกสารภาษาไทย", "ภาษา"), ("사용자가 왔다", "사용자"),
        ("𠀀𠀁𠀂", "𠀁𠀂"),
    ],
)  # fmt: skip
def test_found_inside_a_run(one: Searching, stored: str, query: str) -> None:
    with_it, _without = add(one, stored, "量子力学 and nothing else")
    assert one.ids(query) == [with_it]


def test_a_word_of_another_word_is_not_glued(one: Searching) -> None:
    add(one, "数据submarine测试", "marine 数据")
    assert one.ids("marine") == [2]


def test_more_terms_first_then_the_newest(one: Searching) -> None:
    old, both, new = add(one, "部署完成", "部署方案", "部署以后")
    lane = one.read(lambda tx: cjk_lane(lane_query(tx.connection, parse("部署 方案"), Scope(()))))
    assert lane.found == ((both, 2.0), (new, 1.0), (old, 1.0))


def test_a_long_run_is_found_by_a_third_of_its_pairs(one: Searching) -> None:
    whole, part, little = add(one, "今天讨论了部署方案", "部署方案很好", "今天")
    lane = one.read(lambda tx: cjk_lane(lane_query(tx.connection, parse("今天讨论了部署方案"), Scope(()))))
    assert [frame_id for frame_id, _ in lane.found] == [whole, part]
    assert lane.found[0][1] == 1.0
    assert lane.found[1][1] == pytest.approx(3 / 9)
    assert little not in dict(lane.found)


def test_phrases_hold_here_too(one: Searching) -> None:
    near, far = add(one, "launch plan 部署方案", "launch 部署方案")
    assert one.ids('部署 "launch plan"') == [near]
    assert set(one.ids('launch "部署方案"')) == {near, far}
    assert one.ids('launch "方案部署"') == []


def test_spans_stand_where_the_letters_are(one: Searching) -> None:
    add(one, "我们在东京和京都")
    (hit,) = one.find("京都").hits
    assert [hit.text[span.start : span.end] for span in hit.spans] == ["京都"]
    assert hit.explanation.matched == ("京都",)


def test_needles_are_capped_and_the_answer_says_so(one: Searching) -> None:
    query = " ".join(chr(0x4E00 + n) * 2 + chr(0x5000 + n) for n in range(60))
    wanted, cut = needles(parse(query))
    assert cut
    assert sum(needle.weight for needle in wanted) <= MAX_NEEDLES
    assert f"{MAX_NEEDLES} pieces" in one.find(query).degraded
    assert not needles(parse("用" * 20_000))[1]


LETTERS = st.text(alphabet="用户身份设备清", min_size=1, max_size=8)


@settings(deadline=None, max_examples=60)
@given(LETTERS, LETTERS)
def test_the_table_and_the_text_agree(lasting: Searching, stored: str, query: str) -> None:
    """What SQL finds by LIKE is what `occurrences` marks in the text."""
    (frame_id,) = add(lasting, f"x {stored} y")

    def found(tx: MindTransaction) -> bool:
        lane = cjk_lane(lane_query(tx.connection, parse(query), Scope(()), limit=100_000))
        return frame_id in dict(lane.found)

    wanted, _ = needles(parse(query))
    assert lasting.read(found) == any(occurrences(needle, stored) for needle in wanted)
