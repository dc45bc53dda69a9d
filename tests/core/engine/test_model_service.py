"""Which model is in force: tried before it is chosen, refused with the hint, gone back from; questions are timed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.engine.conftest import Driver
from tests.core.engine.embedding_driver import Meaning
from tests.samples.encoders import WordEncoder
from tests.samples.models import write_model

from hivemind.domain.minds import ModelSource
from hivemind.embeddings.folder import VARIABLE
from hivemind.errors import EmbedderUnavailable, NotAllowed
from hivemind.settings import load_settings


def test_a_folder_is_probed_then_chosen_then_left(
    driver: Driver, search_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    other = write_model(tmp_path / "other", name="tiny")
    models = driver.engine.models
    assert driver.run(lambda _: models.place()).source is ModelSource.BUNDLED
    facts = driver.run(lambda _: models.choose(other))
    assert (facts.id, facts.dim) == ("tiny", 1024)
    place = driver.run(lambda _: models.place())
    assert (place.source, place.path) == (ModelSource.SETTINGS, str(other))
    assert driver.run(lambda engine: engine.embedding.embedder())[0].id == "tiny"
    assert driver.run(lambda _: models.choose(None)).model_dim == 384
    assert load_settings(driver.engine.data.settings_file).embedder_dir == ""


def test_a_folder_that_does_not_pass_changes_nothing(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbedderUnavailable, match=r"model.onnx is missing"):
        driver.run(lambda engine: engine.models.choose(tmp_path / "empty"))
    assert driver.run(lambda engine: engine.models.place()).source is ModelSource.BUNDLED


def test_the_environment_goes_before_any_choice(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert driver.run(lambda engine: engine.models.place()).source is ModelSource.ENVIRONMENT
    with pytest.raises(NotAllowed, match="environment"):
        driver.run(lambda engine: engine.models.choose(None))
    monkeypatch.setenv(VARIABLE, "none")
    assert driver.run(lambda engine: engine.models.place()).source is ModelSource.OFF


def test_questions_are_timed(tmp_path: Path) -> None:
    meaning = Meaning(tmp_path / "data", WordEncoder("same"))
    try:
        meaning.save("the ferry leaves")
        meaning.embedded()
        assert (meaning.facts().queries, meaning.facts().query_seconds) == (0, 0.0)
        meaning.nearest("boat")
        facts = meaning.facts()
        assert facts.queries == 1
        assert facts.query_seconds > 0
    finally:
        meaning.close()
