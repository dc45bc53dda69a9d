"""Search & models as seen: how search works now, the model in force, the embedding in the background, a try of it."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout

from hivemind.domain.minds import EmbeddingFacts, ModelPlace, ModelSource, QueueState
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import duration, memories, number, percent, size
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import box, clear_layout, column, line, row
from hivemind_desktop.widgets.marks import Badge, BadgeTone, Bar, Icon
from hivemind_desktop.widgets.page import Desk
from hivemind_desktop.widgets.shell import Banner
from hivemind_desktop.widgets.words import fill, one_line

from .parts import Section, SectionController, fact, setting

#: Likeness from which two sentences say about the same, and below which they have little to do with each other.
CLOSE, FAR = 0.6, 0.25


class ModelsSection(Section):
    """Emits what a person asks for; `show_facts` says what is so."""

    pause_asked = Signal()
    resume_asked = Signal()
    again_asked = Signal()
    folder_asked = Signal()
    bundled_asked = Signal()
    service_asked = Signal()
    compare_asked = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(self.tr("Search & models"))
        self.trouble: QVBoxLayout = column(gap=6)
        self._tried: Banner | None = None
        self.fill(self.trouble, self._search_card(), 6, self._queue_card(), 6, self._try_card())

    def _search_card(self) -> QFrame:
        self._head = label("", "heading", wrap=True)
        self._sign = Icon("search", "text_soft", 16, "sunken")
        self.choose = Button(self.tr("Choose a folder…"), "", "folder-open", on_click=self.folder_asked.emit)
        self.bundled = Button(self.tr("Use the bundled one"), "", "undo-2", on_click=self.bundled_asked.emit)
        self.service = Button(self.tr("Use a service…"), "", "arrow-up-right", on_click=self.service_asked.emit)
        self.settings |= {"model.choose": self.choose, "model.service": self.service}
        self._told = label("", "label", "faint", wrap=True)
        words, self.by_words = fact(self.tr("By words"))
        meaning, self.by_meaning = fact(self.tr("By meaning"))
        model, self.model = fact(self.tr("Model"))
        takes, self.takes = fact(self.tr("A question takes"))
        revision, self.revision = fact(self.tr("Revision"))
        made, self.made_for = fact(self.tr("Made for"))
        weight, self.weight = fact(self.tr("Vectors"))
        where, self.where = fact(self.tr("Taken from"))
        pairs = ((words, meaning), (model, takes), (made, weight), (revision, where))  # four abreast would be cut off
        rows = (row((left, 1), (right, 1), gap=14) for left, right in pairs)
        head = row(self._sign, (box(column(self._head, self._told, gap=0)), 1), gap=12)
        buttons = row(None, self.bundled, self.choose, gap=8)
        service = setting(
            self.tr("A service instead"),
            self.tr("Ollama, Voyage, OpenAI or any other with OpenAI's interface. What would be sent is said first."),
            self.service,
        )
        facts = box(column(head, line(), *rows, buttons, gap=10, margins=(16, 12, 14, 12)))
        return box(column(facts, line(), service, gap=0), "card")

    def _queue_card(self) -> QFrame:
        self._state = Badge("", "", "neutral")
        self.progress = ElidedLabel("", "label", "faint")
        self.bar = Bar(self.tr("Memories embedded"), 0.0, height=4)
        self.pause = Button(self.tr("Pause"), "", "pause", on_click=self._turn)
        self.again = Button(self.tr("Embed everything again…"), "", "rotate-cw", on_click=self.again_asked.emit)
        self.settings |= {"model.pause": self.pause, "model.again": self.again}
        head = row(label(self.tr("Background embedding"), "heading"), self._state, None, gap=9)
        buttons = row(None, self.again, self.pause, gap=8)
        told = label(
            self.tr("Makes new memories findable by meaning while you work. It steps back for everything else."),
            "caption", "faint", wrap=True,
        )  # fmt: skip
        return box(column(head, told, self.bar, self.progress, buttons, gap=7, margins=(16, 11, 14, 12)), "card")

    def _try_card(self) -> QFrame:
        self.one = _sentence(self.tr("One sentence"), self.tr("The ferry leaves at noon"))
        self.other = _sentence(self.tr("Another sentence"), self.tr("The boat departs at midday"))
        self.compare = Button(self.tr("Compare"), "", "git-compare", on_click=self._ask_compare)
        for each in (self.one, self.other):
            each.returnPressed.connect(self._ask_compare)
        self.settings["model.try"] = self.one
        self.likeness = label("", "strong", wrap=True, digits=True)
        self.likeness_bar = Bar(self.tr("Likeness"), 0.0)
        self.likeness_bar.hide()
        told = label(
            self.tr("Type two sentences and see how alike they are to the model, from 0 to 1."), "caption", "faint",
            wrap=True,
        )  # fmt: skip
        lines = row((self.one, 1), (self.other, 1), gap=8)
        answer = row((self.likeness, 2), (self.likeness_bar, 3), self.compare, gap=14)
        return box(
            column(label(self.tr("Try it"), "heading"), told, lines, answer, gap=8, margins=(16, 11, 14, 12)), "card"
        )

    def show_facts(self, facts: EmbeddingFacts, place: ModelPlace, problem: str) -> None:
        """What is measured now. `problem`: why no model encodes, '' when one does or nobody has asked it yet."""
        found = bool(facts.embedder.dim)
        on = found and not facts.reason
        self._head.setText(self.tr("Search by words and by meaning") if on else self.tr("Search by words only"))
        self._sign.set_icon("search", "ok" if on else "warn")
        self._show_trouble(problem or facts.reason, facts.state)
        self.by_words.set_full_text(fill(self.tr("%1 of %2"), number(facts.frames), memories(facts.frames)))
        self.by_meaning.set_full_text(fill(self.tr("%1 of %2"), number(facts.embedded), memories(facts.frames)))
        self.model.set_full_text(one_line(facts.embedder.id, 80) or self.tr("none"))
        self.takes.set_full_text(_question_words(self, facts))
        self.revision.set_full_text(one_line(facts.embedder.revision, 60) or self.tr("not said by the model"))
        self.made_for.set_full_text(_made_for(self, facts))
        self.weight.set_full_text(
            fill(self.tr("about %1, %2-d each"), size(facts.vector_bytes), facts.embedder.dim or 1024)
        )
        self._show_place(place)
        self._show_queue(facts, found)
        self.again.setEnabled(found and facts.frames > 0 and not facts.building_model)

    def _show_place(self, place: ModelPlace) -> None:
        names = {
            ModelSource.BUNDLED: self.tr("bundled with Hive-Mind"),
            ModelSource.SETTINGS: one_line(place.path, 300),
            ModelSource.SERVICE: one_line(place.path, 300),
            ModelSource.ENVIRONMENT: fill(self.tr("%1, named by the environment"), one_line(place.path, 300)),
            ModelSource.OFF: self.tr("switched off by the environment"),
        }
        self.where.set_full_text(names[place.source])
        fixed = place.source in (ModelSource.ENVIRONMENT, ModelSource.OFF)
        self.choose.setEnabled(not fixed)
        self.service.setEnabled(not fixed)
        self.bundled.setVisible(place.source in (ModelSource.SETTINGS, ModelSource.SERVICE))
        here = self.tr("Both are made and kept on this computer. No account and no key is needed.")
        away = self.tr("The vectors are made by a service: your memories and questions are sent there, secrets masked.")
        self._told.setText(away if place.source is ModelSource.SERVICE else here)

    def _show_trouble(self, words: str, state: QueueState) -> None:
        clear_layout(self.trouble)
        if not words:
            return
        steps = []
        if state is QueueState.OTHER_MODEL:
            steps.append(Button(self.tr("Embed again…"), "", "rotate-cw", on_click=self.again_asked.emit))
        self.trouble.addWidget(Banner("warn", one_line(words, 600), *steps))

    def _show_queue(self, facts: EmbeddingFacts, found: bool) -> None:
        words, sign, tone = self._state_words(facts, found)
        self._state.set_state(words, sign, tone)
        paused = facts.state is QueueState.PAUSED
        self.pause.set_words(self.tr("Resume") if paused else self.tr("Pause"))
        self.pause.set_icon("play" if paused else "pause")
        self.pause.setEnabled(found)
        building = bool(facts.building_model) and facts.total > 0
        done, total = (facts.done, facts.total) if building else (facts.embedded, facts.frames)
        self.bar.set_share(done / total if total else 0.0)
        self.progress.set_full_text(self._progress_words(facts, done, total))

    def _progress_words(self, facts: EmbeddingFacts, done: int, total: int) -> str:
        parts = [fill(self.tr("%1 of %2 (%3)"), number(done), memories(total), percent(done / total if total else 0))]
        if facts.building_model:
            parts.append(self.tr("building anew, search goes on with what is there"))
        if facts.texts_per_second:
            parts.append(fill(self.tr("%1 texts a second"), number(round(facts.texts_per_second))))
            if facts.state is QueueState.RUNNING and total > done:
                parts.append(fill(self.tr("about %1 left"), duration((total - done) / facts.texts_per_second)))
        if facts.failed:
            parts.append(fill(self.tr("%1 could not be embedded"), number(facts.failed)))
        return " · ".join(parts)

    def _state_words(self, facts: EmbeddingFacts, found: bool) -> tuple[str, str, BadgeTone]:
        states: dict[QueueState, tuple[str, str, BadgeTone]] = {
            QueueState.RUNNING: (self.tr("Running"), "loader-circle", "honey"),
            QueueState.PAUSED: (self.tr("Paused"), "pause", "neutral"),
            QueueState.ELSEWHERE: (self.tr("Another program does it"), "terminal", "info"),
            QueueState.OTHER_MODEL: (self.tr("Waits: another model"), "triangle-alert", "warn"),
            QueueState.UNAVAILABLE: (self.tr("No model"), "triangle-alert", "warn"),
        }
        if not found and facts.state is not QueueState.PAUSED:
            return states[QueueState.UNAVAILABLE]
        done = (self.tr("Up to date"), "circle-check", "ok") if facts.embedded >= facts.frames else None
        waiting: tuple[str, str, BadgeTone] = (self.tr("Waiting"), "circle-dashed", "neutral")
        return states.get(facts.state) or done or waiting  # type: ignore[return-value]

    def show_likeness(self, value: float | None, problem: str = "") -> None:
        """The cosine of the two sentences, or why there is none."""
        self.likeness_bar.setVisible(value is not None)
        if value is None:
            self.likeness.setText(one_line(problem, 400))
            return
        told = self.tr("about the same") if value >= CLOSE else self.tr("something else")
        if FAR <= value < CLOSE:
            told = self.tr("related")
        self.likeness.setText(fill(self.tr("%1: %2"), self.locale().toString(value, "f", 2), told))
        self.likeness_bar.set_share(value)

    def _turn(self) -> None:
        (self.resume_asked if self.pause.words() == self.tr("Resume") else self.pause_asked).emit()

    def _ask_compare(self) -> None:
        one, other = (each.text().strip() or each.placeholderText() for each in (self.one, self.other))
        self.compare_asked.emit(one, other)


def _sentence(name: str, example: str) -> QLineEdit:
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setPlaceholderText(example)
    made.setMaxLength(2000)
    return made


def _question_words(view: ModelsSection, facts: EmbeddingFacts) -> str:
    if not facts.queries:
        return view.tr("not measured yet")
    spent = view.locale().toString(facts.query_seconds * 1000, "f", 1)
    return fill(view.tr("%1 ms, median of %2"), spent, number(facts.queries))


def _made_for(view: ModelsSection, facts: EmbeddingFacts) -> str:
    if not facts.embedder.dim:
        return view.tr("unknown")
    names = [QLocale.languageToString(QLocale(code).language()) or code for code in facts.embedder.languages]
    return fill(view.tr("%1, %2-d inside"), ", ".join(names) or view.tr("any language"), facts.embedder.model_dim)


def open_section(desk: Desk) -> SectionController:
    from .models_control import ModelsController

    return ModelsController(ModelsSection(), desk)
