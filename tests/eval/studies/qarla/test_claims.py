"""Claims on data in which they are, or are not, true."""

from types import SimpleNamespace

import numpy as np
import pytest

from eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, judge_claims
from eval.stats.estimate import BootstrapSamples
from eval.studies.pairwise import PairwiseInput
from eval.studies.qarla import claims
from eval.studies.qarla.claims import (
    CLAIMS,
    STYLE_FAMILIES,
    _content_measures,
    _measures_of_families,
    best_measure_of,
)
from eval.studies.qarla.findings import Findings
from tests.eval.studies.made_up import compared

RECALL = "rouge(n=1, part=recall, stem=true, stop=true)"
PRECISION = "rouge(n=1, part=precision, stem=true, stop=true)"


def study(*measures: str, apart: float = 2, **sizes: int) -> Findings:
    """The first measure tells references from outputs, the others are random."""
    return Findings(compared(topics=12, measures=measures, apart=apart, **sizes))


def test_every_claim_is_judged() -> None:
    found = judge_claims(CLAIMS, study("x", "y"))
    assert len(found) == len(CLAIMS) == len({each.text for each, _ in found})
    assert all(len(each.text) < 100 for each, _ in found)


@pytest.mark.parametrize(
    ("judge", "first", "second"),
    [
        (claims._assess_content, "rouge_l", "avls"),
        (claims._assess_stemmed, RECALL, PRECISION),
        (claims._assess_unstemmed, "rouge_s(part=precision)", "rouge_s(part=recall)"),
        (claims._assess_unstemmed, "rouge_l(inverted=true, part=recall)", "rouge_l(part=recall)"),
        (claims._assess_terms, "tvm(n=512)", "tvm(n=4)"),
        (claims._assess_rouge, RECALL, "vectmodel"),
        (claims._assess_weighted, "rouge_w(part=precision, stop=true)", "rouge_l"),
        (claims._assess_concepts, "nicos", "rouge(n=1, part=recall)"),
    ],
)
def test_one_measure_is_ahead_of_another(judge, first: str, second: str) -> None:
    assert judge(study(first, second)).word == HOLDS
    assert judge(study(second, first)).word == DOES_NOT_HOLD
    assert judge(study("x", "y")).word == CANNOT


def test_key_concepts_are_to_be_ahead_of_the_best_rouge_1() -> None:
    """Whichever way round the measures are named."""
    best, worse = RECALL, "rouge(n=1, part=recall)"
    assert claims._assess_concepts(study(best, worse, "nicos")).word == DOES_NOT_HOLD
    assert claims._assess_concepts(study(best, "nicos", worse)).word == DOES_NOT_HOLD


def test_style_that_spoils_the_best_set() -> None:
    findings = study("rouge_l", "avls")
    for topic in findings.compared.similarities:
        for part in (topic.peers, topic.models):
            part[1] = -part[0]  # no text passes both
    assert claims._assess_unstyled(findings).word == HOLDS
    assert claims._assess_unstyled(study("x", "y")).word == CANNOT


def test_concepts_that_were_not_given_are_named_as_substitutes() -> None:
    told = claims._assess_concepts(study("nicos(concepts=references)", "rouge(n=1, part=recall)"))
    assert told.figures.endswith("(substitute concepts)")


def test_baselines_are_below_chance() -> None:
    assert claims._assess_baselines(study("x", "perplexity", apart=2)).word != HOLDS  # random: .5
    assert claims._assess_baselines(study("perplexity", "x", apart=-2)).word == HOLDS
    assert claims._assess_baselines(study("perplexity", "x", apart=2)).word == DOES_NOT_HOLD


def test_a_combination_gains_nothing_on_a_perfect_measure() -> None:
    assert claims._assess_combination(study("x", "y")).word != HOLDS
    assert claims._assess_combination(study("x")).word == CANNOT


def test_people_are_ahead_by_a_measure_that_sets_them_apart() -> None:
    assert claims._assess_people_ahead(study("x", "y", apart=2)).word == HOLDS
    assert claims._assess_people_ahead(study("x", apart=-2)).word == DOES_NOT_HOLD


def test_queen_ranks_people_first_if_rouge_does_not() -> None:
    rouge = "rouge(n=2, part=recall)"
    assert claims._assess_first(study("x", rouge)).word == HOLDS
    assert claims._assess_first(study(rouge, "x")).word != HOLDS
    assert claims._assess_first(study("x", "y")).word == CANNOT


def test_jack_slows_down_with_many_peers() -> None:
    assert claims._assess_slower(study("x", apart=-0.2, peers=14)).word == HOLDS
    assert claims._assess_slower(study("x", peers=4)).word == CANNOT


def agreeing(sign: int) -> Findings:
    """People say what the only measure says, or the reverse."""
    made: PairwiseInput = compared(topics=12, peers=5, measures=("rouge_l", "x"), apart=0)
    for topic in made.topics:
        topic.values.peers[0] += 0.2 * sign * topic.human[0][:, None]
        topic.values.models[1] -= 2  # the other one accepts everything
    return Findings(made)


def test_agreement_with_people() -> None:
    assert claims._assess_good(agreeing(1)).word == HOLDS
    assert claims._assess_good(agreeing(-1)).word == DOES_NOT_HOLD
    assert claims._assess_good(study("x", peers=2)).word == CANNOT


@pytest.mark.parametrize("judge", [claims._assess_king, claims._assess_above_rouge])
def test_agreement_is_told_by_criterion(judge) -> None:
    assert "fluency: " in judge(agreeing(1)).figures


@pytest.mark.parametrize(
    "judge", [claims._assess_one_task, claims._assess_strategies, claims._assess_topics]
)
def test_what_no_testbed_tells(judge) -> None:
    verdict = judge(study("x"))
    assert verdict.word == CANNOT
    assert verdict.figures


def test_people_first_is_asked_of_queen_by_the_best_set() -> None:
    """Shares are of measures, of QUEEN by each, and of QUEEN by the best set."""
    value = np.array([0.5, 0.1, 0.9, 0.1, 0.2])
    shares = BootstrapSamples(value, np.tile(value[:, None], 9))
    made = SimpleNamespace(compared=SimpleNamespace(measures=(RECALL, "x")), first=shares)
    assert claims._assess_first(made) == (DOES_NOT_HOLD, "−0.300 (−0.300 to −0.300)")


NAMES = ("my column", "rouge(n=1)", "rouge(n=2, part=recall, stop=true)", "avls", "rouge_l", "x(")


def test_measures_are_known_by_family_and_parameters() -> None:
    assert _measures_of_families(NAMES, ["rouge"]) == [1, 2]
    assert _measures_of_families(NAMES, ["rouge"], n=2, stop=True) == [2]
    assert _measures_of_families(NAMES, ["rouge"], part="f", stem=False) == [1]
    assert _measures_of_families(NAMES, STYLE_FAMILIES) == [3]
    assert _measures_of_families(NAMES, ["tvm"]) == []


def test_columns_of_any_name_are_neither_content_nor_style() -> None:
    assert _content_measures(NAMES) == [1, 2, 4]


def test_the_best_of_some_is_that_with_the_highest_king() -> None:
    findings = Findings(compared(apart=1))
    assert findings.order[0] == 0
    assert best_measure_of(findings, [2, 0]) == 0
    assert best_measure_of(findings, []) is None
