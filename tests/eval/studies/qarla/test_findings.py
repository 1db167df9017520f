from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.cases import each_case
from tests.eval.studies.made_up import compared
from weps.errors import ValuesError
from weps_eval.meta.judged import Similarities
from weps_eval.meta.orange import LeftOut, left_out
from weps_eval.meta.qarla import (
    Conditions,
    JackForm,
    Judges,
    Triples,
    early_estimate,
    jack_scores,
    king,
    king_by_measure,
    mean_king,
    queen,
    queen_left_out,
)
from weps_eval.stats.estimate import BootstrapSamples, Estimate, resample_weights
from weps_eval.studies.qarla.findings import (
    Findings,
    JackReliability,
    QarlaSettings,
    SetSearch,
    SystemQueens,
    cross_validate_sets,
    jack_reliability,
    people_first,
    plain_values,
    queen_values,
    search_sets,
    system_queens,
)


@pytest.fixture(scope="module")
def findings() -> Findings:
    return Findings(compared(apart=0.4))


def test_measures_come_by_king(findings):
    wanted = king_by_measure(findings.conditions).mean(axis=1)
    assert findings.order == np.argsort(-wanted, kind="stable").tolist()
    king = findings.kings.estimates[0]
    assert king.value == pytest.approx(wanted[0])
    assert king.low <= wanted[0] <= king.high
    early = early_estimate(findings.compared.similarities).mean(axis=1)
    assert findings.early.value == pytest.approx(early)


def test_all_that_king_chooses_follows_who_judges(findings):
    by_all = replace(findings, settings=QarlaSettings(judges=Judges.ALL))
    conditions = Conditions.of(findings.compared.similarities, judges=Judges.ALL)
    wanted = mean_king(king_by_measure(conditions))
    assert by_all.kings.value[:3] == pytest.approx(wanted)
    assert (wanted != mean_king(king_by_measure(findings.conditions))).any()
    assert [each.king for each in by_all.clusters] == wanted.tolist()
    assert by_all.greedy[0].king == wanted.max()
    ours, theirs = (queen_left_out(each.conditions)[0].models for each in (by_all, findings))
    assert np.array_equal(ours, theirs)


def test_there_are_no_more_clusters_than_measures(findings):
    assert [each.measures for each in findings.clusters] == [(0,), (1,), (2,)]
    assert len(Findings(findings.compared, QarlaSettings(clusters=2)).search.candidates) == 2


def test_people_first_by_measures_then_by_their_queen_then_by_that_of_the_best_set(findings):
    shares = findings.first
    assert shares is not None
    plain = ranked_first([left_out(each) for each in findings.compared.similarities])
    queens = [
        ranked_first(queen_left_out(findings.conditions, each))[0].mean()
        for each in ([0], [1], [2], findings.best)
    ]
    assert shares.value.tolist() == pytest.approx([*plain.mean(axis=1), *queens])


def test_what_the_data_lack_is_left_out(findings):
    """Similarities among outputs, human scores, people who answered all topics."""
    made = findings.compared
    topics = tuple(
        replace(
            each,
            values=Similarities(each.values.peers, each.values.models),
            human=np.empty((0, 4)),
            references=tuple(f"{number}{name}" for name in each.references),
        )
        for number, each in enumerate(made.topics)
    )
    found = Findings(replace(made, criteria=(), topics=topics))
    assert (found.reliability, found.agreements, found.first) == ((), (), None)
    assert len(findings.reliability) == 2


def test_the_seed_changes_intervals_and_no_figure(findings):
    other = Findings(findings.compared, QarlaSettings(seed=1)).kings
    assert np.array_equal(other.value, findings.kings.value)
    assert not np.array_equal(other.samples, findings.kings.samples)


def ranked_first(topics: list[LeftOut]) -> NDArray[np.bool_]:
    """Shape (measures, models): whether a model is better than all peers on the average."""
    models, peers = (
        np.mean([getattr(each, part) for each in topics], axis=0) for part in ("models", "peers")
    )
    best = peers.max(axis=2)
    return (models > best) & ~np.isclose(models, best, rtol=1e-12, atol=0)


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


def topics(seed: int, size: int = 5) -> list[LeftOut]:
    made = compared(seed, topics=size, peers=3, apart=0.3)
    return [left_out(each) for each in made.similarities]


@given(st.integers(0, 99))
def test_the_share_is_that_of_human_first(seed):
    left = topics(seed)
    assert people_first(left).value.tolist() == ranked_first(left).mean(axis=1).tolist()
    assert np.isnan(people_first(left[:1]).samples).all()  # one topic has no interval


def test_resampled_topics_are_topics_taken_again():
    left = topics(1)
    found = people_first(left, seed=7)
    for number, times in enumerate(resample_weights(5, 7, 1_000)[:20].astype(int)):
        again = [each for each, often in zip(left, times, strict=True) for _ in range(often)]
        assert found.samples[:, number].tolist() == ranked_first(again).mean(axis=1).tolist()


def test_a_tie_is_not_superior():
    left = LeftOut(np.full((1, 2), 0.3), np.full((1, 2, 4), 0.1 + 0.2))
    assert not people_first([left, left]).rows.any()


def by_system(values: np.ndarray, systems: int) -> np.ndarray:
    return values.reshape(len(values), -1, systems).mean(axis=1)


def test_r_is_that_of_the_means_of_systems():
    made = compared(3, peers=5)
    study = Findings(made)
    (found,) = study.agreements
    queens = queen_values(study.conditions, study.search.sets)
    human = by_system(made.instances.human, 5)[0]
    for ours, values in ((found.queens, queens), (found.plain, plain_values(made))):
        rows = by_system(values, 5)
        for value, row in zip(ours.value, rows, strict=True):
            if not np.isnan(value):
                assert value == pytest.approx(np.corrcoef(row, human)[0, 1])
    assert found.criterion == "fluency"


def test_whether_king_goes_with_people():
    study = Findings(compared(4, peers=6, apart=0.1))
    (found,) = study.agreements
    known = ~np.isnan(found.queens.value)
    wanted = np.corrcoef(study.search.kings.mean(axis=1)[known], found.queens.value[known])[0, 1]
    assert found.with_king().value == pytest.approx(wanted)


def test_topics_that_nobody_judged_do_not_count_for_king_either():
    made = compared(5)
    unjudged = replace(made.topics[2], human=np.full((1, 4), np.nan))
    part = replace(made, topics=(*made.topics[:2], unjudged, *made.topics[3:]))
    without = replace(made, topics=(*made.topics[:2], *made.topics[3:]))
    (ours,), (theirs,) = (Findings(each).agreements for each in (part, without))
    assert np.array_equal(ours.plain.samples, theirs.plain.samples, equal_nan=True)
    judged = Findings(part).search.kings[:, [0, 1, 3, 4, 5]]
    assert ours.kings.value == pytest.approx(judged.mean(axis=1))


def test_what_has_no_agreement():
    """Two systems; KING of a single set; a measure with infinite values, which have no mean."""
    assert Findings(compared(peers=2)).agreements == ()
    (found,) = Findings(compared(measures=("x",))).agreements
    assert np.isnan(found.with_king().value)
    made = compared(6)
    made.topics[0].values.peers[1, 0, 0] = -np.inf
    (found,) = Findings(made).agreements
    assert np.isnan(found.plain.value).tolist() == [False, True, False]


def test_the_curve_ends_at_jack_of_all_peers():
    topics = compared(1, peers=5, apart=0).similarities
    found = jack_reliability(topics, [0, 1], Triples.DISTINCT)
    assert [each.form for each in found] == list(JackForm)
    for each in found:
        wanted = jack_scores(topics, [0, 1], each.form).mean()
        assert each.jack.value == wanted
        assert each.by_peers.value[-1] == pytest.approx(wanted)
        assert each.by_peers.value[0] == 0
        assert (np.diff(each.by_peers.value) >= -1e-12).all()


def test_a_topic_with_fewer_peers_keeps_its_last_value():
    topics = [*compared(1, 2, 3).similarities, *compared(2, 2, 5).similarities]
    (found, _) = jack_reliability(topics, [0], Triples.DISTINCT)
    assert len(found.by_peers.value) == 5
    assert found.by_peers.value[-1] == pytest.approx(found.jack.value)


@each_case(
    ("curve", "slower"),
    [
        (range(10), None),  # too few peers
        ([*(np.arange(10) / 10), 0.95, 1.0], 0.05),  # .1 before, .05 after
        (range(12), 0),
    ],
)
def test_how_much_faster_it_grows_at_first(curve, slower):
    by_peers = BootstrapSamples.from_rows(np.repeat(np.array(curve)[:, None], 3, axis=1))
    found = JackReliability(JackForm.ONE_SIDED, Estimate(1, 1, 1), by_peers).slows_down()
    assert (found and found.value) == (slower and pytest.approx(slower))


def conditions(seed: int = 0, measures: int = 4) -> Conditions:
    names = tuple(f"x{number}" for number in range(measures))
    return Conditions.of(compared(seed, measures=names).similarities)


def test_every_set_of_the_candidates_and_every_measure_is_tried_and_others_looked_at():
    made = conditions()
    found = search_sets(made, (0, 2, 3), more=[(2, 1), (0, 3)])
    assert found.sets == ((0,), (1,), (2,), (3,), (0, 2), (0, 3), (2, 3), (0, 2, 3), (1, 2))
    assert found.tried == 8
    for members, shares in zip(found.sets, found.kings, strict=True):
        assert shares.tolist() == king(made, members).tolist()


@pytest.mark.parametrize("seed", range(2))
def test_the_best_set_is_that_of_the_exhaustive_search(seed):
    made = conditions(seed)
    found = search_sets(made, (0, 1, 2, 3))
    every = [each for size in range(1, 5) for each in combinations(range(4), size)]
    best = max(every, key=lambda each: king(made, each).mean().round(12))  # the smaller come first
    assert found.sets[found.best] == best
    assert found.best_single == max(range(4), key=lambda each: king(made, [each]).mean().round(12))


def test_sets_are_no_larger_than_asked_for():
    found = (search_sets(conditions(), (0, 1, 2, 3), size) for size in (1, 2))
    assert [len(each.sets) for each in found] == [4, 4 + 6]


def test_too_many_sets_are_refused_before_they_are_tried():
    with pytest.raises(ValuesError, match="choose a smaller --size, or fewer --clusters"):
        search_sets(conditions(measures=20), tuple(range(20)))


def test_what_is_chosen_is_judged_on_topics_that_did_not_choose_it():
    """Further sets, which all topics chose, cannot be chosen."""
    lucky = [1.0, 0.0, 0.0, 0.0]  # the best of all topics by its first one alone
    steady = [0.2, 0.2, 0.2, 0.2]
    kings = np.array([lucky, steady, [0.3] * 4, [1] * 4])
    made = SetSearch(2, (0, 1), 3, ((0,), (1,), (0, 1), (1, 2)), kings)
    found = cross_validate_sets(made, folds=4)
    assert found.value.tolist() == pytest.approx([0.3, (0.2 + 0 + 0 + 0) / 4])


def test_there_is_nothing_to_cross_with_one_topic_or_without_sets():
    sets = ((0,), (1,), (0, 1))
    assert cross_validate_sets(SetSearch(2, (0, 1), 3, sets, np.ones((3, 1)))) is None
    assert cross_validate_sets(SetSearch(2, (0, 1), 2, ((0,), (1,)), np.ones((2, 5)))) is None


def test_means_over_topics():
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


def test_a_system_is_judged_by_the_topics_that_it_answered():
    made = compared(2, topics=2)
    second = replace(made.topics[1], systems=("late", "s1", "s2", "s3"))
    made = replace(made, topics=(made.topics[0], second))
    conditions = Conditions.of(made.similarities)
    found = system_queens(made, conditions, [1])
    (first, last) = queen(conditions, [1])
    assert found.systems[-1] == "late"
    assert found.queens.value[[0, -1]].tolist() == [first[0], last[0]]


def test_the_lowest_reference_against_the_highest_system():
    people = BootstrapSamples(np.array([0.6, 0.5]), np.array([[0.6, 0.4], [0.5, 0.9]]))
    systems = BootstrapSamples(np.array([0.1, 0.3]), np.array([[0.1, 0.2], [0.3, 0.3]]))
    gap = SystemQueens(("a", "b"), systems, ("A", "B"), people, systems).people_ahead()
    assert gap == pytest.approx((0.2, 0.1, 0.2), abs=0.01)  # .5 - .3, and .4 - .3 in resamples
