import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.qarla import Conditions, Selection, best_set, every_set, greedy, king, kings
from eval.meta.similarities import Similarities
from tests.eval.meta.made_up import random_topic
from weps.errors import ValuesError


def mean_king(conditions: Conditions, measures: tuple[int, ...]) -> float:
    return round(float(king(conditions, measures).mean()), 12)


def crowded(seed: int, measures: int = 5) -> Conditions:
    """Models a little closer to one another than to peers, in every measure by its own luck."""
    generator = np.random.default_rng(seed)
    shapes = [(measures, 4, 5), (measures, 5, 5)]
    return Conditions.of(
        [
            Similarities(
                *(
                    generator.integers(0, 5, shape) + shift * 1.0
                    for shape, shift in zip(shapes, (0, 1), strict=True)
                )
            )
            for _ in range(4)
        ]
    )


seeds = st.integers(0, 500)


@given(seeds, st.sampled_from([None, 1, 2, 3]))
def test_the_best_set_is_what_trying_everything_finds(seed: int, size: int | None) -> None:
    conditions = crowded(seed)
    tried = [
        Selection(measures, mean_king(conditions, measures))
        for length in range(1, (size or 5) + 1)
        for measures in itertools.combinations(range(5), length)
    ]
    first_of_best = max(tried, key=lambda each: each.king)  # the smaller come first
    assert best_set(conditions, size) == first_of_best
    assert sorted(every_set(conditions, size)) == sorted(tried)


@given(seeds)
def test_greedy_adds_the_best_next(seed: int) -> None:
    conditions = crowded(seed)
    chosen: tuple[int, ...] = ()
    for step in greedy(conditions):
        rest = [each for each in range(5) if each not in chosen]
        values = [mean_king(conditions, (*chosen, each)) for each in rest]
        chosen = (*chosen, rest[int(np.argmax(values))])
        assert step == Selection(chosen, max(values))
    assert sorted(chosen) == list(range(5))
    assert greedy(conditions, 2) == greedy(conditions)[:2]


def test_measures_that_correct_one_another_are_better_together() -> None:
    models = np.ones((2, 4, 4))
    peers = np.zeros((2, 2, 4))
    peers[0, 0] = peers[1, 1] = 1  # each measure takes one of the two peers for a model
    conditions = Conditions.of([Similarities(peers, models)])
    assert [each.king for each in greedy(conditions)] == [0, 1]
    assert best_set(conditions) == ((0, 1), 1)
    assert best_set(conditions, 1) == ((0,), 0)


def test_equally_good_sets_are_equal_whatever_the_topics() -> None:
    def topic(first: int, second: int) -> Similarities:
        models = np.full((2, 10, 10), -1.0)
        for measure, ahead in enumerate((first, second)):
            models[measure, :ahead] = 1
        return Similarities(np.zeros((2, 1, 10)), models)

    conditions = Conditions.of([topic(2, 6), topic(4, 0), topic(0, 0)])
    assert kings(conditions).tolist() == [[0.2, 0.4, 0], [0.6, 0, 0]]
    assert 0.2 + 0.4 > 0.6
    assert [each.king for each in every_set(conditions, 1)] == [0.2, 0.2]
    reordered = Conditions.of([topic(6, 2), topic(0, 4), topic(0, 0)])
    for each in (conditions, reordered):
        assert best_set(each, 1).measures == greedy(each, 1)[0].measures == (0,)


@given(seeds)
def test_sets_come_before_those_that_extend_them(seed: int) -> None:
    found = [each.measures for each in every_set(crowded(seed))]
    assert found == sorted(found)
    assert len(found) == 31


def test_sizes_that_cannot_be() -> None:
    conditions = Conditions.of([random_topic(0)])
    for search in (greedy, best_set, every_set):
        for size in (0, 3):
            with pytest.raises(ValuesError, match=f"no set of {size} among 2"):
                search(conditions, size)
