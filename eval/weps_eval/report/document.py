"""A document, and its files: one HTML page, Markdown, and each figure and table by itself.

All text is plain: mark-up in it is displayed verbatim. The page's security policy allows the one
style sheet it carries, by its hash, and the pictures in it, and nothing from any network; there is
no script.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import atomic_write, make_folder
from weps._formatting import markdown_table, spreadsheet_cell
from weps.cli.console import Console
from weps.errors import OutputError
from weps.report.safe_text import bounded_text, load_templates
from weps_eval.report.figures.canvas import Picture
from weps_eval.report.tables import Table

if TYPE_CHECKING:
    from jinja2 import Environment

_KEY = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")
_TAKEN = "index"
_LONGEST = 10_000
"""More characters than this are no paragraph."""
_NOT_DRAWN = "Not drawn: pictures need matplotlib."
_IN_THE_PAPER = "In the paper"
_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?%?")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_MARKDOWN = re.compile(r"[\\`*_\[\]~#$]")
_OPENING = re.compile(r"^([0-9]*)([-+=.)])(?![0-9A-Za-z.])")
"""What makes a list, a rule or a heading of a line."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its title."""

    key: str
    """Name of its files, unique in the document: letters and digits, hyphens between them."""
    title: str
    picture: Picture | None
    """None if it could not be drawn."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """What another work has, shown beside our own."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Section:
    """One question: what we have on it, and what the other work has."""

    title: str
    paragraphs: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    quotes: Sequence[Quote] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """All of it."""

    title: str
    summary: Sequence[str]
    """Paragraphs."""
    sections: Sequence[Section]
    signature: str
    """What the numbers were computed by, with every setting that changes them."""
    made: str
    """The command line that made the document."""

    def figures(self) -> Iterator[Figure]:
        """Every figure, in order."""
        return (figure for section in self.sections for figure in section.figures)

    def tables(self) -> Iterator[Table]:
        """Every table, in order."""
        return (table for section in self.sections for table in section.tables)

    def check_keys(self, folder: Path) -> None:
        """Check that keys can be names of files in the folder, and that each is used once.

        Raises:
            OutputError: for the first key that cannot.
        """
        keys = [each.key for each in self.figures()] + [each.key for each in self.tables()]
        for key in keys:
            if not _KEY.fullmatch(key):
                remedy = "use letters and digits, with hyphens between them"
                what = f"{key!r} is not a key of a figure or table"
                raise OutputError(what, where=folder, remedy=remedy)
        # Some file systems do not distinguish capitals from small letters.
        for key, times in Counter([_TAKEN, *map(str.lower, keys)]).items():
            if times > 1:
                what = f"two parts of the document have the key {key!r}"
                raise OutputError(what, where=folder, remedy="give each its own")


def write_document(document: Document, folder: Path) -> list[Path]:
    """Write a document as a web page, as Markdown, and its figures and tables each by itself.

    The same document gives the same bytes. The folder is made if it is missing; all files are
    written aside and renamed once all of them are complete.

    Returns:
        ``KEY.svg`` and ``KEY.png`` of each figure that has a picture, ``KEY.csv`` and ``KEY.md``
        of each table, ``index.md`` and, last, ``index.html``, which holds everything.

    Raises:
        OutputError: if a key cannot be a file name or is used twice, or the folder or a file
            cannot be written.
    """
    document.check_keys(folder)
    contents: dict[Path, bytes] = {}
    for figure in document.figures():
        if figure.picture is not None:
            contents[folder / f"{figure.key}.svg"] = figure.picture.svg.encode("utf-8", "replace")
            contents[folder / f"{figure.key}.png"] = figure.picture.png
    for table in document.tables():
        contents[folder / f"{table.key}.csv"] = table_as_csv(table).encode()
        contents[folder / f"{table.key}.md"] = table_as_markdown(table).encode()
    contents[folder / "index.md"] = as_markdown(document).encode()
    contents[folder / "index.html"] = as_html(document).encode()
    make_folder(folder)
    atomic_write(contents)
    return list(contents)


def write_report(
    document: Document, folder: Path, console: Console, called: str = "report"
) -> None:
    """Write a document, and print where the page is; ``called`` is what it is called there.

    Raises:
        OutputError: if it cannot be written.
    """
    if any(figure.picture is None for figure in document.figures()):
        console.warn("figures are left out: they need matplotlib; pip install 'weps[plots]'")
    *others, index = write_document(document, folder)
    console.write(f"{called}: {index}, with {len(others)} files beside it")


def write_table(table: Table, console: Console) -> None:
    """Write a table to the terminal: title, rows, note."""
    if table.title:
        console.write(table.title)
    console.write_table(table.rows, table.left)
    if table.note:
        console.write(textwrap.fill(table.note, console.width))


def table_as_csv(table: Table) -> str:
    """Heading and rows; RFC 4180 with LF, every cell in quotes.

    An apostrophe stands before what a spreadsheet would compute; numbers stay.
    """
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in table.rows:
        rows.writerow(map(_cell, map(_plain, row)))
    return text.getvalue()


def _cell(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else spreadsheet_cell(text)


def as_html(document: Document) -> str:
    """A page to read: summary, contents, sections, and how it was made."""
    style = files("weps_eval.report").joinpath("templates", "document.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    template = _environment().get_template("document.html.j2")
    return template.render(document=document, style=style, style_digest=digest)


@cache
def _environment() -> Environment:
    environment = load_templates("weps_eval.report", _LONGEST)
    environment.filters["plain"] = _plain
    environment.filters["base64"] = lambda text: base64.b64encode(
        text.encode("utf-8", "replace")
    ).decode()
    return environment


def as_markdown(document: Document) -> str:
    """Everything in one file, which shows the picture files that lie beside it."""
    sections = (block for section in document.sections for block in _section(section))
    origin = [
        f"{words}: {_code(text)}"
        for words, text in (("Made with", document.made), ("Signature", document.signature))
        if text
    ]
    summary = map(_marked_down, document.summary)
    return _joined([f"# {_marked_down(document.title)}", *summary, *sections, *origin])


def table_as_markdown(table: Table) -> str:
    """One table with its title and note."""
    return _joined(_table(table, "#"))


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(section: Section) -> Iterator[str]:
    yield f"## {_marked_down(section.title)}"
    yield from map(_marked_down, section.paragraphs)
    for figure in section.figures:
        yield from _figure(figure)
    for table in section.tables:
        yield from _table(table, "###")
        yield f"[{table.key}.csv]({table.key}.csv)"
    if section.quotes:
        yield f"### {_IN_THE_PAPER}"
        for quote in section.quotes:
            yield f"> {_marked_down(quote.text)}\n>\n> — {_marked_down(quote.source)}"


def _figure(figure: Figure) -> Iterator[str]:
    yield f"### {_marked_down(figure.title)}"
    if figure.picture is None:
        yield _NOT_DRAWN
    else:
        yield f"![{_marked_down(figure.picture.alt)}]({figure.key}.svg)"
    yield _marked_down(figure.note)


def _table(table: Table, level: str) -> Iterator[str]:
    yield f"{level} {_marked_down(table.title)}"
    yield "\n".join(markdown_table([list(map(_marked_down, row)) for row in table.rows]))
    yield _marked_down(table.note)


def _plain(text: str) -> str:
    """The text in one line, without characters that are not what they seem."""
    return bounded_text(text, _LONGEST)


def _marked_down(text: str) -> str:
    """Markdown for a text; the bars in it are left to the table."""
    line = _MARKDOWN.sub(r"\\\g<0>", _plain(text).translate(_HTML))
    return _OPENING.sub(r"\1\\\2", line)


def _code(text: str) -> str:
    """A code span of Markdown: its fence is longer than any run of backticks in it."""
    line = _plain(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"
