"""How dense the months are: heads for the list, bars above it, from the days of a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from hivemind.domain.sessions import DayCount
from hivemind_desktop.widgets.bars import HistogramBar
from hivemind_desktop.widgets.figures import sessions
from hivemind_desktop.widgets.words import fill

#: Bars in the picture: not fewer than a year, not more than fit.
FEWEST, MOST = 12, 24


@dataclass(frozen=True, slots=True)
class MonthHead:
    """A heading in the list; it cannot be chosen. `share`: of the fullest month, 0 to 1. `first`: its first session."""

    key: str
    name: str
    count: int
    share: float
    first: int

    def spoken(self) -> str:
        return fill(QCoreApplication.translate("SessionModel", "%1, %2"), self.name, sessions(self.count))


def months_of(days: Sequence[DayCount]) -> list[MonthHead]:
    """Newest first, as the days are."""
    counts: dict[str, int] = {}
    for each in days:
        counts[each.day[:7]] = counts.get(each.day[:7], 0) + each.sessions
    fullest = max(counts.values(), default=1)
    heads: list[MonthHead] = []
    first = 0
    for key, count in counts.items():
        heads.append(MonthHead(key, month_name(key), count, count / fullest, first))
        first += count
    return heads


def month_name(key: str, form: str = "MMMM yyyy") -> str:
    """`May 2025` for `2025-05`."""
    return QLocale().toString(QDate.fromString(f"{key}-01", "yyyy-MM-dd"), form)


@dataclass(frozen=True, slots=True)
class Density:
    """Bars from old to new, each of `step` months; `first` is the first month counted from year 0."""

    bars: tuple[HistogramBar, ...]
    first: int
    step: int

    def bar_of(self, key: str) -> int:
        """The bar that holds a month; -1 for one outside."""
        number = (_count(key) - self.first) // self.step if key else -1
        return number if 0 <= number < len(self.bars) else -1

    def months_of(self, bar: int) -> range:
        start = self.first + bar * self.step
        return range(start, start + self.step)


def density_of(heads: Sequence[MonthHead]) -> Density:
    """A bar per month while two years are enough, else several months per bar."""
    if not heads:
        return Density((), 0, 1)
    values = {_count(each.key): each.count for each in heads}
    newest, oldest = max(values), min(values)
    step = -(-(newest - oldest + 1) // MOST)
    count = max(FEWEST, -(-(newest - oldest + 1) // step))
    first = newest + 1 - count * step
    marks = {0, count - 1} if count <= FEWEST else {0, count // 2, count - 1}
    bars = tuple(_bar(range(first + n * step, first + (n + 1) * step), values, ticked=n in marks) for n in range(count))
    return Density(bars, first, step)


def first_of(heads: Sequence[MonthHead], months: range) -> int | None:
    """The first session of the newest of these months that has any; of the next older one else."""
    for each in heads:
        if _count(each.key) < months.stop:
            return each.first
    return heads[-1].first if heads else None


def _bar(months: range, values: dict[int, int], *, ticked: bool) -> HistogramBar:
    value = sum(values.get(month, 0) for month in months)
    last = _key(months[-1])
    name = month_name(last)
    if len(months) > 1:
        name = fill(QCoreApplication.translate("SessionModel", "%1 to %2"), month_name(_key(months[0])), name)
    words = fill(QCoreApplication.translate("SessionModel", "%1: %2"), name, sessions(value))
    return HistogramBar(value, words, month_name(last, "MMM yy") if ticked else "")


def _count(key: str) -> int:
    return int(key[:4]) * 12 + int(key[5:7]) - 1


def _key(count: int) -> str:
    return f"{count // 12:04d}-{count % 12 + 1:02d}"
