"""From the files of one name to its pages: each file is read by its form."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from weps._formatting import error_reason
from weps.errors import SourceError
from weps.records import Page, UnreadInput
from weps.sources.formats.base import DAMAGED, Contents, refused
from weps.sources.formats.recognition import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from weps.sources.formats.listing import Entry

_MB = 1024 * 1024
_READERS = {
    Form.PAGE: ("saved_pages.read_saved_page", None),  # only its start is read
    Form.MHTML: ("saved_pages.read_mhtml", 256 * _MB),
    Form.WEBARCHIVE: ("saved_pages.read_webarchive", 256 * _MB),
    Form.PDF: ("pdf.read_pdf", 64 * _MB),
    Form.WARC: ("warc.read_warc", None),  # of any size: few bytes at a time
    Form.HAR: ("har.read_har", 200 * _MB),
    Form.ZIP: ("zip.read_zip", None),
    Form.RESULTS: ("reading.read_results", 16 * _MB),
}
"""Form → function, whose module is imported when such a file is met, and most bytes of a file."""


def read_inputs(inputs: Iterable[tuple[Entry, Form]]) -> list[Contents]:
    """Read files, each by its form; all PDF files in them by one process."""
    return _convert_pdf([_read_ranked(entry, form) for entry, form in inputs])


def _read_ranked(entry: Entry, form: Form) -> Contents:
    """Read a file; a page as it is that cannot be read keeps its rank."""
    found = read_input(entry, form)
    if form is not Form.PAGE or found.pages:
        return found
    problem = f"{entry.file}: {found.unread[0].reason}"
    return Contents((Page(0, problem=problem, file=entry.file),))


def read_input(entry: Entry, form: Form) -> Contents:
    """Read a file by its form; one that cannot be read says why."""
    place, most = _READERS[form]
    if most and entry.size > most:
        return refused(entry.name, f"larger than {most // _MB} MB")
    module, function = place.split(".")
    reader: Callable[[Entry], Contents] = getattr(
        import_module(f"{__package__}.{module}"), function
    )
    try:
        found = reader(entry)
        return found if found.pages or found.unread else refused(entry.name, "holds no page")
    except OSError as problem:
        reason = f"cannot be read ({error_reason(problem)})"
    except DAMAGED as problem:
        reason = f"damaged ({type(problem).__name__})"
    return refused(entry.name, reason)


def read_results(entry: Entry) -> Contents:
    """Read a list of results, whose pages have an address, a title and a snippet alone."""
    from weps.sources.result_lists import parse_results  # noqa: PLC0415 - seldom needed

    try:
        results = parse_results(entry.read(entry.size))
    except SourceError as problem:
        return refused(entry.name, problem.what)
    pages = (Page(0, each.url, each.title, each.snippet, file=entry.file) for each in results)
    return Contents(tuple(pages))


def _convert_pdf(read: list[Contents]) -> list[Contents]:
    """The same with PDF files as HTML; those that cannot be read are no pages."""
    found = [page for each in read for page in each.pages if _is_pdf(page)]
    if not found:
        return read
    from weps.sources.formats.pdf import convert_pdf  # noqa: PLC0415 - seldom needed

    converted = iter(convert_pdf(found))
    result = []
    for each in read:
        pages, unread = [], list(each.unread)
        for page in each.pages:
            text = next(converted) if _is_pdf(page) else page
            if isinstance(text, Page):
                pages.append(text)
            else:
                unread.append(UnreadInput(page.url or Path(page.file).name, text))
        result.append(Contents(tuple(pages), tuple(unread)))
    return result


def _is_pdf(page: Page) -> bool:
    return isinstance(page.content, bytes) and page.content.startswith(b"%PDF-")
