from itertools import combinations

import numpy as np
import pytest

from eval.meta.qarla import Conditions, best_set, king
from eval.meta_study.qarla.search import Search, crossed, searched
from tests.eval.meta_study.compared.made_up import compared
from weps.errors import ValuesError


def conditions(seed: int = 0, measures: int = 4) -> Conditions:
    names = tuple(f"x{number}" for number in range(measures))
    return Conditions.of(compared(seed, measures=names).similarities)


def test_every_set_of_the_candidates_and_every_measure_is_tried() -> None:
    made = conditions()
    found = searched(made, (0, 2, 3))
    assert found.sets == ((0,), (1,), (2,), (3,), (0, 2), (0, 3), (2, 3), (0, 2, 3))
    assert found.tried == 8
    for members, shares in zip(found.sets, found.kings, strict=True):
        assert shares.tolist() == king(made, members).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_the_best_set_is_that_of_the_exhaustive_search(seed: int) -> None:
    made = conditions(seed)
    found = searched(made, (0, 1, 2, 3))
    assert found.sets[found.best] == best_set(made).measures
    assert found.best_single == max(range(4), key=lambda each: king(made, [each]).mean().round(12))


@pytest.mark.parametrize("size", [1, 2])
def test_sets_are_no_larger_than_asked_for(size: int) -> None:
    found = searched(conditions(), (0, 1, 2, 3), size)
    assert len(found.sets) == 4 + (len(list(combinations(range(4), 2))) if size == 2 else 0)


def test_further_sets_are_looked_at_but_not_among_those_tried() -> None:
    found = searched(conditions(), (0, 1), more=[(3, 2), (0, 1)])
    assert found.sets[found.tried :] == ((2, 3),)


def test_too_many_sets_are_refused_before_they_are_tried() -> None:
    made = conditions(measures=20)
    with pytest.raises(ValuesError, match="choose a smaller --size, or fewer --clusters"):
        searched(made, tuple(range(20)))


def search(kings: list[list[float]]) -> Search:
    """Two measures and the set of both."""
    return Search(2, (0, 1), 3, ((0,), (1,), (0, 1)), np.array(kings))


def test_what_is_chosen_is_judged_on_topics_that_did_not_choose_it() -> None:
    lucky = [1.0, 0.0, 0.0, 0.0]  # the best of all topics by its first one alone
    steady = [0.2, 0.2, 0.2, 0.2]
    found = crossed(search([lucky, steady, [0.3] * 4]), folds=4)
    assert found is not None
    assert found.kings.value.tolist() == pytest.approx([0.3, (0.2 + 0 + 0 + 0) / 4])
    assert {pair[0] for pair in found.chosen} == {2}
    assert sorted(pair[1] for pair in found.chosen) == [0, 0, 0, 1]


def test_further_sets_cannot_be_chosen() -> None:
    made = Search(2, (0, 1), 3, ((0,), (1,), (0, 1), (1, 2)), np.array([[0.1, 0.1]] * 3 + [[1, 1]]))
    found = crossed(made)
    assert found is not None
    assert found.kings.value.tolist() == [0.1, 0.1]


def test_there_is_nothing_to_cross_with_one_topic_or_without_sets() -> None:
    assert crossed(search([[1.0], [0.5], [0.2]])) is None
    assert crossed(Search(2, (0, 1), 2, ((0,), (1,)), np.ones((2, 5)))) is None
