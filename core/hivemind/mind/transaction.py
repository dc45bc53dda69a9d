"""One transaction on a mind, with every store bound to it and one fixed moment as `now`."""

from __future__ import annotations

from hivemind.clock import Clock, stamp
from hivemind.domain.protocols import BeforeWrite
from hivemind.mind.accesses import AccessStore
from hivemind.mind.archive import MessageArchive
from hivemind.mind.awareness import AwarenessStore
from hivemind.mind.feed import FrameFeed
from hivemind.mind.frame_writer import FrameWriter
from hivemind.mind.frames import FrameStore
from hivemind.mind.identity import IdentityStore
from hivemind.mind.links import LinkRules
from hivemind.mind.merges import MergeRules
from hivemind.mind.meta import MetaStore
from hivemind.mind.outbox import OutboxStore
from hivemind.mind.patches import PatchRules
from hivemind.mind.rebuild import RebuildRules
from hivemind.mind.removal import RemovalRules
from hivemind.mind.sessions import SessionStore
from hivemind.mind.speakers import SpeakerStore
from hivemind.mind.suppressions import SuppressionStore
from hivemind.mind.timeline import SessionTimeline
from hivemind.mind.vectors import VectorStore
from hivemind.storage import Connection


class MindTransaction:
    """The stores of a mind over one connection. Rooms above build their own stores on `connection` and `now`.

    `checks`: the before_write hooks of this mind, run by `saving.save`.
    """

    def __init__(
        self, connection: Connection, clock: Clock, *, vectors: bool, checks: tuple[BeforeWrite, ...] = ()
    ) -> None:
        self.connection = connection
        self.now = stamp(clock())
        self.checks = checks
        self.meta = MetaStore(connection)
        self.speakers = SpeakerStore(connection)
        self.sessions = SessionStore(connection, self.now)
        self.merges = MergeRules(connection, self.sessions, self.meta)
        self.timeline = SessionTimeline(connection)
        self.archive = MessageArchive(connection, self.sessions)
        self.identity = IdentityStore(connection, self.now)
        self.awareness = AwarenessStore(connection, self.now)
        self.accesses = AccessStore(connection, self.now)
        self.outbox = OutboxStore(connection, self.now)
        self.feed = FrameFeed(connection)
        self.vectors = VectorStore(connection, self.feed, loaded=vectors)
        self.rebuild = RebuildRules(connection, self.vectors)
        self.suppressions = SuppressionStore(connection)
        self.writer = FrameWriter(connection, self.now, self.speakers, self.feed, self.outbox, self.suppressions)
        patches = PatchRules(connection, self.feed)
        links = LinkRules(connection)
        removal = RemovalRules(connection, self.now, patches, links, self.feed, self.vectors)
        self.frames = FrameStore(connection, self.writer, patches, links, removal, self.feed, self.vectors)
