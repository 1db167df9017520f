"""The document as one self-contained HTML page.

The page's security policy allows the one style sheet it carries, by its hash, and the pictures in
it, and nothing from any network; there is no script.

Plain text made fit for a file: of one line, without characters that are not what they seem.

A table for spreadsheets and programs.

Words that the page and the Markdown share.

The document as Markdown, for readers of text and for pages about the project.

HTML for a figure, a table and a quote.

All files of a document.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template

from eval.report.document import Document, Figure, Picture, Quote, Section, Table, check
from weps._files import make_folder, put_in_place
from weps._formatting import guarded, markdown
from weps.report.safe_text import plain as visible
from weps.report.safe_text import shown

__all__ = [
    "HERE",
    "MADE",
    "NOT_DRAWN",
    "SIGNATURE",
    "THERE",
    "as_csv",
    "as_html",
    "as_markdown",
    "code",
    "figure_card",
    "marked_down",
    "marked_up",
    "plain",
    "quote_card",
    "table_as_markdown",
    "table_card",
    "write_document",
]

_LONGEST = 10_000
"""More characters than this are no paragraph."""

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_SPECIAL = re.compile(r"[\\`*_\[\]~#$]")
_OPENING = re.compile(r"^([0-9]*)([-+=.)])(?![0-9A-Za-z.])")
"""What makes a list, a rule or a heading of a line."""


def marked_up(text: str) -> str:
    """HTML for a text, an attribute's value included."""
    return shown(text, _LONGEST)


def plain(text: str) -> str:
    """The text alone."""
    line = visible(text)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"


def marked_down(text: str) -> str:
    """Markdown for a text; the bars in it are left to the table."""
    line = _SPECIAL.sub(r"\\\g<0>", plain(text).translate(_HTML))
    return _OPENING.sub(r"\1\\\2", line)


def code(text: str) -> str:
    """A code span of Markdown: its fence is longer than any run of backticks in it."""
    line = plain(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"


_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?%?")


def as_csv(table: Table) -> str:
    """Heading and rows; RFC 4180 with LF, every cell in quotes."""
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    rows.writerows([_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _cell(text: str) -> str:
    """The text with an apostrophe before what a spreadsheet would compute; numbers stay."""
    line = plain(text)
    return line if _NUMBER.fullmatch(line) else guarded(line)


HERE = "Here"
THERE = "In the paper"
NOT_DRAWN = "Not drawn: pictures need matplotlib."
MADE = "Made with"
SIGNATURE = "Signature"


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


_LONG = 16
"""Rows of a table beyond which it scrolls in its box."""


def figure_card(figure: Figure) -> str:
    """The picture, the note below; its title is seen in it, or above the note if it is missing."""
    drawn = ' class="drawn"' if figure.picture else ""
    picture = _image(figure.picture) if figure.picture else f'<p class="note">{NOT_DRAWN}</p>'
    return (
        f'<figure id="figure-{figure.key}" class="figure">\n'
        f"<figcaption{drawn}>{marked_up(figure.title)}</figcaption>\n{picture}{_note(figure.note)}\n"
        "</figure>"
    )


def table_card(table: Table) -> str:
    """The table in a box in which it scrolls if it is too wide, the note below."""
    heading, *rows = table.rows
    caption = f"caption-{table.key}"
    box = "scroll long" if len(rows) > _LONG else "scroll"
    return (
        f'<div id="table-{table.key}" class="table">\n'
        f'<div class="{box}" role="group" aria-labelledby="{caption}" tabindex="0">\n<table>\n'
        f'<caption><span id="{caption}">{marked_up(table.title)}</span></caption>\n'
        f"<thead>\n{_heading(heading, table)}\n</thead>\n<tbody>\n"
        + "\n".join(_row(row, table) for row in rows)
        + f"\n</tbody>\n</table>\n</div>{_note(table.note)}\n</div>"
    )


def quote_card(quote: Quote) -> str:
    """What the other work has, and where it has it."""
    return (
        f'<figure class="quote">\n<blockquote><p>{marked_up(quote.text)}</p></blockquote>\n'
        f"<figcaption>{marked_up(quote.source)}</figcaption>\n</figure>"
    )


def _image(picture: Picture) -> str:
    data = base64.b64encode(picture.svg.encode("utf-8", "replace")).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{marked_up(picture.alt)}">'


def _note(note: str) -> str:
    return f'\n<p class="note">{marked_up(note)}</p>' if note else ""


def _heading(cells: Sequence[str], table: Table) -> str:
    parts = (
        f'<th scope="col"{_side(number, table)}>{marked_up(cell)}</th>'
        for number, cell in enumerate(cells)
    )
    return f"<tr>{''.join(parts)}</tr>"


def _row(cells: Sequence[str], table: Table) -> str:
    first, *others = (_cell_parts(cell, table) for cell in cells)
    parts = (
        f"<td{_side(number, table)}>{content}</td>" for number, content in enumerate(others, 1)
    )
    return f'<tr><th scope="row"{_side(0, table)}>{first}</th>{"".join(parts)}</tr>'


def _side(number: int, table: Table) -> str:
    return ' class="left"' if number < table.left else ""


def _cell_parts(cell: str, table: Table) -> str:
    tone = table.marks.get(plain(cell))
    return f'<b class="mark {tone}">{marked_up(cell)}</b>' if tone else marked_up(cell)


def as_html(document: Document) -> str:
    """A page to read: summary, contents, sections, and how it was made."""
    style = _asset("document.css")
    return Template(_asset("document.html")).substitute(
        policy=_policy(style),
        style=style,
        title=marked_up(document.title),
        summary=_paragraphs(document.summary),
        contents=_contents(document.sections),
        sections="\n".join(map(_section_html, range(len(document.sections)), document.sections)),
        origin="\n".join(_origin(document)),
    )


@cache
def _asset(name: str) -> str:
    return files("eval.report").joinpath(name).read_text("utf-8")


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = (
        "default-src 'none'",
        "img-src data:",
        f"style-src 'sha256-{digest}'",
        "base-uri 'none'",
        "form-action 'none'",
    )
    return "; ".join(rules)


def _paragraphs(texts: Sequence[str]) -> str:
    return "\n".join(f"<p>{marked_up(text)}</p>" for text in texts)


def _contents(sections: Sequence[Section]) -> str:
    items = "\n".join(
        f'<li><a href="#section-{number}">{marked_up(section.title)}</a></li>'
        for number, section in enumerate(sections, 1)
    )
    heading = '<h2 id="contents">Contents</h2>'
    return f'<nav aria-labelledby="contents">{heading}<ol>\n{items}\n</ol></nav>' if items else ""


def _section_html(before: int, section: Section) -> str:
    return (
        f'<section id="section-{before + 1}">\n<h2>{marked_up(section.title)}</h2>\n'
        f"{_paragraphs(section.paragraphs)}\n{_sides(section)}\n</section>"
    )


def _sides(section: Section) -> str:
    """Our figures and tables and, if there are quotes, the quotes beside them."""
    cards = [*map(figure_card, section.figures), *map(table_card, section.tables)]
    if not section.quotes:
        return "\n".join(cards)
    here = "\n".join([f"<h3>{HERE}</h3>", *cards])
    there = "\n".join([f"<h3>{THERE}</h3>", *map(quote_card, section.quotes)])
    return (
        f'<div class="sides">\n<div class="here">\n{here}\n</div>\n'
        f'<aside class="there">\n{there}\n</aside>\n</div>'
    )


def _origin(document: Document) -> Iterator[str]:
    for words, text in ((MADE, document.made), (SIGNATURE, document.signature)):
        if text:
            yield f"<div><dt>{words}</dt><dd><code>{marked_up(text)}</code></dd></div>"


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
        OutputError: if a key or a table is not as it must be (:mod:`~eval.report.
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
