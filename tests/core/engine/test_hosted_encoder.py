"""Search by meaning with a service: agreed to first, gone, back, changed for another; nothing is sent unasked.

Covers: chosen_encoder.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import keyring
import pytest
from tests.core.credentials.test_store import Drawer
from tests.core.embedding_server import EmbeddingServer

from hivemind.domain.chat import Endpoint, Vendor
from hivemind.domain.minds import EmbeddingFacts, ModelSource, QueueState
from hivemind.domain.search import Mode, SearchRequest, SearchResult
from hivemind.embeddings.folder import VARIABLE
from hivemind.engine import Engine, encoder_access
from hivemind.engine.unrecorded import unrecorded_requests
from hivemind.errors import EmbedderUnavailable, InvalidValue, NotAllowed, NotFound
from hivemind.gateway import list_interactions
from hivemind.settings import load_settings

CANARY = "sk-canary-embedding-55"


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    one = Drawer()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


class House:
    """An engine with one service set up, on a loop of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.runner = asyncio.Runner()
        self.server = self.run(EmbeddingServer(width=384).start())
        self.engine = self.opened()

    def opened(self) -> Engine:
        engine = Engine(self.data)
        self.run(engine.open())
        self.run(engine.providers.add(self.endpoint))
        self.run(engine.providers.set_key("lab", CANARY, keep=False))
        return engine

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint("lab", "Lab", self.server.url, local=True)

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(asyncio.wait_for(work, 60))

    def choose(self, model: str = "small") -> Any:
        models = self.engine.models
        return self.run(models.choose_hosted("lab", model, self.run(models.plan_hosted("lab", model))))

    def save(self, *texts: str, workspace: str = "personal") -> list[int]:
        return [self.run(self.engine.memory.save(text, workspace)).frame.id for text in texts]

    def search(self, query: str) -> SearchResult:
        return self.run(self.engine.memory.search(SearchRequest(query, limit=3)))

    def until(self, true: Callable[[EmbeddingFacts], bool], workspace: str = "personal") -> EmbeddingFacts:
        async def wait() -> EmbeddingFacts:
            while not true(facts := await self.engine.embedding.facts(workspace)):
                await asyncio.sleep(0.02)
            return facts

        return self.run(wait())

    def embedded(self, workspace: str = "personal") -> EmbeddingFacts:
        return self.until(lambda f: f.frames == f.embedded > 0 and f.state is QueueState.IDLE, workspace)

    def logged(self, workspace: str = "personal") -> list[tuple[str, str]]:
        mind = self.run(self.engine.minds.get(workspace))
        found = self.run(mind.read(lambda tx: list_interactions(tx.connection)))
        return [(one.state, one.workspace_id or "") for one in found if one.kind == "embedding"]

    def close(self) -> None:
        self.run(self.engine.close())
        self.run(self.server.stop())
        self.runner.close()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(encoder_access, "_AGAIN", 0.3)
    made = House(tmp_path / "data")
    yield made
    made.close()


def test_saved_found_by_meaning_service_gone_back_and_caught_up(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    facts = house.choose()
    assert (facts.id, facts.dim, facts.model_dim, facts.mode) == ("lab/small", 1024, 384, "lab")
    ferry, _ = house.save("The ferry leaves at noon.", "My doctor is happy.")
    house.embedded()
    found = house.search("boat departs midday")
    assert (found.mode, _id(found.hits[0])) == (Mode.HYBRID, ferry)

    house.run(house.server.stop())
    (late,) = house.save("A glad physician drove an automobile.")
    gone = house.search("happy doctor car")
    assert gone.mode is Mode.KEYWORD
    assert "127.0.0.1" in gone.degraded and "cannot be reached" in gone.degraded
    waiting = house.until(lambda f: f.state is QueueState.UNAVAILABLE)
    assert waiting.pending == 1
    assert "cannot be reached" in waiting.reason

    house.run(house.server.start())
    house.embedded()
    again = house.search("happy doctor car")
    assert again.mode is Mode.HYBRID
    assert again.degraded.startswith("The model gives one vector for a whole text"), "the fallback recipe is told"
    assert late in [_id(hit) for hit in again.hits[:2]]

    states = house.logged()
    assert {state for state, _ in states} == {"finished", "failed"}
    assert {workspace for _, workspace in states} == {"personal"}
    [place] = house.run(house.engine.privacy.destinations())
    assert (place.feature, place.host) == ("embedding", f"127.0.0.1:{house.server.port}")
    assert place.calls == len(states)
    install = house.engine._install
    assert install is not None
    assert house.run(unrecorded_requests(house.engine._context, install)) == ([], True)
    usage = "SELECT provider, sum(count) FROM embedding_usage GROUP BY 1"
    mind = house.run(house.engine.minds.get("personal"))
    house.run(house.engine.embedding._settle())
    assert house.run(mind.read(lambda tx: tx.connection.execute(usage).fetchall())) == [("lab", 3 + 2)]
    assert f"Bearer {CANARY}".encode() in house.server.heads[0]
    assert CANARY not in caplog.text and "ferry" not in caplog.text
    assert [file.name for file in tmp_path.rglob("*") if file.is_file() and CANARY.encode() in file.read_bytes()] == []


def _id(hit: Any) -> int:
    return int(hit.frame.id)


def test_nothing_is_sent_before_a_person_has_agreed(house: House) -> None:
    house.save("The ferry leaves at noon.")
    house.run(house.engine.workspaces.create("Garden"))
    house.save("A lemon tree.", "A pear tree.", workspace="garden")
    models = house.engine.models
    plan = house.run(models.plan_hosted("lab", " small "))
    assert (plan.label, plan.model, plan.host) == ("Lab", "small", f"127.0.0.1:{house.server.port}")
    assert (plan.memories, plan.minds, plan.local) == (3, 2, True)
    assert house.run(models.place()).source is ModelSource.BUNDLED
    for agreed in (replace(plan, address="http://127.0.0.1:9/v1"), replace(plan, model="big")):
        with pytest.raises(NotAllowed, match="agreed"):
            house.run(models.choose_hosted("lab", "small", agreed))
    assert house.server.bodies == []
    with pytest.raises(NotFound):
        house.run(models.plan_hosted("nobody", "small"))
    for name in ("", "a\nb", "x" * 300):
        with pytest.raises(InvalidValue):
            house.run(models.plan_hosted("lab", name))
    house.run(house.engine.providers.add(replace(house.endpoint, name="claude", vendor=Vendor.ANTHROPIC)))
    with pytest.raises(InvalidValue, match="makes no vectors"):
        house.run(models.plan_hosted("claude", "any"))


def test_calls_are_in_the_log_of_the_mind_whose_memories_they_carry(house: House) -> None:
    house.choose()
    house.run(house.engine.workspaces.create("Garden"))
    house.save("A lemon tree.", workspace="garden")
    house.embedded("garden")
    request = SearchRequest("lemon", minds=("garden",))
    assert house.run(house.engine.memory.search(request)).mode is Mode.HYBRID
    assert house.logged("garden") == [("finished", "garden")] * 2
    assert {workspace for _, workspace in house.logged()} == {"personal"}
    sent_for_personal = house.server.texts[: len(house.logged())]
    assert set(sent_for_personal) == {"The ferry leaves at noon."}, "nothing but the sentence that tries it"


def test_an_address_that_was_changed_afterwards_gets_nothing(house: House, drawer: Drawer) -> None:
    house.choose()
    other = house.run(EmbeddingServer(width=384).start())
    house.run(house.engine.providers.add(replace(house.endpoint, base_url=other.url)))
    house.run(house.engine.embedding.renew())
    house.save("The ferry leaves at noon.")
    facts = house.until(lambda f: f.state is QueueState.UNAVAILABLE)
    assert "Lab has another address now" in facts.reason
    assert other.bodies == []
    house.run(house.engine.providers.remove("lab"))
    _, problem = house.run(house.engine.embedding.renew())
    assert problem is not None and "not set up" in problem.title
    house.run(other.stop())


def test_another_model_waits_for_the_person_and_back_to_the_bundled_one(house: House, search_model: Path) -> None:
    house.choose()
    house.save("The ferry leaves at noon.")
    house.embedded()
    assert house.run(house.engine.models.place()).source is ModelSource.SERVICE
    house.choose("big")
    house.save("A pear tree.")
    facts = house.until(lambda f: f.state is QueueState.OTHER_MODEL)
    assert facts.stored_model == "lab/small"
    assert house.search("boat").mode is Mode.KEYWORD
    house.run(house.engine.embedding.reembed("personal"))
    house.until(lambda f: f.stored_model == "lab/big" and f.embedded == 2)
    assert house.search("boat").mode is Mode.HYBRID
    sent = len(house.server.bodies)
    assert house.run(house.engine.models.choose(None)).model_dim == 384
    settings = load_settings(house.engine.data.settings_file)
    assert (settings.embedder_service, settings.embedder_model, settings.embedder_address) == ("", "", "")
    house.save("A plum tree.")
    house.until(lambda f: f.state is QueueState.OTHER_MODEL)
    assert len(house.server.bodies) == sent


def test_a_service_that_does_not_pass_changes_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.server.width = 4096
    with pytest.raises(EmbedderUnavailable, match="4,096 numbers"):
        house.choose()
    house.run(house.server.stop())
    with pytest.raises(EmbedderUnavailable, match="cannot be reached"):
        house.choose()
    assert house.run(house.engine.models.place()).source is ModelSource.BUNDLED
    monkeypatch.setenv(VARIABLE, "none")
    with pytest.raises(NotAllowed, match="environment"):
        house.choose()


def test_it_is_still_chosen_after_a_restart(house: House) -> None:
    house.choose()
    house.save("The ferry leaves at noon.")
    house.embedded()
    house.run(house.engine.close())
    house.engine = house.opened()
    assert house.search("boat departs").mode is Mode.HYBRID


def test_a_question_that_fails_is_answered_by_words_and_the_next_does_not_wait(house: House) -> None:
    house.choose()
    house.save("The ferry leaves at noon.")
    house.embedded()
    house.run(house.server.stop())
    assert house.search("ferry").mode is Mode.KEYWORD
    assert house.engine.embedding._access.ready is None
    failed = [state for state, _ in house.logged()].count("failed")
    assert failed == 1
    assert [_id(hit) for hit in house.search("ferry").hits] == [1]


def test_what_fails_again_and_again_is_tried_less_often_until_it_is_renewed() -> None:
    def find() -> Any:
        raise EmbedderUnavailable

    async def errand() -> None:
        access = encoder_access.EncoderAccess(find)
        waits = []
        for _ in range(7):
            access._failed_at = -1e9
            with pytest.raises(EmbedderUnavailable):
                await access.get()
            waits.append(access._rest)
        assert waits == [60.0, 120.0, 240.0, 480.0, 900.0, 900.0, 900.0]
        await access.renew()
        with pytest.raises(EmbedderUnavailable):
            await access.get()
        assert access._rest == 60.0

    asyncio.run(errand())
