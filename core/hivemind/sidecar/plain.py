"""Answers as plain short lines for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hivemind.domain.frames import Frame, FrameDetail, Saved
from hivemind.domain.harvest import ImportPreview, ImportReport, UndoReport
from hivemind.domain.minds import (
    DoctorReport,
    EmbedderFacts,
    EmbedderSelfTest,
    EmbeddingFacts,
    Manifest,
    QueueState,
    RestorePreview,
)
from hivemind.domain.search import Explanation, LateMatch, SearchResult, WhyNot
from hivemind.domain.sessions import Conversation, Session, SessionRow

_WIDTH = 100
#: Of a match by meaning, so many of its pieces are told.
_PIECES = 6
_STATES = {
    QueueState.PAUSED: "Embedding is paused. Go on with it in the window, under Settings.",
    QueueState.ELSEWHERE: "Another program is embedding this mind now.",
}
_SIDES = ("before", "after")


def doctor(report: DoctorReport) -> Iterator[str]:
    yield f"Hive-Mind {report.version}, SQLite {report.sqlite}, sqlite-vec {report.sqlite_vec or 'not loaded'}"
    yield f"Search: {_embedder(report.embedder)}"
    if report.selftest is not None:
        yield _selftest(report.selftest)
    yield f"Data folder: {report.data_dir}"
    for mind in report.minds:
        known = f"{mind.frames:,} frames, {mind.sessions:,} sessions" if not mind.problem else "cannot be opened"
        yield f"Mind {mind.workspace}: {known}"
        if mind.pending_vectors > 0:
            yield f"  {mind.pending_vectors:,} memories wait for their vectors"
        if mind.long_texts:
            yield f"  {mind.long_texts:,} texts were longer than the model reads at once and were encoded in pieces"
    for problem in report.problems:
        yield f"Problem: {problem.title}. {problem.hint}"
    yield "Everything works." if report.ok else ""


def _embedder(facts: EmbedderFacts) -> str:
    if not facts.dim:
        return "by keyword only"
    spoken = ", ".join(facts.languages) or "languages not stated"
    sizes = f"{facts.model_dim} numbers inside, stored as {facts.dim}"
    return f"by keyword and meaning; model {facts.id} ({spoken}), {sizes}"


def _selftest(tested: EmbedderSelfTest) -> str:
    verdict = "as it should be" if tested.ok else "NOT as it should be"
    compared = f"{tested.golden} recorded texts, least cosine {tested.golden_cosine:.4f}; " if tested.golden else ""
    return f"Model self-test: {verdict} ({compared}alone against in a batch {tested.alone_cosine:.6f})"


def embedding(facts: EmbeddingFacts) -> Iterator[str]:
    by = f" by {facts.stored_model}" if facts.stored_model else ""
    yield f"{facts.embedded:,} of {facts.frames:,} memories have vectors{by}; {facts.pending:,} wait for theirs."
    if facts.failed:
        yield f"{facts.failed:,} could not be embedded; words still find them."
    if facts.state in _STATES:
        yield _STATES[facts.state]
    if facts.reason:
        yield facts.reason


def imported(report: ImportReport) -> Iterator[str]:
    for one in report.children or (report,):
        yield f"{one.name} ({one.source}), import {one.run_id}: {_outcome(one)}"
        yield f"  {one.messages:,} messages, {one.frames.i + one.frames.p + one.frames.b:,} frames, {one.seconds:.1f} s"
        yield from (f"  Skipped {skipped.count:,}: {skipped.reason}" for skipped in one.skipped)
        yield from (f"  Failed: {failed.item}: {failed.reason}" for failed in one.failed)
        if one.attachments_missing:
            yield f"  {one.attachments_missing:,} attachments are named in the file but did not come with it"
        if one.masked:
            yield f"  {one.masked:,} memories hold secrets that are masked; `imports review --kind masked` lists them"
        if one.quarantined:
            yield f"  {one.quarantined:,} memories read like orders to an AI and are held back; see `imports review`"
        if one.repaired:
            yield f"  {one.repaired:,} messages held characters that cannot be stored; these were taken out"
    if report.children:
        yield f"Together, import {report.run_id}: {_outcome(report)}"


def _outcome(report: ImportReport) -> str:
    parts = [
        f"{report.found:,} conversations found",
        f"{report.new:,} new",
        f"{report.updated:,} updated",
        f"{report.unchanged:,} unchanged",
    ]
    return ", ".join(parts) + ("" if report.state == "finished" else f" ({report.state})")


def previewed(previews: Sequence[ImportPreview]) -> Iterator[str]:
    for one in previews:
        yield f"{one.path}: {one.label}, {one.size:,} bytes"


def runs(reports: Sequence[ImportReport]) -> Iterator[str]:
    if not reports:
        yield "No imports yet."
    for one in reports:
        yield f"{one.run_id}  {one.started_at[:16].replace('T', ' ')}  {one.name}: {_outcome(one)}"


def undone(report: UndoReport) -> Iterator[str]:
    removed = f"{report.frames_removed:,} frames and {report.sessions_removed:,} sessions"
    yield f"Import {report.run_id} was taken back: {removed} removed."
    yield from (f"  Kept frame {one.frame_id}: {one.reason}" for one in report.kept)


def found(result: SearchResult, explain: bool) -> Iterator[str]:
    if not result.hits:
        yield "Nothing found."
    for hit in result.hits:
        frame = hit.frame
        yield f"{hit.rank}. {shortened(hit.text)}"
        facts = [f"frame {frame.id}", frame.importance, (frame.event_at or frame.created_at)[:10]]
        yield "   " + " · ".join([*facts, *filter(None, (hit.session_title,))])
        if explain:
            yield from _why(hit.explanation)
    if result.total > len(result.hits):
        yield f"{len(result.hits):,} of {result.total:,}"
    if result.why_not is not None:
        yield from _why_not(result.why_not)


def _why(explanation: Explanation) -> Iterator[str]:
    yield f"   matched: {', '.join(explanation.matched) or 'none of its own words'}"
    if explanation.lanes:
        yield "   " + ", ".join(f"{one.lane}: place {one.rank} ({one.raw:.3f})" for one in explanation.lanes)
    if explanation.late is not None:
        yield from _late(explanation.late)
    for part in explanation.parts:
        yield f"   {part.name}: {part.value:+.6f}"
    for signal in explanation.signals:
        yield f"   {signal.name} {signal.value:.3f} × {signal.weight:.2f}: {signal.reason}"
    yield from (f"   {cue}" for cue in explanation.cues)
    yield f"   score: {explanation.score:.6f}"


def _late(late: LateMatch) -> Iterator[str]:
    estimated = ", estimated from its words because it has no vectors yet" if late.estimated else ""
    yield f"   by meaning: {late.score:.6f}{estimated}"
    for one in late.pieces[:_PIECES]:
        there = "here" if not one.offset else f"frame {one.frame_id}, {abs(one.offset)} {_SIDES[one.offset > 0]}"
        found = f"“{one.found}”" if one.found else "as written"
        yield f"     “{one.query}” by {found} ({there}): {one.weight:.3f} × {one.similarity:.3f}"


def _why_not(told: WhyNot) -> Iterator[str]:
    place = "" if told.rank is None else f" It stands at place {told.rank:,}."
    yield f"Frame {told.frame_id}: {told.reason}{place}"
    if told.explanation is not None:
        yield from _why(told.explanation)


def saved(result: Saved) -> Iterator[str]:
    if result.duplicate_of is not None:
        yield f"This is already there as frame {result.duplicate_of}."
    else:
        yield f"Saved as frame {result.frame.id} in {result.frame.session_id}."
    yield from (f"It contradicts frame {one.frame_id}: {shortened(one.excerpt)}" for one in result.contradicts)


def detail(shown: FrameDetail) -> Iterator[str]:
    frame = shown.frame
    yield shown.text
    yield ""
    yield f"frame {frame.id} ({frame.type}) in {frame.session_id}" + (
        f", {shown.session_title}" if shown.session_title else ""
    )
    yield f"{frame.importance}, from {shown.source_name or frame.source}, {frame.event_at or frame.created_at}"
    if shown.retracted:
        yield "Taken back."
    if frame.trashed_at is not None:
        yield f"In the trash since {frame.trashed_at[:10]}."
    yield from (f"{one.kind} to frame {one.ref_frame_id}" for one in shown.references if one.frame_id == frame.id)


def frames(listed: Sequence[Frame]) -> Iterator[str]:
    if not listed:
        yield "No frames."
    for one in listed:
        kind = f"{one.type} {one.patch_kind}" if one.patch_kind else str(one.type)
        yield f"{one.id}  {kind}  {(one.event_at or one.created_at)[:10]}  {shortened(one.content)}"


def sessions(rows: Sequence[SessionRow]) -> Iterator[str]:
    if not rows:
        yield "No sessions."
    for row in rows:
        one = row.session
        size = f"{row.messages:,} messages, {row.frames:,} frames"
        yield f"{one.id}  {one.started_at[:10]}  {one.status}  {shortened(one.title or 'Untitled')}  ({size})"


def conversation(shown: Conversation) -> Iterator[str]:
    yield from session(shown.session)
    for message in shown.messages:
        if not message.hidden and message.branch == 0:
            yield ""
            yield f"{message.speaker}" + (f", {message.sent_at}" if message.sent_at else "")
            yield message.text


def session(one: Session) -> Iterator[str]:
    yield f"{one.title or 'Untitled'} ({one.id}, {one.status}, {one.started_at[:10]})"


def manifest(made: Manifest) -> Iterator[str]:
    yield f"{made.path}: {made.frames:,} frames, {made.sessions:,} sessions, {made.messages:,} messages"
    yield f"{made.files:,} {'file' if made.files == 1 else 'files'}, {made.bytes:,} bytes, SHA-256 {made.sha256}"


def restore_preview(preview: RestorePreview) -> Iterator[str]:
    backup = preview.backup
    newest = (preview.newest_in_backup or "none")[:16], (preview.newest_now or "none")[:16]
    yield f"In the backup: {backup.frames:,} frames, {backup.sessions:,} sessions, the newest {newest[0]}"
    yield f"In the mind now: {preview.frames_now:,} frames, {preview.sessions_now:,} sessions, the newest {newest[1]}"


def shortened(text: str) -> str:
    """The text on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[:_WIDTH].rsplit(" ", 1)[0] + " …"
