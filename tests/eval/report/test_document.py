from __future__ import annotations

import base64
import csv
import hashlib
import io
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import assert_well_formed, each_case
from weps._formatting import unguard_cell
from weps.cli.console import Console
from weps_eval.report.charts import Figure
from weps_eval.report.document import (
    Document,
    Section,
    _as_markdown,
    _code,
    _marked_down,
    _plain,
    _table_as_csv,
    as_html,
    write_document,
    write_table,
)
from weps_eval.report.tables import Column, Kind, Table

HOSTILE = "<script>alert(1)</script>\n\"'>& | `$x$` \u202e\x00\x1b[0m"
"""Mark-up, quotes, a bar, a line end, what reorders text, and controls."""


SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>\n'
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def table() -> Table:
    verdict = Kind(str, left=True, marks={"holds": "yes", "undecided": "open"})
    columns = [
        Column("Claim", lambda row: row[0], verdict),
        Column("Paper", lambda row: row[1], verdict),
        Column("Here", lambda row: row[2], replace(verdict, left=False)),
    ]
    rows = [("tokens lead", "holds", "undecided"), ("more", "-.1", "x")]
    return Table("claims", "Claims", columns, rows, "Made up.")


@pytest.fixture
def document(table) -> Document:
    """Two sections; one picture is there, one is not."""
    curve = Figure("curve", "A curve", "Drawn.", "A line that rises.", SVG, PNG)
    bars = Figure("bars", "Bars")
    first = Section("First", ("One.", "Two."), (curve,), (table,))
    return Document(
        "A study", ("In short.",), (first, Section("Second", (), (bars,))), "sig", "cmd"
    )


@pytest.fixture
def hostile() -> Document:
    """An enemy wrote every text but the keys."""
    figure = Figure("curve", HOSTILE, HOSTILE, HOSTILE, SVG, PNG)
    rows = [[HOSTILE, HOSTILE], [HOSTILE, f"={HOSTILE}"]]
    table = Table.of_text("cells", HOSTILE, rows, HOSTILE)
    section = Section(HOSTILE, (HOSTILE,), (figure,), (table,))
    return Document(HOSTILE, (HOSTILE,), (section,), HOSTILE, HOSTILE)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_files_the_page_last(document, tmp_path):
    written = write_document(document, tmp_path / "a" / "b", files=True)
    names = ["curve.svg", "curve.png", "claims.csv", "index.md", "index.html"]
    assert written == [tmp_path / "a" / "b" / name for name in names]
    assert set(contents(tmp_path / "a" / "b")) == set(names)
    write_document(document, tmp_path / "alone")
    assert set(contents(tmp_path / "alone")) == {"index.html"}


@pytest.mark.parametrize("which", ["document", "hostile"])
def test_the_same_document_gives_the_same_bytes(which, request, tmp_path):
    for folder in ("first", "second"):
        write_document(request.getfixturevalue(which), tmp_path / folder, files=True)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    for name, data in contents(tmp_path / "first").items():
        if not name.endswith(".png"):
            assert data.decode("utf-8").endswith("\n")
            assert b"\r" not in data


def test_lone_surrogates_do_not_stop_a_document(document, tmp_path):
    odd = replace(document, title="A \ud800study", made="\udfff")
    assert b"<h1>A study</h1>" in write_document(odd, tmp_path)[-1].read_bytes()
    (section, *_) = document.sections
    (figure,) = section.figures
    drawn = replace(figure, svg="<svg>\ud800</svg>")
    odd = replace(document, sections=[replace(section, figures=[drawn])])
    write_document(odd, tmp_path, files=True)
    assert (tmp_path / "curve.svg").read_bytes() == b"<svg>?</svg>"


def test_a_table_on_the_terminal(table, capsys):
    write_table(table, Console())
    assert capsys.readouterr().out.splitlines() == [
        "Claims",
        "Claim        Paper       Here",
        "tokens lead  holds  undecided",
        "more         -.1            x",
        "Made up.",
    ]


cells = st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=4)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@each_case(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("\t=1", "'=1"),
        ("\u200b=1", "'=1"),
        ("-.5", "-.5"),
        ("-1e-5", "-1e-5"),
        ("-12%", "-12%"),
        ("−.5", "−.5"),
        ("two\r\nlines", "two lines"),
    ],
)
def test_a_spreadsheet_computes_nothing(cell, expected):
    assert read(_table_as_csv(Table.of_text("t", "", [[cell]]))) == [[expected]]


@given(cells)
def test_what_is_written_can_be_read(rows):
    back = [
        [unguard_cell(cell) for cell in row]
        for row in read(_table_as_csv(Table.of_text("t", "", rows)))
    ]
    assert back == [[_plain(cell) for cell in row] for row in rows]


def test_the_whole_document(document):
    assert (
        _as_markdown(document)
        == """\
# A study

In short.

## First

One.

Two.

### A curve

![A line that rises.](curve.svg)

Drawn.

### Claims

| Claim | Paper | Here |
|---|---|---|
| tokens lead | holds | undecided |
| more | -.1 | x |

Made up.

[claims.csv](claims.csv)

## Second

### Bars

Not drawn: pictures need matplotlib.

Made with: `cmd`

Signature: `sig`
"""
    )


def test_what_an_enemy_writes_is_text(hostile):
    text = _as_markdown(hostile)
    outside_code = [line for line in text.splitlines() if not line.startswith(("Made", "Sign"))]
    assert not set("".join(outside_code).replace("> ", "")) & set("<\x00\x1b\u202e")
    assert not any("<script>" in line for line in outside_code)
    assert sum(line.startswith("#") for line in outside_code) == 4
    table = [line.replace(r"\|", "") for line in outside_code if line.startswith("|")]
    assert [line.count("|") for line in table] == [3, 3, 3]


@each_case(
    ("text", "expected"),
    [
        ("entity(type=person), .5 − .3", "entity(type=person), .5 − .3"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("[a](b)", r"\[a\](b)"),
        ("a_b *c* `d` ~e~ #f $g$", r"a\_b \*c\* \`d\` \~e\~ \#f \$g\$"),
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
        ("18.4 %", "18.4 %"),
        ("-3", "-3"),
        ("a|b", "a|b"),
        ("a\n# b", r"a \# b"),
    ],
)
def test_marked_down(text, expected):
    assert _marked_down(text) == expected


@given(st.text())
def test_no_text_makes_lines_tags_or_controls(text):
    assert not set(_marked_down(text)) & set("<>\n\r\x00\x1b\u2028\u202e")
    assert "\n" not in _code(text)
    assert _plain(_plain(text)) == _plain(text)


def page_of(document: Document) -> BeautifulSoup:
    return BeautifulSoup(as_html(document), "lxml")


@pytest.mark.parametrize("which", ["document", "hostile"])
def test_the_page_is_well_formed_and_loads_nothing(which, request):
    text = as_html(request.getfixturevalue(which))
    assert_well_formed(text)
    page = BeautifulSoup(text, "lxml")
    assert not page.select("script, link, iframe, object, embed, base, svg, form")
    assert all(image["src"].startswith("data:image/svg+xml;base64,") for image in page("img"))
    assert all(link["href"].startswith("#") for link in page("a"))
    assert not page.select("[style], [srcset], [action], [formaction]")
    assert not [key for tag in page(True) for key in tag.attrs if key.startswith("on")]
    assert "url(" not in page.style.string
    assert "@import" not in page.style.string


def test_the_policy_allows_the_style_and_the_pictures_of_the_page(document):
    page = page_of(document)
    policy = page.find("meta", {"http-equiv": "Content-Security-Policy"})["content"]
    digest = base64.b64encode(hashlib.sha256(page.style.string.encode()).digest()).decode()
    assert dict(rule.split(" ", 1) for rule in policy.split("; ")) == {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def test_what_an_enemy_writes_is_shown_as_text(hostile):
    text = as_html(hostile)
    assert "<script" not in text
    assert not set(text) & set("\u202e\x00\x1b\r")
    seen = "<script>alert(1)</script> \"'>& | `$x$` [0m"
    page = page_of(hostile)
    shown = [page.h1, page.title, *page.select("figcaption, caption, th, dd, nav a")]
    assert {part.get_text() for part in shown} == {seen}
    assert page.img["alt"] == seen


def test_every_link_leads_somewhere_and_every_name_is_used_once(document):
    page = page_of(document)
    names = [tag["id"] for tag in page.select("[id]")]
    assert len(set(names)) == len(names)
    assert {link["href"][1:] for link in page("a")} <= set(names)
    assert {tag["aria-labelledby"] for tag in page.select("[aria-labelledby]")} <= set(names)


def test_files_are_named_if_they_are_there(document):
    assert "lies beside it" not in as_html(document)
    assert "lies beside it" in as_html(document, files=True)


def card_of(part: Figure | Table) -> Tag:
    """The HTML of one part of a document."""
    parts = {Figure: "figures", Table: "tables"}
    section = Section("Part", **{parts[type(part)]: (part,)})
    page = page_of(Document("Parts", (), (section,), "", ""))
    (card,) = page.select("main .figure, main .table")
    return card


def test_a_figure_holds_its_picture(document):
    (figure, _) = document.figures()
    card = card_of(figure)
    kind, data = card.img["src"].split(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).decode() == figure.svg
    assert card.img["alt"] == "A line that rises."
    assert card.figcaption.get_text() == "A curve"
    assert card.select_one(".note").get_text() == "Drawn."
    assert card["id"] == "figure-curve"
    assert card.figcaption["class"] == ["drawn"], "its title stands in the picture"


def test_a_figure_without_a_picture_says_so(document):
    (_, figure) = document.figures()
    card = card_of(figure)
    assert card.img is None
    assert "class" not in card.figcaption.attrs
    assert card.get_text("|", strip=True) == "Bars|Not drawn: pictures need matplotlib."


def test_a_table_has_caption_and_scopes(table):
    card = card_of(table)
    assert card.caption.get_text() == "Claims"
    assert [cell.get_text() for cell in card.select("thead th[scope=col]")] == table.rows[0]
    assert [cell.get_text() for cell in card.select("tbody th[scope=row]")] == [
        row[0] for row in table.rows[1:]
    ]
    assert [[cell.get_text() for cell in row.select("td")] for row in card.select("tbody tr")] == [
        row[1:] for row in table.rows[1:]
    ]
    assert card.select_one(".note").get_text() == "Made up."


def test_verdicts_are_words_with_a_colour(table):
    marks = card_of(table).select(".mark")
    assert [(mark.get_text(), mark["class"]) for mark in marks] == [
        ("holds", ["mark", "yes"]),
        ("undecided", ["mark", "open"]),
    ]
