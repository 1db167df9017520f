"""The document as Markdown, for readers of text and for pages about the project."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eval.document.model import Document, Figure, Quote, Section, Table
from eval.document.text import code, marked_down
from eval.document.wording import MADE, NOT_DRAWN, SIGNATURE, THERE
from weps.tables import markdown

__all__ = ["as_markdown", "table_as_markdown"]


def as_markdown(document: Document) -> str:
    """Everything in one file, which shows the picture files that lie beside it."""
    sections = (block for section in document.sections for block in _section(section))
    origin = [
        f"{words}: {code(text)}"
        for words, text in ((MADE, document.made), (SIGNATURE, document.signature))
        if text
    ]
    summary = map(marked_down, document.summary)
    return _joined([f"# {marked_down(document.title)}", *summary, *sections, *origin])


def table_as_markdown(table: Table) -> str:
    """One table with its title and note."""
    return _joined(_table(table, "#"))


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"## {marked_down(section.title)}"
    yield from map(marked_down, section.paragraphs)
    for figure in section.figures:
        yield from _figure(figure)
    for table in section.tables:
        yield from _table(table, "###")
        yield f"[{table.key}.csv]({table.key}.csv)"
    if section.quotes:
        yield f"### {THERE}"
        yield from map(_quote, section.quotes)


def _figure(figure: Figure) -> Iterator[str]:
    yield f"### {marked_down(figure.title)}"
    if figure.picture is None:
        yield NOT_DRAWN
    else:
        yield f"![{marked_down(figure.picture.alt)}]({figure.key}.svg)"
    yield marked_down(figure.note)


def _table(table: Table, level: str) -> Iterator[str]:
    yield f"{level} {marked_down(table.title)}"
    yield "\n".join(markdown([[marked_down(cell) for cell in row] for row in table.rows]))
    yield marked_down(table.note)


def _quote(quote: Quote) -> str:
    return f"> {marked_down(quote.text)}\n>\n> — {marked_down(quote.source)}"
