from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from eval.document.model import Quote
from eval.document.parts import figure_card, quote_card, table_card


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
