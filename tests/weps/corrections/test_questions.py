"""Questions are asked where the answer is expected to change the clustering most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import LINKAGES
from weps.corrections.constraints import constrained_dendrogram
from weps.corrections.model import Correction
from weps.corrections.questions import choose_questions
from weps.similarity.pairs import condense_matrix


def dendrogram(square, corrections=()):
    square = np.array(square, dtype=float)
    ranks = range(1, len(square) + 1)
    return constrained_dendrogram(
        list(corrections), LINKAGES["average"], condense_matrix(square), list(ranks)
    )


TWO_GROUPS = [
    [1.0, 0.9, 0.8, 0.4, 0.5],
    [0.9, 1.0, 0.9, 0.4, 0.4],
    [0.8, 0.9, 1.0, 0.4, 0.4],
    [0.4, 0.4, 0.4, 1.0, 0.9],
    [0.5, 0.4, 0.4, 0.9, 1.0],
]
"""Pages 0 to 2 and 3 to 4 are in one cluster each, after three merges."""


def test_the_gain_is_the_cost_of_an_error_times_its_probability():
    [best] = choose_questions(dendrogram(TWO_GROUPS), 3)
    # Typical are page 1 of the first group, and of the second the earlier of two alike.
    assert best.rows == (1, 3)
    assert not best.together
    assert best.probability == pytest.approx(2.5 / 6)
    assert best.gain == pytest.approx(2.5 / 6 * 2 * 3 * 2 / 5 / 5)


def test_a_doubtful_cluster_is_asked_about_by_the_parts_of_its_merge():
    [best] = choose_questions(dendrogram(TWO_GROUPS), 4)
    assert best.rows == (1, 3)
    assert best.together
    assert best.gain == pytest.approx((1 - 2.5 / 6) * 2 * 3 * 2 / 5 / 5)


@each_case(
    ("options", "expected"),
    [
        ({"most": 99}, {(1, 3), (0, 1), (0, 2), (3, 4)}),
        ({"asked": [(1, 3)]}, {(0, 1)}),
        ({"answerable": {0, 2, 4}}, {(0, 4)}),
        ({"answerable": {0}}, set()),
    ],
)
def test_no_pair_is_asked_about_twice_and_none_that_may_not_be_asked_about(options, expected):
    found = choose_questions(dendrogram(TWO_GROUPS), 3, **options)
    assert {each.rows for each in found} == expected
    gains = [each.gain for each in found]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize(
    "answer",
    [Correction("different", ((1,), (4,))), Correction("same", ((1, 4),))],
    ids=str,
)
def test_what_corrections_decide_is_not_asked_about(answer):
    tree = dendrogram(TWO_GROUPS, [answer])
    for kept in range(tree.min_merges, min(tree.max_merges, 4) + 1):
        cluster_of = {row: rows for rows in tree.clusters(kept) for row in rows}
        for each in choose_questions(tree, kept, 99):
            assert each.rows != (0, 3)
            both = {row for page in each.rows for row in cluster_of[page]}
            assert each.together or answer.kind == "same" or not {0, 3} <= both


@given(st.integers(0, 9), st.data())
def test_every_question_names_two_pages_that_are_together_as_it_says(size, data):
    values = data.draw(st.lists(st.floats(0.01, 0.99), min_size=size * size, max_size=size * size))
    square = np.array(values).reshape(size, size)
    tree = dendrogram((square + square.T) / 2)
    kept = data.draw(st.integers(0, max(size - 1, 0)))
    cluster_of = {row: at for at, rows in enumerate(tree.clusters(kept)) for row in rows}
    for each in choose_questions(tree, kept, 5):
        first, second = each.rows
        assert first < second
        assert each.together == (cluster_of[first] == cluster_of[second])
        assert 0 <= each.gain <= 1


def test_a_single_page_raises_no_question():
    assert choose_questions(Dendrogram(1, np.empty(0), ()), 0) == []
