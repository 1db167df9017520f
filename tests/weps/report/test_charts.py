from __future__ import annotations

import base64
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from weps.corrections.model import Correction, Corrections
from weps.report.charts import REACH, dendrogram_view, script_data
from weps.report.view import groups_of


@pytest.fixture
def drawn(cuttable):
    return dendrogram_view(cuttable, groups_of(cuttable))


def data_of(answer):
    return json.loads(script_data(answer, groups_of(answer)))


def test_every_page_is_a_leaf(drawn):
    ys = range(42, 107, 16)
    leaves = [(n, f"{n}.example", y) for n, y in zip((1, 2, 4, 7, 9), ys, strict=True)]
    assert drawn.leaves == leaves


def test_brackets_stand_at_their_levels_and_join_the_middles_of_their_parts(drawn):
    paths = [[float(each) for each in re.findall(r"[\d.]+", path)] for _, path in drawn.brackets]
    x_of = {level: 700 - 510 * level for level in (1, 0.9, 0.8, 0.4, 0.1)}
    assert [path[2] for path in paths] == [x_of[level] for level in (0.9, 0.8, 0.4, 0.1)]
    first, second, third, last = paths
    assert (first[0], first[4]) == (x_of[1], x_of[1])
    assert (third[0], third[4]) == (x_of[0.9], x_of[0.8])
    assert third[1] == (first[1] + first[3]) / 2
    assert third[3] == (second[1] + second[3]) / 2
    assert last[4] == x_of[1]


def test_held_merges_have_the_colour_of_their_person_and_the_threshold_follows_them(drawn):
    assert [tone for tone, _ in drawn.brackets] == ["tone-0", "tone-1", "", ""]
    assert drawn.threshold_x == 700 - 510 * 0.6


def test_the_answer_is_given_by_rows_and_nodes(answer):
    data = data_of(answer)
    assert data["own"] == [0, 2, 0, 1, 1, 0]
    assert data["people"] == [[0, 0.81], [1, 0.25], [2, 0.4]]
    assert data["told"][0] == [0.99, -1, 2, 0.96, 3, 0.2, 0]
    assert data["told"][2][6] == 1
    assert data["told"][5] == [0.48, 1, 2, 0.81, 3, 0.4, 0]
    assert "nodes" not in data


def test_other_thresholds_can_be_worked_out(cuttable):
    data = data_of(cuttable)
    assert data["own"] == [5, 5, 6, 6, 4]
    assert data["nodes"] == [[0, 1], [2, 3], [5, 6], [7, 4]]
    assert (data["held"], data["least"], data["most"]) == (2, 0, 4)
    assert data["levels"] == [0.9, 0.8, 0.4, 0.1]
    assert data["merges"] == [[1, 2], [4, 7], [2, 4], [7, 9]]
    assert data["calibration"] == [1.5, 0.25]
    assert "component" not in data


def test_constraints_of_corrections(cuttable):
    corrections = (Correction("confirm", ((1,), (2,))), Correction("different", ((1,), (9,))))
    data = data_of(replace(cuttable, corrections=Corrections(corrections)))
    assert (data["component"], data["apart"]) == ([0, 0, 1, 2, 3], [[0, 3]])
    assert data["right"] == [0]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=10, max_size=10))
def test_probabilities_come_back(cuttable, probability):
    pairs = np.array(probability)
    alternatives = replace(cuttable.alternatives, probability=pairs)
    packed = data_of(replace(cuttable, alternatives=alternatives))["pairs"]
    codes = np.frombuffer(base64.b64decode(packed), "<u2").astype(float)
    back = expit((codes - 1) / 65533 * 2 * REACH - REACH)  # as the script does
    np.testing.assert_allclose(np.where(codes > 0, back, 0), pairs, atol=1e-4)
    assert (codes[pairs == 0] == 0).all()
    assert (codes[pairs == 1] == 65535).all()


def test_no_text_from_the_web_is_among_the_data(hostile):
    assert "<" not in script_data(hostile, groups_of(hostile))
