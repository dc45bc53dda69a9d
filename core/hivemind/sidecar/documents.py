"""The JSON of the contract, made of the engine's dataclasses."""

from __future__ import annotations

from dataclasses import asdict

from hivemind.domain.frames import Frame, FrameDetail, Saved
from hivemind.domain.harvest import FrameCounts, ImportReport, UndoReport
from hivemind.domain.minds import DoctorReport, EmbeddingFacts
from hivemind.domain.search import Hit, SearchResult
from hivemind.domain.sessions import Conversation, Message, Session, SessionRow

Document = dict[str, object]


def doctor(report: DoctorReport) -> Document:
    return {
        "ok": report.ok,
        "version": report.version,
        "sqlite": report.sqlite,
        "sqlite_vec": report.sqlite_vec,
        "sqlite_vec_path": report.sqlite_vec_path,
        "embedder": {**asdict(report.embedder), "languages": list(report.embedder.languages)},
        "data_dir": report.data_dir,
        "minds": [
            {
                "workspace": mind.workspace,
                "path": mind.path,
                "frames": mind.frames,
                "vectors": mind.vectors,
                "pending_vectors": mind.pending_vectors,
                "schema": mind.schema,
                "long_texts": mind.long_texts,
            }
            for mind in report.minds
        ],
        "problems": [asdict(problem) for problem in report.problems],
        **({} if report.selftest is None else {"selftest": asdict(report.selftest)}),
    }


def embedding(facts: EmbeddingFacts) -> Document:
    """How far a mind is. `embedded` of `frames` have vectors, `pending` wait, `failed` cannot be embedded."""
    return {
        "frames": facts.frames,
        "embedded": facts.embedded,
        "pending": facts.pending,
        "failed": facts.failed,
        "model": facts.stored_model,
        "state": facts.state,
        "reason": facts.reason,
    }


def counts(report: ImportReport) -> Document:
    """One import. `found` is the sum of new, updated, unchanged, skipped and failed."""
    return {
        "run_id": report.run_id,
        "source": report.source,
        "found": report.found,
        "new": report.new,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "skipped": [asdict(one) for one in report.skipped],
        "failed": [asdict(one) for one in report.failed],
        "messages": report.messages,
        "frames": _frame_counts(report.frames),
        "duplicates": {"exact": report.duplicates_exact, "flagged": report.duplicates_flagged},
        "repaired": report.repaired,
        "quarantined": report.quarantined,
        "masked": report.masked,
        "attachments": {"text": report.attachments_text, "missing": report.attachments_missing},
        "seconds": report.seconds,
    }


def imported(report: ImportReport) -> Document:
    """An import of one source, or the runs of several with the sums beside them."""
    if not report.children:
        return counts(report)
    return {**counts(report), "runs": [_child(one) for one in report.children]}


def _child(report: ImportReport) -> Document:
    return {**counts(report), "error": report.error} if report.error else counts(report)


def run(report: ImportReport) -> Document:
    """A run in the list of imports."""
    listed = {
        "name": report.name,
        "state": report.state,
        "started_at": report.started_at,
        "finished_at": report.finished_at,
    }
    return {**imported(report), **listed}


def undone(report: UndoReport) -> Document:
    return {
        "run_id": report.run_id,
        "frames_removed": report.frames_removed,
        "sessions_removed": report.sessions_removed,
        "kept": [asdict(one) for one in report.kept],
    }


def found(result: SearchResult, explain: bool) -> Document:
    document: Document = {
        "mode": result.mode,
        "recipe": result.recipe,
        "hits": [_hit(hit, explain) for hit in result.hits],
    }
    return document if result.why_not is None else {**document, "why_not": asdict(result.why_not)}


def _hit(hit: Hit, explain: bool) -> Document:
    frame = hit.frame
    document: Document = {
        "frame_id": frame.id,
        "session_id": frame.session_id,
        "type": frame.type,
        "content": hit.text,
        "importance": frame.importance,
        "source": frame.source,
        "event_at": frame.event_at,
        "score": hit.score,
    }
    return {**document, "why": asdict(hit.explanation)} if explain else document


def saved(result: Saved) -> Document:
    return {
        "frame_id": result.frame.id,
        "session_id": result.frame.session_id,
        "type": result.frame.type,
        "duplicate_of": result.duplicate_of,
        "contradicts": [{"frame_id": one.frame_id, "excerpt": one.excerpt} for one in result.contradicts],
    }


def frame(one: Frame) -> Document:
    """A frame as stored, with `id` and `type` under the names that every other answer uses."""
    stored = asdict(one)
    return {"frame_id": stored.pop("id"), "session_id": stored.pop("session_id"), **stored}


def detail(shown: FrameDetail) -> Document:
    """A frame with its current text and where it comes from."""
    return {
        **frame(shown.frame),
        "text": shown.text,
        "retracted": shown.retracted,
        "title": shown.title,
        "session_title": shown.session_title,
        "source_name": shown.source_name,
        "message_id": shown.message_id,
        "references": [asdict(one) for one in shown.references],
    }


def session(one: Session) -> Document:
    stored = asdict(one)
    return {"session_id": stored.pop("id"), **stored}


def session_row(row: SessionRow) -> Document:
    return {**session(row.session), "messages": row.messages, "frames": row.frames}


def conversation(shown: Conversation) -> Document:
    return {"session": session(shown.session), "messages": [_message(one) for one in shown.messages]}


def _message(one: Message) -> Document:
    stored = asdict(one)
    return {"message_id": stored.pop("id"), **stored}


def _frame_counts(frames: FrameCounts) -> Document:
    return {"I": frames.i, "P": frames.p, "B": frames.b}
