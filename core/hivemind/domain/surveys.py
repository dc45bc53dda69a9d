"""Looking at exports before anything is written: what is in them, and what a person chose to bring in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from hivemind.domain.harvest import Reason


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What of a source comes in. Stored with the run, so that going on with it later means the same.

    `since` and `until`: days (`YYYY-MM-DD`) or stamps, both inclusive; a conversation is in when its span touches them,
    and out when no date of it is known. `leave_out`: item ids, as `SurveyItem.item_id` names them.
    `leave_out_titles`: parts of titles, whatever their case. `tool_content`: what tools were asked and answered is
    made into memories too; it is in the archive either way.
    """

    since: str | None = None
    until: str | None = None
    leave_out: tuple[str, ...] = ()
    leave_out_titles: tuple[str, ...] = ()
    tool_content: bool = False


class SurveyState(StrEnum):
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a scan met, by kind: how often, in how many items, and one example that is safe to show.

    `kind` is a stable name, `label` words for a person. Secrets' examples are masked; an instruction's example is an
    excerpt of at most 160 characters, to be shown as plain text.
    """

    kind: str
    label: str
    count: int
    items: int
    example: str


@dataclass(frozen=True, slots=True)
class SurveySource:
    """One dropped path. `source` is '' when nothing recognised it; then `label` says what it seems to be.

    `error`: why it cannot be read (or not to its end), for a person; '' = no trouble.
    """

    number: int
    path: str
    name: str
    source: str
    label: str
    size: int
    parts: tuple[str, ...]
    items: int = 0
    error: str = ""


class SurveyItem(NamedTuple):
    """One conversation as it would come in. `number` counts over the whole survey, `source` is a SurveySource.number.

    `outcome`: import, skipped or failed, with `reason` for the last two. `known`: a former import brought it already.
    Titles are masked; `secrets` and `instructions` count what the scan met in it.
    A named tuple: the reading process sends it by the thousand, with the first two and the last not filled in yet.
    """

    number: int
    source: int
    item_id: str | None
    title: str
    started_at: str | None
    ended_at: str | None
    messages: int
    secrets: int
    instructions: int
    outcome: str
    reason: str
    known: bool


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything counted so far. `done`, `total`: bytes of the unpacked sources. Always: items = importable + Σ skipped
    + failed, and `known` of the importable ones are in the mind already."""

    id: int
    workspace: str
    state: SurveyState
    sources: tuple[SurveySource, ...]
    done: int
    total: int
    items: int
    importable: int
    known: int
    failed: int
    skipped: tuple[Reason, ...]
    messages: int
    first_at: str | None
    last_at: str | None
    secrets: tuple[Sighting, ...]
    instructions: tuple[Sighting, ...]
    attachments_text: int
    attachments_missing: int
    current: str
    seconds: float


@dataclass(frozen=True, slots=True)
class SurveyPage:
    """Items `offset`… of the `total` that match what was asked for, in the order of the files."""

    items: tuple[SurveyItem, ...]
    offset: int
    total: int
