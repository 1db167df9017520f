import numpy as np
import pytest
from hypothesis import given

from eval.meta.left_out import LeftOut, left_out
from eval.meta.orange import Listing, average_rank, orange
from eval.meta.similarities import Similarities
from tests.eval.meta.made_up import random_topic, topics
from weps.errors import ValuesError

# Two references and three peers. r0 (5) is ahead of one peer, ties with one and is behind one;
# r1 (2) is behind all.
TOPIC = LeftOut(np.array([[5.0, 2.0]]), np.array([[[4.0, 5.0, 6.0], [3.0, 4.0, 5.0]]]))


@pytest.mark.parametrize(("ties", "expected"), [(0, 1 / 6), (0.5, 1 / 4), (1, 1 / 3)])
def test_the_probability(ties: float, expected: float) -> None:
    assert orange([TOPIC], ties).tolist() == [[pytest.approx(expected)]]


def test_the_average_rank_in_a_list_of_its_own() -> None:
    found = average_rank([TOPIC], Listing.APART)
    assert found.rank.tolist() == [[(2.5 + 4) / 2]]
    assert found.ratio.tolist() == [[3.25 / 4]]


def test_the_average_rank_in_one_list() -> None:
    # The peers' means are 3.5, 4.5, 5.5: r0 is second of five, r1 last.
    found = average_rank([TOPIC], Listing.TOGETHER)
    assert found.rank.tolist() == [[(2 + 5) / 2]]
    assert found.ratio.tolist() == [[3.5 / 5]]


def judged(given_topics: list[Similarities]) -> list[LeftOut]:
    finite = [Similarities(np.exp(each.peers), np.exp(each.models)) for each in given_topics]
    return [left_out(each) for each in finite]


@given(topics(fewest=2))
def test_it_is_what_looking_at_every_two_finds(given_topics: list[Similarities]) -> None:
    given_judged = judged(given_topics)
    found, level = orange(given_judged), orange(given_judged, ties=1)
    for number, each in enumerate(given_judged):
        for measure, (models, peers) in enumerate(zip(each.models, each.peers, strict=True)):
            pairs = [(m, a) for m, row in zip(models, peers, strict=True) for a in row]
            shares = [np.mean([m > a for m, a in pairs]), np.mean([m >= a for m, a in pairs])]
            values = [found[measure, number], level[measure, number]]
            assert values == pytest.approx(shares)


@given(topics(fewest=2))
def test_rank_and_probability_say_the_same(given_topics: list[Similarities]) -> None:
    given_judged = judged(given_topics)
    peers = np.array([each.peers.shape[2] for each in given_judged])
    rank, ratio = average_rank(given_judged, Listing.APART)
    assert rank == pytest.approx(1 + peers * (1 - orange(given_judged, ties=0.5)))
    assert ratio == pytest.approx(rank / (peers + 1))


@given(topics(fewest=2))
def test_ranks_in_one_list_are_those_of_counting(given_topics: list[Similarities]) -> None:
    given_judged = judged(given_topics)
    found = average_rank(given_judged, Listing.TOGETHER).rank
    for number, each in enumerate(given_judged):
        for measure, models in enumerate(each.models):
            values = [*models, *each.peers[measure].mean(axis=0)]
            ranks = [
                (1 + sum(v > m for v in values) + sum(v >= m for v in values)) / 2 for m in models
            ]
            assert found[measure, number] == pytest.approx(np.mean(ranks))


def test_perfect_useless_and_random_measures() -> None:
    models, peers = np.array([[1.0] * 3, [0.0] * 3]), np.array([[[0.0] * 4] * 3, [[1.0] * 4] * 3])
    assert orange([LeftOut(models, peers)]).tolist() == [[1], [0]]
    assert average_rank([LeftOut(models, peers)], Listing.APART).rank.tolist() == [[1], [5]]
    assert average_rank([LeftOut(models, peers)]).rank.tolist() == [[2], [6]]
    random = [left_out(random_topic(seed, 1)) for seed in range(300)]
    assert orange(random).mean() == pytest.approx(0.5, abs=0.03)


def test_topics_must_fit_together() -> None:
    other = left_out(random_topic(0, 2))
    for function in (orange, average_rank):
        for wrong in ([], [TOPIC, other]):
            with pytest.raises(ValuesError, match="no topics, or they have not equally many"):
                function(wrong)
