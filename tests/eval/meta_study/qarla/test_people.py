from dataclasses import replace

import numpy as np
import pytest

from eval.meta.qarla import Conditions, queen
from eval.meta_study.compared import Compared
from eval.meta_study.qarla.people import Agreement, agreements, plain_values, queen_values
from eval.meta_study.qarla.search import Search, searched
from tests.eval.meta_study.compared.made_up import compared


def studied(made: Compared) -> tuple[Search, np.ndarray, tuple[Agreement, ...]]:
    conditions = Conditions.of(made.similarities)
    search = searched(conditions, (0, 1, 2))
    queens = queen_values(conditions, search.sets)
    return search, queens, agreements(made, queens, search.kings)


def by_system(values: np.ndarray, systems: int) -> np.ndarray:
    return values.reshape(len(values), -1, systems).mean(axis=1)


def test_r_is_that_of_the_means_of_systems() -> None:
    made = compared(3, peers=5)
    _, queens, (found,) = studied(made)
    human = by_system(made.instances.human, 5)[0]
    for ours, values in ((found.queens, queens), (found.plain, plain_values(made))):
        rows = by_system(values, 5)
        for value, row in zip(ours.value, rows, strict=True):
            if not np.isnan(value):
                assert value == pytest.approx(np.corrcoef(row, human)[0, 1])
    assert (found.criterion, found.systems, found.topics) == ("fluency", 5, 6)


def test_queen_of_every_output_topic_by_topic() -> None:
    made = compared(2)
    conditions = Conditions.of(made.similarities)
    assert (
        queen_values(conditions, [[1]])[0].tolist()
        == np.concatenate(queen(conditions, [1])).tolist()
    )
    assert plain_values(made)[1, 5] == made.similarities[1].peers[1, 1].mean()


def test_whether_king_goes_with_people() -> None:
    search, _, (found,) = studied(compared(4, peers=6, apart=0.1))
    known = ~np.isnan(found.queens.value)
    wanted = np.corrcoef(search.kings.mean(axis=1)[known], found.queens.value[known])[0, 1]
    assert found.with_king().value == pytest.approx(wanted)


def test_topics_that_nobody_judged_do_not_count_for_king_either() -> None:
    made = compared(5)
    unjudged = replace(made.topics[2], human=np.full((1, 4), np.nan))
    part = replace(made, topics=(*made.topics[:2], unjudged, *made.topics[3:]))
    without = replace(made, topics=(*made.topics[:2], *made.topics[3:]))
    (ours,), (theirs,) = (studied(each)[2] for each in (part, without))
    assert ours.topics == 5
    assert np.array_equal(ours.kings.drawn, theirs.kings.drawn)
    assert np.array_equal(ours.queens.drawn, theirs.queens.drawn, equal_nan=True)


def test_two_systems_always_lie_on_a_line() -> None:
    assert studied(compared(peers=2))[2] == ()


def test_a_measure_with_infinite_values_has_no_mean() -> None:
    made = compared(6)
    made.topics[0].values.peers[1, 0, 0] = -np.inf
    _, _, (found,) = studied(made)
    assert np.isnan(found.plain.value).tolist() == [False, True, False]


def test_too_few_sets_say_nothing_of_king() -> None:
    made = compared(measures=("x",))
    conditions = Conditions.of(made.similarities)
    kings = searched(conditions, (0,)).kings
    (found,) = agreements(made, queen_values(conditions, [[0]]), kings)
    assert np.isnan(found.with_king().value)
