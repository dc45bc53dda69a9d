"""What a survey, the review list and interrupted imports look like on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from hivemind.domain.harvest import InterruptedRun
from hivemind.domain.review import ReviewEntry
from hivemind.domain.surveys import Survey
from hivemind.sidecar.documents import Document, run


def document(survey: Survey) -> Document:
    """The counts of a survey; its items are asked for by page in the window."""
    return {
        "sources": [asdict(one) for one in survey.sources],
        "items": survey.items,
        "importable": survey.importable,
        "known": survey.known,
        "skipped": [asdict(one) for one in survey.skipped],
        "failed": survey.failed,
        "messages": survey.messages,
        "first_at": survey.first_at,
        "last_at": survey.last_at,
        "secrets": [asdict(one) for one in survey.secrets],
        "instructions": [asdict(one) for one in survey.instructions],
        "attachments": {"text": survey.attachments_text, "missing": survey.attachments_missing},
    }


def lines(survey: Survey) -> Iterator[str]:
    for one in survey.sources:
        yield f"{one.name}: {one.label}, {one.size:,} bytes"
    span = f", {survey.first_at[:10]} to {survey.last_at[:10]}" if survey.first_at and survey.last_at else ""
    yield f"  {survey.items:,} conversations, {survey.messages:,} messages{span}"
    if survey.known:
        yield f"  {survey.known:,} of them are in this mind already"
    for one_secret in survey.secrets:
        where = f"in {one_secret.items:,} conversations, such as {one_secret.example}"
        yield f"  Would be masked: {one_secret.label}, {one_secret.count:,} times {where}"
    for order in survey.instructions:
        yield f"  Would be held back: a text that {order.label}, in {order.items:,} conversations"


def interrupted(stopped: InterruptedRun) -> Document:
    return {**run(stopped.report), "paths": list(stopped.paths), "there": stopped.there}


def interrupted_lines(found: Iterable[InterruptedRun]) -> Iterator[str]:
    for one in found:
        state = "can go on" if one.there else "its files are gone"
        yield f"{one.report.run_id}  {one.report.name}: {one.report.found:,} conversations so far; {state}"


def review_lines(entry: ReviewEntry) -> Iterator[str]:
    yield f"{entry.frame_id}  {' '.join(entry.text.split())[:160]}"
    yield f"   {', '.join(entry.reasons)} · {entry.session_title}" + (" · kept" if entry.settled else "")
