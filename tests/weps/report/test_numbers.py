from __future__ import annotations

import base64
import json
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from weps.corrections import Correction, Corrections
from weps.report.groups import groups_of
from weps.report.numbers import REACH, numbers


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
