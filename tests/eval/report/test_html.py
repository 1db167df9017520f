from __future__ import annotations

import base64
import hashlib
from html.parser import HTMLParser

import pytest
from bs4 import BeautifulSoup, Tag

from weps_eval.report.charts import Figure
from weps_eval.report.document import Document, Section, as_html
from weps_eval.report.tables import Table

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
