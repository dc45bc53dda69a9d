"""Search & models: measured facts, words only with the reason, pause, embed again after asking, another model tried.

Covers: models, models_control.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from tests.desktop.settings.settings_driver import open_part
from tests.desktop.window_driver import WindowDriver, drive
from tests.samples.encoders import WordEncoder
from tests.samples.models import write_model

from hivemind.domain.minds import EmbedderFacts, EmbeddingFacts, ModelPlace, ModelSource, QueueState
from hivemind.embeddings.folder import VARIABLE
from hivemind.engine import Engine
from hivemind.settings import load_settings
from hivemind_desktop.bridge import EngineSignals
from hivemind_desktop.settings.models import ModelsSection
from hivemind_desktop.settings.models_control import ModelsController
from hivemind_desktop.widgets.dialogs import ErrorDialog
from hivemind_desktop.widgets.figures import number
from hivemind_desktop.widgets.shell import Banner

MODEL = EmbedderFacts("all-MiniLM-L6-v2", "c9745ed1", 1024, 384, ("en",), "onnx")
FACTS = EmbeddingFacts(
    workspace="personal", embedder=MODEL, stored_model="all-MiniLM-L6-v2", building_model="", frames=84_210,
    embedded=41_208, pending=43_002, state=QueueState.RUNNING, reason="", done=41_208, total=84_210,
    texts_per_second=210.4, failed=3, queries=200, query_seconds=0.0124, vector_bytes=185_000_000,
)  # fmt: skip
BUNDLED = ModelPlace(ModelSource.BUNDLED, "/app/models/minilm")


@pytest.fixture
def section(qtbot: QtBot) -> ModelsSection:
    made = ModelsSection()
    qtbot.addWidget(made)
    return made


def banners(section: ModelsSection) -> list[str]:
    trouble = section.trouble
    found = [trouble.itemAt(at).widget() for at in range(trouble.count())]  # type: ignore[union-attr]
    return [each.accessibleName() for each in found if isinstance(each, Banner)]


def test_facts_are_told_as_measured(section: ModelsSection) -> None:
    section.show_facts(FACTS, BUNDLED, "")
    assert section._head.text() == "Search by words and by meaning"
    assert section.by_meaning.full_text() == f"{number(41_208)} of {number(84_210)} memories"
    assert section.model.full_text() == "all-MiniLM-L6-v2"
    assert section.made_for.full_text() == "English, 384-d inside"
    assert section.takes.full_text() == "12.4 ms, median of 200"
    assert section.weight.full_text() == "about 185.0 MB, 1024-d each"
    assert section.progress.full_text() == (
        f"{number(41_208)} of {number(84_210)} memories (48.93 %) · 210 texts a second · about 3 min 24 s left"
        " · 3 could not be embedded"
    )
    assert section._state.accessibleName() == "Running"
    assert banners(section) == []


def test_words_only_says_why_and_what_to_do(section: ModelsSection) -> None:
    nobody = replace(FACTS, embedder=EmbedderFacts("", "", 0, 0, (), "keyword-only"), state=QueueState.IDLE)
    section.show_facts(nobody, BUNDLED, "The search model was not built. Choose a model's folder.")
    assert section._head.text() == "Search by words only"
    assert banners(section) == ["The search model was not built. Choose a model's folder."]
    assert not section.again.isEnabled()
    assert section._state.accessibleName() == "No model"
    other = replace(FACTS, state=QueueState.OTHER_MODEL, reason="The memories were embedded by another model.")
    section.show_facts(other, BUNDLED, "")
    assert section._state.accessibleName() == "Waits: another model"
    section.show_facts(FACTS, ModelPlace(ModelSource.OFF, ""), "")
    assert not section.choose.isEnabled(), "the environment decides"


def test_states_of_the_queue_have_words(section: ModelsSection) -> None:
    for state in QueueState:
        section.show_facts(replace(FACTS, state=state), BUNDLED, "")
        assert section._state.accessibleName()
    section.show_facts(replace(FACTS, state=QueueState.IDLE, embedded=84_210), BUNDLED, "")
    assert section._state.accessibleName() == "Up to date"
    section.show_facts(replace(FACTS, state=QueueState.PAUSED), BUNDLED, "")
    assert section.pause.words() == "Resume"


@pytest.mark.parametrize(("value", "told"), [(0.9, "about the same"), (0.4, "related"), (-0.1, "something else")])
def test_likeness_in_words(section: ModelsSection, value: float, told: str) -> None:
    section.show_likeness(value)
    assert section.likeness.text().endswith(told)


def with_words(data_dir: Path, signals: EngineSignals) -> Engine:
    engine = Engine(data_dir, find_encoder=WordEncoder("words").find)
    engine.events.subscribe(signals.publish)
    return engine


def test_pause_resume_again_and_compare_in_the_window(tmp_path: Path) -> None:
    async def walk(driver: WindowDriver) -> None:
        call = driver.app.client.call
        await call(lambda engine: engine.memory.save("The ferry leaves at noon", "personal"))
        part = await open_part(driver, "models", ModelsController)
        view = part.models
        await driver.until(lambda: view._state.accessibleName() == "Up to date")
        driver.window.perform("embedding.pause")
        await driver.until(lambda: view.pause.words() == "Resume")
        assert (await call(lambda engine: engine.embedding.facts("personal"))).state is QueueState.PAUSED
        view.pause.click()
        await driver.until(lambda: view.pause.words() == "Pause")
        view.compare.click()
        await driver.until(lambda: ":" in view.likeness.text())
        assert view.takes.full_text().startswith(view.takes.full_text())
        await driver.until(lambda: "median of" in view.takes.full_text())
        view.again.click()
        await driver.answer("")
        assert (await call(lambda engine: engine.embedding.facts("personal"))).building_model == ""
        view.again.click()
        await driver.answer("yes")

        async def built() -> bool:
            mind = await driver.app._thread._opening.result().minds.get("personal")  # type: ignore[union-attr]
            return bool(await mind.read(lambda tx: tx.vectors.serving().model_id > 1))

        for _ in range(200):
            if await call(lambda _: built()):
                return
            await asyncio.sleep(0.05)
        raise AssertionError("nothing was embedded again")

    drive(tmp_path, walk, factory=with_words)


def test_another_folder_is_tried_refused_with_the_hint_chosen_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, search_model: Path
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    good, bad = write_model(tmp_path / "good", name="tiny"), tmp_path / "bad"
    bad.mkdir()
    data = tmp_path / "data"

    async def choose(driver: WindowDriver, folder: Path) -> None:
        driver.window.perform("model.choose")
        dialog = next(each for each in driver.window.findChildren(QFileDialog) if each.isVisible())
        dialog.filesSelected.emit([str(folder)])
        dialog.reject()

    async def walk(driver: WindowDriver) -> None:
        part = await open_part(driver, "models", ModelsController)
        await driver.until(lambda: part.models.model.full_text() == "all-MiniLM-L6-v2")
        told: list[BaseException] = []
        part.tasks._on_failure = told.append
        await choose(driver, bad)
        await driver.until(lambda: told)
        assert "model.onnx is missing" in str(told[0])
        assert part.models.model.full_text() == "all-MiniLM-L6-v2"
        await choose(driver, good)
        await driver.until(lambda: part.models.model.full_text() == "tiny")
        assert not part.models.bundled.isHidden()
        part.models.bundled.click()
        await driver.until(lambda: part.models.model.full_text() == "all-MiniLM-L6-v2")
        assert driver.app.desk.settings.embedder_dir == ""
        assert not [each for each in driver.window.findChildren(ErrorDialog) if each.isVisible()]

    drive(data, walk)
    assert load_settings(data / "settings.json").embedder_dir == ""
