"""The tree of a conversation as reading order: the visible thread first, then each alternative as a branch.

Trusts parent links only. Works on ids, so a conversation of any size costs a few small dicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Place(NamedTuple):
    """Where a message stands. `number` is its place in file order; `event_at` its own time or the nearest before it."""

    number: int
    branch: int
    position: int
    event_at: str | None
    parent_number: int | None


def arrange(
    parents: Sequence[tuple[str, str | None]],
    messages: Mapping[str, int],
    times: Sequence[str | None],
    current: str | None,
    began: str | None,
) -> list[Place]:
    """Every message once, in reading order.

    parents: (node, parent) in file order. messages: node → index of its message in file order; nodes without a
    message are absent. times: per index. current: the node the visible thread ends at; when it is unusable, the leaf
    with the latest time, else the last in file order, of those whose thread begins at a root where there are any: a
    segment whose parent is missing is no thread to show first. began: the conversation's own time, for messages that
    know none.
    """
    tree = _Tree(parents, messages, times, began)
    tree.walk(tree.usable(current))
    for leaf in tree.leaves():
        tree.walk(leaf)
    for node in tree.parents:
        # What is left hangs on a circle: no leaf leads there.
        tree.walk(node)
    return tree.places


class _Tree:
    def __init__(
        self,
        parents: Sequence[tuple[str, str | None]],
        messages: Mapping[str, int],
        times: Sequence[str | None],
        began: str | None,
    ) -> None:
        self.parents: dict[str, str | None] = dict(parents)
        self._messages = messages
        self._times = times
        self._began = began
        self.places: list[Place] = []
        self._next_branch = 0
        self._rooted: dict[str, bool] = {}
        # node → (position of the next message below it, time that holds there, nearest message at or above it)
        self._below: dict[str, tuple[int, str | None, int | None]] = {}
        if len(messages) > 1 and not any(parent in self.parents for parent in self.parents.values()):
            # No link holds: then the order of the file is the only thread there is.
            nodes = list(self.parents)
            self.parents = dict(zip(nodes, [None, *nodes], strict=False))

    def leaves(self) -> list[str]:
        """Nodes that are nobody's parent, in the order of their times, unknown ones last, then of the file."""
        inner = set(self.parents.values())
        order = [node for node in self.parents if node not in inner]
        return sorted(order, key=lambda node: (self._time(node) is None, self._time(node) or ""))

    def usable(self, current: str | None) -> str | None:
        """`current` when its thread holds a message, else the latest leaf."""
        if current in self.parents and any(node in self._messages for node in self._up(current)):
            return current
        inner = set(self.parents.values())
        leaves = [node for node in self.parents if node not in inner] or list(self.parents)
        leaves = [leaf for leaf in leaves if self._is_rooted(leaf)] or leaves
        best: str | None = None
        for node in leaves:
            if best is None or (self._time(node) or "") >= (self._time(best) or ""):
                best = node
        return best

    def _is_rooted(self, node: str) -> bool:
        """Whether its ancestors lead to a node that says it has no parent. Each node is looked at once in all."""
        passed: list[str] = []
        at: str | None = node
        while at is not None and at in self.parents and at not in self._rooted:
            self._rooted[at] = False  # what holds for a circle
            passed.append(at)
            at = self.parents[at]
        found = at is None or self._rooted.get(at, False)
        self._rooted.update(dict.fromkeys(passed, found))
        return found

    def _time(self, node: str) -> str | None:
        index = self._messages.get(node)
        return None if index is None else self._times[index]

    def _up(self, node: str) -> list[str]:
        """The node and its ancestors that are not placed yet, nearest first; a circle is cut where it closes."""
        chain: list[str] = []
        seen: set[str] = set()
        at: str | None = node
        while at is not None and at in self.parents and at not in self._below and at not in seen:
            chain.append(at)
            seen.add(at)
            at = self.parents[at]
        return chain

    def walk(self, leaf: str | None) -> None:
        """Place the thread that ends at `leaf`, from where it leaves what is placed already."""
        if leaf is None:
            return
        chain = self._up(leaf)
        if not chain:
            return
        above = self.parents[chain[-1]]
        start = (0, self._began, None)
        position, time, parent = start if above is None else self._below.get(above, start)
        branch = self._next_branch
        for node in reversed(chain):
            index = self._messages.get(node)
            if index is not None:
                time = self._times[index] or time
                self.places.append(Place(index, branch, position, time, parent))
                position, parent = position + 1, index
                self._next_branch = branch + 1
            self._below[node] = (position, time, parent)
