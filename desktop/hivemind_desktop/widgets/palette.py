"""Ctrl+K: every page and action by name, with its own key beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from hivemind_desktop.theme import colors, font, paint_icon, px

from .floating import make_floating
from .labels import label
from .layouts import box, column, line, row
from .matching import best
from .words import fill, one_line

AnyIndex = QModelIndex | QPersistentModelIndex
COMMAND = Qt.ItemDataRole.UserRole + 1
_NOWHERE = QModelIndex()


@dataclass(frozen=True, slots=True)
class Command:
    """What Ctrl+K offers. `also`: other words people use for it. `shortcut` is only shown. `why_not`: why it cannot be
    run now, '' when it can."""

    key: str
    name: str
    icon: str
    group: str
    shortcut: str = ""
    also: str = ""
    why_not: str = ""


def matching(commands: Sequence[Command], typed: str) -> list[Command]:
    """Commands that hold every typed word, what can be run now first; a slip of a finger is forgiven."""
    found = best(commands, typed, lambda each: each.name, lambda each: f"{each.group} {each.also}")
    return sorted(found, key=lambda each: bool(each.why_not))


class CommandModel(QAbstractListModel):
    """The commands that match what was typed."""

    def __init__(self, commands: Sequence[Command], parent: QObject) -> None:
        super().__init__(parent)
        self._all = tuple(commands)
        self._shown = matching(commands, "")
        self._typed = ""
        self._last: Command | None = None

    def narrow(self, typed: str) -> None:
        self.beginResetModel()
        self._typed = typed
        self._shown = matching(self._all, typed)
        if self._last is not None and typed.strip():
            self._shown.append(replace(self._last, name=fill(self._last.name, one_line(typed, 60))))
        self.endResetModel()

    def add(self, commands: Sequence[Command], last: Command | None = None) -> None:
        """More commands, which were not known at once. `last` always stands at the end; its `%1` is what was typed."""
        self._all, self._last = (*self._all, *commands), last or self._last
        self.narrow(self._typed)

    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        command = self._shown[index.row()]
        if role == COMMAND:
            return command
        if role == Qt.ItemDataRole.DisplayRole:
            return command.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (command.name, command.group, command.shortcut, command.why_not)))
        return None


class CommandRow(QStyledItemDelegate):
    """Icon, name, group, and the key as a cap."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        return QSize(120, px(38))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        command = index.data(COMMAND)
        state, area = option.state, option.rect
        c, rect = colors(), QRectF(area).adjusted(8, 1, -8, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.honey_tint))
            painter.drawRoundedRect(rect, 7, 7)
        ink = c.text_faint if command.why_not else c.text
        paint_icon(
            painter,
            command.icon,
            c.text_faint if command.why_not else c.text_soft,
            QRectF(rect.left() + 10, rect.center().y() - 8, 16, 16),
        )
        right = self._paint_key(painter, rect.adjusted(0, 0, -10, 0), command)
        painter.setFont(font("body", 500))
        painter.setPen(QColor(ink))
        words = QRectF(rect.left() + 38, rect.top(), right - rect.left() - 48, rect.height())
        metrics = QFontMetricsF(painter.font())
        shown = metrics.elidedText(one_line(command.name), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()

    @staticmethod
    def _paint_key(painter: QPainter, rect: QRectF, command: Command) -> float:
        """Group and key cap at the right end; returns where they begin."""
        c = colors()
        painter.setFont(font("caption"))
        metrics = QFontMetricsF(painter.font())
        if command.shortcut:
            width, height = metrics.horizontalAdvance(command.shortcut) + 12, metrics.height() + 6
            cap = QRectF(rect.right() - width, rect.center().y() - height / 2, width, height)
            painter.setBrush(QColor(c.surface))
            painter.setPen(QColor(c.border))
            painter.drawRoundedRect(cap, 5, 5)
            painter.setPen(QColor(c.text_soft))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, command.shortcut)
            rect = QRectF(rect.left(), rect.top(), cap.left() - 10 - rect.left(), rect.height())
        painter.setPen(QColor(c.text_faint))
        told = command.why_not or command.group
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, told)
        return rect.right() - metrics.horizontalAdvance(told)


class CommandPalette(QDialog):
    """Type to narrow, arrows to choose, Enter to run. Emits `chosen` with the command's key, then closes."""

    chosen = Signal(str)
    WIDTH = 560
    MOST_ROWS = 9

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent)
        make_floating(self)
        self.setWindowTitle(self.tr("Commands"))
        self._window = parent.window()
        self.setFixedWidth(min(self.WIDTH, self._window.width() - 32))
        self.line = QLineEdit()
        self.line.setProperty("look", "palette")
        self.line.setPlaceholderText(self.tr("Type a command or a page"))
        self.line.setAccessibleName(self.tr("Command"))
        self._model = CommandModel(commands, self)
        self.list = self._list()
        self._nothing = label("", "body", "soft", wrap=True)
        self._nothing.setContentsMargins(18, 10, 18, 14)
        foot = row(*self._hints(), None, gap=16, margins=(18, 7, 18, 9))
        body = column(self.line, line(), 4, self.list, self._nothing, line(), foot, gap=0)
        self.setLayout(column(box(body, "dialog"), gap=0))
        self.line.textChanged.connect(self._narrow)
        self.line.returnPressed.connect(self._run)
        self.list.clicked.connect(lambda _index: self._run())
        self._narrow("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}
        step = steps.get(Qt.Key(event.key()))
        if step is None or not self._model.rowCount():
            super().keyPressEvent(event)
            return
        here = self.list.currentIndex().row()
        self._select(min(self._model.rowCount() - 1, max(0, here + step)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        window = self._window
        corner = window.mapToGlobal(QPoint((window.width() - self.width()) // 2, window.height() // 8))
        self.move(corner)
        self.line.setFocus()

    def add(self, commands: Sequence[Command], last: Command | None = None) -> None:
        """More commands that became known while it is open."""
        self._model.add(commands, last)
        self._fit()

    @property
    def typed(self) -> str:
        return self.line.text().strip()

    def _list(self) -> QListView:
        view = QListView()
        view.setModel(self._model)
        view.setItemDelegate(CommandRow(view))
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the line keeps the keyboard
        view.setUniformItemSizes(True)
        view.setAccessibleName(self.tr("Commands"))
        return view

    def _hints(self) -> list[QWidget]:
        words = (self.tr("↑ ↓ choose"), self.tr("Enter run"), self.tr("Esc close"))
        return [label(each, "caption", "faint") for each in words]

    def _narrow(self, typed: str) -> None:
        self._model.narrow(typed)
        self._fit()

    def _fit(self) -> None:
        typed, rows = self.line.text(), self._model.rowCount()
        self.list.setVisible(rows > 0)
        self.list.setFixedHeight(px(38) * min(rows, self.MOST_ROWS) + 8)
        self._nothing.setVisible(rows == 0)
        self._nothing.setText(fill(self.tr("No command matches “%1”. Clear the line to see all."), one_line(typed, 40)))
        if rows:
            self._select(0)
        # Qt keeps the sizes of nested layouts until the next event, and would leave the room of more rows.
        for layout in (*(frame.layout() for frame in self.findChildren(QFrame)), self.layout()):
            if layout is not None:
                layout.activate()
        outer = self.layout()
        assert outer is not None
        by_width = outer.hasHeightForWidth()
        self.setFixedHeight(outer.totalHeightForWidth(self.width()) if by_width else outer.totalSizeHint().height())

    def _select(self, number: int) -> None:
        index = self._model.index(number, 0)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index)

    def _run(self) -> None:
        index = self.list.currentIndex()
        if index.isValid() and not index.data(COMMAND).why_not:
            key = index.data(COMMAND).key
            self.accept()
            self.chosen.emit(key)
