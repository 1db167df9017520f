from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from eval.meta.qarla import Conditions, Triples, king, queen, queen_left_out
from eval.meta.qarla_jack import JackForm, jack
from eval.meta.qarla_sets import best_set
from eval.stats.estimate import BootstrapSamples, Estimate
from eval.studies.qarla.sets import (
    JackReliability,
    SetSearch,
    SystemQueens,
    cross_validate_sets,
    jack_reliability,
    search_sets,
    system_queens,
)
from tests.eval.studies.made_up import compared
from weps.errors import ValuesError


def test_the_curve_ends_at_jack_of_all_peers() -> None:
    topics = compared(1, peers=5, apart=0).similarities
    found = jack_reliability(topics, [0, 1], Triples.DISTINCT)
    assert [each.form for each in found] == list(JackForm)
    for each in found:
        wanted = jack(topics, [0, 1], each.form).mean()
        assert each.jack.value == wanted
        assert each.by_peers.value[-1] == pytest.approx(wanted)
        assert each.by_peers.value[0] == 0
        assert (np.diff(each.by_peers.value) >= -1e-12).all()


def test_a_topic_with_fewer_peers_keeps_its_last_value() -> None:
    topics = [*compared(1, 2, 3).similarities, *compared(2, 2, 5).similarities]
    (found, _) = jack_reliability(topics, [0], Triples.DISTINCT)
    assert len(found.by_peers.value) == 5
    assert found.by_peers.value[-1] == pytest.approx(found.jack.value)


def curve(*values: float) -> JackReliability:
    row = np.array(values)
    return JackReliability(
        JackForm.ONE_SIDED,
        Estimate(1, 1, 1),
        BootstrapSamples(row, np.repeat(row[:, None], 3, axis=1)),
    )


def test_how_much_faster_it_grows_at_first() -> None:
    assert curve(*np.arange(10)).slows_down() is None  # too few to tell
    slowing = curve(*(np.arange(10) / 10), 0.95, 1.0).slows_down()
    assert slowing is not None
    assert slowing == pytest.approx((0.05, 0.05, 0.05))  # .1 before, .05 after
    assert curve(*np.arange(12)).slows_down() == pytest.approx((0, 0, 0))


def conditions(seed: int = 0, measures: int = 4) -> Conditions:
    names = tuple(f"x{number}" for number in range(measures))
    return Conditions.of(compared(seed, measures=names).similarities)


def test_every_set_of_the_candidates_and_every_measure_is_tried_and_others_looked_at() -> None:
    made = conditions()
    found = search_sets(made, (0, 2, 3), more=[(2, 1), (0, 3)])
    assert found.sets == ((0,), (1,), (2,), (3,), (0, 2), (0, 3), (2, 3), (0, 2, 3), (1, 2))
    assert found.tried == 8
    for members, shares in zip(found.sets, found.kings, strict=True):
        assert shares.tolist() == king(made, members).tolist()


@pytest.mark.parametrize("seed", range(2))
def test_the_best_set_is_that_of_the_exhaustive_search(seed: int) -> None:
    made = conditions(seed)
    found = search_sets(made, (0, 1, 2, 3))
    assert found.sets[found.best] == best_set(made).measures
    assert found.best_single == max(range(4), key=lambda each: king(made, [each]).mean().round(12))


@pytest.mark.parametrize("size", [1, 2])
def test_sets_are_no_larger_than_asked_for(size: int) -> None:
    found = search_sets(conditions(), (0, 1, 2, 3), size)
    assert len(found.sets) == 4 + (len(list(combinations(range(4), 2))) if size == 2 else 0)


def test_too_many_sets_are_refused_before_they_are_tried() -> None:
    made = conditions(measures=20)
    with pytest.raises(ValuesError, match="choose a smaller --size, or fewer --clusters"):
        search_sets(made, tuple(range(20)))


def test_what_is_chosen_is_judged_on_topics_that_did_not_choose_it() -> None:
    """Further sets, which all topics chose, cannot be chosen."""
    lucky = [1.0, 0.0, 0.0, 0.0]  # the best of all topics by its first one alone
    steady = [0.2, 0.2, 0.2, 0.2]
    kings = np.array([lucky, steady, [0.3] * 4, [1] * 4])
    made = SetSearch(2, (0, 1), 3, ((0,), (1,), (0, 1), (1, 2)), kings)
    found = cross_validate_sets(made, folds=4)
    assert found is not None
    assert found.kings.value.tolist() == pytest.approx([0.3, (0.2 + 0 + 0 + 0) / 4])
    assert {pair[0] for pair in found.chosen} == {2}
    assert sorted(pair[1] for pair in found.chosen) == [0, 0, 0, 1]


def test_there_is_nothing_to_cross_with_one_topic_or_without_sets() -> None:
    sets = ((0,), (1,), (0, 1))
    assert cross_validate_sets(SetSearch(2, (0, 1), 3, sets, np.ones((3, 1)))) is None
    assert cross_validate_sets(SetSearch(2, (0, 1), 2, ((0,), (1,)), np.ones((2, 5)))) is None


def test_means_over_topics() -> None:
    made = compared(1)
    conditions = Conditions.of(made.similarities)
    found = system_queens(made, conditions, [1, 2])
    assert found.systems == ("s0", "s1", "s2", "s3")
    assert found.queens.value == pytest.approx(np.mean(queen(conditions, [1, 2]), axis=0))
    left = queen_left_out(conditions, [1, 2])
    assert found.of_references.value == pytest.approx(
        np.mean([each.models[0] for each in left], axis=0)
    )
    assert found.against.value == pytest.approx(
        np.mean([each.peers[0].mean(axis=0) for each in left], axis=0)
    )


def test_a_system_is_judged_by_the_topics_that_it_answered() -> None:
    made = compared(2, topics=2)
    second = replace(made.topics[1], systems=("late", "s1", "s2", "s3"))
    made = replace(made, topics=(made.topics[0], second))
    conditions = Conditions.of(made.similarities)
    found = system_queens(made, conditions, [1])
    (first, last) = queen(conditions, [1])
    assert found.systems[-1] == "late"
    assert found.queens.value[[0, -1]].tolist() == [first[0], last[0]]


def test_the_lowest_reference_against_the_highest_system() -> None:
    people = BootstrapSamples(np.array([0.6, 0.5]), np.array([[0.6, 0.4], [0.5, 0.9]]))
    systems = BootstrapSamples(np.array([0.1, 0.3]), np.array([[0.1, 0.2], [0.3, 0.3]]))
    gap = SystemQueens(("a", "b"), systems, ("A", "B"), people, systems).people_ahead()
    assert gap == pytest.approx((0.2, 0.1, 0.2), abs=0.01)  # .5 - .3, and .4 - .3 in resamples
