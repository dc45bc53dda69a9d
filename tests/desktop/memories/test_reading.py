"""Search and reading with meaning in the real window: the answer grows in place, figures are those of the command line.

Covers: reading, searching, listing, lines, reasons.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from tests.core.search.conftest import SearchEncoder
from tests.desktop.window_driver import WindowDriver, drive

from hivemind.domain.search import Mode
from hivemind.engine import Engine
from hivemind.sidecar.door import run
from hivemind_desktop.bridge import EngineSignals
from hivemind_desktop.widgets.page import Target

HERE = "personal"


def with_words(data_dir: Path, signals: EngineSignals) -> Engine:
    """An engine whose encoder is the tests' own."""
    engine = Engine(data_dir, find_encoder=SearchEncoder().find)
    engine.events.subscribe(signals.publish)
    return engine


async def save(driver: WindowDriver, *texts: str) -> list[int]:
    call = driver.app.client.call
    return [(await call(lambda e, text=text: e.memory.save(text, HERE))).frame.id for text in texts]  # type: ignore[misc]


async def embedded(driver: WindowDriver) -> None:
    while True:
        facts = await driver.app.client.call(lambda engine: engine.embedding.facts(HERE))
        if facts.frames and facts.embedded == facts.frames:
            return
        await driver.until(lambda: True)


def words_of(widget: Any) -> list[str]:
    return [each.text() for each in widget.findChildren(QLabel)]


def test_meaning_comes_in_place_and_the_chosen_row_stays(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        texts = [f"A heron number {n}, seen beside lake {n}" for n in range(30)]
        ids = await save(driver, *texts, "Lake birds fish at dawn heron heron")
        await embedded(driver)
        page = driver.memories_controller
        await driver.show("memories")
        await driver.until(lambda: driver.memories.stack.state == "data")
        shown: list[tuple[str, list[int]]] = []
        place: list[tuple[int, int]] = []
        view, known = driver.memories.list, page.flow._show

        def watch(result: Any, how: str) -> None:
            if how == "merge":
                view.setCurrentIndex(view.model().index(4, 0))
                place.append((view.chosen_id() or 0, view.visualRect(view.currentIndex()).top()))
            known(result, how)
            shown.append((str(result.mode), [driver.memories.model.id_at(row) for row in range(view.count())]))

        page.flow._show = watch  # type: ignore[method-assign]
        page.put_line("heron beside lake")
        await driver.until(lambda: len(shown) == 2)
        assert [mode for mode, _ in shown] == [Mode.KEYWORD, Mode.HYBRID]
        chosen, top = place[0]
        assert view.chosen_id() == chosen
        assert view.visualRect(view.currentIndex()).top() == top, "the chosen row did not move"
        assert set(shown[1][1]) <= set(ids)
        await driver.until(lambda: driver.memories._mode.accessibleName().startswith("Words and meaning"))
        assert driver.memories._degraded_box.isHidden()

    drive(tmp_path, walk, factory=with_words)


def test_without_a_model_the_badge_says_why_and_what_to_do(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        await save(driver, "A heron in the reeds")
        await driver.search("heron")
        panel = driver.memories
        assert panel._mode.accessibleName().startswith("By words only. Searched by words only")
        assert not panel._degraded_box.isHidden()
        asked: list[str] = []
        driver.app.desk.requested.connect(asked.append)
        panel.settings_asked.emit()
        assert asked == ["go.settings"]

    drive(tmp_path, walk)


@pytest.mark.timeout(170)
def test_the_panel_and_the_command_line_say_the_same(
    tmp_path: Path, search_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same query on the same mind with the bundled model, once in the window and once as `search --explain`."""
    monkeypatch.setenv("HIVE_MIND_EMBEDDER_DIR", str(search_model))
    query = "when does the boat depart"
    seen: dict[str, Any] = {}

    async def walk(driver: WindowDriver) -> None:
        ferry, _, _ = await save(
            driver,
            "The ferry to the island leaves on Friday at noon.",
            "My cat sleeps on the sofa.",
            "Bread needs salt.",
        )
        await embedded(driver)
        await driver.search(query)
        await driver.open_first()
        reasons = driver.memories._reasons
        assert reasons is not None
        seen.update(frame=ferry, reasons=reasons, shown=words_of(driver.memories.why))
        hit = driver.memories_controller.flow.hits[ferry]
        assert driver.memories.model.id_at(0) == hit.frame.id

    drive(tmp_path, walk)
    capsys.readouterr()
    assert run(["--data-dir", str(tmp_path), "--json", "search", "--explain", query]) == 0
    hit = json.loads(capsys.readouterr().out)["hits"][0]
    why, reasons = hit["why"], seen["reasons"]
    assert hit["frame_id"] == seen["frame"]
    # The clock went on between the two, so the age of a memory may differ in the last digit that is shown.
    assert float(reasons.score) == pytest.approx(hit["score"], abs=0.0011)
    assert reasons.matched == ", ".join(why["matched"])
    assert [lane.rank for lane in reasons.lanes if lane.rank] == [f"no. {lane['rank']}" for lane in why["lanes"]]
    assert float(reasons.late) == pytest.approx(why["late"]["score"], abs=0.0006)
    pieces = why["late"]["pieces"][: len(reasons.matches)]
    assert [(one.asked, one.found) for one in reasons.matches] == [(one["query"], one["found"]) for one in pieces]
    for told, one in zip(reasons.matches, pieces, strict=True):
        assert float(told.similarity) == pytest.approx(one["similarity"], abs=0.0051)
        assert bool(told.where) == (one["frame_id"] != seen["frame"])
    assert list(reasons.cues) == why["cues"]
    signals = [one for one in why["signals"] if one["weight"]]
    assert [weight.reason for weight in reasons.weights] == [one["reason"] for one in signals]
    for weight, one in zip(reasons.weights, signals, strict=True):
        assert float(weight.number.removeprefix("×")) == pytest.approx(one["value"], abs=0.0051)
    parts = [float(part.number.replace("\u2212", "-")) for part in reasons.parts]
    for part, one in zip(parts, why["parts"], strict=True):
        assert part == pytest.approx(one["value"], abs=0.0011)
    assert sum(parts) == pytest.approx(float(reasons.score), abs=0.0006 * (len(parts) + 1))
    assert reasons.score in seen["shown"]
    assert all(part.number in seen["shown"] for part in reasons.parts)


def test_why_a_memory_was_not_found(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        heron, kettle = await save(driver, "A heron in the reeds", "A kettle on the stove")
        await driver.search("heron")
        driver.window.show_target(Target("memories", frame_id=kettle))
        page = driver.memories_controller
        await driver.until(lambda: page.detail and page.detail.frame.id == kettle)
        assert "memory.why_not" in page.offers()
        driver.window.perform("memory.why_not")
        await driver.until(lambda: driver.memories._reasons is not None)
        reasons = driver.memories._reasons
        assert reasons is not None
        assert reasons.place == "not found"
        assert "No word of the query" in reasons.sentence
        assert reasons.sentence in reasons.as_text
        page.open_memory(heron)
        await driver.until(lambda: page.detail and page.detail.frame.id == heron)
        assert "memory.why_not" not in page.offers()

    drive(tmp_path, walk)


def test_an_earlier_version_is_read_and_left(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        (first,) = await save(driver, "It stays **90** days")
        second = await driver.app.client.call(lambda e: e.memory.save("It stays **30** days", HERE, amends=first))
        await driver.show("memories")
        page, view = driver.memories_controller, driver.memories.detail.view
        page.open_memory(second.frame.id)
        await driver.until(lambda: view.text.text() == "It stays 30 days")
        view.versions.slider.setValue(0)
        await driver.until(lambda: view.text.text() == "It stays 90 days")
        view.versions._now.click()
        await driver.until(lambda: view.text.text() == "It stays 30 days")

    drive(tmp_path, walk)


def test_a_long_page_comes_in_pieces_and_a_newer_choice_ends_it(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        long = "\n\n".join(f"Paragraph **{n}** of a long memory about herons." for n in range(1_500))
        big, small = await save(driver, long, "A kettle")
        await driver.show("memories")
        page, text = driver.memories_controller, driver.memories.detail.view.text
        page.open_memory(big)
        await driver.until(lambda: "Paragraph 0 " in text.text())
        await driver.until(lambda: "Paragraph 1499 " in text.text())
        page.open_memory(big)
        page.open_memory(small)
        await driver.until(lambda: text.text() == "A kettle")
        await driver.idle()
        assert text.text() == "A kettle"

    drive(tmp_path, walk)


def test_a_filter_alone_lists_and_a_bad_one_is_named(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        heron, _ = await save(driver, "A heron in the reeds", "A kettle on the stove")
        await driver.app.client.call(lambda e: e.memory.set_pinned(HERE, (heron,), True))
        await driver.show("memories")
        page, panel = driver.memories_controller, driver.memories
        page.put_line("pinned:yes")
        await driver.until(lambda: panel.model.rowCount() == 1 and page._shown == ("pinned:yes", False))
        assert panel.model.id_at(0) == heron
        page.put_line("pinned:maybe")
        await driver.until(lambda: not panel._fault.isHidden())
        assert "pinned:" in panel._fault.text()
        assert panel.model.rowCount() == 1, "what is in sight stays"
        page.put_line("pinned:no source:nowhere")
        await driver.until(lambda: panel.found.state == "empty")
        assert panel._fault.isHidden()

    drive(tmp_path, walk)


def test_after_an_undone_correction_the_memory_is_read_as_it_was(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        (first,) = await save(driver, "The ferry leaves at noon")
        await driver.show("memories")
        await driver.until(lambda: driver.memories.stack.state == "data")
        driver.memories_controller.open_memory(first)
        view = driver.memories.detail.view
        await driver.until(lambda: view.text.text().strip() == "The ferry leaves at noon")
        driver.window.perform("memory.edit")
        await driver.until(lambda: driver.memories.detail.is_editing)
        driver.memories.detail.editor.text.setPlainText("The ferry leaves at one")
        driver.memories.detail.editor._try_save()
        await driver.until(lambda: view.text.text().strip() == "The ferry leaves at one")
        await driver.idle()
        driver.window.perform("undo")
        await driver.until(lambda: view.text.text().strip() == "The ferry leaves at noon", "the memory as it was")
        assert driver.memories.list.chosen_id() == first
        await driver.app.client.call(lambda engine: engine.changes.undo(HERE))
        await driver.until(lambda: driver.memories_controller.detail is None, "nothing")

    drive(tmp_path, walk)
