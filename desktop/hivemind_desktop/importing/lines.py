"""A line of the report; a press unfolds the conversations behind it, a page at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame

from hivemind.domain.harvest import ImportedItem, ItemPage
from hivemind_desktop.widgets.buttons import Button
from hivemind_desktop.widgets.figures import messages, number
from hivemind_desktop.widgets.labels import ElidedLabel, label
from hivemind_desktop.widgets.layouts import Item, box, clear_layout, column, row, widgets_of
from hivemind_desktop.widgets.marks import Icon
from hivemind_desktop.widgets.words import fill, one_line

from .model import Line

#: Conversations unfolded at a time.
ITEMS = 50


class ReportLine(QFrame):
    """`items_asked`: conversations from this offset on; `review_asked`: a list to decide about; `session_asked`."""

    items_asked = Signal(int)
    review_asked = Signal(str)
    session_asked = Signal(str)

    def __init__(self, shown: Line) -> None:
        super().__init__()
        self.shown = shown
        count = label(shown.count, "strong", digits=True)
        count.setMinimumWidth(56)
        count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        what = ElidedLabel(shown.what)
        what.setMinimumWidth(150)
        parts: list[Item] = [
            Icon(shown.icon, shown.ink),
            count,
            (what, 2),
            (ElidedLabel(shown.reasons, "label", "faint"), 3),
        ]
        self._place = column(gap=2)
        self._items = box(self._place)
        self._items.hide()
        if shown.opens is not None:
            self._fold = Button(self.tr("Show"), "link", on_click=self._toggle)
            self._fold.setAccessibleName(fill(self.tr("Show: %1"), shown.what))
            parts.append(self._fold)
        elif shown.review:
            review = Button(self.tr("Review"), "link", on_click=lambda: self.review_asked.emit(shown.review))
            review.setAccessibleName(fill(self.tr("Review: %1"), shown.what))
            parts.append(review)
        self.setLayout(column(row(*parts, gap=12), self._items, gap=6, margins=(16, 9, 12, 9)))

    def items(self) -> list[str]:
        """What is unfolded, as text."""
        return [each.accessibleName() for each in widgets_of(self._place)]

    def show_items(self, page: ItemPage) -> None:
        if page.offset == 0:
            clear_layout(self._place)
        else:
            self._drop_more()
        for each in page.items:
            self._place.addWidget(self._item(each))
        end = page.offset + len(page.items)
        if end < page.total:
            more = Button(fill(self.tr("Show more, %1 left"), number(page.total - end)), "link")
            more.clicked.connect(lambda _checked=False: self.items_asked.emit(end))
            self._place.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)

    def _drop_more(self) -> None:
        last = self._place.takeAt(self._place.count() - 1)
        widget = last.widget() if last is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()

    def _item(self, item: ImportedItem) -> QFrame:
        title = one_line(item.title, 160) or one_line(item.item_id or "", 80) or self.tr("Without a title")
        why = one_line(item.reason, 200) or (messages(item.messages) if item.messages else "")
        parts: list[Item] = [(ElidedLabel(title, "label"), 2), (ElidedLabel(why, "caption", "faint"), 3)]
        session = item.session_id
        if session is not None:
            opener = Button(self.tr("Open"), "link", on_click=lambda: self.session_asked.emit(session))
            opener.setAccessibleName(fill(self.tr("Open %1"), title))
            parts.append(opener)
        shown = box(row(*parts, gap=10, margins=(84, 1, 0, 1)))
        shown.setAccessibleName(": ".join(filter(None, (title, why))))
        return shown

    def _toggle(self) -> None:
        opening = self._items.isHidden()
        self._items.setVisible(opening)
        self._fold.set_words(self.tr("Hide") if opening else self.tr("Show"))
        if opening:
            self.items_asked.emit(0)
