from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.cases import each_case
from tests.eval.meta.made_up import (
    queen_by_looking,
    random_topic,
    topics,
)
from weps.errors import ValuesError
from weps_eval.meta.judged import Similarities
from weps_eval.meta.orange import LeftOut, left_out
from weps_eval.meta.qarla import (
    Conditions,
    Judges,
    Triples,
    early_estimate,
    king,
    king_by_measure,
    people_first,
    queen,
    queen_left_out,
)
from weps_eval.stats.estimate import resample_weights


def test_two_models_and_two_peers():
    # With m0 for reference m1 has 0.5, the peers 0.4 and 0.5; with m1, m0 has 0.3, they 0 and 0.2.
    models = np.array([[[1, 0.3], [0.5, 1]]])
    peers = np.array([[[0.4, 0.0], [0.5, 0.2]]])
    assert early_estimate([Similarities(peers, models)]).tolist() == [[3 / 4]]


@given(topics(fewest=2))
def test_it_is_the_share_of_all_combinations(given_topics):
    found = early_estimate(given_topics)
    for number, each in enumerate(given_topics):
        measures, peers, models = each.peers.shape
        for measure in range(measures):
            x_models, x_peers = each.models[measure], each.peers[measure]
            closer = [
                x_models[model, reference] > x_peers[peer, reference]
                for reference in range(models)
                for model in range(models)
                for peer in range(peers)
                if model != reference
            ]
            assert found[measure, number] == pytest.approx(sum(closer) / len(closer))


def test_random_measures_are_right_half_the_time_and_constant_ones_never():
    assert early_estimate([random_topic(seed, 1) for seed in range(300)]).mean() == pytest.approx(
        0.5, abs=0.03
    )
    assert early_estimate([Similarities(np.ones((1, 3, 3)), np.ones((1, 3, 3)))]).tolist() == [[0]]


def test_a_single_model_is_refused():
    with pytest.raises(ValuesError, match="topic 0: a single model"):
        early_estimate([random_topic(0, models=1)])


conventions = st.sampled_from(Triples)


def test_a_model_among_four_that_no_peer_equals():
    # All models are 0.6 from one another, but m0 and m1 0.8; peers reach 0.7 with m0 alone.
    models = np.full((4, 4), 0.6)
    models[0, 1] = models[1, 0] = 0.8
    peers = np.array([[0.7, 0.5, 0.5, 0.5], [0.5] * 4])
    conditions = Conditions.of([Similarities(peers[None], models[None])])
    (found,) = queen_left_out(conditions)
    assert found.models[0].tolist() == pytest.approx([1, 1, 2 / 3, 2 / 3])
    assert found.peers[0, :, 0].tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert king(conditions).tolist() == [1]


def test_a_tie_with_a_peer_is_no_success():
    models = np.full((1, 4, 4), 0.6)
    for peer, expected in ((0.59, 1), (0.6, 0)):
        conditions = Conditions.of([Similarities(np.full((1, 1, 4), peer), models)])
        assert king(conditions).tolist() == [expected]


@given(topics(), conventions)
def test_it_is_the_share_of_models_ahead_of_all_peers(given_topics, triples):
    conditions = Conditions.of(given_topics, triples)
    expected = [
        (each.models[0] > each.peers[0].max(axis=1)).mean() for each in queen_left_out(conditions)
    ]
    assert king(conditions).tolist() == pytest.approx(expected)


@given(topics(fewest=3), conventions, st.data())
def test_by_all_models_it_is_what_the_formula_of_2005_says(given_topics, triples, data):
    """P(∀a ∈ A: QUEEN(m) > QUEEN(a)), both over the same triples of M, m among them."""
    size = len(given_topics[0].peers)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = king(Conditions.of(given_topics, triples, judges=Judges.ALL), measures)
    for each, value in zip(given_topics, found, strict=True):
        everyone = list(range(each.models.shape[1]))
        own, theirs = (
            [
                queen_by_looking(each, text, everyone, measures, KEPT[triples])
                for text in texts.swapaxes(0, 1)
            ]
            for texts in (each.models, each.peers)
        )
        ahead = [all(model > peer for peer in theirs) for model in own]
        assert value == pytest.approx(sum(ahead) / len(ahead))


def test_three_models_and_two_peers_by_all_models():
    # QUEEN of the peers 2/3 and 0, of the models 2/3, which is a tie, 2/3, and 1.
    topic = Similarities(np.array([PEERS[:2]]), np.array([MODELS]))
    conditions = Conditions.of([topic], judges=Judges.ALL)
    assert king(conditions).tolist() == [1 / 3]
    with pytest.raises(ValuesError, match="3 models give no triple when one is left out"):
        king(Conditions.of([topic]))


def test_random_measures_are_at_chance_only_where_the_model_is_left_out():
    given_topics = [random_topic(seed, measures=1) for seed in range(300)]
    for each in given_topics:
        each.models[0][np.eye(5, dtype=bool)] = 1
    left_out, by_all = (king(Conditions.of(given_topics, judges=each)).mean() for each in Judges)
    assert left_out == pytest.approx(1 / 5, abs=0.03)
    assert by_all > 3 / 10


@given(topics())
def test_single_measures_are_sets_of_one(given_topics):
    conditions = Conditions.of(given_topics)
    found = king_by_measure(conditions)
    for measure, values in enumerate(found):
        alone = Conditions.of([each.only([measure]) for each in given_topics])
        assert values.tolist() == king(alone).tolist()


def test_topics_with_different_numbers_of_models_keep_their_places():
    given_topics = [random_topic(seed, models=4 + seed % 3, peers=1 + seed) for seed in range(8)]
    together = king(Conditions.of(given_topics))
    alone = [king(Conditions.of([each])).item() for each in given_topics]
    assert together.tolist() == alone
    assert len(set(alone)) > 1


KEPT = {
    Triples.DISTINCT: lambda *triple: len(set(triple)) == 3,
    Triples.PAIRS: lambda *triple: triple[1] != triple[2],
    Triples.ALL: lambda *_: True,
}


# Three models; m0 and m1 are close (0.8), m2 is far from both (0.2). Rows: peers, columns: models.
MODELS = [[1.0, 0.8, 0.2], [0.8, 1.0, 0.2], [0.2, 0.2, 1.0]]
PEERS = [[0.2, 0.1, 0.9], [0.1, 0.1, 0.1], [0.8, 0.9, 0.8]]
# Distinct: m0 with 0.2 between m1 and m2, m1 with 0.2, m2 with 0.8, each twice.
TOPIC = Similarities(np.array([PEERS]), np.array([MODELS]))


@each_case(
    ("triples", "expected"),
    [
        (Triples.DISTINCT, [2 / 3, 0, 1]),
        (Triples.PAIRS, [(4 + 0 + 6) / 18, 0, 1]),
        (Triples.ALL, [(4 + 0 + 6) / 27, 0, 18 / 27]),
    ],
)
def test_three_peers_and_three_models(triples, expected):
    (found,) = queen(Conditions.of([TOPIC], triples))
    assert found == pytest.approx(expected)


def test_a_set_accepts_what_all_its_measures_accept():
    # The peer passes the first measure with m0, the second with m1, both with m2.
    peers = np.array([[[1.0, 0, 1]], [[0, 1.0, 1]]])
    conditions = Conditions.of([Similarities(peers, np.full((2, 3, 3), 0.5))])
    alone = [queen(conditions, [measure])[0].item() for measure in (0, 1)]
    assert alone == [2 / 3, 2 / 3]
    assert queen(conditions)[0].item() == 1 / 3


def test_the_row_is_the_text_and_the_column_the_reference():
    models = np.zeros((1, 3, 3))
    models[0, 0, 1] = 1  # m0 resembles m1, and m1 does not resemble m0
    peers = np.array([[[0.5, 0.5, 0.5]]])
    assert queen(Conditions.of([Similarities(peers, models)]))[0].item() == 5 / 6


@given(topics(), conventions, st.data())
def test_it_is_what_looking_at_every_triple_finds(given_topics, triples, data):
    size = len(given_topics[0].peers)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = queen(Conditions.of(given_topics, triples), measures)
    for each, values in zip(given_topics, found, strict=True):
        models = list(range(each.models.shape[1]))
        expected = [
            queen_by_looking(each, text, models, measures, KEPT[triples])
            for text in each.peers.swapaxes(0, 1)
        ]
        assert values.tolist() == pytest.approx(expected)


@given(topics(), conventions)
def test_left_out_models_leave_models_and_peers_to_the_others(given_topics, triples):
    measures = list(range(len(given_topics[0].peers)))
    found = queen_left_out(Conditions.of(given_topics, triples))
    for each, values in zip(given_topics, found, strict=True):
        models = range(each.models.shape[1])
        for model in models:
            others = [other for other in models if other != model]
            texts = [each.models[:, model], *each.peers.swapaxes(0, 1)]
            own, *peers = (
                queen_by_looking(each, text, others, measures, KEPT[triples]) for text in texts
            )
            assert values.models[0, model] == pytest.approx(own)
            assert values.peers[0, model].tolist() == pytest.approx(peers)


def test_conditions_of_some_measures_number_them_anew():
    given_topic = random_topic(0, measures=4)
    conditions = Conditions.of([given_topic])
    some = Conditions.of([given_topic], measures=[3, 1])
    for place, measure in enumerate((3, 1)):
        assert np.array_equal(queen(some, [place])[0], queen(conditions, [measure])[0])


def test_translation_with_three_references_needs_pairs():
    conditions = Conditions.of([random_topic(0, models=3)])
    with pytest.raises(ValuesError, match="topic 0: 3 models give no triple when one"):
        queen_left_out(conditions)
    assert queen_left_out(Conditions.of([random_topic(0, models=3)], Triples.PAIRS))


def test_too_few_models_and_absent_measures_are_refused():
    with pytest.raises(ValuesError, match="2 models give no triple of kind 'distinct'"):
        Conditions.of([random_topic(0, models=2)])
    with pytest.raises(ValuesError, match="measure 2 is out of range"):
        queen(Conditions.of([random_topic(0)]), [2])


def test_many_models_take_many_words():
    given_topic = random_topic(0, measures=1, peers=2, models=9)  # 504 triples, 8 words
    (found,) = queen(Conditions.of([given_topic]))
    pairs = [(two, three) for two, three in combinations(range(9), 2)]
    one = given_topic.peers[0, 0]
    passed = [
        one[model] >= given_topic.models[0, two, three]
        for first, second in pairs
        for two, three in ((first, second), (second, first))
        for model in range(9)
        if model not in (two, three)
    ]
    assert found[0] == sum(passed) / 504


@each_case(
    ("triples", "counts"),
    [
        (Triples.DISTINCT, {3: 6, 4: 24, 11: 990}),
        (Triples.PAIRS, {2: 4, 3: 18, 4: 48}),
        (Triples.ALL, {1: 1, 2: 8, 4: 64}),
    ],
)
def test_how_many_there_are(triples, counts):
    for models, count in counts.items():
        found = triples.of(models)
        assert len({tuple(each) for each in found.T.tolist()}) == found.shape[1] == count
    assert triples.fewest == min(counts)


@each_case(
    ("triples", "models", "remedy"),
    [
        (Triples.DISTINCT, 2, "give 3 at least, or choose the triples 'pairs'"),
        (Triples.DISTINCT, 1, "give 3 at least, or choose the triples 'all'"),
        (Triples.ALL, 0, "give 1 at least$"),
    ],
)
def test_too_few_models(triples, models, remedy):
    with pytest.raises(ValuesError, match=remedy):
        triples.of(models)


def ranked_first(topics: list[LeftOut]) -> NDArray[np.bool_]:
    """Shape (measures, models): whether a model is better than all peers on the average."""
    models, peers = (
        np.mean([getattr(each, part) for each in topics], axis=0) for part in ("models", "peers")
    )
    best = peers.max(axis=2)
    return (models > best) & ~np.isclose(models, best, rtol=1e-12, atol=0)


def left_topics(seed: int) -> list[LeftOut]:
    return [left_out(random_topic(5 * seed + number, peers=2)) for number in range(5)]


def judged(models: list[float], peers: list[list[float]]) -> LeftOut:
    return LeftOut(np.array([models]), np.array([peers]))


@pytest.mark.parametrize(
    ("given_topics", "share"),
    [
        # m0: 5 against 4 and 4.5; m1: 3 ties with the first peer.
        ([judged([9, 2], [[8, 0], [3, 1]]), judged([1, 4], [[0, 9], [3, 1]])], 0.5),
        # The sums differ, for they are added up in another order; the means tie.
        ([judged([own], [[peer]]) for own, peer in ((0.1, 0.3), (0.2, 0.2), (0.3, 0.1))], 0),
    ],
)
def test_the_mean_over_topics_decides(given_topics, share):
    assert people_first(given_topics).value.tolist() == [share]


@given(st.integers(0, 99))
def test_the_share_is_that_of_human_first(seed):
    left = left_topics(seed)
    assert people_first(left).value.tolist() == ranked_first(left).mean(axis=1).tolist()
    assert np.isnan(people_first(left[:1]).samples).all()  # one topic has no interval


def test_resampled_topics_are_topics_taken_again():
    left = left_topics(1)
    found = people_first(left, seed=7)
    for number, times in enumerate(resample_weights(5, 7, 1_000)[:20].astype(int)):
        again = [each for each, often in zip(left, times, strict=True) for _ in range(often)]
        assert found.samples[:, number].tolist() == ranked_first(again).mean(axis=1).tolist()


def test_a_tie_is_not_superior():
    left = LeftOut(np.full((1, 2), 0.3), np.full((1, 2, 4), 0.1 + 0.2))
    assert not people_first([left, left]).rows.any()
