"""Frames that mean nearly the same as a given one, by its own stored vector: no model is asked."""

from __future__ import annotations

import json

from hivemind.mind import Mind, MindTransaction


def similar_frames(mind: Mind, tx: MindTransaction, frame_id: int, limit: int) -> list[tuple[int, float]] | None:
    """At most `limit` other current frames with their cosine, nearest first; None when the frame has no vector.

    The patches of the frame are no others. Raises FrameNotFound.
    """
    own = [frame.id for frame in tx.frames.history(frame_id)]
    serving = tx.vectors.serving()
    table = tx.vectors.models.serving_table()
    if serving is None or table not in tx.vectors.tables():
        return None
    for version in reversed(own):
        stored = tx.connection.execute(f"SELECT embedding FROM {table} WHERE rowid = ?", (version,)).fetchone()  # noqa: S608
        if stored is not None:
            # numpy takes a tenth of a second to load: only now.
            import numpy as np

            from hivemind.search.vector_index import VectorIndex

            pooled = np.frombuffer(stored[0], np.float32)
            others = " AND f.id NOT IN (SELECT value FROM json_each(?))"
            index = VectorIndex.of(mind)
            return index.nearest(tx, pooled, limit, where=others, bindings=(json.dumps(own),))
    return None
