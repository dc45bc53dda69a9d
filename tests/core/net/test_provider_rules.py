"""No provider without a recorder, no network outside the client: both hold here, and planted violations are seen."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.core.net.provider_rules import network_outside_the_client, provider_names, providers_without_recorder
from tests.house_rules import NETWORK
from tests.source_tree import CORE, ROOT

HEAD = "from hivemind.domain.calls import CallRecorder\nfrom dataclasses import dataclass\n"

PLANTED = {
    "no constructor": "class HostedEmbedder:\n    pass\n",
    "no parameter": "class HostedEmbedder:\n    def __init__(self, url: str) -> None: ...\n",
    "not annotated": "class HostedEmbedder:\n    def __init__(self, recorder) -> None: ...\n",
    "another type": "class HostedEmbedder:\n    def __init__(self, recorder: object) -> None: ...\n",
    "may be None": "class HostedEmbedder:\n    def __init__(self, recorder: CallRecorder | None) -> None: ...\n",
    "optional": "class HostedEmbedder:\n    def __init__(self, recorder: Optional[CallRecorder]) -> None: ...\n",
    "default": "class HostedEmbedder:\n    def __init__(self, url: str, recorder: CallRecorder = NONE) -> None: ...\n",
    "keyword default": "class HostedEmbedder:\n    def __init__(self, *, recorder: CallRecorder = NONE) -> None: ...\n",
    "overridden": (
        "class Good:\n    def __init__(self, recorder: CallRecorder) -> None: ...\n"
        "class HostedEmbedder(Good):\n    def __init__(self) -> None: ...\n"
    ),
    "parent without": "class Plain:\n    def __init__(self) -> None: ...\nclass HostedEmbedder(Plain):\n    pass\n",
    "dataclass default": "@dataclass\nclass HostedEmbedder:\n    recorder: CallRecorder = NONE\n",
    "dataclass without": "@dataclass(frozen=True)\nclass HostedEmbedder:\n    url: str\n",
    "inside a function": "def make():\n    class HostedEmbedder:\n        pass\n",
    "child of a protocol": (
        "class Encoder(Protocol):\n    def __init__(self, recorder: CallRecorder) -> None: ...\n"
        "class HostedEmbedder(Encoder):\n    pass\n"
    ),
}

ALLOWED = {
    "parameter": "class HostedEmbedder:\n    def __init__(self, url: str, recorder: CallRecorder, n: int = 3): ...\n",
    "keyword": "class HostedEmbedder:\n    def __init__(self, *, recorder: CallRecorder, n: int = 3) -> None: ...\n",
    "string": "class HostedEmbedder:\n    def __init__(self, recorder: 'CallRecorder') -> None: ...\n",
    "dotted": "class HostedEmbedder:\n    def __init__(self, recorder: calls.CallRecorder) -> None: ...\n",
    "inherited": (
        "class Good:\n    def __init__(self, recorder: CallRecorder) -> None: ...\n"
        "class HostedEmbedder(Good):\n    pass\n"
    ),
    "dataclass": "@dataclass(frozen=True)\nclass HostedEmbedder:\n    recorder: CallRecorder\n    url: str = ''\n",
    "protocol": "class HostedEmbedder(Protocol):\n    def encode(self, text: str) -> bytes: ...\n",
    "another name": "class Tokenizer:\n    pass\n",
}


def plant(root: Path, path: str, text: str) -> None:
    place = root / CORE / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(HEAD + text, encoding="utf-8")


def test_every_provider_takes_a_recorder() -> None:
    assert providers_without_recorder(ROOT) == []
    assert {"Client", "Embedder"} <= provider_names(ROOT)


@pytest.mark.parametrize("room", ["embeddings", "llm", "net"])
@pytest.mark.parametrize("case", PLANTED)
def test_a_provider_without_recorder_is_seen(case: str, room: str, tmp_path: Path) -> None:
    plant(tmp_path, f"{room}/planted.py", PLANTED[case])
    assert [line.rsplit(": ", 1)[1] for line in providers_without_recorder(tmp_path)] == ["HostedEmbedder"]


@pytest.mark.parametrize("name", ["HostedEmbedder", "ChatProvider", "HttpClient"])
def test_every_provider_name_is_judged(name: str, tmp_path: Path) -> None:
    plant(tmp_path, "llm/planted.py", f"class {name}:\n    pass\n")
    assert len(providers_without_recorder(tmp_path)) == 1


@pytest.mark.parametrize("case", ALLOWED)
def test_a_provider_with_recorder_passes(case: str, tmp_path: Path) -> None:
    plant(tmp_path, "llm/planted.py", ALLOWED[case])
    assert providers_without_recorder(tmp_path) == []


def test_parents_in_another_module_count(tmp_path: Path) -> None:
    plant(tmp_path, "llm/roots.py", "class Good:\n    def __init__(self, recorder: CallRecorder) -> None: ...\n")
    plant(tmp_path, "llm/chat.py", "from hivemind.llm.roots import Good\nclass ChatProvider(Good):\n    pass\n")
    assert providers_without_recorder(tmp_path) == []


def test_the_net_room_touches_no_network_outside_its_client() -> None:
    assert network_outside_the_client(ROOT) == []


@pytest.mark.parametrize("name", sorted(NETWORK))
def test_a_network_import_beside_the_client_is_seen(name: str, tmp_path: Path) -> None:
    plant(tmp_path, "net/planted.py", f"def late():\n    import {name}\n")
    assert len(network_outside_the_client(tmp_path)) == 1


def test_a_connection_beside_the_client_is_seen(tmp_path: Path) -> None:
    plant(tmp_path, "net/ledger.py", "import asyncio\nasync def go():\n    await asyncio.open_connection('a', 1)\n")
    assert len(network_outside_the_client(tmp_path)) == 1


def test_the_client_itself_may(tmp_path: Path) -> None:
    plant(tmp_path, "net/client.py", "import httpx\n")
    assert network_outside_the_client(tmp_path) == []
