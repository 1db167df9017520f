"""QARLA: QUEEN and KING, sets of measures, and JACK."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.cases import each_case
from tests.eval.meta.made_up import queen_by_looking, random_topic, topics
from weps.errors import ValuesError
from weps_eval.meta import qarla
from weps_eval.meta.orange import LeftOut, Similarities, left_out
from weps_eval.stats import Floats, bootstrap_weights


@given(topics(fewest=2))
def test_it_is_the_share_of_all_combinations(given_topics):
    found = qarla.early_estimate(given_topics)
    for number, each in enumerate(given_topics):
        measures, peers, models = each.outputs.shape
        for measure in range(measures):
            x_models, x_peers = each.references[measure], each.outputs[measure]
            closer = [
                x_models[model, reference] > x_peers[peer, reference]
                for reference in range(models)
                for model in range(models)
                for peer in range(peers)
                if model != reference
            ]
            assert found[measure, number] == pytest.approx(sum(closer) / len(closer))


conventions = st.sampled_from(qarla.Triples)


@given(topics(), conventions)
def test_it_is_the_share_of_models_ahead_of_all_peers(given_topics, triples):
    conditions = qarla.Conditions.of(given_topics, triples)
    expected = [
        (each.references[0] > each.outputs[0].max(axis=1)).mean()
        for each in qarla.queen_left_out(conditions)
    ]
    assert qarla.king(conditions).tolist() == pytest.approx(expected)


@given(topics(fewest=3), conventions, st.data())
def test_by_all_models_it_is_what_the_formula_of_2005_says(given_topics, triples, data):
    """P(∀a ∈ A: QUEEN(m) > QUEEN(a)), both over the same triples of M, m among them."""
    size = len(given_topics[0].outputs)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = qarla.king(
        qarla.Conditions.of(given_topics, triples, judges=qarla.Judges.ALL), measures
    )
    for each, value in zip(given_topics, found, strict=True):
        everyone = list(range(each.references.shape[1]))
        own, theirs = (
            [
                queen_by_looking(each, text, everyone, measures, KEPT[triples])
                for text in texts.swapaxes(0, 1)
            ]
            for texts in (each.references, each.outputs)
        )
        ahead = [all(model > peer for peer in theirs) for model in own]
        assert value == pytest.approx(sum(ahead) / len(ahead))


@pytest.mark.parametrize("judges", qarla.Judges)
def test_topics_with_different_numbers_of_models_keep_their_places(judges):
    given_topics = [
        random_topic(seed, models=4 + 3 * (seed % 3), peers=1 + seed) for seed in range(8)
    ]
    together = qarla.king_by_measure(qarla.Conditions.of(given_topics, judges=judges))
    alone = [
        [
            qarla.king(qarla.Conditions.of([each], judges=judges), [measure]).item()
            for each in given_topics
        ]
        for measure in (0, 1)
    ]
    assert together.tolist() == alone
    assert len(set(alone[0])) > 1


KEPT = {
    qarla.Triples.DISTINCT: lambda *triple: len(set(triple)) == 3,
    qarla.Triples.PAIRS: lambda *triple: triple[1] != triple[2],
    qarla.Triples.ALL: lambda *_: True,
}


@given(topics(), conventions, st.data())
def test_it_is_what_looking_at_every_triple_finds(given_topics, triples, data):
    size = len(given_topics[0].outputs)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = qarla.queen(qarla.Conditions.of(given_topics, triples), measures)
    for each, values in zip(given_topics, found, strict=True):
        models = list(range(each.references.shape[1]))
        expected = [
            queen_by_looking(each, text, models, measures, KEPT[triples])
            for text in each.outputs.swapaxes(0, 1)
        ]
        assert values.tolist() == pytest.approx(expected)


@given(topics(), conventions)
def test_left_out_models_leave_models_and_peers_to_the_others(given_topics, triples):
    measures = list(range(len(given_topics[0].outputs)))
    found = qarla.queen_left_out(qarla.Conditions.of(given_topics, triples))
    for each, values in zip(given_topics, found, strict=True):
        models = range(each.references.shape[1])
        for model in models:
            others = [other for other in models if other != model]
            texts = [each.references[:, model], *each.outputs.swapaxes(0, 1)]
            own, *peers = (
                queen_by_looking(each, text, others, measures, KEPT[triples]) for text in texts
            )
            assert values.references[0, model] == pytest.approx(own)
            assert values.outputs[0, model].tolist() == pytest.approx(peers)


def test_conditions_of_some_measures_number_them_anew():
    given_topic = random_topic(0, measures=4)
    conditions = qarla.Conditions.of([given_topic])
    some = qarla.Conditions.of([given_topic], measures=[3, 1])
    for place, measure in enumerate((3, 1)):
        assert np.array_equal(qarla.queen(some, [place])[0], qarla.queen(conditions, [measure])[0])


def test_translation_with_three_references_needs_pairs():
    conditions = qarla.Conditions.of([random_topic(0, models=3)])
    with pytest.raises(ValuesError, match="topic 0: 3 references give no triple when one"):
        qarla.queen_left_out(conditions)
    assert qarla.queen_left_out(
        qarla.Conditions.of([random_topic(0, models=3)], qarla.Triples.PAIRS)
    )


def test_too_few_models_and_absent_measures_are_refused():
    with pytest.raises(ValuesError, match="2 references give no triple of kind 'distinct'"):
        qarla.Conditions.of([random_topic(0, models=2)])
    with pytest.raises(ValuesError, match="measure 2 is out of range"):
        qarla.queen(qarla.Conditions.of([random_topic(0)]), [2])


@each_case(
    ("triples", "models", "remedy"),
    [
        (qarla.Triples.DISTINCT, 2, "'distinct'; give 3 at least, or choose the triples 'pairs'"),
        (qarla.Triples.DISTINCT, 1, "give 3 at least, or choose the triples 'all'"),
        (qarla.Triples.ALL, 0, "give 1 at least$"),
    ],
)
def test_too_few_models(triples, models, remedy):
    with pytest.raises(ValuesError, match=remedy):
        triples.of(models)


def ranked_first(topics: list[LeftOut]) -> NDArray[np.bool_]:
    """Shape (measures, models): whether a model is better than all peers on the average."""
    models, peers = (
        np.mean([getattr(each, part) for each in topics], axis=0)
        for part in ("references", "outputs")
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
    assert qarla.people_first(given_topics).value.tolist() == [share]


@given(st.integers(0, 99))
def test_the_share_is_that_of_human_first(seed):
    left = left_topics(seed)
    assert qarla.people_first(left).value.tolist() == ranked_first(left).mean(axis=1).tolist()
    assert np.isnan(qarla.people_first(left[:1]).samples).all()  # one topic has no interval


def test_resampled_topics_are_topics_taken_again():
    left = left_topics(1)
    found = qarla.people_first(left, seed=7)
    for number, times in enumerate(bootstrap_weights(5, 1_000, 7)[1:21].astype(int)):
        again = [each for each, often in zip(left, times, strict=True) for _ in range(often)]
        assert found.samples[:, number].tolist() == ranked_first(again).mean(axis=1).tolist()


def accepted(topic: Similarities, measures: list[int]) -> np.ndarray:
    """Whether all of the measures accept, by peer and triple."""
    model, first, second = qarla.Triples.DISTINCT.of(topic.references.shape[1])
    passed = topic.outputs[:, :, model] >= topic.references[:, first, second][:, None]
    return passed[measures].all(axis=0)


def close(given_topics: list[Similarities], one: list[int], other: list[int]) -> float:
    shares = [(accepted(e, one) == accepted(e, other)).mean() for e in given_topics]
    return float(np.mean(shares))


@given(topics())
def test_agreement_is_the_share_of_peers_and_triples(given_topics):
    conditions = qarla.Conditions.of(given_topics)
    for one, other in product(range(conditions.measures), repeat=2):
        both = (conditions.passed[each].outputs for each in (one, other))
        found = qarla._share_agreeing(conditions, *both)
        assert found == pytest.approx(close(given_topics, [one], [other]))


def united(given_topics: list[Similarities], number: int) -> list[list[int]]:
    """Unite the two closest groups again and again."""
    groups = [[measure] for measure in range(len(given_topics[0].outputs))]
    while len(groups) > number:
        pairs = [(i, j) for i in range(len(groups)) for j in range(i + 1, len(groups))]
        i, j = max(
            pairs, key=lambda pair: round(close(given_topics, groups[pair[0]], groups[pair[1]]), 12)
        )
        groups[i] += groups.pop(j)
    return sorted(map(sorted, groups))


@given(st.integers(0, 50), st.integers(1, 6))
def test_clusters_are_what_uniting_by_hand_gives(seed, number):
    given_topics = [random_topic(seed + more, 6, 3, 4 + more) for more in (0, 1)]
    conditions = qarla.Conditions.of(given_topics)
    found = qarla._cluster_measures(conditions, number)
    assert [list(each.measures) for each in found] == united(given_topics, number)
    quality = qarla.king_by_measure(conditions).mean(axis=1).round(12)
    for each in found:
        assert each.king == max(quality[list(each.measures)]) == quality[each.best]
        assert each.best == min(x for x in each.measures if quality[x] == each.king)


def mean_king(conditions: qarla.Conditions, measures: tuple[int, ...]) -> float:
    return round(float(qarla.king(conditions, measures).mean()), 12)


def crowded(seed: int, measures: int = 5) -> qarla.Conditions:
    """Models a little closer to one another than to peers, in every measure by its own luck."""
    generator = np.random.default_rng(seed)
    shapes = [(measures, 4, 5), (measures, 5, 5)]
    return qarla.Conditions.of(
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


@given(seeds)
def test_greedy_adds_the_best_next(seed):
    conditions = crowded(seed)
    chosen: tuple[int, ...] = ()
    for step in qarla._greedy_sets(conditions, 5).items():
        rest = [each for each in range(5) if each not in chosen]
        values = [mean_king(conditions, (*chosen, each)) for each in rest]
        chosen = (*chosen, rest[int(np.argmax(values))])
        assert step == (chosen, max(values))
    assert sorted(chosen) == list(range(5))


def test_equally_good_sets_are_equal_whatever_the_topics():
    def topic(first: int, second: int) -> Similarities:
        models = np.full((2, 10, 10), -1.0)
        for measure, ahead in enumerate((first, second)):
            models[measure, :ahead] = 1
        return Similarities(np.zeros((2, 1, 10)), models)

    conditions = qarla.Conditions.of([topic(2, 6), topic(4, 0), topic(0, 0)])
    assert qarla.king_by_measure(conditions).tolist() == [[0.2, 0.4, 0], [0.6, 0, 0]]
    assert 0.2 + 0.4 > 0.6
    reordered = qarla.Conditions.of([topic(6, 2), topic(0, 4), topic(0, 0)])
    for each in (conditions, reordered):
        assert qarla._greedy_sets(each, 1) == {(0,): 0.2}


forms = st.sampled_from(qarla.JackForm)


@given(topics(fewest=3), forms, conventions, st.data())
def test_it_is_what_looking_at_every_couple_finds(given_topics, form, triples, data):
    size = len(given_topics[0].outputs)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = qarla.jack_by_peers(given_topics, measures, form, triples)[-1]
    queens = qarla.queen(qarla.Conditions.of(given_topics, triples), measures)
    for each, quality, value in zip(given_topics, queens, found, strict=True):
        _, peers, models = each.outputs.shape

        def no_closer(a: int, b: int, m: int, x: int, each: Similarities = each) -> bool:
            apart = each.among_outputs[x, a, b] <= each.outputs[x, a, m]
            back = each.among_outputs[x, b, a] <= each.outputs[x, b, m]
            return apart and (back or form is qarla.JackForm.ONE_SIDED)

        fulfilled = [
            any(
                quality[a] > 0 and quality[b] > 0 and all(no_closer(a, b, m, x) for x in measures)
                for a in range(peers)
                for b in range(peers)
                if a != b
            )
            for m in range(models)
        ]
        assert value == pytest.approx(sum(fulfilled) / models)


def test_growing_is_the_mean_over_orders():
    # Two of three peers make a couple with every model: one order in three has them first.
    peers, among = np.array([[[0.9] * 3, [0.9] * 3, [0.0] * 3]]), np.full((1, 3, 3), 0.1)
    topic = Similarities(peers, np.full((1, 3, 3), 0.3), among)
    single = Similarities(peers[:, :1], topic.references, among[:, :1, :1])
    grown = [qarla.jack_by_peers([topic, single], [0], seed=seed) for seed in range(30)]
    assert np.mean(grown, axis=0) == pytest.approx(np.array([[0, 0], [1 / 3, 0], [1, 0]]), abs=0.03)
    assert not np.array_equal(grown[0], grown[1])


@each_case("peers", [1, 7, 30])
def test_random_measures_crown_a_model_no_more_often_than_a_peer(peers):
    """So KING is about 1 / (peers + 1), not .5⁷ with seven, as the paper has it."""
    given_topics = [random_topic(seed, 1, peers, 6) for seed in range(600)]
    found = qarla.king(qarla.Conditions.of(given_topics)).mean()
    assert 0.7 < found * (peers + 1) < 1.1


def conditions(seed: int = 0, measures: int = 4) -> qarla.Conditions:
    return qarla.Conditions.of([random_topic(9 * seed + number, measures) for number in range(6)])


@pytest.mark.parametrize("seed", range(2))
def test_every_set_of_the_best_measures_of_clusters_is_tried_and_greedy_ones_looked_at(seed):
    made = conditions(seed)
    found = qarla.search_sets(made)
    every = [each for size in range(1, 5) for each in combinations(range(4), size)]
    assert list(found.sets) == every
    assert found.tried == 15
    for members, shares in zip(found.sets, found.kings, strict=True):
        assert shares.tolist() == qarla.king(made, members).tolist()
    best = max(
        every, key=lambda each: qarla.king(made, each).mean().round(12)
    )  # the smaller come first
    assert found.best_set == best
    assert found.best_single == max(
        range(4), key=lambda each: qarla.king(made, [each]).mean().round(12)
    )
    few = qarla.search_sets(made, clusters=2)
    assert few.candidates == tuple(sorted(each.best for each in few.clusters))
    assert set(few.sets) == {
        *((measure,) for measure in range(4)),
        few.candidates,
        *(tuple(sorted(each)) for each in few.greedy),
    }
    assert few.tried == 5


def searched(kings: Floats, tried: int, *sets: tuple[int, ...]) -> qarla.SetSearch:
    return qarla.SetSearch(
        [qarla.Cluster((0,), 0, 1.0)], [], 2, (0, 1), tried, ((0,), (1,), *sets), kings
    )


def test_what_is_chosen_is_judged_on_topics_that_did_not_choose_it():
    """Further sets, which all topics chose, cannot be chosen."""
    lucky = [1.0, 0.0, 0.0, 0.0]  # the best of all topics by its first one alone
    kings = np.array([lucky, [0.2] * 4, [0.3] * 4, [1] * 4])
    found = qarla.cross_validate_sets(searched(kings, 3, (0, 1), (1, 2)), folds=4)
    assert found.value.tolist() == pytest.approx([0.3, (0.2 + 0 + 0 + 0) / 4])


def test_there_is_nothing_to_cross_with_one_topic_or_without_sets():
    assert qarla.cross_validate_sets(searched(np.ones((3, 1)), 3, (0, 1))) is None
    assert qarla.cross_validate_sets(searched(np.ones((2, 5)), 2)) is None
