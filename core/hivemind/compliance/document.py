"""The report as JSON: the same bytes for the same facts. It is what the pages are made from and what is signed."""

from __future__ import annotations

import json
from dataclasses import asdict

from hivemind.domain.audit_report import AuditReport


def to_json(report: AuditReport) -> bytes:
    """UTF-8, keys sorted, one line break at the end."""
    text = json.dumps(asdict(report), ensure_ascii=False, sort_keys=True, allow_nan=False, indent=1)
    return f"{text}\n".encode()
