"""One model's vectors built beside another's: what is missing, when the new one takes over, what the old one leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hivemind.domain.indexed_text import embedded_text
from hivemind.mind.vectors import VectorStore
from hivemind.storage import Connection

#: A model takes over when this share of what can be embedded has its vectors.
SWITCH_AT = 0.999
#: Frames with a text of their own: everything but links and retractions. `f` is a frame.
EMBEDDABLE = "f.frame_type <> 'B' AND coalesce(f.patch_kind, '') <> 'retract'"


class RebuildRules:
    """Keeps two models apart: nothing of one is ever searched with the other."""

    def __init__(self, connection: Connection, vectors: VectorStore) -> None:
        self._connection = connection
        self._vectors = vectors
        self._models = vectors.models

    def coverage(self, model_id: int) -> tuple[int, int]:
        """(frames that have this model's vectors, frames that could have them). Counts over the whole mind."""
        everything = f"SELECT count(*) FROM memory_frames AS f WHERE {EMBEDDABLE}"  # noqa: S608
        # Only what can be embedded ever gets a row here.
        having = "SELECT count(*) FROM memory_frames_bits WHERE model_id = ?"
        return int(self._connection.execute(having, (model_id,)).get), int(self._connection.execute(everything).get)

    def texts(self, frame_ids: Sequence[int]) -> dict[int, str]:
        """What is embedded of each frame, in the order given; those without a text of their own are left out."""
        rows = self._connection.execute(
            "SELECT f.id, f.event_at, s.name, f.content, f.captions FROM memory_frames AS f"  # noqa: S608 - constants
            " LEFT JOIN speakers AS s ON s.id = f.speaker_id"
            f" WHERE f.id IN (SELECT value FROM json_each(?)) AND {EMBEDDABLE}",
            (json.dumps(list(frame_ids)),),
        )
        found = {int(row[0]): embedded_text(*row[1:]) for row in rows}
        return {frame_id: found[frame_id] for frame_id in frame_ids if frame_id in found}

    def missing(self, model_id: int, after: int, limit: int) -> list[int]:
        """Ids above `after`, ascending, of frames without this model's vectors."""
        rows = self._connection.execute(
            f"SELECT f.id FROM memory_frames AS f WHERE f.id > ? AND {EMBEDDABLE} AND NOT EXISTS (SELECT 1"  # noqa: S608
            " FROM memory_frames_bits AS b WHERE b.frame_id = f.id AND b.model_id = ?) ORDER BY f.id LIMIT ?",
            (after, model_id, limit),
        )
        return [int(frame_id) for (frame_id,) in rows]

    def switch_to(self, model_id: int) -> bool:
        """Let a model that was built beside serve, when it covers SWITCH_AT of the frames. False = not yet.

        What the old one left is taken away by `clear_retired`.
        """
        done, total = self.coverage(model_id)
        if done < SWITCH_AT * total:
            return False
        self._models.promote(model_id)
        # Every frame with the new vectors is paid for; the index reads everything anew because the model changed.
        self._connection.execute(
            "DELETE FROM outbox WHERE kind = 'embedding' AND EXISTS (SELECT 1 FROM memory_frames_bits AS b"
            " WHERE b.frame_id = outbox.frame_id AND b.model_id = ?)",
            (model_id,),
        )
        return True

    def clear_retired(self, limit: int) -> int:
        """Take away the vectors of at most `limit` frames of models that serve no more. Returns how many went."""
        old = next((model for model in self._models.list() if model.state == "retired"), None)
        if old is None:
            return 0
        rows = self._connection.execute(
            "SELECT frame_id FROM memory_frames_bits WHERE model_id = ? LIMIT ?", (old.model_id, limit)
        )
        ids = [int(frame_id) for (frame_id,) in rows]
        if not ids:
            for table in ("frame_tokens", "piece_df", "models"):
                self._connection.execute(f"DELETE FROM {table} WHERE model_id = ?", (old.model_id,))  # noqa: S608
            return 0
        keys = [(frame_id, old.model_id) for frame_id in ids]
        self._connection.executemany("DELETE FROM memory_frames_bits WHERE frame_id = ? AND model_id = ?", keys)
        self._connection.executemany("DELETE FROM frame_tokens WHERE frame_id = ? AND model_id = ?", keys)
        self._drop_unclaimed(ids)
        return len(ids)

    def _drop_unclaimed(self, ids: Sequence[int]) -> None:
        """Floats that belong to no living model of their table."""
        owners = {
            self._models.serving_table(): self._models.serving(),
            self._models.spare_table(): self._models.building(),
        }
        for table in self._vectors.tables():
            owner = owners[table]
            claimed = set() if owner is None else self._vectors.having(ids, owner.model_id)
            gone = [(i,) for i in ids if i not in claimed]
            self._connection.executemany(f"DELETE FROM {table} WHERE rowid = ?", gone)  # noqa: S608
