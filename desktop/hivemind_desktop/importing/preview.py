"""What a dropped export is, before anything is written: what was found so far, what a scan met, the options."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from hivemind.domain.surveys import Sighting, Survey, SurveySource, SurveyState
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import day, number, percent, size, vendor
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, clear_layout, column, line, row
from hivemind_desktop.widgets.marks import Bar, Icon, Monogram
from hivemind_desktop.widgets.words import fill, one_line

from .options import OptionsForm
from .running import figure


class PreviewCard(QFrame):
    """`wanted`: import or close. The options are in `form`."""

    wanted = Signal(str)

    def __init__(self, workspace: str) -> None:
        super().__init__()
        self.setProperty("look", "card")
        self.survey: Survey | None = None
        self.form = OptionsForm(workspace)
        self.form.hide()
        self._title = label("", "heading")
        self._facts = ElidedLabel("", "label", "faint")
        self.go = Button(self.tr("Import"), "primary", "import", on_click=lambda: self.wanted.emit("import"))
        close = Button(self.tr("Cancel"), on_click=lambda: self.wanted.emit("close"))
        self._mark = QWidget()
        self._mark.setLayout(column())
        head = row(self._mark, (box(column(self._title, self._facts, gap=0)), 1), close, self.go, gap=10)
        self._items, items = figure(self.tr("conversations"))
        self._messages, messages = figure(self.tr("messages"))
        self._known, known = figure(self.tr("in already"))
        self._span, span = figure(self.tr("dates"))
        figures_row = row(items, 26, messages, 26, known, 26, span, None, gap=0)
        self._bar = Bar(self.tr("Counting"), None, height=4)
        self._state = ElidedLabel("", "label", "soft")
        self._sources = column(gap=0)
        self._findings = column(gap=0)
        self._fold = Button(self.tr("Options"), "link", "chevron-down", trailing=True, on_click=self._toggle)
        self._summary = ElidedLabel(self.form.summary(), "label", "faint")
        fold = row(self._fold, (self._summary, 1), None, gap=10)
        self.setLayout(
            column(head, self._sources, 6, figures_row, self._bar, self._state, self._findings, line(), fold, self.form,
                   gap=6, margins=(18, 16, 18, 14))
        )  # fmt: skip

    def show_survey(self, survey: Survey) -> None:
        """Everything counted so far; comes ten times a second while counting goes on."""
        first = self.survey is None or self.survey.id != survey.id
        before, self.survey = self.survey, survey
        if first or before is None or before.sources != survey.sources:
            self._show_sources(survey)
        self._items.setText(number(survey.items))
        self._messages.setText(number(survey.messages))
        self._known.setText(number(survey.known))
        self._span.setText(_span(survey) or self.tr("not known yet"))
        running = survey.state is SurveyState.RUNNING
        self._bar.setVisible(running)
        self._bar.set_share(survey.done / survey.total if survey.total else None)
        self._state.set_full_text(self._state_words(survey))
        self.go.setEnabled(any(each.source and not each.error for each in survey.sources))
        if first or before is None or (before.secrets, before.instructions, before.skipped, before.failed) != (
            survey.secrets, survey.instructions, survey.skipped, survey.failed,
        ):  # fmt: skip
            self._show_findings(survey)

    def show_options(self, shown: bool) -> None:
        self.form.setVisible(shown)
        self._fold.set_icon("x" if shown else "chevron-down")
        self._summary.set_full_text(self.form.summary())
        self._summary.setVisible(not shown)

    def _toggle(self) -> None:
        self.show_options(self.form.isHidden())

    def _show_sources(self, survey: Survey) -> None:
        known = [each for each in survey.sources if each.source]
        name = vendor(known[0].source) if known else self.tr("Not recognised")
        if len({each.source for each in known}) > 1:
            name = self.tr("Several sources")
        self._title.setText(fill(self.tr("Looks like a %1 export"), known[0].label) if len(known) == 1 else name)
        self._facts.set_full_text(fill(self.tr("%1 · nothing is saved yet"), size(sum(s.size for s in survey.sources))))
        layout = self._mark.layout()
        assert layout is not None
        clear_layout(layout)  # type: ignore[arg-type]
        layout.addWidget(Monogram(name, 36))
        clear_layout(self._sources)
        for each in survey.sources:
            self._sources.addWidget(self._source_row(each))

    def _source_row(self, source: SurveySource) -> QWidget:
        if source.source and not source.error:
            files = fill(self.tr("%1 files"), number(len(source.parts))) if len(source.parts) > 1 else ""
            parts = (vendor(source.source), size(source.size), files)
            facts = ElidedLabel(" · ".join(filter(None, parts)), "label", "faint")
            sign = Icon("circle-check", "ok", 14)
        else:
            words = self.tr("cannot be read, see above") if source.error else self.tr("not recognised, see above")
            facts = ElidedLabel(words, "label", "danger")
            sign = Icon("circle-x", "danger", 14)
        return box(
            row(sign, (ElidedLabel(one_line(source.name, 160), "label"), 1), (facts, 2), gap=8, margins=(0, 3, 0, 3))
        )

    def _state_words(self, survey: Survey) -> str:
        if survey.state is SurveyState.RUNNING:
            share = percent(survey.done / survey.total) if survey.total else ""
            parts = (self.tr("Counting"), share, one_line(survey.current, 120))
            return " · ".join(filter(None, parts))
        if survey.state is SurveyState.FINISHED:
            return self.tr("Counted to the end. You can import now.")
        return self.tr("Counting stopped. What could be counted is shown; you can still import.")

    def _show_findings(self, survey: Survey) -> None:
        """What will be left out, masked or held back, and one example of each that is safe to show."""
        clear_layout(self._findings)
        for reason in survey.skipped:
            words = fill(self.tr("%1 will be skipped: %2"), number(reason.count), one_line(reason.reason, 120))
            self._findings.addWidget(self._finding("minus", "text_soft", words, ""))
        if survey.failed:
            words = fill(self.tr("%1 cannot be read"), number(survey.failed))
            self._findings.addWidget(self._finding("circle-x", "danger", words, ""))
        for each in survey.secrets:
            words = fill(self.tr("%1 × %2: will be masked"), number(each.count), one_line(each.label, 60))
            self._findings.addWidget(self._finding("key-round", "warn", words, _example(each)))
        for each in survey.instructions:
            words = fill(self.tr("%1 × %2: will be held back"), number(each.count), one_line(each.label, 60))
            self._findings.addWidget(self._finding("shield-alert", "warn", words, _example(each)))
        if survey.state is not SurveyState.RUNNING and not survey.secrets and not survey.instructions:
            words = self.tr("No keys, passwords or orders to an AI were found.")
            self._findings.addWidget(self._finding("circle-check", "ok", words, ""))

    @staticmethod
    def _finding(icon: str, ink: str, words: str, example: str) -> QWidget:
        parts: list[Item] = [Icon(icon, ink, 14), (ElidedLabel(words, "label"), 1)]
        if example:
            parts.append((ElidedLabel(example, "caption", "faint"), 1))
        return box(row(*parts, gap=8, margins=(0, 3, 0, 3)))


def _example(sighting: Sighting) -> str:
    return one_line(sighting.example, 160)


def _span(survey: Survey) -> str:
    return " – ".join(dict.fromkeys(filter(None, (day(survey.first_at), day(survey.last_at)))))
