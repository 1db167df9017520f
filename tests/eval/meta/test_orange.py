"""ORANGE and what separates people from systems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.meta.made_up import topics
from tests.eval.studies.made_up import compared
from weps.errors import ValuesError
from weps_eval.meta import orange

MODELS = [[1, 0.2, 0.6], [0.3, 1, 0.5], [0.7, 0.1, 1]]
PEERS = [[0.9, 0.1, 0.5]]


def test_three_models_and_a_peer():
    found = orange.left_out(orange.Similarities(np.array([PEERS]), np.array([MODELS])))
    assert found.references[0].tolist() == pytest.approx([0.4, 0.4, 0.4])
    assert found.outputs[0, :, 0].tolist() == pytest.approx([0.3, 0.7, 0.5])


def test_references_of_equal_means_are_equal():
    models = np.full((1, 4, 4), 0.5)
    models[0, 0, 1:], models[0, 1, [0, 2, 3]] = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    found = orange.left_out(orange.Similarities(np.full((1, 2, 4), 0.5), models)).references[0]
    assert found[0] == found[1]


few = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@given(few, st.sampled_from([0.1, 0.5, 1.0]))
def test_the_standing_is_the_share_below(pairs, share):
    like, accepted = np.array(pairs).T
    last = sorted(like)[::-1][int(np.ceil(round(share * len(like), 9))) - 1]
    standings = [
        ((accepted < value).sum() + (accepted == value).sum() / 2) / len(pairs)
        for value, near in zip(accepted, like, strict=True)
        if near >= last
    ]
    assert orange._mean_standing(accepted, like, share) == pytest.approx(np.mean(standings))


def test_a_share_may_be_a_little_more_than_a_whole_number():
    rising = np.arange(100.0)
    assert orange._mean_standing(rising, rising, 0.07) == pytest.approx(0.965)  # 7.000000000000001


def judged_orange(given_topics: list[orange.Similarities]) -> list[orange.LeftOut]:
    finite = [
        orange.Similarities(np.exp(each.outputs), np.exp(each.references)) for each in given_topics
    ]
    return [orange.left_out(each) for each in finite]


@given(topics(fewest=2))
def test_it_is_what_looking_at_every_two_finds(given_topics):
    given_judged = judged_orange(given_topics)
    found, half, level = (orange.orange_scores(given_judged, ties) for ties in (0, 0.5, 1))
    for number, each in enumerate(given_judged):
        for measure, (models, peers) in enumerate(zip(each.references, each.outputs, strict=True)):
            pairs = [(m, a) for m, row in zip(models, peers, strict=True) for a in row]
            shares = [np.mean([m > a for m, a in pairs]), np.mean([m >= a for m, a in pairs])]
            values = [found[measure, number], level[measure, number]]
            assert values == pytest.approx(shares)
            assert half[measure, number] == pytest.approx(np.mean(shares))


@given(topics(fewest=2))
def test_ranks_in_one_list_are_those_of_counting(given_topics):
    given_judged = judged_orange(given_topics)
    found, _ = orange.average_rank(given_judged)
    for number, each in enumerate(given_judged):
        for measure, models in enumerate(each.references):
            values = [*models, *each.outputs[measure].mean(axis=0)]
            ranks = [
                (1 + sum(v > m for v in values) + sum(v >= m for v in values)) / 2 for m in models
            ]
            assert found[measure, number] == pytest.approx(np.mean(ranks))


GROUPS = np.repeat(np.arange(5), 8)
RISING = np.arange(40.0)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch) -> None:
    """Each resample ranks all outputs again."""
    monkeypatch.setattr(orange, "_RESAMPLES", 60)


def test_ties_do_not_keep_an_implication_from_reaching_all_the_way():
    human = (RISING >= 20).astype(float)  # half of the outputs are perfect
    acceptable, _, accepted, likened = orange.acceptance_curve(RISING, human, GROUPS)
    assert acceptable.value == pytest.approx([0.75, 0.75, 0.75])
    assert accepted.value == pytest.approx([1, 1, 1])
    assert likened.value[0] < 1  # of the perfect ones, some are less like references


def test_how_far_an_implication_reaches():
    """All the way to itself, as far down to the reverse; nowhere if all is equal."""
    (*_, accepted, likened), (*_, reverse, _), (*_, equal, _) = (
        orange.acceptance_curve(RISING, human, GROUPS) for human in (RISING, -RISING, np.ones(40))
    )
    assert accepted.value.tolist() == likened.value.tolist() == [1, 1, 1]
    assert reverse.value == pytest.approx([-1, -1, -1])
    assert np.isnan(equal.value).all()
    *_, alone, _ = orange.acceptance_curve(RISING, RISING, np.zeros(40, dtype=int))
    assert alone.value[0] == 1
    assert np.isnan(alone.samples).all()  # one topic has no interval


@pytest.mark.parametrize("seed", range(2))
def test_standings_are_those_of_judged_outputs(seed):
    generator = np.random.default_rng(seed)
    likeness, human = generator.integers(0, 5, (2, 40)).astype(float)
    human[generator.random(40) < 0.2] = np.nan
    acceptable, human_like, *_ = orange.acceptance_curve(likeness, human, GROUPS)
    like, accepted = (each[~np.isnan(human)] for each in (likeness, human))
    expected = [orange._mean_standing(accepted, like, share) for share in orange.SHARES]
    assert acceptable.value.tolist() == expected
    assert human_like.value.tolist() == [
        orange._mean_standing(like, accepted, share) for share in orange.SHARES
    ]


def test_likeness_is_what_orange_is_about():
    left = [orange.left_out(each) for each in compared(1).similarities]
    found = orange.passing_for_references(left, 1)
    assert 1 - found.reshape(6, 4).mean(axis=1) == pytest.approx(orange.orange_scores(left)[1])
    first = left[0]
    assert found[2] == np.mean([first.outputs[1, m, 2] >= first.references[1, m] for m in range(5)])


def test_who_is_level_with_a_reference_is_not_behind_it():
    left = orange.LeftOut(np.array([[1.0, 2.0]]), np.array([[[1.0, 0.0], [3.0, 1.0]]]))
    assert orange.passing_for_references([left], 0).tolist() == [1, 0]


def test_measures_that_differ_in_every_reference_are_ranked_by_few():
    """Three measures by which references are ahead of fewer and fewer outputs."""
    peers = np.zeros((3, 8, 7))
    peers[1, :3], peers[2, :6] = 2, 2
    topics = [orange.Similarities(peers, np.ones((3, 7, 7)))] * 4
    stable = orange.rank_stability(
        topics,
        (4, 5, 6),
        lambda some: orange.orange_scores([orange.left_out(each) for each in some]),
    )
    assert stable.value.tolist() == [1, 1, 1]


FIT_PEERS, FIT_MODELS, AMONG = np.zeros((2, 3, 4)), np.zeros((2, 4, 4)), np.zeros((2, 3, 3))
JUDGED_NAN = np.zeros((2, 4, 4))
JUDGED_NAN[1, 2, 3] = np.nan


@each_case(
    ("peers", "models", "among", "message"),
    [
        (
            FIT_PEERS[0, 0],
            FIT_MODELS,
            AMONG,
            r"outputs: expected shape \(measures, outputs, references\).*got shape \(4,\)",
        ),
        (FIT_PEERS[:, :0], FIT_MODELS, None, "outputs: no instances given"),
        (
            FIT_PEERS,
            FIT_MODELS[:1],
            AMONG,
            r"references: shape \(1, 4, 4\) does not fit",
        ),
        (FIT_PEERS, FIT_MODELS, FIT_MODELS, "among outputs: shape"),
        (FIT_PEERS, FIT_MODELS.astype(str), AMONG, "references: expected numbers"),
        (
            FIT_PEERS,
            JUDGED_NAN,
            AMONG,
            "references: 1 values are NaN, the first is reference 3 of text 2 of measure 1",
        ),
    ],
)
def test_what_does_not_fit_is_refused(peers, models, among, message):
    with pytest.raises(ValuesError, match=message):
        orange.Similarities(peers, models, among)
