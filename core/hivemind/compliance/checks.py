"""The checks: one object per article, each from facts to a result. Nothing passes that was not looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hivemind.compliance.facts import Facts
from hivemind.compliance.law import Article, Law
from hivemind.domain.audit_report import Oversight
from hivemind.domain.checks import LEAST_MONTHS, CheckResult, Evidence, Finding, Standing, Statement, Status

#: From so many decisions on, quick approvals without exception are worth a look.
ENOUGH_DECISIONS = 20
FAST_MEDIAN = 2.0
GRANT_DAYS = 30


@dataclass(frozen=True, slots=True)
class Matter:
    """What a check may look at."""

    facts: Facts
    oversight: Oversight
    statement: Statement


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says: its result in words, its figures, and what a person should look at."""

    status: Status
    detail: str
    evidence: tuple[Evidence, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One named technical check of evidence relevant to `article`."""

    article: str
    look: Callable[[Matter], Verdict]

    def run(self, matter: Matter, law: Law) -> CheckResult:
        article: Article = law.articles[self.article]
        said = self.look(matter)
        return CheckResult(
            self.article, article.title, article.duty_of, said.status, said.detail,
            article.applies_from(matter.statement.risk), said.evidence, said.findings,
        )  # fmt: skip


def recording(matter: Matter) -> Verdict:
    """Art. 12: rows are there, the chain adds up, nothing failed to be written, the counters agree."""
    facts = matter.facts
    evidence = (
        Evidence("Calls recorded", facts.calls),
        Evidence("Failed writes", facts.missed),
        Evidence("Requests without an entry", facts.unlogged),
    )
    if not facts.log.intact:
        return Verdict(Status.FAIL, "The log does not add up.", evidence, (_broken(facts),))
    if not facts.counters_agree or facts.missed or facts.unlogged:
        return Verdict(Status.FAIL, "Calls were made that the log does not hold.", evidence, (_missing(facts),))
    if not facts.calls:
        return Verdict(Status.NOT_ASSESSED, "No call was recorded in this period.", evidence)
    if facts.unlogged is None:
        return Verdict(Status.NOT_ASSESSED, "The list of sent requests was not compared.", evidence)
    if facts.open_calls:
        return Verdict(
            Status.ATTENTION, "Every call has an entry, and some have no end: the program stopped in between.",
            (*evidence, Evidence("Calls without an end", facts.open_calls)),
        )  # fmt: skip
    return Verdict(Status.PASS, "Each call made through this application has an entry. No write failed.", evidence)


def oversight(matter: Matter) -> Verdict:
    """Art. 14: people decided, and their decisions do not look like a reflex."""
    seen = matter.oversight
    old = [grant for grant in seen.grants if grant.age > GRANT_DAYS]
    evidence = (
        Evidence("Decisions by people", seen.total),
        Evidence("Under 2 seconds", seen.fast),
        Evidence("Expired unanswered", seen.timed_out),
    )
    findings = tuple(
        Finding(
            Status.ATTENTION, "Standing grant not reviewed",
            f"“{grant.subject}” has been in force for {grant.age} days.",
            f"Standing grants are reviewed at least every {GRANT_DAYS} days (a rule of this check).",
            f"Grant of {grant.since[:10]}", "Nobody decided on the single reads under this grant.",
            "Renew the grant, or revoke it.",
        )
        for grant in old
    )  # fmt: skip
    if not seen.total:
        status = Status.ATTENTION if old else Status.NOT_ASSESSED
        return Verdict(status, "No person decided anything in this period.", evidence, findings)
    quick = seen.median is not None and seen.median < FAST_MEDIAN
    if seen.approval_rate == 1 and quick and seen.timed >= ENOUGH_DECISIONS:
        findings += (_reflex(matter),)
    if findings:
        return Verdict(Status.ATTENTION, "People decided; something about it needs a look.", evidence, findings)
    if not seen.timed:
        return Verdict(Status.ATTENTION, "People decided; how long they took was not recorded.", evidence)
    return Verdict(Status.PASS, "People decided, and not by reflex as far as times tell.", evidence)


def kept_by_provider(matter: Matter) -> Verdict:
    """Art. 19: the provider's logs. Whether the operator is a provider, only the operator knows."""
    role = matter.statement.as_provider
    if role is None:
        return Verdict(
            Status.NOT_ASSESSED, "The operator has not said whether it acts as provider.", _kept(matter.facts)
        )
    if not role:
        return Verdict(Status.NOT_APPLICABLE, "The operator says that it does not act as provider.")
    return _retention(matter.facts)


def kept_by_deployer(matter: Matter) -> Verdict:
    """Art. 26(6): the deployer's own duty to keep logs."""
    if matter.statement.personal_use:
        return Verdict(Status.NOT_APPLICABLE, "The operator says the use is purely personal: no deployer (Art. 3(4)).")
    if matter.statement.as_deployer is False:
        return Verdict(Status.NOT_APPLICABLE, "The operator says that it does not act as deployer.")
    return _retention(matter.facts)


def monitoring(matter: Matter) -> Verdict:
    """Art. 26(5), support only: what was measured about cost, tools, models and personas."""
    facts = matter.facts
    known = facts.model_calls - facts.cost_unknown
    evidence = (
        Evidence("Model calls", facts.model_calls),
        Evidence("With a known cost", known),
        Evidence("With an exact model", facts.model_calls - facts.unnamed),
        Evidence("With a persona", facts.with_persona),
        Evidence("That used tools", facts.with_tools),
    )
    if matter.statement.personal_use:
        return Verdict(Status.NOT_APPLICABLE, "The operator says the use is purely personal: no deployer (Art. 3(4)).")
    if not facts.model_calls:
        return Verdict(Status.NOT_ASSESSED, "No model was called in this period.", evidence)
    if facts.unnamed or facts.cost_unknown:
        return Verdict(Status.ATTENTION, "Some calls lack a cost or an exact model. It only supports 26(5).", evidence)
    return Verdict(Status.PASS, "Cost and model are known of each call. It only supports 26(5).", evidence)


def transparency(matter: Matter) -> Verdict:
    """Art. 50: notices that were shown and marks on what was exported. Model names are only background."""
    facts = matter.facts
    unmarked = facts.ai_pages - facts.ai_pages_marked
    evidence = (
        Evidence("Notices shown", facts.notices),
        Evidence("AI-written pages exported", facts.ai_pages),
        Evidence("Without a mark", unmarked),
    )
    if unmarked > 0:
        return Verdict(Status.FAIL, "An exported AI-written page carries no mark.", evidence, (_unmarked(unmarked),))
    if not facts.own_calls and not facts.ai_pages:
        return Verdict(Status.NOT_ASSESSED, "Nobody talked to a model in this application.", evidence)
    if facts.own_calls and not facts.notices:
        return Verdict(Status.ATTENTION, "Models answered here, and no entry says that a notice was shown.", evidence)
    return Verdict(Status.PASS, "Notices were shown, and no exported page lacks its mark.", evidence)


CHECKS: tuple[Check, ...] = (
    Check("12", recording),
    Check("14", oversight),
    Check("19", kept_by_provider),
    Check("26(5)", monitoring),
    Check("26(6)", kept_by_deployer),
    Check("50", transparency),
)


def standing(matter: Matter, law: Law) -> Standing:
    """Run every check."""
    results = tuple(check.run(matter, law) for check in CHECKS)
    paragraphs = law.paragraphs(matter.statement)
    return Standing(overall(results), duty(matter.statement), law.basis(matter.facts.today), results, paragraphs)


def overall(results: tuple[CheckResult, ...]) -> str:
    """The worst result in words. It is never a pass while something was not assessed."""
    found = {one.status for one in results}
    if Status.FAIL in found:
        return "a check failed"
    if Status.ATTENTION in found:
        return "something needs attention"
    if Status.PASS not in found:
        return "nothing assessed yet"
    return "checks passed with open items" if Status.NOT_ASSESSED in found else "no check found anything"


def duty(statement: Statement) -> str:
    """What the risk class that the operator set means for Articles 12, 14, 19 and 26."""
    if statement.risk.high:
        return (
            "The operator says that the use is high-risk. From the days named here on, Articles 12, 14, 19 and 26 may"
            " bind; this report shows evidence relevant to them."
        )
    said = (
        "not been assessed" if not statement.set_at or statement.risk == "not_assessed" else "been set to not high-risk"
    )
    return (
        f"The risk class has {said} by the operator. A duty under Articles 12, 14, 19 and 26 is not established; the"
        " evidence is shown as good practice."
    )


def _kept(facts: Facts) -> tuple[Evidence, ...]:
    return (Evidence("Calendar months kept", facts.months_kept), Evidence("Restores", facts.restores))


def _retention(facts: Facts) -> Verdict:
    evidence = _kept(facts)
    if not facts.log.intact:
        return Verdict(Status.FAIL, "The log does not add up.", evidence, (_broken(facts),))
    if facts.restores:
        return Verdict(Status.ATTENTION, "The log was restored from a backup.", evidence, (_restored(facts),))
    if facts.months_kept < LEAST_MONTHS:
        return Verdict(Status.NOT_ASSESSED, f"The log is younger than {LEAST_MONTHS} calendar months.", evidence)
    return Verdict(
        Status.PASS, f"Nothing was cut off, and the log is older than {LEAST_MONTHS} calendar months.", evidence
    )


def _broken(facts: Facts) -> Finding:
    first = facts.log.findings[0] if facts.log.findings else ""
    return Finding(
        Status.FAIL, "The log does not add up", f"{len(facts.log.findings)} findings. The first: {first}",
        "Evidence relevant to Art. 12 and 26(6): every entry follows on the one before it.",
        "The list of findings in this report", "Entries may have been changed or removed.",
        "Keep the file as it is, and compare it with an earlier report, anchor or backup.",
    )  # fmt: skip


def _missing(facts: Facts) -> Finding:
    return Finding(
        Status.FAIL, "Calls without an entry",
        f"{facts.missed} failed writes; {facts.unlogged or 0} sent requests without an entry; counters"
        f" {'agree' if facts.counters_agree else 'do not agree'} with the rows.",
        "Evidence relevant to Art. 12: each call is written down before it is made.",
        "Counters, log gaps and the list of sent requests", "The log does not show all that was asked and answered.",
        "Find out what was sent in Settings, Privacy, and note why it is not in the log.",
    )  # fmt: skip


def _restored(facts: Facts) -> Finding:
    return Finding(
        Status.ATTENTION, "Restored from a backup", f"{facts.restores} restores are in the log.",
        "Evidence relevant to Art. 26(6): restores are shown and explained, whatever their result.",
        "The restore entries under Gaps", "A restore is a point at which entries could be lost.",
        "Keep a note that explains the restore with this report.",
    )  # fmt: skip


def _reflex(matter: Matter) -> Finding:
    return Finding(
        Status.ATTENTION, "Possible automation bias",
        f"All {matter.oversight.total} requests were approved, half of them in under {FAST_MEDIAN:.0f} seconds.",
        "Evidence relevant to Art. 14: people stay aware of the tendency to rely on a system.",
        "Decision times under Human oversight", "Approvals may be given without being read.",
        "Ask for fewer approvals of less weight, or have somebody else decide for a while.",
    )  # fmt: skip


def _unmarked(count: int) -> Finding:
    return Finding(
        Status.FAIL, "Exported page without a mark",
        f"{count} exported AI-written pages carry no machine-readable mark.",
        "Evidence relevant to Art. 50(2): every AI-written page exported here carries one.", "Export entries",
        "Readers and programs that receive the page cannot tell that AI wrote it.", "Export the page again.",
    )  # fmt: skip
