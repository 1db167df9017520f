import numpy as np
import pytest

from eval.meta.human_first import human_first
from eval.meta.left_out import LeftOut, left_out
from eval.meta.qarla import Conditions, queen_left_out
from eval.meta.similarities import Similarities
from tests.eval.meta.made_up import random_topic
from weps.errors import ValuesError


def judged(models: list[float], peers: list[list[float]]) -> LeftOut:
    return LeftOut(np.array([models]), np.array([peers]))


def test_the_mean_over_topics_decides() -> None:
    # m0: 5 against 4 and 4.5; m1: 3 ties with the first peer.
    given_topics = [
        judged([9, 2], [[8, 0], [3, 1]]),
        judged([1, 4], [[0, 9], [3, 1]]),
    ]
    assert human_first(given_topics).tolist() == [[True, False]]


def test_means_that_differ_by_the_order_of_adding_are_tied() -> None:
    given_topics = [judged([own], [[peer]]) for own, peer in ((0.1, 0.3), (0.2, 0.2), (0.3, 0.1))]
    assert np.mean([0.1, 0.2, 0.3]) > np.mean([0.3, 0.2, 0.1])
    assert not human_first(given_topics).any()


def test_each_criterion_has_a_line() -> None:
    models, peers = np.array([[1.0, 1.0], [0.0, 1.0]]), np.full((2, 2, 3), 0.5)
    assert human_first([LeftOut(models, peers)]).tolist() == [[True, True], [False, True]]


def test_similarity_and_queen_are_criteria() -> None:
    base = random_topic(0, 1)
    apart = Similarities(base.peers - 1, base.models)
    assert human_first([left_out(apart)]).all()
    found = human_first(queen_left_out(Conditions.of([apart])))
    assert found.shape == (1, 5)
    assert found.sum() == 5
    assert not human_first(
        queen_left_out(Conditions.of([Similarities(base.peers + 1, base.models)]))
    ).any()


def test_topics_must_have_the_same_people_and_systems() -> None:
    one, two = (left_out(random_topic(0, peers=peers)) for peers in (2, 3))
    for wrong in ([], [one, two]):
        with pytest.raises(ValuesError, match="give the same people and systems"):
            human_first(wrong)
