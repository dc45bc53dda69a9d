"""Pictures of a PDF's pages for the window, made in a child process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hivemind.domain.report_order import PagePicture
from hivemind.errors import ReaderStopped, ReportFailed
from hivemind.readers.process import Limits, ReaderProcess

#: A page of A4 has 72 points an inch; at this scale it is 893 pixels wide.
SCALE = 1.5
LIMITS = Limits(memory=2 << 30, idle=120.0)


def draw_pages(pdf: bytes, numbers: Sequence[int], scale: float = SCALE) -> list[PagePicture]:
    """Pictures of these pages, those that there are. Blocking; raises ReportFailed."""
    pictures: list[PagePicture] = []
    try:
        with ReaderProcess(_draw, (pdf, tuple(numbers), scale), LIMITS) as child:
            while isinstance(picture := child.receive(), PagePicture):
                pictures.append(picture)
    except ReaderStopped as fault:
        raise ReportFailed("The pages could not be shown", details=fault.details) from fault
    return pictures


def _draw(pdf: bytes, numbers: Sequence[int], scale: float) -> Iterator[PagePicture]:
    import pypdfium2  # loaded in the child alone

    document = pypdfium2.PdfDocument(pdf)
    for number in numbers:
        if 0 <= number < len(document):
            bitmap = document[number].render(scale=scale, rev_byteorder=False, prefer_bgrx=True)
            yield PagePicture(number, bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer))
