import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.labelled import LabelledConditions, greedy_features, king, mean_superiority
from weps.errors import ValuesError

VALUES = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, np.inf])
BOTH = st.integers(1, 4).flatmap(
    lambda measures: st.tuples(
        arrays(float, st.tuples(st.just(measures), st.integers(2, 11)), elements=VALUES),
        arrays(float, st.tuples(st.just(measures), st.integers(1, 8)), elements=VALUES),
    )
)
Sides = tuple[np.ndarray, np.ndarray]


def queen(one: np.ndarray, models: list[np.ndarray]) -> float:
    return float(np.mean([(one >= each).all() for each in models]))


def by_looking(positives: np.ndarray, negatives: np.ndarray) -> tuple[float, float]:
    """K and KING, each positive left out of those that it and the negatives are compared with."""
    better = []
    for place, own in enumerate(positives.T):
        others = [each for k, each in enumerate(positives.T) if k != place]
        better.append([queen(own, others) > queen(each, others) for each in negatives.T])
    return float(np.mean(better)), float(np.mean(np.all(better, axis=1)))


def test_by_hand() -> None:
    passing = LabelledConditions.of([[3, 2, 2], [1, 1, 0]], [[2, 9], [0, 0]])
    ((ours, theirs),) = passing.counts()
    assert ours.tolist() == [2, 1, 0]  # the first is as high as both others in both measures
    assert theirs.tolist() == [1, 1]
    assert (mean_superiority(passing), king(passing)) == (1 / 3, 1 / 3)
    assert (mean_superiority(passing, [0]), mean_superiority(passing, [1])) == (0, 2 / 3)


@given(BOTH)
def test_it_is_what_leaving_out_and_looking_finds(sides: Sides) -> None:
    passing = LabelledConditions.of(*sides)
    assert (mean_superiority(passing), king(passing)) == pytest.approx(by_looking(*sides))
    assert king(passing) <= mean_superiority(passing)


@given(BOTH, st.data())
def test_groups_are_compared_each_for_itself(sides: Sides, data: st.DataObject) -> None:
    groups = [
        np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
        for n in (side.shape[1] for side in sides)
    ]
    parts = [[side[:, own == g] for side, own in zip(sides, groups, strict=True)] for g in range(3)]
    expected = [by_looking(*part) for part in parts if part[0].shape[1] > 1 and part[1].shape[1]]
    if expected:
        passing = LabelledConditions.of(*sides, *groups)
        found = mean_superiority(passing), king(passing)
        assert found == pytest.approx(tuple(np.mean(expected, axis=0)))


@given(BOTH)
def test_neither_scale_nor_repetition_matters(sides: Sides) -> None:
    changed = [np.vstack([np.arctan(side), 2 * side]) for side in sides]
    assert mean_superiority(LabelledConditions.of(*changed)) == mean_superiority(
        LabelledConditions.of(*sides)
    )


@given(BOTH)
def test_each_step_adds_the_best_measure(sides: Sides) -> None:
    passing = LabelledConditions.of(*sides)
    for quality in (mean_superiority, king):
        before: tuple[int, ...] = ()
        for step in greedy_features(passing, quality=quality):
            tried = {m: quality(passing, (*before, m)) for m in range(len(sides[0]))}
            best = max(value for m, value in tried.items() if m not in before)
            first = next(m for m, value in tried.items() if m not in before and value == best)
            assert step == ((*before, first), best)
            before = step.measures


def test_a_random_feature_tells_nothing_and_two_aspects_more_than_one() -> None:
    generator = np.random.default_rng(0)
    positives, negatives = generator.random((3, 150)), generator.random((3, 400))
    positives[:2] += 0.3
    passing = LabelledConditions.of(positives, negatives)
    assert mean_superiority(passing, [2]) == pytest.approx(0.5, abs=0.05)
    steps = greedy_features(passing, 2)
    assert set(steps[1].measures) == {0, 1}
    assert steps[1].quality > steps[0].quality + 0.05


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ValuesError, match="no group has two positives and a negative"):
        LabelledConditions.of([[1, 2]], [[3]], [0, 1], [0])
    with pytest.raises(ValuesError, match="1 measures of positives and 2 of negatives"):
        LabelledConditions.of([[1, 2]], [[3], [4]])
    passing = LabelledConditions.of([[1, 2]], [[0]])
    for measures in ([], [1], [-1]):
        with pytest.raises(ValuesError, match="expected indices of the 1 measures"):
            king(passing, measures)
    with pytest.raises(ValuesError, match="no set of 2 can be chosen from 1"):
        greedy_features(passing, 2)
