"""Counts, shares, sizes, dates and names of things as words, in the language and numbers of the person."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt

from .words import fill, one_line


def number(value: int) -> str:
    """`24,377` where that is how it is written."""
    return QLocale().toString(value)


def _counted(value: int, one: str, many: str) -> str:
    return one if value == 1 else fill(many, number(value))


def memories(count: int) -> str:
    return _counted(
        count, QCoreApplication.translate("Figures", "1 memory"), QCoreApplication.translate("Figures", "%1 memories")
    )


def messages(count: int) -> str:
    return _counted(
        count, QCoreApplication.translate("Figures", "1 message"), QCoreApplication.translate("Figures", "%1 messages")
    )


def sessions(count: int) -> str:
    return _counted(
        count, QCoreApplication.translate("Figures", "1 session"), QCoreApplication.translate("Figures", "%1 sessions")
    )


def conversations(count: int) -> str:
    return _counted(
        count,
        QCoreApplication.translate("Figures", "1 conversation"),
        QCoreApplication.translate("Figures", "%1 conversations"),
    )


def percent(share: float) -> str:
    """A share of 0 to 1 with two decimals, so that slow work is seen to move."""
    bounded = min(1.0, max(0.0, share)) * 100
    return fill(QCoreApplication.translate("Figures", "%1 %"), QLocale().toString(bounded, "f", 2))


def size(amount: int) -> str:
    """Bytes as `1.9 GB`."""
    return QLocale().formattedDataSize(max(0, amount), 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def duration(seconds: float) -> str:
    """`0.42 s`, `4.2 s`, `12 s`, `9 min 12 s`, `1 h 40 min`."""
    if seconds < 0.01:
        return QCoreApplication.translate("Figures", "under 0.01 s")
    if seconds < 1:
        return fill(QCoreApplication.translate("Figures", "%1 s"), QLocale().toString(seconds, "f", 2))
    if seconds < 10:
        return fill(QCoreApplication.translate("Figures", "%1 s"), QLocale().toString(seconds, "f", 1))
    whole = round(seconds)
    if whole < 60:
        return fill(QCoreApplication.translate("Figures", "%1 s"), whole)
    if whole < 3600:
        return fill(QCoreApplication.translate("Figures", "%1 min %2 s"), *divmod(whole, 60))
    return fill(QCoreApplication.translate("Figures", "%1 h %2 min"), *divmod(whole // 60, 60))


def _local(stamp: str) -> QDateTime:
    return QDateTime.fromString(stamp, Qt.DateFormat.ISODateWithMs).toLocalTime()


def day(stamp: str | None) -> str:
    """`14 May 2025` in the person's own zone, '' when unknown."""
    return QLocale().toString(_local(stamp).date(), "d MMM yyyy") if stamp else ""


def day_of_month(stamp: str | None) -> str:
    """`14` in the person's own zone, '' when unknown."""
    return QLocale().toString(_local(stamp).date(), "d") if stamp else ""


def moment(stamp: str | None) -> str:
    """`14 May 2025, 16:20` in the person's own zone, '' when unknown."""
    return QLocale().toString(_local(stamp), "d MMM yyyy, HH:mm") if stamp else ""


def clock(stamp: str | None) -> str:
    """`16:20`, '' when unknown."""
    return QLocale().toString(_local(stamp), "HH:mm") if stamp else ""


def month(stamp: str) -> str:
    """`May 2025`."""
    return QLocale().toString(_local(stamp).date(), "MMMM yyyy")


#: Names of the AI behind a source.
_AI = {"chatgpt": "ChatGPT", "claude": "Claude"}


def vendor(source: str) -> str:
    """The name of a source as people know it; '' for what was saved here."""
    translate = QCoreApplication.translate
    documents = {
        "markdown": translate("Figures", "Markdown"),
        "plaintext": translate("Figures", "Plain text"),
        "universal": translate("Figures", "Other JSON"),
    }
    return _AI.get(source) or documents.get(source, source)


def speaker_name(name: str | None, role: str | None, source: str = "") -> str:
    """Who speaks: exports often know only the role. `source`: vendor of the session, when it is known."""
    if name and name not in ("user", "assistant", "system", "tool"):
        return one_line(name, 80)
    translate = QCoreApplication.translate
    if role == "user":
        return translate("Figures", "You")
    if role == "assistant":
        return _AI.get(source) or translate("Figures", "The AI")
    words = {"tool": translate("Figures", "Tool"), "system": translate("Figures", "System")}
    return words.get(role or "", one_line(role or "", 80))


def mind_name(workspace: str) -> str:
    """The name of a mind: the personal one's is translated, others have their own."""
    return QCoreApplication.translate("Figures", "Personal") if workspace == "personal" else workspace
