"""All files of a document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from eval.document.checks import check
from eval.document.csv import as_csv
from eval.document.html import as_html
from eval.document.markdown import as_markdown, table_as_markdown
from eval.document.model import Document, Figure, Table
from weps.placing import make_folder, put_in_place

__all__ = ["write_document"]


def write_document(document: Document, folder: Path) -> list[Path]:
    """Write a document as a web page, as Markdown, and its figures and tables each by itself.

    The same document gives the same bytes. All files are written aside and renamed once all of
    them are complete.

    Args:
        document: what to write.
        folder: where to; made if it is missing.

    Returns:
        ``KEY.svg`` and ``KEY.png`` of each figure that has a picture, ``KEY.csv`` and ``KEY.md``
        of each table, ``index.md`` and, last, ``index.html``, which holds everything.

    Raises:
        OutputError: if a key or a table is not as it must be (:mod:`~eval.document.
            model`), or the folder or a file cannot be written.
    """
    check(document, folder)
    contents = {folder / name: content for name, content in _files(document)}
    make_folder(folder)
    put_in_place(contents)
    return list(contents)


def _files(document: Document) -> Iterator[tuple[str, bytes]]:
    for figure in document.figures():
        yield from _picture_files(figure)
    for table in document.tables():
        yield from _table_files(table)
    yield "index.md", as_markdown(document).encode()
    yield "index.html", as_html(document).encode()


def _picture_files(figure: Figure) -> Iterator[tuple[str, bytes]]:
    if figure.picture is not None:
        yield f"{figure.key}.svg", figure.picture.svg.encode("utf-8", "replace")
        yield f"{figure.key}.png", figure.picture.png


def _table_files(table: Table) -> Iterator[tuple[str, bytes]]:
    yield f"{table.key}.csv", as_csv(table).encode()
    yield f"{table.key}.md", table_as_markdown(table).encode()
