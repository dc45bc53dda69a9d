"""What an import shows, as plain values: the pace of a running one, the lines of a report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from hivemind.domain.harvest import ImportReport, RunState
from hivemind.events import Progress
from hivemind_desktop.widgets.figures import duration, messages, number, size, vendor
from hivemind_desktop.widgets.marks import BadgeTone
from hivemind_desktop.widgets.words import fill, one_line

translate = QCoreApplication.translate
#: No guess of the time left before this many seconds of work.
ETA_AFTER = 5.0


class Pace:
    """How fast a run is: bytes per second since it began or went on, seconds since something moved."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = self._moved = clock()
        self._first: int | None = None
        self._last: Progress | None = None

    def take(self, progress: Progress) -> None:
        now = self._clock()
        if self._first is None or (self._last is not None and progress.done < self._last.done):
            self._first, self._began = progress.done, now
        if self._last is None or progress.done != self._last.done or progress.items != self._last.items:
            self._moved = now
        self._last = progress

    def pause(self) -> None:
        """Time that passes while it is paused does not count."""
        self._first = None

    @property
    def idle(self) -> float:
        """Seconds since the last step."""
        return self._clock() - self._moved

    @property
    def rate(self) -> float:
        """Bytes per second, 0 while unknown."""
        passed = self._clock() - self._began
        if self._last is None or self._first is None or passed <= 0.2:
            return 0.0
        return (self._last.done - self._first) / passed

    @property
    def left(self) -> float | None:
        """Seconds that remain, None while nobody can say."""
        if self._last is None or not self._last.total or self._clock() - self._began < ETA_AFTER or self.rate <= 0:
            return None
        return max(0.0, (self._last.total - self._last.done) / self.rate)

    def words(self) -> tuple[str, str]:
        """`about 4 min left` and `2.1 MB/s · last item 0.2 s ago`."""
        left, rate = self.left, self.rate
        ahead = (
            fill(translate("ImportModel", "about %1 left"), duration(max(1.0, left)))
            if left is not None
            else translate("ImportModel", "working")
        )
        speed = fill(translate("ImportModel", "%1/s"), size(round(rate))) if rate else ""
        last = fill(translate("ImportModel", "last item %1 ago"), duration(self.idle))
        return ahead, " · ".join(filter(None, (speed, last)))


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report: sign, count, what, reasons.

    `opens`: state and reason of the items behind it, to unfold. `review`: the list to decide about.
    """

    icon: str
    ink: str
    count: str
    what: str
    reasons: str
    opens: tuple[str, str | None] | None = None
    review: str = ""


def sum_parts(report: ImportReport) -> tuple[tuple[str, int], ...]:
    """found, and what it is made of, in the order it is shown."""
    skipped = sum(reason.count for reason in report.skipped)
    return (
        (translate("ImportModel", "found"), report.found),
        (translate("ImportModel", "new"), report.new),
        (translate("ImportModel", "updated"), report.updated),
        (translate("ImportModel", "already there"), report.unchanged),
        (translate("ImportModel", "skipped"), skipped),
        (translate("ImportModel", "failed"), len(report.failed)),
    )


def adds_up(report: ImportReport) -> bool:
    found, *rest = (value for _, value in sum_parts(report))
    return found == sum(rest)


def _counted(count: int, one: str, many: str) -> str:
    return one if count == 1 else many


def report_lines(report: ImportReport) -> tuple[Line, ...]:
    """Everything that happened; lines of nothing are left out, except the first."""
    frames = report.frames.i + report.frames.p + report.frames.b
    opens = ("new", None) if report.new else None
    lines = [Line("layers", "text_soft", number(frames), _memories_from(report), _duplicates(report), opens)]
    if report.updated:
        what = _counted(
            report.updated,
            translate("ImportModel", "conversation updated"),
            translate("ImportModel", "conversations updated"),
        )
        why = translate("ImportModel", "they had grown since the last import")
        lines.append(Line("rotate-cw", "text_soft", number(report.updated), what, why, ("updated", None)))
    if report.unchanged:
        what = _counted(
            report.unchanged,
            translate("ImportModel", "conversation already there"),
            translate("ImportModel", "conversations already there"),
        )
        why = translate("ImportModel", "nothing was doubled")
        lines.append(Line("check", "text_soft", number(report.unchanged), what, why, ("unchanged", None)))
    for each in report.skipped:
        what = _counted(
            each.count,
            translate("ImportModel", "conversation skipped"),
            translate("ImportModel", "conversations skipped"),
        )
        why = one_line(each.reason, 120)
        lines.append(Line("minus", "text_soft", number(each.count), what, why, ("skipped", each.reason)))
    if report.failed:
        what = _counted(
            len(report.failed),
            translate("ImportModel", "conversation not readable"),
            translate("ImportModel", "conversations not readable"),
        )
        why = one_line(report.failed[0].reason, 200)
        lines.append(Line("circle-x", "danger", number(len(report.failed)), what, why, ("failed", None)))
    optional = (
        (
            report.attachments_missing,
            "image-off",
            "text_soft",
            _counted(
                report.attachments_missing,
                translate("ImportModel", "attachment missing"),
                translate("ImportModel", "attachments missing"),
            ),
            _attachments(report),
            "",
        ),
        (
            report.repaired,
            "wand-sparkles",
            "info",
            _counted(
                report.repaired, translate("ImportModel", "text repaired"), translate("ImportModel", "texts repaired")
            ),
            translate("ImportModel", "characters that cannot be stored"),
            "",
        ),
        (
            report.duplicates_flagged,
            "git-compare",
            "info",
            _counted(
                report.duplicates_flagged,
                translate("ImportModel", "near-duplicate"),
                translate("ImportModel", "near-duplicates"),
            ),
            translate("ImportModel", "kept until you decide"),
            "",
        ),
        (
            report.masked,
            "key-round",
            "warn",
            _counted(
                report.masked,
                translate("ImportModel", "memory with a masked secret"),
                translate("ImportModel", "memories with a masked secret"),
            ),
            translate("ImportModel", "keys and passwords"),
            "masked",
        ),
        (
            report.quarantined,
            "shield-alert",
            "warn",
            _counted(
                report.quarantined,
                translate("ImportModel", "memory held back"),
                translate("ImportModel", "memories held back"),
            ),
            translate("ImportModel", "they read like orders to an AI"),
            "quarantined",
        ),
    )
    lines += [
        Line(icon, ink, number(count), what, why, review=review)
        for count, icon, ink, what, why, review in optional
        if count
    ]
    return tuple(lines)


def _memories_from(report: ImportReport) -> str:
    return fill(translate("ImportModel", "memories from %1"), messages(report.messages))


def _duplicates(report: ImportReport) -> str:
    if not report.duplicates_exact:
        return ""
    return fill(translate("ImportModel", "%1 were already there, word for word"), number(report.duplicates_exact))


def _attachments(report: ImportReport) -> str:
    read = (
        fill(translate("ImportModel", "%1 came along as text"), number(report.attachments_text))
        if report.attachments_text
        else ""
    )
    return " · ".join(filter(None, (translate("ImportModel", "named in the export, not in it"), read)))


def state_badge(state: RunState) -> tuple[str, str, BadgeTone]:
    """Word, icon and tone of a run's state."""
    badges: dict[RunState, tuple[str, str, BadgeTone]] = {
        RunState.RUNNING: (translate("ImportModel", "Running"), "loader-circle", "honey"),
        RunState.PAUSED: (translate("ImportModel", "Paused"), "pause", "neutral"),
        RunState.FINISHED: (translate("ImportModel", "Finished"), "circle-check", "ok"),
        RunState.CANCELLED: (translate("ImportModel", "Cancelled"), "ban", "neutral"),
        RunState.FAILED: (translate("ImportModel", "Failed"), "circle-x", "danger"),
        RunState.INTERRUPTED: (translate("ImportModel", "Interrupted"), "triangle-alert", "warn"),
        RunState.UNDONE: (translate("ImportModel", "Undone"), "undo-2", "neutral"),
    }
    return badges[state]


def report_title(report: ImportReport) -> str:
    """What became of it, in one sentence."""
    name = source_name(report)
    words = {
        RunState.FINISHED: translate("ImportModel", "%1 is in"),
        RunState.CANCELLED: translate("ImportModel", "%1 was cancelled"),
        RunState.FAILED: translate("ImportModel", "%1 stopped early"),
        RunState.INTERRUPTED: translate("ImportModel", "%1 was interrupted"),
        RunState.UNDONE: translate("ImportModel", "%1 was undone"),
        RunState.PAUSED: translate("ImportModel", "%1 is paused"),
        RunState.RUNNING: translate("ImportModel", "%1 is running"),
    }
    return fill(words[report.state], name)


def source_name(report: ImportReport) -> str:
    """`ChatGPT export`; several sources at once are named so."""
    if report.source in ("", "auto", "several"):
        return translate("ImportModel", "The import")
    return fill(translate("ImportModel", "%1 export"), vendor(report.source))
