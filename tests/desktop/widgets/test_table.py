"""Small tables: columns go by priority, numbers stand right, any text is one line."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle, shot
from tests.desktop.widgets import samples

from hivemind_desktop.theme import Theme, colors
from hivemind_desktop.widgets.table import Cell, Column, Table, TableModel

COLUMNS = (Column("What"), Column("Count", 80, right=True), Column("State", 130), Column("When", 110, needs=560))
ROWS = (("a\nb", "1", Cell("Look", "triangle-alert", "warn"), "May"), ("c", "2", Cell("empty", "minus"), "June"))


def test_model_keeps_the_rules_of_qt(qtbot: QtBot) -> None:
    model = TableModel(COLUMNS)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.set_rows(ROWS)
    assert tester.model() is model
    assert (model.rowCount(), model.columnCount()) == (2, 4)
    assert model.rowCount(model.index(0, 0)) == 0


def test_cells_are_one_line_and_readable() -> None:
    model = TableModel(COLUMNS)
    model.set_rows(ROWS)
    assert model.index(0, 0).data() == "a b"
    assert model.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole) == "Look"
    assert QModelIndex().data() is None


def test_heads_stand_over_their_cells() -> None:
    model = TableModel(COLUMNS)
    right = model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    assert Qt.AlignmentFlag(right) & Qt.AlignmentFlag.AlignRight
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Count"
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_columns_go_when_it_is_narrow(qtbot: QtBot) -> None:
    table = Table("Items", COLUMNS)
    qtbot.addWidget(table)
    table.set_rows(ROWS)
    table.resize(700, 200)
    table.show()
    assert not table.isColumnHidden(3)
    table.resize(500, 200)
    assert table.isColumnHidden(3)
    assert table.columnWidth(1) == 80, "never squeezed"


def test_first_row_is_chosen_and_painted(qtbot: QtBot) -> None:
    table = samples.table()
    qtbot.addWidget(table)
    table.resize(640, 150)
    table.show()
    settle()
    assert table.currentIndex().row() == 0
    image = shot(table.viewport())
    assert image.pixelColor(320, 4) == QColor(colors().honey_tint)
    table.set_rows(())
    assert shot(table.viewport()) != image


def test_tab_leaves_the_table(qtbot: QtBot) -> None:
    assert not samples.table().tabKeyNavigation()


def test_rows_grow_with_the_text(qtbot: QtBot, theme: Theme) -> None:
    table = samples.table()
    qtbot.addWidget(table)
    assert table.verticalHeader().defaultSectionSize() == 36
    theme.set_text_percent(150)
    assert table.verticalHeader().defaultSectionSize() == 54
