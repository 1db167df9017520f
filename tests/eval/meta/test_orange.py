"""ORANGE and what separates people from systems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.meta.made_up import random_topic, topics
from tests.eval.studies.made_up import compared
from weps.errors import ValuesError
from weps_eval.meta import orange
from weps_eval.meta.judged import Similarities
from weps_eval.meta.orange import (
    SHARES,
    LeftOut,
    Listing,
    acceptance_curve,
    average_rank,
    left_out,
    likeness_implications,
    orange_scores,
    passing_for_references,
    rank_stability,
)

MODELS = [[1, 0.2, 0.6], [0.3, 1, 0.5], [0.7, 0.1, 1]]
PEERS = [[0.9, 0.1, 0.5]]


def test_three_models_and_a_peer():
    found = left_out(Similarities(np.array([PEERS]), np.array([MODELS])))
    assert found.models[0].tolist() == pytest.approx([0.4, 0.4, 0.4])
    assert found.peers[0, :, 0].tolist() == pytest.approx([0.3, 0.7, 0.5])


def test_references_of_equal_means_are_equal():
    models = np.full((1, 4, 4), 0.5)
    models[0, 0, 1:], models[0, 1, [0, 2, 3]] = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    found = left_out(Similarities(np.full((1, 2, 4), 0.5), models)).models[0]
    assert found[0] == found[1]


def test_a_single_model_is_refused():
    with pytest.raises(ValuesError, match="a single model leaves none"):
        left_out(random_topic(0, models=1))


@each_case(
    ("models", "peers", "message"),
    [
        (np.zeros((1, 2)), np.zeros((1, 3, 2)), r"models: shape \(1, 2\) does not fit"),
        (np.zeros((1, 2)), np.zeros((1, 2)), r"peers: expected shape \(measures, models, peers\)"),
        (np.zeros((1, 2)), np.zeros((1, 2, 0)), "none 0"),
        (np.full((1, 2), np.nan), np.zeros((1, 2, 1)), "models: measure 0 has NaN where model 0"),
        (np.zeros((1, 2)), np.full((1, 2, 1), np.nan), "peers: measure 0 has NaN"),
    ],
)
def test_what_does_not_fit_is_refused(models, peers, message):
    with pytest.raises(ValuesError, match=message):
        LeftOut(models, peers)


few = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


def test_what_is_human_like_is_acceptable_and_not_the_reverse():
    # One text in four passes for a person's; half of the others are as acceptable.
    (found,) = likeness_implications([1, 0, 0, 0], [2, 2, 1, 1], [0.25])
    assert found == (0.25, 3 / 4, ((7 / 8) + (3 / 8)) / 2)


@given(few, st.sampled_from([0.1, 0.5, 1.0]))
def test_the_standing_is_the_share_below(pairs, share):
    like, accepted = np.array(pairs).T
    (found,) = likeness_implications(like, accepted, [share])
    last = sorted(like)[::-1][int(np.ceil(round(share * len(like), 9))) - 1]
    standings = [
        ((accepted < value).sum() + (accepted == value).sum() / 2) / len(pairs)
        for value, near in zip(accepted, like, strict=True)
        if near >= last
    ]
    assert found.acceptable == pytest.approx(np.mean(standings))
    (swapped,) = likeness_implications(accepted, like, [share])
    assert (swapped.acceptable, swapped.human_like) == (found.human_like, found.acceptable)


@each_case(
    ("like", "share", "message"),
    [
        ([1.0], 0.5, "1 and 2 texts cannot be paired"),
        ([1.0, np.nan], 0.5, "likeness: .*NaN"),
        ([1.0, 2.0], 0.0, "expected a share .*got 0.0"),
        ([1.0, 2.0], 1.5, "expected a share .*got 1.5"),
    ],
)
def test_what_does_not_fit_is_refused_likeness(like, share, message):
    with pytest.raises(ValuesError, match=message):
        likeness_implications(like, [1.0, 2.0], [share])


def test_a_share_may_be_a_little_more_than_a_whole_number():
    (found,) = likeness_implications(
        np.arange(100.0), np.arange(100.0), [0.07]
    )  # 7.000000000000001
    assert found.acceptable == pytest.approx(0.965)


# Two references and three peers. r0 (5) is ahead of one peer, ties with one and is behind one;
# r1 (2) is behind all.
TOPIC = LeftOut(np.array([[5.0, 2.0]]), np.array([[[4.0, 5.0, 6.0], [3.0, 4.0, 5.0]]]))


@each_case(("ties", "expected"), [(0, 1 / 6), (0.5, 1 / 4), (1, 1 / 3)])
def test_the_probability(ties, expected):
    assert orange_scores([TOPIC], ties).tolist() == [[pytest.approx(expected)]]


def test_the_average_rank_in_a_list_of_its_own():
    found = average_rank([TOPIC], Listing.APART)
    assert found.rank.tolist() == [[(2.5 + 4) / 2]]
    assert found.ratio.tolist() == [[3.25 / 4]]


def test_the_average_rank_in_one_list():
    # The peers' means are 3.5, 4.5, 5.5: r0 is second of five, r1 last.
    found = average_rank([TOPIC], Listing.TOGETHER)
    assert found.rank.tolist() == [[(2 + 5) / 2]]
    assert found.ratio.tolist() == [[3.5 / 5]]


def judged_orange(given_topics: list[Similarities]) -> list[LeftOut]:
    finite = [Similarities(np.exp(each.peers), np.exp(each.models)) for each in given_topics]
    return [left_out(each) for each in finite]


@given(topics(fewest=2))
def test_it_is_what_looking_at_every_two_finds(given_topics):
    given_judged = judged_orange(given_topics)
    found, level = orange_scores(given_judged), orange_scores(given_judged, ties=1)
    for number, each in enumerate(given_judged):
        for measure, (models, peers) in enumerate(zip(each.models, each.peers, strict=True)):
            pairs = [(m, a) for m, row in zip(models, peers, strict=True) for a in row]
            shares = [np.mean([m > a for m, a in pairs]), np.mean([m >= a for m, a in pairs])]
            values = [found[measure, number], level[measure, number]]
            assert values == pytest.approx(shares)


@given(topics(fewest=2))
def test_ranks_in_one_list_are_those_of_counting(given_topics):
    given_judged = judged_orange(given_topics)
    found = average_rank(given_judged, Listing.TOGETHER).rank
    for number, each in enumerate(given_judged):
        for measure, models in enumerate(each.models):
            values = [*models, *each.peers[measure].mean(axis=0)]
            ranks = [
                (1 + sum(v > m for v in values) + sum(v >= m for v in values)) / 2 for m in models
            ]
            assert found[measure, number] == pytest.approx(np.mean(ranks))


def test_topics_must_fit_together():
    other = left_out(random_topic(0, 2))
    for function in (orange_scores, average_rank):
        for wrong in ([], [TOPIC, other]):
            with pytest.raises(ValuesError, match="expected topics with equally many"):
                function(wrong)


GROUPS = np.repeat(np.arange(5), 8)
RISING = np.arange(40.0)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch) -> None:
    """Each resample ranks all outputs again."""
    monkeypatch.setattr(orange, "_RESAMPLES", 60)


def test_ties_do_not_keep_an_implication_from_reaching_all_the_way():
    human = (RISING >= 20).astype(float)  # half of the outputs are perfect
    found = acceptance_curve(RISING, human, GROUPS)
    assert found.acceptable.value == pytest.approx([0.75, 0.75, 0.75])
    assert found.accepted.value == pytest.approx([1, 1, 1])
    assert found.likened.value[0] < 1  # of the perfect ones, some are less like references


def test_how_far_an_implication_reaches():
    """All the way to itself, as far down to the reverse; nowhere if all is equal."""
    itself, reverse, equal = (
        acceptance_curve(RISING, human, GROUPS) for human in (RISING, -RISING, np.ones(40))
    )
    assert itself.accepted.value.tolist() == itself.likened.value.tolist() == [1, 1, 1]
    assert itself.gap(0) == (0, 0, 0)
    assert reverse.accepted.value == pytest.approx([-1, -1, -1])
    assert np.isnan(equal.accepted.value).all()


@pytest.mark.parametrize("seed", range(2))
def test_standings_are_those_of_the_implications_of_judged_outputs(seed):
    generator = np.random.default_rng(seed)
    likeness, human = generator.integers(0, 5, (2, 40)).astype(float)
    human[generator.random(40) < 0.2] = np.nan
    found = acceptance_curve(likeness, human, GROUPS)
    known = ~np.isnan(human)
    wanted = likeness_implications(likeness[known], human[known], SHARES)
    assert found.acceptable.value.tolist() == [each.acceptable for each in wanted]
    assert found.human_like.value.tolist() == [each.human_like for each in wanted]


def test_one_topic_has_no_interval():
    found = acceptance_curve(RISING, RISING, np.zeros(40, dtype=int))
    assert np.isnan(found.accepted.samples).all()
    assert found.accepted.value[0] == 1


def test_likeness_is_what_orange_is_about():
    left = [left_out(each) for each in compared(1).similarities]
    found = passing_for_references(left, 1)
    assert 1 - found.reshape(6, 4).mean(axis=1) == pytest.approx(orange_scores(left)[1])
    first = left[0]
    assert found[2] == np.mean([first.peers[1, m, 2] >= first.models[1, m] for m in range(5)])


def test_who_is_level_with_a_reference_is_not_behind_it():
    left = LeftOut(np.array([[1.0, 2.0]]), np.array([[[1.0, 0.0], [3.0, 1.0]]]))
    assert passing_for_references([left], 0).tolist() == [1, 0]


def test_measures_that_differ_in_every_reference_are_ranked_by_few():
    """Three measures by which references are ahead of fewer and fewer outputs."""
    peers = np.zeros((3, 8, 7))
    peers[1, :3], peers[2, :6] = 2, 2
    topics = [Similarities(peers, np.ones((3, 7, 7)))] * 4
    stable = rank_stability(
        topics, (4, 5, 6), lambda some: orange_scores([left_out(each) for each in some])
    )
    assert stable.value.tolist() == [1, 1, 1]
