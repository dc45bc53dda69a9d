"""Statement: what only the operator can say, and how long texts are kept. Printed as declared, never as checked."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from hivemind.domain.checks import DECLARABLE, RiskClass, Statement
from hivemind.domain.report_order import Overview
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import moment, number
from hivemind_desktop.widgets.labels import label
from hivemind_desktop.widgets.layouts import box, column, line, row
from hivemind_desktop.widgets.switch import Switch
from hivemind_desktop.widgets.words import fill

from .parts import PickOne, page_of

_MONTHS = (0, 6, 12, 24, 36)


class StatementTab(QWidget):
    """`kept` with a statement when a person saves it. What was typed stays until it is saved."""

    kept = Signal(Statement)

    def __init__(self) -> None:
        super().__init__()
        self.risk = PickOne(self.tr("Risk class"), _risks())
        self.area = PickOne(self.tr("Annex III area"), {str(n): fill(self.tr("Area %1"), n) for n in range(1, 9)})
        self.risk.picked.connect(lambda _key: self._show_area())
        roles = {"": self.tr("Not said"), "yes": self.tr("Yes"), "no": self.tr("No")}
        self.provider = PickOne(self.tr("Acts as provider"), roles)
        self.deployer = PickOne(self.tr("Acts as deployer"), roles)
        self.personal = Switch(self.tr("Purely personal use"))
        self.lines = {name: QLineEdit() for name in ("operator", "set_by", "purpose", "instructions")}
        self.months = PickOne(self.tr("Texts are kept"), self._months())
        self.declared = {number: Switch(words) for number, words in _paragraphs().items()}
        self.save = Button(self.tr("Keep this statement"), "primary", on_click=lambda: self.kept.emit(self.statement()))
        self.when = label("", "label", "faint", wrap=True)
        self.retention = label("", "label", "soft", wrap=True)
        names = {
            "operator": self.tr("Operator"), "set_by": self.tr("Set by"), "purpose": self.tr("Intended purpose"),
            "instructions": self.tr("Instructions for use"),
        }  # fmt: skip
        rows: list[QFrame] = []
        for name, words in names.items():
            self.lines[name].setAccessibleName(words)
            self.lines[name].setMaxLength(500)
            rows.append(_line_of(words, self.lines[name]))
        use = column(
            *rows, line(),
            _choice(self.tr("Risk class"), self.area, self.risk),
            _choice(self.tr("Acts as provider"), self.provider),
            _choice(self.tr("Acts as deployer"), self.deployer),
            _choice(self.tr("Purely personal use"), self.personal.word, self.personal),
            gap=6, margins=(16, 12, 14, 12),
        )  # fmt: skip
        paper = column(
            *(_choice(each.accessibleName(), each.word, each) for each in self.declared.values()),
            gap=3, margins=(16, 10, 14, 10),
        )  # fmt: skip
        keep = column(
            _choice(self.tr("Texts of calls are kept"), self.months), self.retention, gap=6, margins=(16, 10, 14, 12)
        )
        page = page_of(
            row((label(self.tr("Use of this mind"), "heading"), 1), self.save, gap=8),
            self.when, box(use, "card"),
            label(self.tr("Declared, not checked"), "heading"), box(paper, "card"),
            label(self.tr("Retention"), "heading"), box(keep, "card"),
        )  # fmt: skip
        self.setLayout(column(page, gap=0))
        self._shown = Statement()
        self._show_area()

    def show_overview(self, seen: Overview) -> None:
        if self.statement() == self._shown:
            self._show(seen.statement)
        kept = seen.retention
        due = fill(self.tr("%1 texts are older than that."), number(kept.texts_due)) if kept.keep_texts_months else ""
        self.retention.setText(
            " ".join(
                filter(
                    None,
                    (
                        self.tr("Entries of the log cannot be removed here; only their texts can be erased. Where the "
                                "law asks for logs, they are kept for six calendar months at least."),
                        kept.six_months,
                        fill(self.tr("%1 texts are kept now."), number(kept.texts_present)),
                        due,
                    ),
                )
            )
        )  # fmt: skip
        said = seen.statement.set_at
        self.when.setText(
            fill(self.tr("Last kept on %1. The report prints all of it as declared by the operator."), moment(said))
            if said
            else self.tr("Nothing is stated yet. The report prints all of it as declared by the operator, not checked.")
        )

    def forget_draft(self) -> None:
        """What stands in the form was kept: show what is stored from now on."""
        self._shown = self.statement()

    def statement(self) -> Statement:
        """What stands in the form."""
        risk = RiskClass(self.risk.key)
        said = {"": None, "yes": True, "no": False}
        return Statement(
            risk=risk,
            area=int(self.area.key) if risk is RiskClass.ANNEX_III else 0,
            set_by=self.lines["set_by"].text().strip(),
            set_at=self._shown.set_at,
            operator=self.lines["operator"].text().strip(),
            purpose=self.lines["purpose"].text().strip(),
            instructions=self.lines["instructions"].text().strip(),
            as_provider=said[self.provider.key],
            as_deployer=said[self.deployer.key],
            personal_use=self.personal.isChecked(),
            declared=tuple(name for name in DECLARABLE if self.declared[name].isChecked()),
            keep_texts_months=int(self.months.key),
        )

    def _show(self, statement: Statement) -> None:
        self._shown = statement
        self.risk.show_choice(statement.risk)
        self.area.show_choice(str(statement.area or 1))
        for field in ("operator", "set_by", "purpose", "instructions"):
            self.lines[field].setText(str(getattr(statement, field)))
        words = {None: "", True: "yes", False: "no"}
        self.provider.show_choice(words[statement.as_provider])
        self.deployer.show_choice(words[statement.as_deployer])
        self.personal.setChecked(statement.personal_use)
        for name, switch in self.declared.items():
            switch.setChecked(name in statement.declared)
        known = statement.keep_texts_months if statement.keep_texts_months in _MONTHS else 0
        self.months.show_choice(str(known))
        self._show_area()

    def _show_area(self) -> None:
        self.area.setVisible(self.risk.key == RiskClass.ANNEX_III)

    def _months(self) -> dict[str, str]:
        return {
            str(months): fill(self.tr("%1 months"), months) if months else self.tr("Until somebody erases them")
            for months in _MONTHS
        }


def _risks() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        str(RiskClass.NOT_ASSESSED): translate("StatementTab", "Not assessed"),
        str(RiskClass.NOT_HIGH_RISK): translate("StatementTab", "Not high-risk"),
        str(RiskClass.ANNEX_III): translate("StatementTab", "High-risk, Annex III"),
        str(RiskClass.ANNEX_I): translate("StatementTab", "High-risk, Annex I"),
    }


def _paragraphs() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "26(1)": translate("StatementTab", "26(1) Used according to the instructions"),
        "26(2)": translate("StatementTab", "26(2) Competent, trained overseers"),
        "26(4)": translate("StatementTab", "26(4) Relevant and representative input data"),
        "26(7)": translate("StatementTab", "26(7) Workers and their representatives informed"),
        "26(8)": translate("StatementTab", "26(8) Registration checked (public bodies)"),
        "26(9)": translate("StatementTab", "26(9) Data protection impact assessment"),
        "26(11)": translate("StatementTab", "26(11) People subject to decisions informed"),
        "26(12)": translate("StatementTab", "26(12) Cooperation with authorities"),
        "4": translate("StatementTab", "Article 4: AI literacy of those who work with it"),
    }


def _line_of(name: str, field: QLineEdit) -> QFrame:
    caption = label(name, "label")
    caption.setFixedWidth(150)
    return box(row(caption, (field, 1), gap=8))


def _choice(name: str, *controls: QWidget) -> QFrame:
    return box(row((label(name, "label"), 1), *controls, gap=8))
