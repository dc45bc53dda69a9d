"""The library searches as the app does: by meaning where there are vectors and a model, else by words with the reason.

Covers: meaning.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.samples.encoders import WordEncoder

from hivemind.domain.search import Mode, Recipe
from hivemind.errors import Cancelled, EmbedderUnavailable
from hivemind.library import OpenMind, open_mind
from hivemind.library.calls import read
from hivemind.library.meaning import bundled_finder
from hivemind.mind.usage import UsageStore


@pytest.fixture
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture
def mind(tmp_path: Path, encoder: WordEncoder) -> Iterator[OpenMind]:
    with open_mind(tmp_path / "work.mind", find_encoder=encoder.find) as opened:
        yield opened


def used(mind: OpenMind) -> int:
    return read(mind._mind, lambda tx: UsageStore(tx.connection, tx.now).of_month("onnx"))


def test_a_paraphrase_is_found_once_there_are_vectors(mind: OpenMind, encoder: WordEncoder) -> None:
    ferry = mind.save("The ferry leaves at noon.").frame.id
    mind.save("My doctor is happy.")
    before = mind.search("boat departs midday")
    assert (before.mode, before.hits) == (Mode.KEYWORD, ())
    assert "no memory has been embedded yet" in before.degraded
    assert encoder.starts == 0, "not loaded for a mind without vectors"
    assert mind.embed() == 2
    assert mind.embed() == 0
    found = mind.search("boat departs midday")
    assert (found.mode, found.recipe, found.degraded) == (Mode.HYBRID, Recipe.DEFAULT, "")
    assert found.hits[0].frame.id == ferry
    assert found.hits[0].explanation.late is not None
    assert mind.search("boat", mode="keyword").mode is Mode.KEYWORD
    assert encoder.queries == 1
    assert encoder.starts == 1


def test_it_closes_the_model_and_counts_what_was_asked(tmp_path: Path, encoder: WordEncoder) -> None:
    with open_mind(tmp_path / "work.mind", find_encoder=encoder.find) as mind:
        mind.save("The ferry leaves at noon.")
        mind.embed()
        for query in ("boat", "ship", "noon", "boat"):
            mind.search(query)
    assert encoder.closed
    mind.close()
    for call in (lambda: mind.search("boat"), mind.embed):
        with pytest.raises(Cancelled):
            call()
    with open_mind(tmp_path / "work.mind", find_encoder=encoder.find) as again:
        assert used(again) == 4, "one text and three queries"


def test_without_a_model_words_answer_with_the_reason(tmp_path: Path, encoder: WordEncoder) -> None:
    with open_mind(tmp_path / "work.mind", find_encoder=encoder.find) as mind:
        mind.save("The ferry leaves at noon.")
        mind.embed()
    broken = WordEncoder()
    broken.broken = EmbedderUnavailable("The search model was not built")
    with open_mind(tmp_path / "work.mind", find_encoder=broken.find) as mind:
        found = mind.search("ferry")
        assert (found.mode, len(found.hits)) == (Mode.KEYWORD, 1)
        assert found.degraded.startswith("Searched by words only: the search model was not built.")
        mind.save("A car.")
        with pytest.raises(EmbedderUnavailable, match="not built"):
            mind.embed()


def test_another_model_does_not_mix_its_vectors_in(tmp_path: Path, encoder: WordEncoder) -> None:
    with open_mind(tmp_path / "work.mind", find_encoder=encoder.find) as mind:
        mind.save("The ferry leaves at noon.")
        mind.embed()
    other = WordEncoder("other")
    with open_mind(tmp_path / "work.mind", find_encoder=other.find) as mind:
        mind.save("A car.")
        with pytest.raises(EmbedderUnavailable, match="another model"):
            mind.embed()
        found = mind.search("ferry")
        assert found.mode is Mode.KEYWORD
        assert "embedded by another model" in found.degraded
        assert other.texts == []


def test_it_works_inside_a_running_loop_and_from_several_threads(mind: OpenMind) -> None:
    ferry = mind.save("The ferry leaves at noon.").frame.id
    mind.embed()

    async def inside() -> int:
        return mind.search("boat").hits[0].frame.id

    assert asyncio.run(inside()) == ferry
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(mind.search("boat").hits[0].frame.id)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [ferry] * 8


def test_switched_off_by_the_environment(tmp_path: Path) -> None:
    assert os.environ["HIVE_MIND_EMBEDDER_DIR"] == "none"
    with pytest.raises(EmbedderUnavailable, match="switched off"):
        bundled_finder()()


_SCRIPT = """
import sys, hivemind
mind = hivemind.open_mind(sys.argv[1])
for text in ("The ferry to the island leaves at noon.", "My cat sleeps on the sofa.", "Rent is due on Friday."):
    mind.save(text)
assert mind.embed() == 3
found = mind.search("when does the boat depart")
print(found.mode, found.hits[0].text, flush=True)
if sys.argv[2] == "close":
    mind.close()
"""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("end", ["close", "leave"])
def test_the_bundled_model_in_a_program_of_its_own(end: str, tmp_path: Path, search_model: Path) -> None:
    root = Path(__file__).parents[3]
    environment = {
        **os.environ,
        "HIVE_MIND_EMBEDDER_DIR": str(search_model),
        "PYTHONPATH": str(root / "core"),
        "HIVE_MIND_DATA_DIR": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, tmp_path / "work.mind", end],
        env=environment, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == "hybrid The ferry to the island leaves at noon."
