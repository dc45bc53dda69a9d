"""Every text is readable and every control visible in both schemes; entity colours stay apart for everyone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from hivemind_desktop.theme.contrast import RULES, Vision, distance, failures, luminance, ratio
from hivemind_desktop.theme.tokens import DARK, ENTITY, LIGHT, ON_ENTITY, Colors


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_every_pair_keeps_its_ratio(colors: Colors) -> None:
    assert failures(colors) == []


def test_a_token_that_drops_is_named() -> None:
    found = failures(replace(LIGHT, text_faint="#AAAAAA"))
    assert any(line.startswith("text_faint on canvas") for line in found)


def test_ratio_agrees_with_the_known_ends() -> None:
    assert ratio("#000000", "#FFFFFF") == pytest.approx(21)
    assert ratio("#777777", "#777777") == 1
    assert luminance("#FFFFFF") == pytest.approx(1)
    assert ratio("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


def test_every_ink_has_a_rule() -> None:
    inks = {
        "text",
        "text_soft",
        "text_faint",
        "honey_text",
        "on_honey",
        "honey_edge",
        "edge",
        "ok",
        "warn",
        "danger",
        "info",
    }
    assert {rule.ink for rule in RULES} == inks


def test_entity_colours_show_on_both_canvases_and_under_their_icon() -> None:
    for look in ENTITY.values():
        assert min(ratio(look.color, ground) for ground in (LIGHT.canvas, DARK.canvas, ON_ENTITY)) >= 3


@pytest.mark.parametrize(("vision", "least"), [("typical", 10.7), ("protan", 7.7), ("deutan", 7.8), ("tritan", 8.1)])
def test_entity_colours_stay_apart(vision: Vision, least: float) -> None:
    pairs = combinations([look.color for look in ENTITY.values()], 2)
    assert min(distance(one, other, vision) for one, other in pairs) >= least
