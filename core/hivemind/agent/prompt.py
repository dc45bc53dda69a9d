"""The system prompt: who the person is, what this assistant is and can do, and what is going on in their memory."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from hivemind.agent.frames_seen import best_known
from hivemind.agent.signals import SignalStore
from hivemind.domain.ask import Persona, PromptPart
from hivemind.mind import Mind, MindTransaction

#: An identity of more tokens than this is cut: it goes along with every question.
IDENTITY_TOKENS = 500
_IDENTITY_CHARACTERS = IDENTITY_TOKENS * 4
ENTITIES = 10
SIGNALS = 3


@dataclass(frozen=True, slots=True)
class Situation:
    """What the assistant is told about itself. `tools`: names it may use now."""

    version: str
    model: str
    tools: tuple[str, ...]
    mode: str
    minds: tuple[str, ...]


class PromptWriter:
    """Builds prompts. `rules`: how to answer, cite and treat what is quoted.

    The identity's part is kept as long as its row says the same; all else is made anew each turn.
    """

    def __init__(self, rules: str) -> None:
        self._rules = rules.strip()
        self._identities: dict[str, tuple[str, str]] = {}

    async def parts(self, minds: Sequence[Mind], persona: Persona, situation: Situation) -> tuple[PromptPart, ...]:
        """The titled parts, in order; the memories themselves are not among them."""
        home = minds[0]
        row, awareness, known, signals, count = await home.read(_look)
        about = self._identity(home.workspace, row)
        role = f"{persona.name}: {persona.tagline}\n{persona.prompt}"
        return tuple(
            PromptPart(title, text)
            for title, text in (
                ("Role", role),
                ("Identity", about),
                ("Self-Awareness", _self(persona, situation, count, signals)),
                ("Context From Your Memory", _context(awareness, known)),
                ("Rules", self._rules),
            )
            if text
        )

    def _identity(self, workspace: str, row: str) -> str:
        digest = hashlib.blake2b(row.encode(), digest_size=16).hexdigest()
        kept = self._identities.get(workspace)
        if kept is None or kept[0] != digest:
            text = row if len(row) <= _IDENTITY_CHARACTERS else row[: _IDENTITY_CHARACTERS - 1].rstrip() + "…"
            kept = self._identities[workspace] = (digest, text)
        return kept[1]


def joined(parts: Sequence[PromptPart]) -> str:
    """The parts as one text, each under its heading."""
    return "\n\n".join(f"# {part.title}\n{part.text}" for part in parts)


def _look(tx: MindTransaction) -> tuple[str, str, list[tuple[str, str]], list[str], int]:
    signals = [one.detail or one.key for one in SignalStore(tx.connection, tx.now).actionable(SIGNALS)]
    known = best_known(tx.connection, ENTITIES)
    return tx.identity.to_context(), tx.awareness.to_context(), known, signals, tx.frames.count_current()


def _self(persona: Persona, situation: Situation, memories: int, signals: Sequence[str]) -> str:
    lines = [
        f"You are the Ask page of Hive-Mind {situation.version}, an AI that answers from a person's memory.",
        f"Model: {situation.model}. Autonomy: {situation.mode}. Minds: {', '.join(situation.minds)}, {memories:,}"
        " memories in the first.",
        f"Tools: {', '.join(situation.tools) or 'none'}.",
    ]
    if persona.needs_sources:
        lines.append("You answer from memories only: where they say nothing, the answer is that you have nothing.")
    if persona.failure_patterns:
        lines.append("You tend to get these wrong; watch for them:")
        lines += [f"- {pattern}" for pattern in persona.failure_patterns]
    if signals:
        lines.append("The person has corrected this before:")
        lines += [f"- {signal}" for signal in signals]
    return "\n".join(lines)


def _context(awareness: str, known: Sequence[tuple[str, str]]) -> str:
    blocks = [awareness] if awareness else []
    if known:
        blocks.append("Often mentioned: " + ", ".join(f"{name} ({kind})" for name, kind in known) + ".")
    return "\n\n".join(blocks)
