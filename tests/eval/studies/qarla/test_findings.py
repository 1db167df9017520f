from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.meta.judged import Similarities
from eval.meta.orange import LeftOut, left_out, ranks_human_first
from eval.meta.qarla import Conditions, early_estimate, king_by_measure, queen_left_out
from eval.stats.estimate import resample_weights
from eval.studies.pairwise import PairwiseInput
from eval.studies.qarla.findings import (
    Findings,
    HumanAgreement,
    QarlaSettings,
    human_agreements,
    people_first,
    plain_values,
    queen_values,
)
from eval.studies.qarla.sets import SetSearch, search_sets
from tests.eval.studies.made_up import compared


@pytest.fixture(scope="module")
def findings() -> Findings:
    return Findings(compared(apart=0.4))


def test_measures_come_by_king(findings: Findings) -> None:
    wanted = king_by_measure(findings.conditions).mean(axis=1)
    assert findings.order == np.argsort(-wanted, kind="stable").tolist()
    king = findings.kings.estimates[0]
    assert king.value == pytest.approx(wanted[0])
    assert king.low <= wanted[0] <= king.high
    early = early_estimate(findings.compared.similarities).mean(axis=1)
    assert findings.early.value == pytest.approx(early)


def test_the_best_set_is_at_least_as_good_as_any_that_was_found(findings: Findings) -> None:
    best = findings.kings.value[findings.search.best]
    assert best >= findings.kings.value.max() - 1e-12
    assert best >= max(each.king for each in findings.greedy) - 1e-12


def test_there_are_no_more_clusters_than_measures(findings: Findings) -> None:
    assert [each.measures for each in findings.clusters] == [(0,), (1,), (2,)]
    few = Findings(findings.compared, QarlaSettings(clusters=2))
    assert len(few.clusters) == 2
    assert len(few.search.candidates) == 2


def test_people_first_by_measures_then_by_their_queen_then_by_that_of_the_best_set(
    findings: Findings,
) -> None:
    shares = findings.first
    assert shares is not None
    plain = ranks_human_first([left_out(each) for each in findings.compared.similarities])
    queens = [
        ranks_human_first(queen_left_out(findings.conditions, each))[0].mean()
        for each in ([0], [1], [2], findings.best)
    ]
    assert shares.value.tolist() == pytest.approx([*plain.mean(axis=1), *queens])


def test_what_the_data_do_not_tell_is_left_out(findings: Findings) -> None:
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


def test_the_seed_changes_intervals_and_no_figure(findings: Findings) -> None:
    other = Findings(findings.compared, QarlaSettings(seed=1))
    assert np.array_equal(other.kings.value, findings.kings.value)
    assert not np.array_equal(other.kings.samples, findings.kings.samples)


def topics(seed: int, size: int = 5) -> list[LeftOut]:
    made = compared(seed, topics=size, peers=3, apart=0.3)
    return [left_out(each) for each in made.similarities]


@given(st.integers(0, 99))
def test_the_share_is_that_of_human_first(seed: int) -> None:
    left = topics(seed)
    assert people_first(left).value.tolist() == ranks_human_first(left).mean(axis=1).tolist()
    assert np.isnan(people_first(left[:1]).samples).all()  # one topic has no interval


def test_topics_drawn_anew_are_topics_taken_again() -> None:
    left = topics(1)
    found = people_first(left, seed=7)
    for number, times in enumerate(resample_weights(5, 7, 1_000)[:20].astype(int)):
        again = [each for each, often in zip(left, times, strict=True) for _ in range(often)]
        assert found.samples[:, number].tolist() == ranks_human_first(again).mean(axis=1).tolist()


def test_a_tie_is_not_superior() -> None:
    left = LeftOut(np.full((1, 2), 0.3), np.full((1, 2, 4), 0.1 + 0.2))
    found = people_first([left, left])
    assert found.value.tolist() == [0]
    assert not found.samples.any()


def studied(made: PairwiseInput) -> tuple[SetSearch, np.ndarray, tuple[HumanAgreement, ...]]:
    conditions = Conditions.of(made.similarities)
    search = search_sets(conditions, (0, 1, 2))
    queens = queen_values(conditions, search.sets)
    return search, queens, human_agreements(made, queens, search.kings)


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
    assert np.array_equal(ours.kings.samples, theirs.kings.samples)
    assert np.array_equal(ours.queens.samples, theirs.queens.samples, equal_nan=True)


def test_two_systems_and_too_few_sets_say_nothing() -> None:
    assert studied(compared(peers=2))[2] == ()
    (found,) = Findings(compared(measures=("x",))).agreements
    assert np.isnan(found.with_king().value)


def test_a_measure_with_infinite_values_has_no_mean() -> None:
    made = compared(6)
    made.topics[0].values.peers[1, 0, 0] = -np.inf
    _, _, (found,) = studied(made)
    assert np.isnan(found.plain.value).tolist() == [False, True, False]
