import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from tests.weps.builders import unhurried
from tests.weps.corrections.cases import corrections_of
from weps.clustering.linkage import average_linkage
from weps.corrections.constraints import (
    constrained_dendrogram,
    most_probable_shift,
    shift_probabilities,
)

PAIRS = np.array([0.9, 0.5, 0.5, 0.5, 0.2, 0.8])
"""Of rows 0 to 3: 01, 02, 03, 12, 13, 23."""
RANKS = [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("lines", "observed"),
    [
        (["different 1 / 2"], [logit(0.9)]),
        (["different 2 / 3 4"], [(logit(0.5) + logit(0.2)) / 2]),
        (["split 1 2 / 3", "different 3 / 4"], [0.0, logit(0.8)]),
        (["move 1 / 2 99 / 3"], [logit(0.9)]),
    ],
)
def test_each_different_is_one_observation(lines, observed):
    shift = most_probable_shift(np.array(observed))
    found = shift_probabilities(PAIRS, corrections_of(*lines).entries, RANKS)
    np.testing.assert_allclose(found, expit(logit(PAIRS) + shift), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "lines", [[], ["same 1 2"], ["confirm 1 / 2"], ["called 1 A"], ["different 1 / 99"]]
)
def test_what_teaches_nothing(lines):
    assert shift_probabilities(PAIRS, corrections_of(*lines).entries, RANKS) is PAIRS


def test_a_worked_example():
    # Of one pair at even odds: the shift s at which s = -1 / (1 + exp(-s)).
    shift = most_probable_shift(np.zeros(1))
    assert shift == pytest.approx(-0.40106, abs=1e-5)
    assert shift == pytest.approx(-1 / (1 + np.exp(-shift)))


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=9))
@unhurried
def test_the_shift_is_the_most_probable(logits):
    def log_posterior(shift: np.ndarray) -> np.ndarray:
        return -(shift**2) / 2 + np.log(expit(-(np.array(logits)[:, np.newaxis] + shift))).sum(0)

    grid = np.linspace(-len(logits), 0, 20_001)
    found = most_probable_shift(np.array(logits))
    assert -len(logits) <= found <= 0
    assert found == pytest.approx(grid[log_posterior(grid).argmax()], abs=1e-3)


def test_the_surer_the_model_was_the_more_it_learns():
    shifts = [most_probable_shift(np.array([each])) for each in (-5.0, 0.0, 5.0)]
    assert shifts == sorted(shifts, reverse=True)
    assert shifts[0] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_certainty_is_no_infinity(certain):
    found = shift_probabilities(
        np.array([certain]), corrections_of("different 1 / 2").entries, [1, 2]
    )
    shift = most_probable_shift(logit(np.array([abs(certain - 1e-4)])))
    assert found[0] == pytest.approx(expit(logit(abs(certain - 1e-4)) + shift), abs=1e-12)


RANKS_OBEYING = [10, 20, 30, 40]


def test_what_was_said_is_obeyed_and_learnt_from():
    said = corrections_of("different 10 / 20", "same 10 40").entries
    tree = constrained_dendrogram(said, average_linkage, PAIRS, RANKS_OBEYING)
    assert [tree.clusters(merges) for merges in (tree.min_merges, tree.max_merges)] == [
        [[0, 3], [1], [2]],
        [[0, 2, 3], [1]],
    ]
    assert tree.probability[[0, 2]].tolist() == [0, 1]
    assert 0 < tree.probability[5] < 0.8


def test_nothing_said():
    tree = constrained_dendrogram((), average_linkage, PAIRS, RANKS_OBEYING)
    assert tree.merges == average_linkage(PAIRS, 4).merges
    assert tree.probability is PAIRS
