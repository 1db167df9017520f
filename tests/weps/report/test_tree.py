from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup

from weps.report.groups import groups_of
from weps.report.tree import tree, tree_in_words


@pytest.fixture
def drawn(cuttable) -> BeautifulSoup:
    return BeautifulSoup(tree(cuttable, groups_of(cuttable)), "lxml")


def numbers_of(path) -> list[float]:
    return [float(each) for each in re.findall(r"[\d.]+", path["d"])]


def test_every_page_is_a_leaf_and_no_brackets_cross(drawn):
    leaves = drawn.select(".leaf")
    assert [leaf["href"] for leaf in leaves] == [f"#page-{rank}" for rank in (1, 2, 4, 7, 9)]
    assert [leaf.get_text() for leaf in leaves] == [f"{n}.example {n}" for n in (1, 2, 4, 7, 9)]


def test_brackets_stand_at_their_levels_and_join_the_middles_of_their_parts(drawn):
    told = [numbers_of(path) for path in drawn.select(".merges path")]
    x_of = {level: 700 - 510 * level for level in (1, 0.9, 0.8, 0.4, 0.1)}
    assert [path[2] for path in told] == [x_of[level] for level in (0.9, 0.8, 0.4, 0.1)]
    first, second, third, last = told
    assert (first[0], first[4]) == (x_of[1], x_of[1])
    assert (third[0], third[4]) == (x_of[0.9], x_of[0.8])
    assert third[1] == (first[1] + first[3]) / 2
    assert third[3] == (second[1] + second[3]) / 2
    assert last[4] == x_of[1]


def test_what_is_held_has_the_colour_of_its_person(drawn):
    tones = [" ".join(path.get("class", "")) for path in drawn.select(".merges path")]
    assert tones == ["tone-0", "tone-1", "", ""]


def test_the_threshold_stands_between_the_last_held_and_the_first_not(drawn):
    assert numbers_of(drawn.select_one("#threshold"))[0] == 700 - 510 * 0.6


def test_the_same_in_words(cuttable):
    items = BeautifulSoup(tree_in_words(cuttable), "lxml").select("li")
    assert [item.get_text() for item in items] == [
        "90% pages 1 and 2",
        "80% pages 4 and 7",
        "40% pages 2 and 4",
        "10% pages 7 and 9",
    ]
    assert [item.has_attr("class") for item in items] == [False, False, True, True]


def test_where_there_is_no_tree_none_is_drawn(answer):
    assert tree(answer, groups_of(answer)) == ""
