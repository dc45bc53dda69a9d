"""Markdown as the few tags a SafeBrowser shows. Two walls: HTML in the text is shown as letters, and what comes out is
cleaned by an allow list. Slow: run it off the Qt thread, piece by piece."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

import markdown
import nh3
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

#: A piece is rendered at once, characters: it ends where a paragraph ends, at most twice as long as this.
PIECE: Final = 6_000
#: Markup nested deeper than this, and pieces with more brackets than this, are shown as written: they come from
#: nobody's hand, and reading them takes time that grows with the square.
_DEEPEST: Final = 24
_MOST_BRACKETS: Final = 300
_TAGS: Final = {
    "p", "br", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "code", "pre", "blockquote", "ul", "ol", "li", "hr",
    "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip
_HEADINGS: Final = {"h1": "h3", "h2": "h4", "h3": "h4", "h5": "h4", "h6": "h4"}
_DEEP: Final = re.compile(r"^(?:[ \t]*(?:>|[-*+]|\d+[.)])[ \t]*){" + str(_DEEPEST) + r",}", re.MULTILINE)


def pieces_of(text: str) -> list[str]:
    """A long text in pieces that can be rendered one by one. Joined by empty lines they are the text again."""
    pieces: list[str] = []
    held: list[str] = []
    size, fenced = 0, False
    for line in _short_lines(text):
        fence = line.lstrip()[:3] in ("```", "~~~")
        free = not fenced and not line.strip()
        if (free and size > PIECE) or size > 2 * PIECE:
            pieces.append("\n".join(held))
            held, size = [], 0
            if free:
                continue
        fenced = fenced != fence
        held.append(line)
        size += len(line) + 1
    return [*pieces, "\n".join(held)] if held or not pieces else pieces


def _short_lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        while len(line) > PIECE:
            cut = line.rfind(" ", 1, PIECE) + 1 or PIECE
            yield line[:cut]
            line = line[cut:]
        yield line


def render_markdown(text: str) -> str:
    """HTML of `_TAGS` only; links lead to `mind:` places, the address of any other link stands beside its words."""
    if len(text) > 4 * PIECE or text.count("[") > _MOST_BRACKETS or _DEEP.search(text):
        return as_written(text)
    try:
        made = str(_reader().convert(text))
    except (RecursionError, ValueError):
        return as_written(text)
    return nh3.clean(made, tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"mind"}, link_rel=None)


def as_written(text: str) -> str:
    """The letters of the text, nothing read into them."""
    paragraphs = re.split(r"\n\s*\n", text)
    return "".join(f"<p>{html.escape(each).replace(chr(10), '<br>')}</p>" for each in paragraphs if each.strip())


def _reader() -> markdown.Markdown:
    """A new one for each text: it keeps what it has seen."""
    return markdown.Markdown(extensions=["fenced_code", "tables", "sane_lists", "nl2br", _PlainPlaces()])


class _PlainPlaces(Extension):  # type: ignore[misc]
    """HTML is text, links say where they lead, pictures are their words: nothing is fetched."""

    def extendMarkdown(self, md: markdown.Markdown) -> None:
        md.preprocessors.deregister("html_block")
        md.inlinePatterns.deregister("html")
        md.treeprocessors.register(_Places(md), "places", 1)


class _Places(Treeprocessor):  # type: ignore[misc]
    def run(self, root: Element) -> None:
        for parent in root.iter():
            # Qt makes first headings twice as large as text: a memory is a note, not a book.
            parent.tag = _HEADINGS.get(parent.tag, parent.tag)
            for child in list(parent):
                if child.tag == "img":
                    self._name_picture(child)
                elif child.tag == "a":
                    self._name_link(child)

    @staticmethod
    def _name_picture(picture: Element) -> None:
        words = picture.get("alt") or picture.get("src") or ""
        picture.attrib.clear()
        picture.tag, picture.text = "em", f"[{words}]"

    @staticmethod
    def _name_link(link: Element) -> None:
        place = link.get("href") or ""
        link.attrib.clear()
        if place.startswith("mind:"):
            link.set("href", place)
            return
        words = "".join(link.itertext())
        link.tag = "em"
        if place and place.removeprefix("mailto:") != words:
            link.tail = f" ({place}){link.tail or ''}"
