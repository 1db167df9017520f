from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kendalltau

from tests.cases import each_case
from tests.eval.studies.made_up import compared
from weps_eval.meta.judged import Similarities
from weps_eval.meta.orange import (
    LeftOut,
    Listing,
    average_rank,
    left_out,
    likeness_implications,
    orange_scores,
)
from weps_eval.meta.qarla import Triples
from weps_eval.studies.orange.findings import (
    SHARES,
    Findings,
    Settings,
    acceptance_curve,
    human_agreements,
    passing_for_references,
    stability_by_size,
)
from weps_eval.studies.qarla.findings import plain_values

TOPIC = np.repeat(np.arange(5), 8)
RISING = np.arange(40.0)


@pytest.fixture(scope="module")
def findings() -> Findings:
    return Findings(compared(peers=5, apart=0.6))


def test_both_forms_of_orange(findings):
    left = [left_out(each) for each in findings.compared.similarities]
    assert findings.orange.value == pytest.approx(orange_scores(left).mean(axis=1))
    for listing in Listing:
        ranked = Findings(findings.compared, Settings(listing))
        wanted = average_rank(left, listing)
        assert ranked.ranks.value == pytest.approx(wanted.rank.mean(axis=1))
        assert ranked.ratios.value == pytest.approx(wanted.ratio.mean(axis=1))
    assert findings.order[0] == 0
    made = compared()
    for topic in made.similarities:
        topic.peers[1], topic.models[1] = 1, 1
    assert Findings(made, Settings(ties=0.5)).orange.value[1] == 0.5


def test_king_needs_references_enough(findings):
    assert findings.qarla is not None
    assert findings.with_king is not None
    wanted = kendalltau(findings.qarla.kings.value[:3], findings.orange.value).statistic
    assert findings.with_king.value == pytest.approx(wanted)
    few = Findings(compared(models=3))
    assert few.qarla is None
    assert few.with_king is None
    assert list(few.likenesses) == [f"not behind references, {few.compared.measures[few.order[0]]}"]


def test_likeness_has_two_definitions(findings):
    own, queen = findings.likenesses
    assert own == "not behind references, good"
    assert queen.startswith("QUEEN, ")
    assert {len(each) for each in findings.likenesses.values()} == {30}
    curves = findings.acceptance_curves.values()
    assert [one.criterion for each in curves for one in each] == ["fluency", "fluency"]


def test_a_criterion_by_which_nobody_judged_is_left_out():
    made = compared()
    topics = tuple(replace(each, human=np.full((1, 4), np.nan)) for each in made.topics)
    found = Findings(replace(made, topics=topics))
    assert set(found.acceptance_curves.values()) == {()}
    assert found.human_agreements == ()
    assert human_agreements(compared(peers=2)) == ()  # two systems are too few


def test_by_systems_and_by_outputs():
    made = compared(1, peers=5)
    (found,) = human_agreements(made)
    values, human = plain_values(made)[1], made.instances.human[0]
    assert found.outputs.value[1] == pytest.approx(np.corrcoef(values, human)[0, 1])
    means = [each.reshape(6, 5).mean(axis=0) for each in (values, human)]
    assert found.systems.value[1] == pytest.approx(np.corrcoef(*means)[0, 1])
    assert found.lost(1).value == pytest.approx(found.systems.value[1] - found.outputs.value[1])


def test_outputs_that_nobody_judged_are_left_out_and_infinite_values_have_no_mean():
    made = compared(2)
    made.topics[0].human[0, 1] = np.nan
    made.topics[1].values.peers[2, 0, 0] = np.inf
    (found,) = human_agreements(made)
    known = ~np.isnan(made.instances.human[0])
    wanted = np.corrcoef(plain_values(made)[0][known], made.instances.human[0][known])[0, 1]
    assert found.outputs.value[0] == pytest.approx(wanted)
    assert np.isnan(found.systems.value).tolist() == [False, False, True]
    assert np.isnan(found.outputs.samples[2]).all()


def ranked(topics: int = 4, models: int = 7) -> list[Similarities]:
    """Three measures by which references are ahead of fewer and fewer outputs."""
    among = np.ones((3, models, models))
    peers = np.zeros((3, 8, models))
    peers[1, :3], peers[2, :6] = 2, 2
    return [Similarities(peers, among)] * topics


def test_measures_that_differ_in_every_reference_are_ranked_by_few():
    found = stability_by_size(ranked(), Triples.DISTINCT)
    assert found.references == (4, 5, 6)
    assert found.orange.value.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("triples", "first"), [(Triples.DISTINCT, 4), (Triples.PAIRS, 3)])
def test_it_begins_with_the_fewest_that_king_takes(triples, first):
    found = stability_by_size(compared(models=6).similarities, triples)
    assert found.references == tuple(range(first, 6))
    assert found.king.estimates[0].low <= found.king.estimates[0].high
    assert found.ahead(0).value == pytest.approx(found.orange.value[0] - found.king.value[0])


@each_case(
    "topics",
    [
        compared(models=4).similarities,
        compared(models=6, measures=("x", "y")).similarities,
        [*compared(models=6).similarities, *compared(models=5).similarities],
    ],
)
def test_nothing_is_said_of_too_little(topics):
    assert stability_by_size(topics, Triples.DISTINCT) is None


def test_ties_do_not_keep_an_implication_from_reaching_all_the_way():
    human = (RISING >= 20).astype(float)  # half of the outputs are perfect
    found = acceptance_curve("x", RISING, human, TOPIC)
    assert found.acceptable.value == pytest.approx([0.75, 0.75, 0.75])
    assert found.accepted.value == pytest.approx([1, 1, 1])
    assert found.likened.value[0] < 1  # of the perfect ones, some are less like references


def test_how_far_an_implication_reaches():
    """All the way to itself, as far down to the reverse; nowhere if all is equal."""
    itself, reverse, equal = (
        acceptance_curve("x", RISING, human, TOPIC) for human in (RISING, -RISING, np.ones(40))
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
    found = acceptance_curve("x", likeness, human, TOPIC)
    known = ~np.isnan(human)
    wanted = likeness_implications(likeness[known], human[known], SHARES)
    assert found.acceptable.value.tolist() == [each.acceptable for each in wanted]
    assert found.human_like.value.tolist() == [each.human_like for each in wanted]


def test_one_topic_has_no_interval():
    found = acceptance_curve("x", RISING, RISING, np.zeros(40, dtype=int))
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
