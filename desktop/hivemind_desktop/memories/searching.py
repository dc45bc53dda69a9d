"""The answer to one search line: by words at once, then by words and meaning in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from hivemind.domain.search import Hit, Mode, SearchRequest, SearchResult, WhyNot
from hivemind_desktop.widgets.figures import duration, number
from hivemind_desktop.widgets.words import fill, one_line

from .lines import entry_of_hit

if TYPE_CHECKING:
    from .controller import MemoriesController

#: Hits of one page.
PAGE: Final = 60
#: Hits loaded again at most when the mind has changed.
MOST: Final = 600


class SearchFlow(QObject):
    """One search. `hits` are those of the last answer, by frame id."""

    def __init__(self, page: MemoriesController) -> None:
        super().__init__(page)
        self._page = page
        self.request: SearchRequest | None = None
        self.result: SearchResult | None = None
        self.query_id: str | None = None
        self.hits: dict[int, Hit] = {}

    def forget(self) -> None:
        """The list is shown, not an answer. The question stays for `why_not`."""
        self.result = self.query_id = None
        self.hits = {}

    async def answer(self, request: SearchRequest, same: bool) -> None:
        """`same`: the question in force, asked again because the mind has changed."""
        limit = max(PAGE, min(MOST, self._page.panel.model.rowCount())) if same else PAGE
        self.request = replace(request, limit=limit, explain=True)
        quick = None
        if not same and request.mode is Mode.HYBRID:
            quick = await self._ask(replace(self.request, mode=Mode.KEYWORD))
            if quick.hits:
                self._show(quick, "new")
                self._page.panel.show_mode(self.tr("Looking by meaning too"), "loader-circle", "neutral", "")
                self._page.reader.follow_list()
        full = await self._ask(self.request)
        how = "place" if same else "merge" if quick is not None and quick.hits else "new"
        if not same or self.query_id is None:
            self.query_id = full.query_id  # loading the same query again is no new query
        self._show(full, how)
        self._tell_mode(full)

    async def more(self) -> None:
        """The next page, below what is there."""
        if self.request is None or self.result is None or self.result.cursor is None:
            return
        result = await self._ask(replace(self.request, limit=PAGE, cursor=self.result.cursor))
        self.result = replace(self.result, cursor=result.cursor)
        self.hits.update({hit.frame.id: hit for hit in result.hits})
        self._page.panel.model.append_hits([entry_of_hit(hit) for hit in result.hits], result.cursor is not None)

    async def everything(self) -> None:
        """Every page: an answer is never longer than what a lane weighs."""
        while self.result is not None and self.result.cursor is not None:
            await self.more()

    async def why_not(self, frame_id: int) -> tuple[WhyNot, SearchResult] | None:
        """Where this memory stands in the last question; None when nothing was asked yet."""
        if self.request is None:
            return None
        request = replace(self.request, limit=1, cursor=None, expect_frame_id=frame_id)
        result = await self._ask(request)
        return None if result.why_not is None else (result.why_not, result)

    async def _ask(self, request: SearchRequest) -> SearchResult:
        return await self._page.desk.client.call(lambda engine: engine.memory.search(request))

    def _show(self, result: SearchResult, how: str) -> None:
        panel = self._page.panel
        self.result = result
        self.hits = {hit.frame.id: hit for hit in result.hits}
        entries, more = [entry_of_hit(hit) for hit in result.hits], result.cursor is not None
        words = self.tr("%1 and more found") if result.more_matched else self.tr("%1 found")
        panel.show_result_words(fill(words, number(result.total)), duration(result.seconds))
        if not entries:
            panel.list.show_hits((), False)
            query = one_line(self.request.query if self.request else "", 60)
            title = fill(self.tr("No match for “%1”"), query)
            panel.found.show_empty(
                "search", title, self._nothing_words(result), self.tr("Show all memories"), self._page.clear_search
            )
            return
        if how == "merge":
            panel.list.merge_hits(entries, more)
        else:
            panel.list.show_hits(entries, more, keep_place=how == "place")
        panel.found.show_data()

    def _nothing_words(self, result: SearchResult) -> str:
        if self.request is not None and self.request.filters != SearchRequest("").filters:
            return self.tr("Take a filter away, or try other words.")
        return result.degraded or self.tr("Try fewer or other words.")

    def _tell_mode(self, result: SearchResult) -> None:
        panel = self._page.panel
        if result.mode is Mode.KEYWORD:
            panel.show_mode(self.tr("By words only"), "quote", "warn", result.degraded)
        elif result.pending_vectors:
            words = fill(
                self.tr("%1 memories have not been read for their meaning yet."), number(result.pending_vectors)
            )
            panel.show_mode(
                self.tr("Words and meaning"), "brain", "neutral", " ".join((words, result.degraded)).strip()
            )
        else:
            panel.show_mode(self.tr("Words and meaning"), "brain", "ok", result.degraded)
