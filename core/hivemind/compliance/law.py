"""The dated law basis: articles, dates and wording come from a data file; a change of law is a change of data."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hivemind.domain.checks import LawBasis, Paragraph, RiskClass, Statement
from hivemind.paths import resource_path

FRAMEWORK = "eu-ai-act"
#: After so many days the report warns that the law may have moved on.
OLD_AFTER_DAYS = 180
DECLARED = "declared by operator, not checked"
NOT_COVERED = "not covered"


@dataclass(frozen=True, slots=True)
class Article:
    """One article as the data file tells it, in our words."""

    number: str
    title: str
    duty_of: str
    asks: str
    annex_iii_from: str
    annex_i_from: str

    def applies_from(self, risk: RiskClass) -> str:
        """A day. Without a class it is the day for Annex III, the earlier one."""
        return self.annex_i_from if risk is RiskClass.ANNEX_I else self.annex_iii_from


@dataclass(frozen=True, slots=True)
class Law:
    """A framework: its articles by number, and the paragraphs that are listed one by one."""

    text: str
    as_of: str
    source: str
    note: str
    articles: dict[str, Article]
    listed: tuple[tuple[str, str, str], ...]

    def basis(self, today: str) -> LawBasis:
        age = (date.fromisoformat(today) - date.fromisoformat(self.as_of)).days
        return LawBasis(self.text, self.as_of, self.source, self.note, age > OLD_AFTER_DAYS)

    def paragraphs(self, statement: Statement) -> tuple[Paragraph, ...]:
        """What is checked, what the operator declares, and what neither covers."""
        return tuple(Paragraph(number, subject, _how(number, how, statement)) for number, subject, how in self.listed)


def load_law(framework: str = FRAMEWORK, file: Path | None = None) -> Law:
    """Read a framework's file. Raises OSError, ValueError and KeyError: the file is ours."""
    path = file or resource_path("law", f"{framework}.json")
    data = json.loads(path.read_text("utf-8"))
    articles = {
        number: Article(
            number, one["title"], one["duty_of"], one["asks"], one["applies_from"]["annex_iii"],
            one["applies_from"]["annex_i"],
        )
        for number, one in data["articles"].items()
    }  # fmt: skip
    listed = tuple((str(number), str(subject), str(how)) for number, subject, how in data["paragraphs"])
    return Law(data["text"], data["as_of"], data["source"], data["note"], articles, listed)


def _how(number: str, how: str, statement: Statement) -> str:
    if how != "declared":
        return how
    return DECLARED if number in statement.declared else NOT_COVERED
