from dataclasses import replace

import numpy as np
import pytest

from eval.meta.human_first import human_first
from eval.meta.left_out import left_out
from eval.meta.qarla import early, kings, queen_left_out
from eval.meta.similarities import Similarities
from eval.meta_study.qarla.findings import Findings, Settings
from tests.eval.meta_study.compared.made_up import compared


@pytest.fixture(scope="module")
def findings() -> Findings:
    return Findings(compared(apart=0.4))


def test_measures_come_by_king(findings: Findings) -> None:
    wanted = kings(findings.conditions).mean(axis=1)
    assert findings.order == np.argsort(-wanted, kind="stable").tolist()
    assert findings.king(0).value == pytest.approx(wanted[0])
    assert findings.king(0).low <= wanted[0] <= findings.king(0).high


def test_the_best_set_is_at_least_as_good_as_any_that_was_found(findings: Findings) -> None:
    best = findings.kings.value[findings.search.best]
    assert best >= findings.kings.value.max() - 1e-12
    assert best >= max(each.king for each in findings.greedy) - 1e-12


def test_there_are_no_more_clusters_than_measures(findings: Findings) -> None:
    assert [each.measures for each in findings.clusters] == [(0,), (1,), (2,)]
    few = Findings(findings.compared, Settings(clusters=2))
    assert len(few.clusters) == 2
    assert len(few.search.candidates) == 2


def test_the_early_estimate(findings: Findings) -> None:
    wanted = early(findings.compared.similarities).mean(axis=1)
    assert findings.early.value == pytest.approx(wanted)


def test_people_first_by_measures_then_by_their_queen_then_by_that_of_the_best_set(
    findings: Findings,
) -> None:
    shares = findings.first
    assert shares is not None
    plain = human_first([left_out(each) for each in findings.compared.similarities])
    queens = [
        human_first(queen_left_out(findings.conditions, each))[0].mean()
        for each in ([0], [1], [2], findings.best)
    ]
    assert shares.value.tolist() == pytest.approx([*plain.mean(axis=1), *queens])


def test_without_similarities_among_outputs_there_is_no_jack(findings: Findings) -> None:
    made = findings.compared
    topics = tuple(
        replace(each, values=Similarities(each.values.peers, each.values.models))
        for each in made.topics
    )
    assert Findings(replace(made, topics=topics)).reliability == ()
    assert len(findings.reliability) == 2


def test_people_cannot_be_told_apart_if_references_differ(findings: Findings) -> None:
    made = findings.compared
    first = replace(made.topics[0], references=("A", "B", "C", "D", "E"))
    assert Findings(replace(made, topics=(first, *made.topics[1:]))).first is None


def test_without_human_scores_there_is_no_agreement(findings: Findings) -> None:
    made = findings.compared
    topics = tuple(replace(each, human=np.empty((0, 4))) for each in made.topics)
    assert Findings(replace(made, criteria=(), topics=topics)).agreements == ()


def test_the_seed_changes_intervals_and_no_figure(findings: Findings) -> None:
    other = Findings(findings.compared, Settings(seed=1))
    assert np.array_equal(other.kings.value, findings.kings.value)
    assert not np.array_equal(other.kings.drawn, findings.kings.drawn)
