"""Two rules for what reaches out or calls models, as functions over a tree, so that tests can plant against them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house_rules import NETWORK, NETWORK_CALLS
from tests.source_tree import CORE, Source, base_name, calls, classes, imports_any, sources

ROOMS = ("hivemind.embeddings", "hivemind.llm", "hivemind.net")
PROVIDER_NAMES = ("Embedder", "Provider", "Client")
#: A recorder, or the place whose recorder it is: `EmbeddingPlace.recorder` has no default.
RECORDERS = ("CallRecorder", "EmbeddingPlace")
#: The one module of the net room that may hold a connection.
CLIENT_MODULE = "hivemind.net.client"


def providers_without_recorder(root: Path) -> list[str]:
    """Every Embedder, Provider or Client in the three rooms must be given a CallRecorder when it is made.

    Given means: `__init__` (or a dataclass field) has a parameter annotated exactly `CallRecorder`, without a
    default. A Protocol cannot be made, so it needs none; a subclass without `__init__` is judged by its parents.
    """
    everything = [source for source in sources(root, CORE) if source.within(*ROOMS)]
    known = {node.name: node for source in everything for node in classes(source)}
    return [
        f"{source.path}:{node.lineno}: {node.name}"
        for source in everything
        for node in classes(source)
        if node.name.endswith(PROVIDER_NAMES) and not _is_protocol(node) and not _takes_recorder(node, known)
    ]


def network_outside_the_client(root: Path) -> list[str]:
    """Within the net room only its client module touches the network; ledger and protocol never do."""
    found = []
    for source in sources(root, CORE):
        if source.within("hivemind.net") and not source.within(CLIENT_MODULE):
            found += [f"{source.path}:{one.line}: {one.target}" for one in imports_any(source, NETWORK)]
            found += [f"{source.path}:{call.lineno}: {name}" for name, call in calls(source) if name in NETWORK_CALLS]
    return found


def provider_names(root: Path) -> set[str]:
    """The classes the first rule judges."""
    return {node.name for node in _providers(sources(root, CORE))}


def _providers(among: Iterator[Source]) -> Iterator[ast.ClassDef]:
    for source in among:
        if source.within(*ROOMS):
            yield from (node for node in classes(source) if node.name.endswith(PROVIDER_NAMES))


def _is_protocol(node: ast.ClassDef) -> bool:
    return any(base_name(base) == "Protocol" for base in node.bases)


def _takes_recorder(node: ast.ClassDef, known: dict[str, ast.ClassDef], seen: tuple[str, ...] = ()) -> bool:
    own = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    if own:
        return _has_required_recorder(own[0].args)
    if any(base_name(one.func if isinstance(one, ast.Call) else one) == "dataclass" for one in node.decorator_list):
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
        if any(one.value is None and _is_recorder(one.annotation) for one in fields):
            return True
    parents = [known[name] for name in map(base_name, node.bases) if name in known and name not in seen]
    return any(_takes_recorder(parent, known, (*seen, node.name)) for parent in parents if not _is_protocol(parent))


def _has_required_recorder(arguments: ast.arguments) -> bool:
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    required += [
        one for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None
    ]
    return any(one.annotation is not None and _is_recorder(one.annotation) for one in required)


def _is_recorder(annotation: ast.expr) -> bool:
    if isinstance(annotation, ast.Constant):
        return annotation.value in RECORDERS
    return not isinstance(annotation, ast.Subscript) and base_name(annotation) in RECORDERS
