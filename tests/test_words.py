"""What a person reads: no promise the program cannot keep, no jargon where a plain word exists, no shouting."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.source_tree import CORE, DESKTOP, ROOT, Source, calls, sources

#: Promises. "Non-compliant" counts too: the checks say pass, attention, fail or not assessed.
PROMISES = re.compile(
    r"\b(?:(?:non-?)?compliant|certified|tamper-?proof|anonymi[sz]ed|secure(?:ly|d)?|guarantee[ds]?)\b",
    re.IGNORECASE,
)
#: In the window a frame is a memory and a GOP is a session.
JARGON = re.compile(r"\b(?:GOPs?|frames?)\b", re.IGNORECASE)
TRANSLATED = {"tr": 0, "translate": 1, "QT_TRANSLATE_NOOP": 1}
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def translated(source: Source) -> Iterator[tuple[int, str]]:
    """Line and text of every string that passes through tr() or translate()."""
    for name, call in calls(source):
        place = TRANSLATED.get(name)
        if place is not None and len(call.args) > place:
            argument = call.args[place]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.lineno, argument.value


def untranslatable(source: Source) -> Iterator[tuple[int, str]]:
    """Calls of tr() whose text is put together on the spot, which no translator could ever see."""
    for name, call in calls(source):
        place = TRANSLATED.get(name)
        if place is not None and len(call.args) > place and isinstance(call.args[place], ast.JoinedStr | ast.BinOp):
            yield call.lineno, name


def sentences(source: Source) -> Iterator[tuple[int, str]]:
    """Every string with a space in it: titles, hints, help texts, docstrings of commands."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value


def prose(markdown: str) -> str:
    """The text without code blocks and code spans, where a word is a name and not a claim."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE))


def spoken_in(root: Path) -> Iterator[tuple[Source, int, str]]:
    for source in sources(root, DESKTOP, f"{CORE}/sidecar"):
        yield from ((source, line, text) for line, text in sentences(source))
    for source in sources(root, CORE):
        if source.module == "hivemind.errors":
            yield from ((source, line, text) for line, text in sentences(source))


def promises(root: Path) -> list[str]:
    return [f"{source.path}:{line}: {text}" for source, line, text in spoken_in(root) if PROMISES.search(text)]


def test_no_promise_in_what_the_program_says() -> None:
    assert promises(ROOT) == []


def test_a_planted_promise_is_seen(tmp_path: Path) -> None:
    place = tmp_path / DESKTOP / "home" / "planted.py"
    place.parent.mkdir(parents=True)
    place.write_text("label.setText(self.tr('Your data is secure'))\n", encoding="utf-8")
    assert len(promises(tmp_path)) == 1


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_no_promise_in_the_documents(document: Path) -> None:
    assert PROMISES.findall(prose(document.read_text(encoding="utf-8"))) == []


def test_window_speaks_plainly() -> None:
    found = [
        f"{source.path}:{line}: {text}"
        for source in sources(ROOT, DESKTOP)
        for line, text in translated(source)
        if JARGON.search(text) or "!" in text
    ]
    assert found == []


def test_window_strings_can_be_translated() -> None:
    found = [f"{s.path}:{line}: {name}" for s in sources(ROOT, DESKTOP) for line, name in untranslatable(s)]
    assert found == []


@pytest.mark.parametrize(
    ("text", "is_promise"),
    [
        ("This build is certified", True),
        ("The log is tamper-proof", True),
        ("Names are anonymised", True),
        ("non-compliant", True),
        ("stored securely", True),
        ("compliance log", False),
        ("the `secure-delete` option", False),
        ("tamper-evident within limits", False),
        ("secure_delete", False),
    ],
)
def test_promises_are_told_from_plain_words(text: str, is_promise: bool) -> None:
    assert bool(PROMISES.search(prose(text))) is is_promise


def test_strings_put_together_are_seen() -> None:
    tree = ast.parse("self.tr(f'{n} found'); self.tr('a' + b); self.tr('%1 found')")
    assert len(list(untranslatable(Source("x.py", "x", "", tree)))) == 2
