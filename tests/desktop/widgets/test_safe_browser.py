"""Reading text: Markdown is read, hostile text is letters, nothing is loaded, long texts come in pieces.

Covers: safe_browser, markdown_text.
"""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot
from tests.desktop.contact_sheet import settle

from hivemind_desktop.theme import Theme
from hivemind_desktop.widgets.markdown_text import PIECE, as_written, pieces_of, render_markdown
from hivemind_desktop.widgets.safe_browser import SafeBrowser

NOTE = """# Lemon

Water it **every ten days**, see `notes.md`.

- one
- two

| a | b |
|--|--|
| 1 | 2 |

```
code <b>
```
"""


@pytest.fixture
def browser(qtbot: QtBot) -> SafeBrowser:
    made = SafeBrowser()
    qtbot.addWidget(made)
    made.resize(400, 300)
    made.show()
    return made


def test_markdown_is_read(browser: SafeBrowser) -> None:
    browser.show_html(render_markdown(NOTE))
    settle()
    assert browser.text().splitlines()[:2] == ["Lemon", "Water it every ten days, see notes.md."]
    assert "code <b>" in browser.text()
    assert browser.height() > 150
    assert browser.height() >= int(browser.document().size().height())


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<style>* {display: none}</style> words",
    "[x](javascript:alert(1))",
    "[x](data:text/html,<script>)",
    "[x](  JaVaScRiPt:alert(1))",
    "![pixel](http://example.org/x.png)",
    "![pixel](file:///etc/passwd)",
    "<iframe src='http://example.org'></iframe>",
    "<a href='mind:frame/1' onclick='x()'>x</a>",
    "<svg><use href='http://example.org/#x'/></svg>",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_letters(text: str, browser: SafeBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    html = render_markdown(text)
    for tag in ("<script", "<style", "<iframe", "<svg"):
        assert tag not in html
    assert "<img" not in html
    assert "<a " not in html
    loaded: list[object] = []
    known = QTextDocument.loadResource
    monkeypatch.setattr(QTextDocument, "loadResource", lambda *given: loaded.append(given) or known(*given))
    browser.show_html(html)
    settle()
    assert browser.text().strip()
    assert not loaded


def test_nothing_is_loaded_even_when_html_asks(browser: SafeBrowser, tmp_path) -> None:  # type: ignore[no-untyped-def]
    picture = tmp_path / "x.png"
    picture.write_bytes(b"no picture")
    browser.show_html(
        f'<p>a<img src="{QUrl.fromLocalFile(str(picture)).toString()}"><img src="http://127.0.0.1:9/x"></p>'
    )
    settle()
    for address in (str(picture), picture.as_uri(), "http://127.0.0.1:9/x", "qrc:/x"):
        assert browser.loadResource(2, QUrl(address)) is None


def test_the_address_of_a_link_is_told_and_not_followed(browser: SafeBrowser) -> None:
    html = render_markdown("[the plan](https://example.org/plan) and <https://example.org>")
    assert "(https://example.org/plan)" in html
    assert "href" not in html
    asked: list[str] = []
    browser.asked.connect(asked.append)
    browser.show_html(render_markdown("[that one](mind:frame/12)"))
    browser.anchorClicked.emit(QUrl("mind:frame/12"))
    browser.anchorClicked.emit(QUrl("https://example.org"))
    assert asked == ["mind:frame/12"]
    assert browser.source().isEmpty()


@pytest.mark.parametrize("unit", ["[", "![", "[a](", "> ", "- ", "*a_ ", "`", "| a ", "<b>", "~~~\n", "#"])
def test_no_text_takes_long(unit: str) -> None:
    began = time.process_time()
    for piece in pieces_of(unit * 4_000):
        assert render_markdown(piece) is not None
    assert time.process_time() - began < 8


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_only_known_tags_come_out(text: str) -> None:
    import re

    html = render_markdown(text)
    tags = {each.lower() for each in re.findall(r"</?([A-Za-z0-9]+)", html)}
    assert tags <= {
        "p", "br", "h3", "h4", "strong", "em", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "table", "thead",
        "tbody", "tr", "th", "td", "a",
    }  # fmt: skip


@given(st.lists(st.sampled_from(["a word", "", "```", "- item", "x" * 700, "# head"]), max_size=80).map("\n".join))
def test_pieces_are_the_text(text: str) -> None:
    pieces = pieces_of(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(len(piece) <= 3 * PIECE for piece in pieces)


def test_a_page_of_200_kb_comes_in_short_steps(browser: SafeBrowser) -> None:
    pieces = pieces_of(NOTE * (200_000 // len(NOTE)))
    assert len(pieces) > 20
    began = time.process_time()
    browser.show_html(render_markdown(pieces[0]), tall=False)
    for piece in pieces[1:3]:
        browser.add_html(render_markdown(piece))
    settle()
    assert (time.process_time() - began) / 3 < 1, "no step stops the window for long"
    assert browser.text().count("Lemon") > 60
    assert browser.height() < 800, "a long page scrolls in its own frame"


def test_a_theme_switch_keeps_every_piece(browser: SafeBrowser, theme: Theme) -> None:
    browser.show_html(as_written("one"))
    browser.add_html(as_written("two & <three>"))
    theme.choose("dark")
    assert browser.text().split() == ["one", "two", "&", "<three>"]


def test_letters_are_the_windows_and_copying_works(browser: SafeBrowser, qtbot: QtBot) -> None:
    browser.show_html(as_written("copy me"))
    browser.selectAll()
    qtbot.keyClick(browser, Qt.Key.Key_E)
    assert browser.text() == "copy me"
    assert browser.textCursor().selectedText() == "copy me"
