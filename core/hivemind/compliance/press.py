"""Lays the report out and writes PDF. Runs in a child process: what the report quotes may be hostile.

Foreign text reaches a page only through escaped HTML and attr(); nothing is fetched but the bundled fonts, and those
only by the style sheet. The same document gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from math import ceil
from typing import Any, NoReturn

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from weasyprint import CSS, HTML, Attachment
from weasyprint.document import Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from hivemind.compliance import wording
from hivemind.compliance.wording import ROWS_PER_PAGE
from hivemind.paths import resource_path

Pages = tuple[int, bytes]


class DenyAll(URLFetcher):  # type: ignore[misc]
    """Any request ends the work: the report itself needs none."""

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> NoReturn:
        raise FatalURLFetchingError(f"the report may not fetch {url[:80]!r}")


class FontsOnly(URLFetcher):  # type: ignore[misc]
    """For the style sheet: report-font:<file> out of the bundled fonts, nothing else."""

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        known = {f"report-font:{file.name}": file for file in resource_path("fonts").glob("*.ttf")}
        if url not in known:
            raise FatalURLFetchingError(f"the report may not fetch {url[:80]!r}")
        return URLFetcherResponse(url, known[url].read_bytes(), {"Content-Type": "font/ttf"})


class Layout:
    """One document on its way to paper."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._fonts = FontConfiguration()
        self._options = {
            "pdf_tags": True,
            "pdf_identifier": hashlib.sha256(str(document["id"]).encode()).digest()[:16],
        }

    @cached_property
    def _sheet(self) -> CSS:
        text = resource_path("report", "report.css").read_text("utf-8")
        return CSS(string=text, url_fetcher=FontsOnly(), font_config=self._fonts)

    def lay_out(self, *, first: int = 1, total: int | None = None, **part: Any) -> Document:
        """Lay out a part. Page numbers start at `first`; `total` None = the part is the whole."""
        shown = {"body": False, "log": (), "log_first": False, "log_page": None} | part
        html = (
            _environment()
            .get_template("report.html.j2")
            .render(r=self._document, part=shown, rows_per_page=ROWS_PER_PAGE, **wording.frame(self._document))
        )
        sheets = [self._sheet]
        if total is not None:
            numbers = (
                f"@page {{ @bottom-right {{ content: 'Page ' counter(page) ' of {total:d}' }} }}"
                f" @page :first {{ counter-reset: page {first:d} }}"
            )
            sheets.append(CSS(string=numbers, url_fetcher=DenyAll()))
        page = HTML(string=html, url_fetcher=DenyAll())
        return page.render(stylesheets=sheets, font_config=self._fonts, **self._options)

    def write(self, laid_out: Document, attached: bytes | None = None) -> bytes:
        """The PDF; with the data file inside when it is given."""
        made = datetime.fromisoformat(str(self._document["generated"])).astimezone(UTC)
        attachments = [] if attached is None else [
            Attachment(
                string=attached.decode(), name="report.json", description="The figures of this report as data",
                relationship="Data", created=made, modified=made, url_fetcher=DenyAll(),
            )
        ]  # fmt: skip
        written: bytes = laid_out.write_pdf(attachments=attachments, **self._options)
        return written


def print_whole(data: bytes) -> Iterator[Pages]:
    """The report in one file. `data`: its JSON."""
    _be_quiet()
    document = json.loads(data)
    layout = Layout(document)
    laid_out = layout.lay_out(body=True, log=document["log"], log_first=True)
    yield len(laid_out.pages), layout.write(laid_out, data)


def print_body(data: bytes, log_pages: int) -> Iterator[Pages]:
    """The report without its log table, which follows on `log_pages` pages in volumes of its own."""
    _be_quiet()
    layout = Layout(json.loads(data) | {"log": []})
    pages = len(layout.lay_out(body=True, log_page=1).pages)
    laid_out = layout.lay_out(total=pages + log_pages, body=True, log_page=pages + 1)
    yield pages, layout.write(laid_out, data)


def print_log(head: Mapping[str, Any], rows: Sequence[object], first: int, total: int, begins: bool) -> Iterator[Pages]:
    """A volume of the log table: `rows` from page `first` of `total` on. `head`: the document without its log."""
    _be_quiet()
    layout = Layout(head)
    laid_out = layout.lay_out(first=first, total=total, log=rows, log_first=begins)
    if len(laid_out.pages) != ceil(len(rows) / ROWS_PER_PAGE):
        raise RuntimeError("a row of the log table does not fit its line")
    yield len(laid_out.pages), layout.write(laid_out)


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(resource_path("report")), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    made.filters.update(wording.FILTERS)
    return made


def _be_quiet() -> None:
    for name in ("weasyprint", "fontTools"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
