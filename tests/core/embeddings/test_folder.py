"""Which folder serves, and how one that cannot is refused before anything is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.samples.models import write_model

from hivemind.embeddings import find_model, read_folder
from hivemind.embeddings.folder import VARIABLE
from hivemind.errors import EmbedderUnavailable


def test_environment_before_settings_before_bundled(tmp_path: Path) -> None:
    one, two, three = (write_model(tmp_path / name) for name in ("one", "two", "three"))
    assert find_model(str(two), {VARIABLE: str(one)}, three).source == "environment"
    assert find_model(str(two), {VARIABLE: " "}, three).path == two
    assert find_model(" ", {}, three).source == "bundled"


def test_a_named_folder_that_fails_is_not_replaced(tmp_path: Path) -> None:
    bundled = write_model(tmp_path / "bundled")
    for words in ({"chosen": str(tmp_path / "gone")}, {"environment": {VARIABLE: str(tmp_path / "gone")}}):
        with pytest.raises(EmbedderUnavailable) as caught:
            find_model(**({"environment": {}, "bundled": bundled} | words))
        assert str(tmp_path / "gone") in caught.value.hint
        assert "by keyword" in caught.value.hint


def test_without_a_built_model_the_hint_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="not built") as caught:
        find_model("", {}, tmp_path / "none")
    assert "make run" in caught.value.hint


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "embedder.json"])
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    (folder / name).unlink()
    with pytest.raises(EmbedderUnavailable, match=name):
        read_folder(folder, "settings")


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ({"pooling": "max"}, "pooling"),
        ({"pooling": None}, "pools"),
        ({"pooling": 3}, "not text"),
        ({"max_tokens": "many"}, "whole number"),
        ({"max_tokens": True}, "whole number"),
        ({"max_tokens": 3}, "too small"),
        ({"outputs": ["x"]}, "outputs"),
        ({"query_prefix": ["x"]}, "not text"),
        ({"languages": "en"}, "languages"),
        ({"sha256": ["x"]}, "sha256"),
    ],
)
def test_a_card_that_makes_no_sense_is_refused(card: dict[str, Any], said: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path, **card)
    with pytest.raises(EmbedderUnavailable, match=said):
        read_folder(folder, "settings")


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00"])
def test_a_card_that_is_no_json_object_is_refused(text: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    (folder / "embedder.json").write_text(text)
    with pytest.raises(EmbedderUnavailable, match=r"embedder\.json"):
        read_folder(folder, "settings")


def pooling_file(folder: Path, **modes: bool) -> None:
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 24, **modes}))


@pytest.mark.parametrize(("mode", "pooling"), [("pooling_mode_cls_token", "cls"), ("pooling_mode_mean_tokens", "mean")])
def test_pooling_is_read_from_its_own_file(mode: str, pooling: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path, pooling=None)
    pooling_file(folder, **{mode: True, "pooling_mode_max_tokens": False})
    assert read_folder(folder, "settings").card.pooling == pooling


@pytest.mark.parametrize(
    "modes",
    [{"pooling_mode_max_tokens": True}, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, {}],
)
def test_other_poolings_are_refused(modes: dict[str, bool], tmp_path: Path) -> None:
    folder = write_model(tmp_path, pooling=None)
    pooling_file(folder, **modes)
    with pytest.raises(EmbedderUnavailable, match="pooling"):
        read_folder(folder, "settings")


def test_a_named_pooled_output_needs_no_pooling(tmp_path: Path) -> None:
    card = read_folder(write_model(tmp_path, pooling=None, outputs={"pooled": "sentence"}), "settings").card
    assert (card.pooling, card.pooled) == ("in_graph", "sentence")


def test_defaults(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "small", name=None, max_tokens=None)
    card = read_folder(folder, "settings").card
    assert (card.name, card.max_tokens, card.normalise, card.query_prefix) == ("small", 256, True, "")


def test_importing_the_room_loads_no_runtime() -> None:
    script = "import sys, hivemind.embeddings; print({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    core = Path(__file__).resolve().parents[3] / "core"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=core)
    assert done.stdout.strip() == "set()"
