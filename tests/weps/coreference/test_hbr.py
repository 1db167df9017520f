"""Heterogeneity based ranking; the arithmetic of evaluation must find the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.coreference import hbr as module
from weps.coreference.hbr import HeterogeneityRanking
from weps.errors import ModelError
from weps_eval.meta.hbr import pairwise_contradictions
from weps_eval.meta.heterogeneity import Pairs, PairwisePreferences

DATA = {
    "rivals": [[0.0, 1.0], [0.5, 0.5], [1.0, 0.25]],
    "samples": [[0, 1], [1, 2], [2, 2]],
    "calibration": {"slope": 1.0, "shift": 0.0},
}


def made(seed: int, columns: int = 5, rivals: int = 7, samples: int = 9) -> HeterogeneityRanking:
    random = np.random.default_rng(seed)
    values = (random.integers(0, 4, (rivals, columns)) / 4).astype(np.float32)
    sampled = random.integers(0, rivals, (samples, 2)).astype(np.int32)
    return HeterogeneityRanking(values, sampled)


def some(seed: int, columns: int = 5, pairs: int = 11) -> np.ndarray:
    return (np.random.default_rng(seed).integers(0, 5, (pairs, columns)) / 4).astype(np.float32)


def test_by_hand():
    ranking = HeterogeneityRanking.from_data(DATA, 2)
    values = np.array([[1, 1], [0.5, 0.5], [0, 0]], dtype=np.float32)
    # Both columns contradict each other on two of three samples; (½, ½) has both against rival 1,
    # one against each of the others; (1, 1) has both against all.
    assert ranking.scores(values) == pytest.approx([2 / 3, 2 / 9, 0])


@given(st.integers(0, 2**31 - 1), st.sampled_from([1, 5, 64, 65, 130]))
def test_scores_are_those_of_the_arithmetic(seed, columns):
    ranking, values = made(seed, columns), some(seed + 1, columns)
    together = np.concatenate([values, ranking.rivals]).T
    sampled = len(values) + ranking.samples
    preferences = PairwisePreferences.of(together, Pairs(sampled[:, 0], sampled[:, 1]))
    first = np.repeat(np.arange(len(values)), len(ranking.rivals))
    second = np.tile(len(values) + np.arange(len(ranking.rivals)), len(values))
    found = pairwise_contradictions(together, preferences, Pairs(first, second))
    expected = found.reshape(len(values), -1).mean(axis=1) / len(sampled)
    assert ranking.scores(values) == pytest.approx(expected)


@given(st.integers(0, 2**31 - 1))
def test_more_similar_is_never_less_probable(seed):
    ranking, values = made(seed), some(seed + 1)
    higher = values + (np.random.default_rng(seed).random(values.shape) < 0.3).astype(np.float32)
    assert (ranking.predict(higher) >= ranking.predict(values)).all()


def test_a_pair_is_judged_alike_alone_and_among_others(monkeypatch):
    ranking, values = made(5), some(6)
    expected = ranking.predict(values).tolist()
    assert [float(ranking.predict(row[None])[0]) for row in values] == expected
    monkeypatch.setattr(module, "_MAX_CELLS", 1)
    assert ranking.predict(values).tolist() == expected
    assert ranking.predict(values[:0]).shape == (0,)


@each_case(
    ("changes", "problem"),
    [
        ({"rivals": [[0.0]]}, "2 columns"),
        ({"rivals": [[0.0, float("nan")]]}, "2 columns"),
        ({"rivals": [[0.0, 1e300]]}, "2 columns"),
        ({"rivals": "none"}, "cannot be read"),
        ({"rivals": []}, "2 columns"),
        ({"samples": []}, "not pairs of rivals"),
        ({"samples": [[0, 3]]}, "missing rivals"),
        ({"samples": [[0, -1]]}, "missing rivals"),
        ({"samples": [[0, 0.5]]}, "cannot be read"),
        ({"samples": [[0, 1, 2]]}, "not pairs of rivals"),
        ({"samples": [[0, 1]] * 10_001}, "too many rivals or samples"),
        ({"calibration": None}, "calibration"),
        ({"calibration": {"slope": 0, "shift": 0}}, "calibration"),
    ],
)
def test_damaged_data_are_refused(changes, problem):
    with pytest.raises(ModelError, match=problem):
        HeterogeneityRanking.from_data({**DATA, **changes}, 2)
    missing = {name: value for name, value in DATA.items() if name not in changes}
    with pytest.raises(ModelError, match="cannot be read"):
        HeterogeneityRanking.from_data(missing, 2)
