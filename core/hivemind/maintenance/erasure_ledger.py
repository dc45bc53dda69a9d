"""The erasure ledger, in the installation's own file: what was erased from which mind survives that mind's restore."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hivemind.domain.erasure import ErasureState
from hivemind.maintenance.erasure import ErasureFacts
from hivemind.maintenance.erasure_plan import ErasurePlan, plan_from
from hivemind.storage import Connection


@dataclass(frozen=True, slots=True)
class LedgerErasure:
    """One row. `kept`: the targets, with what else was decided: the mind's name, what happens to backups."""

    uuid: str
    mind_uuid: str
    at: str
    reason: str
    state: ErasureState
    kept: dict[str, Any]

    @property
    def plan(self) -> ErasurePlan:
        return plan_from(self.uuid, self.kept)

    @property
    def facts(self) -> ErasureFacts:
        return ErasureFacts(self.kept["kind"], self.reason, self.kept["channel"], self.kept.get("request"))


class ErasureLedger:
    """Owns `erasure_ledger`, within one transaction on the installation's file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def begin(self, uuid: str, mind_uuid: str, now: str, reason: str, targets: str) -> None:
        """Write down what is about to be erased. Before anything else, so that a crash can be made good."""
        self._connection.execute(
            "INSERT INTO erasure_ledger (mind_uuid, entry_uuid, at, targets, reason, state)"
            " VALUES (?, ?, ?, ?, ?, 'pending')",
            (mind_uuid, uuid, now, targets, reason),
        )

    def extend(self, uuid: str, targets: str) -> None:
        """More was found on the way."""
        self._connection.execute("UPDATE erasure_ledger SET targets = ? WHERE entry_uuid = ?", (targets, uuid))

    def set_state(self, uuid: str, state: ErasureState) -> None:
        self._connection.execute("UPDATE erasure_ledger SET state = ? WHERE entry_uuid = ?", (state, uuid))

    def list_all(self, mind_uuid: str | None = None, state: ErasureState | None = None) -> list[LedgerErasure]:
        """Oldest first; of one mind, or in one state."""
        rows = self._connection.execute(
            "SELECT entry_uuid, mind_uuid, at, reason, state, targets FROM erasure_ledger"
            " WHERE (?1 IS NULL OR mind_uuid = ?1) AND (?2 IS NULL OR state = ?2) ORDER BY id",
            (mind_uuid, state),
        )
        return [
            LedgerErasure(str(uuid), str(mind), str(at), str(reason), ErasureState(kept_state), json.loads(targets))
            for uuid, mind, at, reason, kept_state, targets in rows
        ]
