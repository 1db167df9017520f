from __future__ import annotations

import base64
import csv
import hashlib
import io
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

import eval.report as package
from eval.report.document import Document, Quote, Table
from eval.report.render import (
    as_csv,
    as_html,
    as_markdown,
    code,
    figure_card,
    marked_down,
    marked_up,
    plain,
    quote_card,
    table_as_markdown,
    table_card,
    write_document,
)
from weps.errors import OutputError

cells = st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=4)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_every_cell_stands_in_quotes():
    table = Table("t", "Title", [["Feature", 'the "best"'], ["a, b", ".5"]], "note")
    assert as_csv(table) == '"Feature","the ""best"""\n"a, b",".5"\n'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("=1+1", "'=1+1"),
        ("+1+1", "'+1+1"),
        ("-1-1", "'-1-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("＝1", "'＝1"),
        ("\t=1", "'=1"),
        ("\u200b=1", "'=1"),
        ("-x", "'-x"),
        ("-", "'-"),
        ("-.5", "-.5"),
        ("+0.5", "+0.5"),
        ("-1e-5", "-1e-5"),
        ("-12 %", "'-12 %"),
        ("-12%", "-12%"),
        ("−.5", "−.5"),
        ("[-.5, .5]", "[-.5, .5]"),
        ("two\r\nlines", "two lines"),
    ],
)
def test_a_spreadsheet_computes_nothing(cell, expected):
    assert read(as_csv(Table("t", "", [[cell]]))) == [[expected]]


@given(cells)
def test_what_is_written_can_be_read(rows):
    back = [[cell.removeprefix("'") for cell in row] for row in read(as_csv(Table("t", "", rows)))]
    assert back == [[plain(cell).removeprefix("'") for cell in row] for row in rows]


VOID = {"meta", "img"}


class Balance(HTMLParser):
    """Fails where a tag is not closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{tag} repeats an attribute"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(document: Document) -> BeautifulSoup:
    return BeautifulSoup(as_html(document), "lxml")


@pytest.mark.parametrize("which", ["document", "hostile"])
def test_the_page_is_well_formed_and_loads_nothing(which, request):
    text = as_html(request.getfixturevalue(which))
    parser = Balance()
    parser.feed(text)
    parser.close()
    assert parser.open == []
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
    shown = [page.h1, page.title, *page.select("figcaption, caption, th, blockquote, dd, nav a")]
    assert {part.get_text() for part in shown} == {seen}
    assert page.img["alt"] == seen


def test_one_main_heading_and_no_level_left_out(document):
    levels = [int(tag.name[1]) for tag in page_of(document).select("h1, h2, h3, h4")]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_link_leads_somewhere_and_every_name_is_used_once(document):
    page = page_of(document)
    names = [tag["id"] for tag in page.select("[id]")]
    assert len(set(names)) == len(names)
    assert {link["href"][1:] for link in page("a")} <= set(names)
    assert {tag["aria-labelledby"] for tag in page.select("[aria-labelledby]")} <= set(names)


def test_the_summary_stands_at_the_top(document):
    page = page_of(replace(document, summary=("In short.", "Or longer.")))
    assert [text.get_text() for text in page.select("header p")] == ["In short.", "Or longer."]


def test_the_contents_list_the_sections(document):
    page = page_of(document)
    assert [link.get_text() for link in page.select("nav a")] == ["First", "Second"]
    headings = [page.select_one(f"{link['href']} > h2") for link in page.select("nav a")]
    assert [heading.get_text() for heading in headings] == ["First", "Second"]


def test_ours_stands_beside_what_the_paper_has(document):
    first, second = page_of(document).select("main > section")
    assert [heading.get_text() for heading in first("h3")] == ["Here", "In the paper"]
    assert first.select_one(".here figure#figure-curve")
    assert first.select_one(".here #table-claims")
    assert first.select_one(".there blockquote").get_text() == "It is so."
    assert [text.get_text() for text in first.find_all("p", recursive=False)] == ["One.", "Two."]
    assert not second.select(".sides, h3")
    assert second.select_one("figure#figure-bars")


def test_the_foot_says_how_the_page_was_made(document):
    rows = page_of(document).select("footer dl div")
    assert [row.get_text(" ") for row in rows] == ["Made with cmd", "Signature sig"]


def test_a_document_of_nothing_is_still_a_page(document):
    empty = replace(document, summary=(), sections=(), signature="", made="")
    page = page_of(empty)
    assert page.h1.get_text() == "A study"
    assert not page.select("nav, section, dt")


def test_the_whole_document(document):
    assert (
        as_markdown(document)
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

### In the paper

> It is so.
>
> — Table 1

## Second

### Bars

Not drawn: pictures need matplotlib.

Made with: `cmd`

Signature: `sig`
"""
    )


def test_a_table_by_itself(table):
    lines = table_as_markdown(table).splitlines()
    assert lines[0] == "# Claims"
    assert lines[2] == "| Claim | Paper | Here |"
    assert lines[-1] == "Made up."


def test_what_an_enemy_writes_is_text(hostile):
    text = as_markdown(hostile)
    outside_code = [line for line in text.splitlines() if not line.startswith(("Made", "Sign"))]
    assert not set("".join(outside_code).replace("> ", "")) - {">"} & set("<\x00\x1b\u202e")
    assert not any("<script>" in line for line in outside_code)
    assert sum(line.startswith("#") for line in outside_code) == 5


def test_hostile_cells_keep_to_their_columns(hostile):
    table = [line for line in as_markdown(hostile).splitlines() if line.startswith("|")]
    assert len(table) == 3
    assert {line.replace(r"\|", "").count("|") for line in table} == {3}


def parsed(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


def test_a_figure_holds_its_picture(document):
    (figure, _) = document.figures()
    card = parsed(figure_card(figure))
    kind, data = card.img["src"].split(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).decode() == figure.picture.svg
    assert card.img["alt"] == "A line that rises."
    assert card.figcaption.get_text() == "A curve"
    assert card.select_one(".note").get_text() == "Drawn."
    assert card.figure["id"] == "figure-curve"
    assert card.figcaption["class"] == ["drawn"], "its title stands in the picture"


def test_a_figure_without_a_picture_says_so(document):
    (_, figure) = document.figures()
    card = parsed(figure_card(figure))
    assert card.img is None
    assert "class" not in card.figcaption.attrs
    assert card.get_text("|", strip=True) == "Bars|Not drawn: pictures need matplotlib."


def test_a_table_has_caption_and_scopes(table):
    card = parsed(table_card(table))
    assert card.caption.get_text() == "Claims"
    assert [cell.get_text() for cell in card.select("thead th[scope=col]")] == table.rows[0]
    assert [cell.get_text() for cell in card.select("tbody th[scope=row]")] == [
        row[0] for row in table.rows[1:]
    ]
    assert [[cell.get_text() for cell in row.select("td")] for row in card.select("tbody tr")] == [
        row[1:] for row in table.rows[1:]
    ]
    assert card.select_one(".note").get_text() == "Made up."


def test_the_box_that_scrolls_has_a_name_and_takes_the_focus(table):
    card = parsed(table_card(table))
    box = card.select_one(".scroll")
    assert (box["role"], box["tabindex"]) == ("group", "0")
    assert card.find(id=box["aria-labelledby"]).get_text() == "Claims"


@pytest.mark.parametrize(("rows", "long"), [(1, False), (16, False), (17, True), (200, True)])
def test_only_long_tables_scroll_down_in_their_box(rows, long, table):
    heading, first, *_ = table.rows
    card = parsed(table_card(replace(table, rows=[heading, *[first] * rows])))
    assert ("long" in card.select_one(".scroll")["class"]) == long


@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_the_first_columns_stand_left(left, table):
    card = parsed(table_card(replace(table, left=left)))
    for row in card.select("tr"):
        sides = ["left" in cell.get("class", []) for cell in row.select("th, td")]
        assert sides == [number < left for number in range(3)]


def test_verdicts_are_words_with_a_colour(table):
    marks = parsed(table_card(table)).select(".mark")
    assert [(mark.get_text(), mark["class"]) for mark in marks] == [
        ("holds", ["mark", "yes"]),
        ("undecided", ["mark", "open"]),
    ]


def test_only_whole_cells_are_verdicts(table):
    rows = [["holds", "b"], ["it holds", "Holds"], ["holds ", "holds\n"]]
    marks = parsed(table_card(replace(table, rows=rows))).select(".mark")
    assert [mark.parent.name for mark in marks] == ["th", "td"]


def test_a_quote_names_its_source():
    card = parsed(quote_card(Quote("It is <so>.", "Figure 5")))
    assert card.blockquote.get_text() == "It is <so>."
    assert card.figcaption.get_text() == "Figure 5"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as it is", "as it is"),
        (" two\r\n lines\t", "two lines"),
        ("a\x00b\x1b[0m", "a b [0m"),
        ("a\u202eb\ufeff\ud800", "ab"),
        ("&lt; stays &lt;", "&lt; stays &lt;"),
        ("μ − σ", "μ − σ"),
    ],
)
def test_plain(text, expected):
    assert plain(text) == expected


def test_a_text_is_cut_only_where_no_paragraph_ends():
    assert plain("x" * 10_000) == "x" * 10_000
    assert plain("x" * 10_001) == "x" * 9_999 + "…"


def test_marked_up():
    assert marked_up('<a href="x">\'&') == "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entity(type=person), .5 − .3", "entity(type=person), .5 − .3"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("[a](b)", r"\[a\](b)"),
        ("a_b *c* `d` ~e~ #f $g$", r"a\_b \*c\* \`d\` \~e\~ \#f \$g\$"),
        (r"\n", r"\\n"),
        ("- a", r"\- a"),
        ("---", r"\---"),
        ("+ a", r"\+ a"),
        ("1. a", r"1\. a"),
        ("12) a", r"12\) a"),
        ("18.4 %", "18.4 %"),
        ("-.12", "-.12"),
        ("-3", "-3"),
        ("a - b", "a - b"),
        ("a|b", "a|b"),
        ("a\n# b", r"a \# b"),
    ],
)
def test_marked_down(text, expected):
    assert marked_down(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a <b>", "`a <b>`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("a\nb", "`a b`")],
)
def test_code(text, expected):
    assert code(text) == expected


@given(st.text())
def test_no_text_makes_lines_tags_or_controls(text):
    for written in (marked_up(text), marked_down(text)):
        assert not set(written) & set('<>"\n\r\x00\x1b\u2028\u202e') - set('"')
    assert '"' not in marked_up(text)
    assert "\n" not in code(text)


@given(st.text())
def test_plain_text_is_plain(text):
    assert plain(plain(text)) == plain(text)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_public_name_exists():
    assert all(hasattr(package, name) for name in package.__all__)


def test_the_files_the_page_last(document, tmp_path):
    written = write_document(document, tmp_path / "a" / "b")
    names = ["curve.svg", "curve.png", "claims.csv", "claims.md", "index.md", "index.html"]
    assert written == [tmp_path / "a" / "b" / name for name in names]
    assert set(contents(tmp_path / "a" / "b")) == set(names)


def test_pictures_are_written_as_they_are(document, tmp_path):
    write_document(document, tmp_path)
    (figure, _) = document.figures()
    assert (tmp_path / "curve.svg").read_text("utf-8") == figure.picture.svg
    assert (tmp_path / "curve.png").read_bytes() == figure.picture.png


@pytest.mark.parametrize("which", ["document", "hostile"])
def test_the_same_document_gives_the_same_bytes(which, request, tmp_path):
    for folder in ("first", "second"):
        write_document(request.getfixturevalue(which), tmp_path / folder)
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
    drawn = replace(figure, picture=replace(figure.picture, svg="<svg>\ud800</svg>"))
    write_document(replace(document, sections=[replace(section, figures=[drawn])]), tmp_path)
    assert (tmp_path / "curve.svg").read_bytes() == b"<svg>?</svg>"


def test_a_bad_key_leaves_no_folder(document, tmp_path):
    (section, *_) = document.sections
    bad = replace(section, figures=[replace(section.figures[0], key="../curve")])
    with pytest.raises(OutputError, match=r"'\.\./curve' is no key"):
        write_document(replace(document, sections=[bad]), tmp_path / "out")
    assert contents(tmp_path) == {}


def test_a_file_where_the_folder_should_be(document: Document, tmp_path):
    (tmp_path / "out").write_bytes(b"kept")
    with pytest.raises(OutputError, match="is a file where a folder should be"):
        write_document(document, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"kept"
