from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from eval.ranking.pwa import max_pwa
from eval.ranking.subsets import best_subset, gain_counts, greedy_subsets, measure_gains
from weps.errors import ValuesError

Sides = tuple[NDArray[np.float64], NDArray[np.float64]]


@st.composite
def sides(draw: st.DrawFn) -> Sides:
    measures = draw(st.integers(1, 6))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = generator.integers(1, 7, (measures, 1))
    better = generator.integers(0, 3, (measures, 1))
    positives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40)))) + better
    negatives = generator.integers(0, kinds, (measures, draw(st.integers(1, 40))))
    return positives.astype(float), negatives.astype(float)


def reached(both: Sides, measures: tuple[int, ...]) -> float:
    return max_pwa(both[0][list(measures)], both[1][list(measures)]) if measures else 0.0


@given(sides())
def test_each_greedy_step_is_the_best_next_one(both: Sides) -> None:
    chosen: tuple[int, ...] = ()
    for step in greedy_subsets(*both):
        rest = [measure for measure in range(len(both[0])) if measure not in chosen]
        tried = [reached(both, (*chosen, measure)) for measure in rest]
        assert step.measure == rest[int(np.argmax(tried))]  # the first of equally good ones
        assert step.max_pwa == pytest.approx(max(tried))
        assert step.gain == pytest.approx(max(tried) - reached(both, chosen))
        chosen = (*chosen, step.measure)


@settings(max_examples=60)
@given(sides())
def test_the_best_subset_is_the_best_of_all(both: Sides) -> None:
    measures = range(len(both[0]))
    for size in range(1, len(measures) + 1):
        best = best_subset(*both, size)
        assert best.measures == tuple(sorted(best.measures))
        assert best.max_pwa == pytest.approx(reached(both, best.measures))
        assert best.max_pwa == pytest.approx(
            max(reached(both, s) for s in combinations(measures, size))
        )


def test_greedy_search_can_miss_the_best_pair_and_exhaustive_search_does_not() -> None:
    # Each column a positive, compared with one negative at 0; the first measure is right on three
    # of five, the others on complementary parts.
    right = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0], [0, 0, 1, 0, 1, 1]], dtype=float)
    negatives = np.zeros((3, 1))
    assert [step.measure for step in greedy_subsets(right, negatives, 2)] == [0, 2]
    assert best_subset(right, negatives, 2) == ((1, 2), 1.0)


@given(sides())
def test_gains_are_what_is_lost_without_the_measure(both: Sides) -> None:
    every = tuple(range(len(both[0])))
    for measure, gain in enumerate(measure_gains(*both)):
        rest = tuple(other for other in every if other != measure)
        assert gain == pytest.approx(reached(both, every) - reached(both, rest))


def test_gains_by_groups_add_up() -> None:
    generator = np.random.default_rng(3)
    both = generator.normal(size=(4, 50)).round(1), generator.normal(size=(4, 60)).round(1)
    groups = generator.integers(0, 3, 50), generator.integers(0, 5, 60)
    tallies = gain_counts(*both, *groups)
    assert [tally.pooled for tally in tallies] == pytest.approx(measure_gains(*both).tolist())
    assert {tally.hits.shape for tally in tallies} == {(5, 5)}


@pytest.mark.parametrize("size", [0, -1, 3])
@pytest.mark.parametrize("search", [greedy_subsets, best_subset])
def test_a_size_that_cannot_be_is_refused(search: object, size: int) -> None:
    with pytest.raises(ValuesError, match=f"no subset of {size} can be chosen from 2 measures"):
        search([[1.0], [1.0]], [[0.0], [0.0]], size)  # type: ignore[operator]
