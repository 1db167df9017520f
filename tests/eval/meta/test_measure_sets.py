"""QARLA over sets of measures: JACK, its constraints."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.meta.made_up import changed, random_topic, topics, with_peers
from weps.errors import ValuesError
from weps_eval.meta.judged import Similarities
from weps_eval.meta.measure_sets import (
    Cluster,
    Linkage,
    Selection,
    SetSearch,
    acceptance_agreement,
    cluster_measures,
    cross_validate_sets,
    greedy_sets,
    search_sets,
)
from weps_eval.meta.qarla import (
    Conditions,
    JackForm,
    Triples,
    jack_by_peers,
    jack_scores,
    king,
    king_by_measure,
    queen,
    queen_left_out,
)
from weps_eval.stats.arrays import Floats


def accepted(topic: Similarities, measures: list[int]) -> np.ndarray:
    """Of every peer and triple whether all of the measures accept."""
    model, first, second = Triples.DISTINCT.of(topic.models.shape[1])
    passed = topic.peers[:, :, model] >= topic.models[:, first, second][:, None]
    return passed[measures].all(axis=0)


def close(given_topics: list[Similarities], one: list[int], other: list[int]) -> float:
    shares = [(accepted(e, one) == accepted(e, other)).mean() for e in given_topics]
    return float(np.mean(shares))


@given(topics())
def test_agreement_is_the_share_of_peers_and_triples(given_topics):
    found = acceptance_agreement(Conditions.of(given_topics))
    for one, row in enumerate(found):
        assert row[one] == 1
        for other, value in enumerate(row):
            assert value == pytest.approx(close(given_topics, [one], [other]))


def by_looking(given_topics: list[Similarities], number: int, linkage: Linkage) -> list[list[int]]:
    """Unite the two closest groups again and again."""
    groups = [[measure] for measure in range(len(given_topics[0].peers))]

    def proximity(one: list[int], other: list[int]) -> float:
        if linkage is Linkage.SET:
            return close(given_topics, one, other)
        values = [close(given_topics, [x], [y]) for x in one for y in other]
        combine = {Linkage.AVERAGE: np.mean, Linkage.COMPLETE: min, Linkage.SINGLE: max}
        return float(combine[linkage](values))

    while len(groups) > number:
        pairs = [(i, j) for i in range(len(groups)) for j in range(i + 1, len(groups))]
        i, j = max(pairs, key=lambda pair: round(proximity(groups[pair[0]], groups[pair[1]]), 12))
        groups[i] += groups.pop(j)
    return sorted(map(sorted, groups))


@given(st.integers(0, 50), st.integers(1, 6), st.sampled_from(Linkage))
def test_clusters_are_what_uniting_by_hand_gives(seed, number, linkage):
    given_topics = [random_topic(seed + more, 6, 3, 4 + more) for more in (0, 1)]
    conditions = Conditions.of(given_topics)
    found = cluster_measures(conditions, number, linkage)
    assert [list(each.measures) for each in found] == by_looking(given_topics, number, linkage)
    quality = king_by_measure(conditions).mean(axis=1).round(12)
    for each in found:
        assert each.king == max(quality[list(each.measures)]) == quality[each.best]
        assert each.best == min(x for x in each.measures if quality[x] == each.king)


@pytest.mark.parametrize("number", [0, 3])
def test_numbers_that_cannot_be(number):
    with pytest.raises(ValuesError, match=f"2 measures do not make {number} clusters"):
        cluster_measures(Conditions.of([random_topic(0)]), number)


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


@given(seeds)
def test_greedy_adds_the_best_next(seed):
    conditions = crowded(seed)
    chosen: tuple[int, ...] = ()
    for step in greedy_sets(conditions):
        rest = [each for each in range(5) if each not in chosen]
        values = [mean_king(conditions, (*chosen, each)) for each in rest]
        chosen = (*chosen, rest[int(np.argmax(values))])
        assert step == Selection(chosen, max(values))
    assert sorted(chosen) == list(range(5))
    assert greedy_sets(conditions, 2) == greedy_sets(conditions)[:2]


def test_measures_that_correct_one_another_are_better_together():
    models = np.ones((2, 4, 4))
    peers = np.zeros((2, 2, 4))
    peers[0, 0] = peers[1, 1] = 1  # each measure takes one of the two peers for a model
    conditions = Conditions.of([Similarities(peers, models)])
    assert [each.king for each in greedy_sets(conditions)] == [0, 1]


def test_equally_good_sets_are_equal_whatever_the_topics():
    def topic(first: int, second: int) -> Similarities:
        models = np.full((2, 10, 10), -1.0)
        for measure, ahead in enumerate((first, second)):
            models[measure, :ahead] = 1
        return Similarities(np.zeros((2, 1, 10)), models)

    conditions = Conditions.of([topic(2, 6), topic(4, 0), topic(0, 0)])
    assert king_by_measure(conditions).tolist() == [[0.2, 0.4, 0], [0.6, 0, 0]]
    assert 0.2 + 0.4 > 0.6
    reordered = Conditions.of([topic(6, 2), topic(0, 4), topic(0, 0)])
    for each in (conditions, reordered):
        assert greedy_sets(each, 1) == [((0,), 0.2)]


def test_sizes_that_cannot_be():
    conditions = Conditions.of([random_topic(0)])
    for size in (0, 3):
        with pytest.raises(ValuesError, match=f"no set of {size} can be chosen from 2"):
            greedy_sets(conditions, size)


forms = st.sampled_from(JackForm)
conventions = st.sampled_from(Triples)


def one(peers: list[list[float]], among: list[list[float]]) -> Similarities:
    """A topic of one measure whose models are all at 0.3."""
    return Similarities(np.array([peers]), np.full((1, 3, 3), 0.3), np.array([among]))


@each_case(
    ("peers", "among", "one_sided", "two_sided"),
    [
        ([[0.9, 0.5, 0.1], [0.9, 0.2, 0.5]], [[1, 0.4], [0.4, 1]], 1, 1 / 3),
        ([[0.9, 0.5, 0.1], [0.9, 0.2, 0.5]], [[1, 0.9], [0.9, 1]], 1 / 3, 1 / 3),
        ([[0.9, 0.5, 0.1], [0.9, 0.2, 0.5]], [[1, 1], [1, 1]], 0, 0),
        ([[0.9, 0.9, 0.9], [0.2, 0.2, 0.2]], [[1, 0.1], [0.1, 1]], 0, 0),  # QUEEN(a') is 0
        ([[0.9, 0.9, 0.9]], [[0]], 0, 0),  # a single peer is no couple
        ([[0.9, 0.3, 0.3], [0.3, 0.9, 0.3]], [[1, 0.8], [0.2, 1]], 1, 1 / 3),  # unsymmetric
    ],
)
def test_three_models(peers, among, one_sided, two_sided):
    topic = one(peers, among)
    assert jack_scores([topic], form=JackForm.ONE_SIDED).tolist() == [one_sided]
    assert (
        jack_scores([topic], form=JackForm.TWO_SIDED).tolist()
        == jack_scores([topic]).tolist()
        == [two_sided]
    )


@given(topics(fewest=3), forms, conventions, st.data())
def test_it_is_what_looking_at_every_couple_finds(given_topics, form, triples, data):
    size = len(given_topics[0].peers)
    measures = data.draw(st.lists(st.integers(0, size - 1), min_size=1, unique=True))
    found = jack_scores(given_topics, measures, form, triples)
    queens = queen(Conditions.of(given_topics, triples), measures)
    for each, quality, value in zip(given_topics, queens, found, strict=True):
        _, peers, models = each.peers.shape

        def no_closer(a: int, b: int, m: int, x: int, each: Similarities = each) -> bool:
            apart = each.among_peers[x, a, b] <= each.peers[x, a, m]
            back = each.among_peers[x, b, a] <= each.peers[x, b, m]
            return apart and (back or form is JackForm.ONE_SIDED)

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


def test_growing_ends_at_jack_and_never_falls():
    given_topics = [random_topic(seed, 1, 3 + seed, 5) for seed in range(6)]
    grown = jack_by_peers(given_topics)
    assert grown.shape == (8,)
    assert grown[0] == 0
    assert (np.diff(grown) >= 0).all()
    assert grown[-1] == pytest.approx(jack_scores(given_topics).mean())
    assert 0 < grown[2] < grown[-1]
    assert np.array_equal(grown, jack_by_peers(given_topics))
    assert not np.array_equal(grown, jack_by_peers(given_topics, seed=1))


def test_growing_is_the_mean_over_orders():
    # Two of three peers make a couple with every model: one order in three has them first.
    topic = one([[0.9] * 3, [0.9] * 3, [0.0] * 3], [[0.1] * 3] * 3)
    grown = np.mean([jack_by_peers([topic], seed=seed) for seed in range(30)], axis=0)
    assert grown == pytest.approx([0, 1 / 3, 1], abs=0.03)


def test_similarities_among_peers_are_needed():
    topic = random_topic(0)
    with pytest.raises(ValuesError, match="topic 0: JACK needs similarities among peers"):
        jack_scores([Similarities(topic.peers, topic.models)])


steps = st.floats(0.01, 2)


def king_of(topic: Similarities, triples: Triples = Triples.DISTINCT) -> float:
    return king(Conditions.of([topic], triples)).item()


@given(topics(), steps, conventions)
def test_1_monotonicity(given_topics, step, triples):
    nearer = [Similarities(each.peers + step, each.models) for each in given_topics]
    before, after = (queen(Conditions.of(each, triples)) for each in (given_topics, nearer))
    for below, above in zip(before, after, strict=True):
        assert (below <= above).all()


@given(topics(), steps, steps, conventions)
def test_2_grouping(given_topics, nearer, farther, triples):
    """As far as models keep their order among themselves, and at least as good, not better."""
    for each in given_topics:
        grouped = Similarities(each.peers - farther, each.models + nearer)
        assert king_of(grouped, triples) >= king_of(each, triples)


@given(topics(), conventions)
def test_3_perfect_measures_leave_no_model_without_quality(given_topics, triples):
    conditions = Conditions.of(given_topics, triples)
    crowned = king(conditions)
    for value, each in zip(crowned, queen_left_out(conditions), strict=True):
        if value == 1:
            assert (each.models > 0).all()


@given(topics(), st.sampled_from([np.exp, np.arctan, lambda x: 3 * x - 7]), conventions)
def test_4_scale(given_topics, grown, triples):
    before = Conditions.of(given_topics, triples)
    after = Conditions.of(changed(given_topics, grown), triples)
    assert king(before).tolist() == king(after).tolist()
    assert all(map(np.array_equal, queen(before), queen(after)))


@given(topics(), st.integers(1, 5), conventions)
def test_5_repeated_peers(given_topics, times, triples):
    for each in given_topics:
        peers = list(range(each.peers.shape[1]))
        assert king_of(with_peers(each, peers + peers[:1] * times), triples) == king_of(
            each, triples
        )


@each_case("peers", [1, 7, 30])
def test_6_random_measures_crown_a_model_no_more_often_than_a_peer(peers):
    """So KING is about 1 / (peers + 1), not .5⁷ with seven, as the paper has it."""
    given_topics = [random_topic(seed, 1, peers, 6) for seed in range(600)]
    found = king(Conditions.of(given_topics)).mean()
    assert 0.7 < found * (peers + 1) < 1.1


@given(st.floats(-1e9, 1e9), st.integers(1, 9), st.integers(4, 9), conventions)
def test_7_constant_measures(value, peers, models, triples):
    constant = Similarities(np.full((1, peers, models), value), np.full((1, models, models), value))
    assert king_of(constant, triples) == 0
    assert (queen(Conditions.of([constant], triples))[0] == 1).all()


def conditions(seed: int = 0, measures: int = 4) -> Conditions:
    return Conditions.of([random_topic(9 * seed + number, measures) for number in range(6)])


@pytest.mark.parametrize("seed", range(2))
def test_every_set_of_the_best_measures_of_clusters_is_tried_and_greedy_ones_looked_at(seed):
    made = conditions(seed)
    found = search_sets(made)
    every = [each for size in range(1, 5) for each in combinations(range(4), size)]
    assert list(found.sets) == every
    assert found.tried == 15
    for members, shares in zip(found.sets, found.kings, strict=True):
        assert shares.tolist() == king(made, members).tolist()
    best = max(every, key=lambda each: king(made, each).mean().round(12))  # the smaller come first
    assert found.best_set == best
    assert found.best_single == max(range(4), key=lambda each: king(made, [each]).mean().round(12))
    few = search_sets(made, clusters=2)
    assert few.candidates == tuple(sorted(each.best for each in few.clusters))
    assert set(few.sets) == {
        *((measure,) for measure in range(4)),
        few.candidates,
        *(tuple(sorted(each.measures)) for each in few.greedy),
    }
    assert few.tried == 5
    assert [len(search_sets(made, size=size).sets) for size in (1, 2)] == [4, 4 + 6]


def test_too_many_sets_are_refused_before_they_are_tried():
    with pytest.raises(ValuesError, match="choose a smaller --size, or fewer --clusters"):
        search_sets(conditions(measures=20), clusters=20)


def searched(kings: Floats, tried: int, *sets: tuple[int, ...]) -> SetSearch:
    return SetSearch([Cluster((0,), 0, 1.0)], [], 2, (0, 1), tried, ((0,), (1,), *sets), kings)


def test_what_is_chosen_is_judged_on_topics_that_did_not_choose_it():
    """Further sets, which all topics chose, cannot be chosen."""
    lucky = [1.0, 0.0, 0.0, 0.0]  # the best of all topics by its first one alone
    kings = np.array([lucky, [0.2] * 4, [0.3] * 4, [1] * 4])
    found = cross_validate_sets(searched(kings, 3, (0, 1), (1, 2)), folds=4)
    assert found.value.tolist() == pytest.approx([0.3, (0.2 + 0 + 0 + 0) / 4])


def test_there_is_nothing_to_cross_with_one_topic_or_without_sets():
    assert cross_validate_sets(searched(np.ones((3, 1)), 3, (0, 1))) is None
    assert cross_validate_sets(searched(np.ones((2, 5)), 2)) is None
