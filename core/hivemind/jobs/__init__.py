"""Long work as rows: state, cursor, progress, and the lease of the process that does it."""

from hivemind.jobs.store import STALE_AFTER, JobStore

__all__ = ["STALE_AFTER", "JobStore"]
