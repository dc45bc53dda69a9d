"""B-frames: links, alternatives and contradictions between at least two living frames."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from hivemind.domain.frames import FrameReference, FrameType, Importance, ReferenceKind
from hivemind.domain.text import sanitise
from hivemind.errors import FrameNotFound, InvalidFrame
from hivemind.mind.frame_rows import find_frame
from hivemind.storage import Connection

_LIVING = "trashed_at IS NULL AND importance <> 'deprecated'"


class LinkRules:
    """Owns `frame_refs`, and the rule that a B-frame with fewer than two living references is deprecated."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def payload(self, description: str, references: Sequence[tuple[int, ReferenceKind]]) -> str:
        """The seed's JSON body. Raises InvalidFrame for fewer than two references, FrameNotFound for a missing one."""
        ids = [frame_id for frame_id, _ in references]
        if len(set(ids)) < 2:
            raise InvalidFrame("A link joins at least two memories", "Choose a second one.")
        for frame_id in ids:
            frame = find_frame(self._connection, frame_id)
            if frame is None:
                raise FrameNotFound()
            if frame.type is FrameType.B:
                raise InvalidFrame("A link cannot join another link", "Choose the memories themselves.")
            if frame.trashed_at is not None or frame.importance is Importance.DEPRECATED:
                raise InvalidFrame("One of these memories is in the trash or set aside", "Restore it first.")
        return json.dumps({"description": sanitise(description)[0], "references": ids}, ensure_ascii=False)

    def attach(self, frame_id: int, references: Sequence[tuple[int, ReferenceKind]]) -> None:
        self._connection.executemany(
            "INSERT INTO frame_refs (frame_id, ref_frame_id, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(frame_id, ref, kind) for ref, kind in references],
        )

    def references(self, frame_id: int) -> tuple[FrameReference, ...]:
        """References in which the frame stands, at either end."""
        rows = self._connection.execute(
            "SELECT frame_id, ref_frame_id, kind FROM frame_refs WHERE frame_id = ?1 OR ref_frame_id = ?1"
            " ORDER BY frame_id, ref_frame_id",
            (frame_id,),
        )
        return tuple(FrameReference(int(a), int(b), ReferenceKind(str(kind))) for a, b, kind in rows)

    def settle(self, changed: Iterable[int]) -> None:
        """After frames left or came back: deprecate links that lost their ends, revive those that have them again.

        Revival only undoes what this rule did: it is marked by `importance_before`.
        """
        for frame_id in changed:
            for (link,) in list(
                self._connection.execute("SELECT frame_id FROM frame_refs WHERE ref_frame_id = ?", (frame_id,))
            ):
                self.settle_link(int(link))

    def detach(self, frame_ids: Sequence[int]) -> list[int]:
        """Forget references to frames about to be removed; returns links left with fewer than two ends."""
        links: set[int] = set()
        for frame_id in frame_ids:
            rows = self._connection.execute("SELECT frame_id FROM frame_refs WHERE ref_frame_id = ?", (frame_id,))
            links.update(int(link) for (link,) in list(rows))
            self._connection.execute("DELETE FROM frame_refs WHERE ref_frame_id = ?", (frame_id,))
        links -= set(frame_ids)
        bare = []
        for link in sorted(links):
            row = self._connection.execute("SELECT count(*) FROM frame_refs WHERE frame_id = ?", (link,)).fetchone()
            if row is not None and int(row[0]) < 2:
                bare.append(link)
            else:
                self._rewrite_payload(link)
                self.settle_link(link)
        return bare

    def settle_link(self, link: int) -> None:
        """Deprecate one link when fewer than two of its ends live, else revive what was deprecated for that."""
        row = self._connection.execute(
            "SELECT count(*) FROM frame_refs AS r JOIN memory_frames AS f ON f.id = r.ref_frame_id"  # noqa: S608
            f" WHERE r.frame_id = ? AND {_LIVING}",
            (link,),
        ).fetchone()
        if row is not None and int(row[0]) < 2:
            self._connection.execute(
                "UPDATE memory_frames SET importance_before = importance, importance = 'deprecated'"
                " WHERE id = ? AND importance <> 'deprecated'",
                (link,),
            )
        else:
            self._connection.execute(
                "UPDATE memory_frames SET importance = importance_before, importance_before = NULL"
                " WHERE id = ? AND importance = 'deprecated' AND importance_before IS NOT NULL",
                (link,),
            )

    def _rewrite_payload(self, link: int) -> None:
        frame = find_frame(self._connection, link)
        assert frame is not None
        rows = self._connection.execute("SELECT ref_frame_id FROM frame_refs WHERE frame_id = ? ORDER BY 1", (link,))
        body = json.loads(frame.content)
        body["references"] = [int(ref) for (ref,) in rows]
        self._connection.execute(
            "UPDATE memory_frames SET content = ? WHERE id = ?", (json.dumps(body, ensure_ascii=False), link)
        )
