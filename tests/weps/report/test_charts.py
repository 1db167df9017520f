from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from weps.corrections.model import Correction, Corrections
from weps.report.charts import REACH, numbers, tree, tree_in_words
from weps.report.view import groups_of


def told(answer):
    return json.loads(numbers(answer, groups_of(answer)))


def unpacked(text: str) -> np.ndarray:
    """What the script makes of the codes."""
    codes = np.frombuffer(base64.b64decode(text), "<u2").astype(float)
    inner = expit((codes - 1) / 65533 * 2 * REACH - REACH)
    return np.where(codes == 0, 0.0, np.where(codes == 65535, 1.0, inner))


def test_the_answer_is_told_by_rows_and_nodes(answer):
    data = told(answer)
    assert data["own"] == [0, 2, 0, 1, 1, 0]
    assert data["people"] == [[0, 0.81], [1, 0.25], [2, 0.4]]
    assert data["told"][0] == [0.99, -1, 2, 0.96, 3, 0.2, 0]
    assert data["told"][2][6] == 1
    assert data["told"][5] == [0.48, 1, 2, 0.81, 3, 0.4, 0]
    assert "nodes" not in data


def test_what_a_cut_is_worked_out_from(cuttable):
    data = told(cuttable)
    assert data["own"] == [5, 5, 6, 6, 4]
    assert data["nodes"] == [[0, 1], [2, 3], [5, 6], [7, 4]]
    assert (data["held"], data["least"], data["most"]) == (2, 0, 4)
    assert data["levels"] == [0.9, 0.8, 0.4, 0.1]
    assert data["merges"] == [[1, 2], [4, 7], [2, 4], [7, 9]]
    assert data["calibration"] == [1.5, 0.25]
    assert "component" not in data


def test_what_users_have_settled(cuttable):
    said = (Correction("confirm", ((1,), (2,))), Correction("different", ((1,), (9,))))
    data = told(replace(cuttable, corrections=Corrections(said)))
    assert data["component"] == [0, 0, 1, 2, 3]
    assert data["apart"] == [[0, 3]]
    assert data["right"] == [0]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=10, max_size=10))
def test_probabilities_come_back(cuttable, probability):
    pairs = np.array(probability)
    alternatives = replace(cuttable.alternatives, probability=pairs)
    back = unpacked(told(replace(cuttable, alternatives=alternatives))["pairs"])
    np.testing.assert_allclose(back, pairs, atol=1e-4)
    assert (back[pairs == 0] == 0).all()
    assert (back[pairs == 1] == 1).all()


def test_no_text_from_the_web_is_among_them(hostile):
    assert "<" not in numbers(hostile, groups_of(hostile))


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
