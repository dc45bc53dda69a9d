"""Keeping a mind in order: full verification, rebuilding the word indexes, export to open formats."""

from hivemind.maintenance.export import ExportFormat, export_mind
from hivemind.maintenance.reindex import ReindexCounts, plan_reindex, reindex
from hivemind.maintenance.verify import verify

__all__ = ["ExportFormat", "ReindexCounts", "export_mind", "plan_reindex", "reindex", "verify"]
