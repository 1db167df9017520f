"""A document: one HTML page; if asked for, also Markdown, and each figure and table by itself.

All text is plain: mark-up in it is displayed verbatim. The page's security policy allows the one
style sheet it carries, by its hash, and the pictures in it, and nothing from any network; there is
no script.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from pathlib import Path

from weps._files import atomic_write, make_folder
from weps._formatting import markdown_table, spreadsheet_cell
from weps._options import cli_option
from weps.cli.console import Console
from weps.cli.options import JsonOption, write_json
from weps.report.safe_text import bounded_text, load_templates
from weps_eval.report.charts import Figure, has_matplotlib
from weps_eval.report.tables import Table

FILES_MEANING = "also write each figure and table of the document as a file beside it"
_LONGEST = 10_000
"""More characters than this are no paragraph."""
_DIGITS = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?%?"
_NUMBER = re.compile(rf"{_DIGITS}( to {_DIGITS})?")
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_MARKDOWN = re.compile(r"[\\`*_\[\]~#$]")
_LATEX = str.maketrans(
    {each: f"\\{each}" for each in "&%$#_{}"}
    | {each: f"${each}$" for each in "<>"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"Δ": r"$\Delta$", "±": r"$\pm$", "−": "$-$", "–": "--", "α": r"$\alpha$"}
)
_OPENING = re.compile(r"^([0-9]*)([-+=.)])(?![0-9A-Za-z.])")
"""What makes a list, a rule or a heading of a line."""


@dataclass(frozen=True, slots=True)
class Section:
    """One question, and what there is on it."""

    title: str
    paragraphs: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """All of it. Keys of figures and tables are names of files; each is used once."""

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


FORMATS = ("text", "csv", "markdown", "latex", "json", "html")
"""Forms of results on standard output."""


@dataclass(frozen=True, kw_only=True)
class ReportOptions(JsonOption):
    """How results are shown and written."""

    format: str = cli_option("form of what is printed", "text", choices=FORMATS)
    report: Path | None = cli_option("also write tables and figures as a document", metavar="DIR")
    files: bool = cli_option(FILES_MEANING, False)
    line: str = ""
    """The command line, for what says how it was made."""

    @property
    def drawn(self) -> bool:
        """Whether figures are wanted."""
        return bool(self.report) or self.format == "html"


def write_document(document: Document, folder: Path, *, files: bool = False) -> list[Path]:
    """Write a document as a web page, ``index.html``, which holds everything.

    The same document gives the same bytes. The folder is made if it is missing; all files are
    written aside and renamed once all of them are complete.

    Args:
        document: what is written.
        folder: where it goes.
        files: whether to write ``index.md``, ``KEY.svg`` and ``KEY.png`` of each figure that has a
            picture, and ``KEY.csv`` of each table, too.

    Returns:
        All files, the page last.

    Raises:
        OutputError: if the folder or a file cannot be written.
    """
    contents: dict[str, bytes] = {}
    if files:
        for figure in document.figures():
            if figure.svg:
                contents[f"{figure.key}.svg"] = figure.svg.encode("utf-8", "replace")
                contents[f"{figure.key}.png"] = figure.png
        contents |= {f"{each.key}.csv": _table_as_csv(each).encode() for each in document.tables()}
        contents["index.md"] = _as_markdown(document).encode()
    contents["index.html"] = as_html(document, files=files).encode()
    make_folder(folder)
    written = {folder / name: content for name, content in contents.items()}
    atomic_write(written)
    return list(written)


def write_report(document: Document, folder: Path, console: Console, *, files: bool) -> None:
    """Write a document, with or without files beside the page, and print where the page is.

    Raises:
        OutputError: if it cannot be written.
    """
    if any(document.figures()) and not has_matplotlib():
        console.warn("figures are left out: they need matplotlib; pip install 'weps[plots]'")
    *others, index = write_document(document, folder, files=files)
    console.write(f"report: {index}" + f", with {len(others)} files beside it" * files)


def show_document(
    document: Document, data: object, options: ReportOptions, console: Console
) -> None:
    """Print a document in the form that is wanted, and write its data as JSON, and a report."""
    if options.format == "text":
        _write_tables(document, console)
    elif options.format == "json":
        console.write(json.dumps(data, ensure_ascii=False, indent=1))
    elif options.format == "html":
        console.write(as_html(document))
    elif options.format == "markdown":
        console.write(_as_markdown(document, files=False))
    else:
        render = _table_as_csv if options.format == "csv" else _table_as_latex
        console.write("\n".join(map(render, document.tables())))
    write_json(options.json, data)
    if options.report:
        write_report(document, options.report, console, files=options.files)


def write_table(table: Table, console: Console) -> None:
    """Write a table to the terminal: title, rows, note."""
    if table.title:
        console.write(table.title)
    console.write_table(table.rows, table.left)
    if table.note:
        console.write(textwrap.fill(table.note, console.width))


def _write_tables(document: Document, console: Console) -> None:
    """Write the tables of a document to the terminal, what is noted of them, and its signature."""
    for table in (each.shown("terminal") for each in document.tables()):
        console.write_table(table.rows, table.left)
        console.write()
    notes = (line for table in document.tables() for line in table.note.splitlines())
    for note in dict.fromkeys(notes):
        console.write_detail(f"{textwrap.fill(note, console.width)}\n")
    console.write(document.signature)


def _table_as_csv(table: Table) -> str:
    """Heading and rows; RFC 4180 with LF, every cell in quotes.

    An apostrophe stands before what a spreadsheet would compute; numbers stay.
    """
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
        [each if _NUMBER.fullmatch(each) else spreadsheet_cell(each) for each in map(_plain, row)]
        for row in table.shown("csv").rows
    )
    return text.getvalue()


def _table_as_latex(table: Table) -> str:
    """A table of LaTeX, which needs no package."""
    table = table.shown("latex")
    heading, *rows = (
        " & ".join(_plain(cell).translate(_LATEX) for cell in row) + r" \\" for row in table.rows
    )
    columns = "l" * table.left + "r" * (len(table.columns) - table.left)
    caption = _plain(f"{table.title}. {table.note}").translate(_LATEX)
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{caption}}}\label{{tab:{table.key}}}",
            rf"\begin{{tabular}}{{{columns}}}",
            *(r"\hline", heading, r"\hline", *rows, r"\hline"),
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def as_html(document: Document, *, files: bool = False) -> str:
    """A page to read: summary, contents, sections, and how it was made."""
    style = resources("weps_eval.report").joinpath("templates", "document.css").read_text("utf-8")
    environment = load_templates("weps_eval.report", _LONGEST)
    environment.filters |= {
        "plain": _plain,
        "base64": lambda text: _in_base64(text.encode("utf-8", "replace")),
    }
    return environment.get_template("document.html.j2").render(
        document=document,
        style=style,
        style_digest=_in_base64(hashlib.sha256(style.encode()).digest()),
        files=files,
    )


def _in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _as_markdown(document: Document, *, files: bool = True) -> str:
    """Everything in one file, which shows the files that lie beside it, if there are any."""
    blocks = [f"# {_marked_down(document.title)}", *map(_marked_down, document.summary)]
    for section in document.sections:
        blocks += [f"## {_marked_down(section.title)}", *map(_marked_down, section.paragraphs)]
        for figure in section.figures if files else ():
            drawn = f"![{_marked_down(figure.alt)}]({figure.key}.svg)"
            picture = drawn if figure.svg else "Not drawn: pictures need matplotlib."
            title, note = _marked_down(figure.title), _marked_down(figure.note)
            blocks += [f"### {title}", picture, note]
        for table in section.tables:
            rows = markdown_table(
                [list(map(_marked_down, row)) for row in table.shown("markdown").rows]
            )
            title, note = _marked_down(table.title), _marked_down(table.note)
            file = f"[{table.key}.csv]({table.key}.csv)" if files else ""
            blocks += [f"### {title}", "\n".join(rows), note, file]
    blocks += [
        f"{words}: {_code(text)}"
        for words, text in (("Made with", document.made), ("Signature", document.signature))
        if text
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _plain(text: str) -> str:
    """The text in one line, without characters that are not what they seem."""
    return bounded_text(text, _LONGEST)


def _marked_down(text: str) -> str:
    """Markdown for a text; the bars in it are left to the table."""
    return _OPENING.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\g<0>", _plain(text).translate(_HTML)))


def _code(text: str) -> str:
    """A code span of Markdown: its fence is longer than any run of backticks in it."""
    line = _plain(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}"
