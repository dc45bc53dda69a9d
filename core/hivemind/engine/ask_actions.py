"""What each tool does, by the engine's services: it reads in the minds of the question and writes in the first."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from hivemind.agent.book import CardBook, within
from hivemind.agent.cards import fenced
from hivemind.agent.frames_seen import Seen, recent, seen
from hivemind.agent.recall import ASK, of_hit
from hivemind.domain.ask import PreparedQuestion, RecalledCard
from hivemind.domain.frames import FrameType, Importance, PatchKind, Provenance
from hivemind.domain.injection import scan
from hivemind.domain.search import SearchRequest
from hivemind.domain.sessions import AwarenessCategory
from hivemind.engine.context import Context
from hivemind.engine.memory_service import MemoryService
from hivemind.engine.self_service import SelfService
from hivemind.engine.session_service import SessionService
from hivemind.errors import InvalidValue, NotAllowed
from hivemind.mind import MindTransaction

MOST, USUAL, SESSION_MEMORIES = 20, 10, 40
_SETTABLE = (Importance.CRITICAL, Importance.IMPORTANT, Importance.NORMAL, Importance.TEMPORARY)
Arguments = Mapping[str, Any]
ReadOthers = Callable[[Sequence[Seen]], Awaitable[None]]


class AskActions:
    """Carries a checked tool call out; returns what the model is told and what the person sees.

    `read_others` is told of memories of further minds before they are passed on. Raises what the services raise.
    """

    def __init__(
        self,
        context: Context,
        services: tuple[MemoryService, SelfService, SessionService],
        prepared: PreparedQuestion,
        book: CardBook,
        read_others: ReadOthers,
    ) -> None:
        self._context = context
        self._memory, self._self, self._sessions = services
        self._minds = prepared.minds
        self._home = prepared.minds[0]
        self._author = f"ai:{prepared.provider}/{prepared.model}"
        self._book = book
        self._read_others = read_others
        self._actions: dict[str, Callable[[Arguments], Awaitable[tuple[str, str]]]] = {
            "search_memories": self._search,
            "get_memory": self._get,
            "memory_history": self._history,
            "list_recent_memories": self._recent,
            "list_sessions": self._list_sessions,
            "read_session": self._read_session,
            "list_awareness": self._list_awareness,
            "save_memory": self._save,
            "add_awareness": self._add_awareness,
            "amend_memory": self._amend,
            "retract_memory": self._retract,
            "set_importance": self._set_importance,
            "clear_awareness": self._clear_awareness,
        }

    async def run(self, tool: str, arguments: Arguments) -> tuple[str, str]:
        """What the model is told, and what the person sees in words."""
        return await self._actions[tool](arguments)

    async def _search(self, given: Arguments) -> tuple[str, str]:
        limit = _limit(given)
        found = await self._memory.search(SearchRequest(given["query"], self._minds, limit=limit, audience=ASK))
        memories = [of_hit(hit) for hit in found.hits]
        await self._read_others(memories)
        return self._book.told(memories), f"Looked for “{given['query'][:80]}”: {len(memories)} found"

    async def _get(self, given: Arguments) -> tuple[str, str]:
        card = self._book.card(given["number"])
        mind = await self._context.mind(card.workspace)
        memories = await mind.read(lambda tx: seen(tx, card.workspace, [card.frame_id]))
        await self._read_others(memories)
        return self._book.told(memories, whole=True), f"Read memory {card.number}"

    async def _history(self, given: Arguments) -> tuple[str, str]:
        card = self._book.card(given["number"])
        mind = await self._context.mind(card.workspace)

        def look(tx: MindTransaction) -> list[Seen]:
            frames = [one for one in tx.frames.history(card.frame_id) if one.quarantine is None]
            return [Seen(card.workspace, one, one.content, "", "") for one in frames]

        memories = await mind.read(look)
        await self._read_others(memories)
        lines = [
            f"[{one.frame.created_at[:10]}] {' '.join(one.text.split())}" for one in memories if not _held(one.text)
        ]
        return fenced(within(lines, 8_000)) or "Nothing was found.", f"Read how memory {card.number} changed"

    async def _recent(self, given: Arguments) -> tuple[str, str]:
        mind = await self._context.mind(self._home)
        memories = await mind.read(lambda tx: recent(tx, self._home, _limit(given)))
        return self._book.told(memories), f"Read the newest {len(memories)} memories"

    async def _list_sessions(self, given: Arguments) -> tuple[str, str]:
        rows = await self._sessions.list_rows(self._home, _limit(given), None)
        lines = [f"{one.session.id} | {one.session.started_at[:10]} | {one.session.title}" for one in rows]
        kept = [one for one in lines if not _held(one)]
        return fenced(within(kept, 8_000)) or "There are none.", f"Listed {len(kept)} sessions"

    async def _read_session(self, given: Arguments) -> tuple[str, str]:
        mind = await self._context.mind(self._home)

        def look(tx: MindTransaction) -> list[Seen]:
            found = seen(tx, self._home, tx.frames.ids_of_session(tx.sessions.get(given["session"]).id))
            return [
                one
                for one in found
                if one.frame.type is not FrameType.B
                and one.frame.superseded_by is None
                and one.frame.patch_kind is not PatchKind.RETRACT
            ][:SESSION_MEMORIES]

        memories = await mind.read(look)
        return self._book.told(memories), f"Read {len(memories)} memories of one session"

    async def _list_awareness(self, _: Arguments) -> tuple[str, str]:
        items = await self._self.awareness(self._home)
        lines = [f"{item.id} | {item.category} | {item.content}" for item in items]
        return fenced(lines) or "There is nothing.", f"Read {len(items)} items of what is going on"

    async def _save(self, given: Arguments) -> tuple[str, str]:
        saved = await self._memory.save(
            given["text"], self._home, source=Provenance.AGENT_INFERRED, author=self._author
        )
        if saved.duplicate_of is not None:
            return "This is remembered already.", "Was remembered already"
        return "Saved.", "Saved a memory"

    async def _add_awareness(self, given: Arguments) -> tuple[str, str]:
        if given["category"] not in list(AwarenessCategory):
            raise InvalidValue("There is no such category", "Use task, action, pending or flag.")
        await self._self.add_awareness(self._home, AwarenessCategory(given["category"]), given["text"])
        return "Noted.", "Noted what is going on"

    async def _amend(self, given: Arguments) -> tuple[str, str]:
        card = self._own(given["number"])
        await self._memory.save(
            given["text"],
            self._home,
            amends=card.frame_id,
            source=Provenance.AGENT_INFERRED,
            author=self._author,
        )
        return "Changed.", f"Changed memory {card.number}"

    async def _retract(self, given: Arguments) -> tuple[str, str]:
        card = self._own(given["number"])
        await self._memory.save(given["text"], self._home, retracts=card.frame_id, author=self._author)
        return "Taken back.", f"Took memory {card.number} back"

    async def _set_importance(self, given: Arguments) -> tuple[str, str]:
        card = self._own(given["number"])
        if given["importance"] not in _SETTABLE:
            raise InvalidValue("There is no such importance", f"Use one of: {', '.join(_SETTABLE)}.")
        await self._memory.set_importance(self._home, [card.frame_id], Importance(given["importance"]))
        return "Set.", f"Set memory {card.number} to {given['importance']}"

    async def _clear_awareness(self, given: Arguments) -> tuple[str, str]:
        cleared = await self._self.clear_awareness(self._home, [given["id"]])
        return ("Removed.", "Removed an item") if cleared else ("There is no such item.", "Nothing to remove")

    def _own(self, number: int) -> RecalledCard:
        card = self._book.card(number)
        if card.workspace != self._home:
            raise NotAllowed("A memory of another mind is only read", "Write to the mind of this question.")
        return card


def _limit(given: Arguments) -> int:
    return min(max(1, int(given.get("limit", USUAL))), MOST)


def _held(text: str) -> bool:
    return scan(text).held
