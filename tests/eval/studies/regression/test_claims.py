from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import certain
from tests.eval.studies.made_up_scores import judged as made_up
from weps_eval.meta.correlation import Coefficient
from weps_eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, UNDECIDED, judge_claims
from weps_eval.stats.estimate import bootstrap_means
from weps_eval.studies.regression.claims import CLAIMS, sample_size
from weps_eval.studies.regression.findings import (
    Findings,
    Plan,
    PooledEstimates,
    PooledResults,
    compute_findings,
)
from weps_eval.studies.several import select_measures

pytestmark = pytest.mark.usefixtures("any_sample_size")

ERROR, CORRELATION, VOTES, RIVALS, ANSWERS, THRESHOLD, RANKING, MEASURES, RELATIVE, SYSTEMS = range(
    10
)


@pytest.fixture(scope="module")
def whole() -> Findings:
    return compute_findings(made_up(topics=5), Plan((0, 2), folds=3, resamples=20))


def with_errors(whole: Findings, vrm: float, best: float, others: float, alone: float) -> Findings:
    """VRM, the best AICc, four others, three measures alone."""
    errors = certain(vrm, best, *[others] * 4, *[alone] * 3)
    same = {kind: certain(*(1 - errors.value)) for kind in Coefficient}
    accuracy = replace(whole.learned.accuracy, absolute=errors, per_system=same, per_summary=same)
    return replace(whole, learned=replace(whole.learned, accuracy=accuracy))


def with_pool(
    whole: Findings,
    gap: tuple[float, ...] = (0.5, 0.4, 0.3),
    precision: tuple[float, ...] = (0.5, 0.6, 0.9),
    other: float = 0.5,
    relative: float = 0.2,
) -> Findings:
    """Thresholds that leave all outputs, a half, a quarter; two similarities."""
    coverage = np.array([1.0, 0.5, 0.25])
    rows = np.zeros((3, 35))
    first = PooledEstimates(
        "cosine", rows, certain(*gap), coverage, certain(*precision), certain(0.7, 0.7, 0.7)
    )
    second = replace(first, measure="rouge(n=1)", gap=certain(other, 0.4, 0.3))
    both = first, second
    pooled = PooledResults(np.linspace(0, 1, 3), both, both, "rouge(n=1)", certain(0.8))
    assert whole.relative is not None
    own = replace(whole.relative, gap=certain(relative, 0.4))
    return replace(whole, relative=own, pools=pooled, pool_gap=certain(0.35, 0.3))


def words(found: Findings) -> list[str]:
    return [verdict.word for _, verdict in judge_claims(CLAIMS, found, sample_size)]


@each_case(
    ("errors", "number", "word"),
    [
        ((0.4, 0.5, 0.5, 0.6), ERROR, HOLDS),
        ((0.4, 0.5, 0.5, 0.3), ERROR, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.5, 0.4), ERROR, UNDECIDED),
        ((0.4, 0.5, 0.5, 0.6), CORRELATION, HOLDS),
        ((0.4, 0.5, 0.5, 0.3), CORRELATION, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.3, 0.3), VOTES, HOLDS),
        ((0.4, 0.3, 0.5, 0.5), VOTES, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.5, 0.3), RIVALS, HOLDS),
        ((0.4, 0.5, 0.3, 0.5), RIVALS, DOES_NOT_HOLD),
        ((0.4, 0.5, 0.5, 0.5), ANSWERS, CANNOT),
    ],
)
def test_verdicts_on_learners(whole, errors, number, word):
    assert words(with_errors(whole, *errors))[number] == word


@each_case(
    ("changed", "number", "word"),
    [
        ({}, THRESHOLD, HOLDS),
        ({"gap": (0.3, 0.4, 0.5)}, THRESHOLD, DOES_NOT_HOLD),
        ({}, RANKING, HOLDS),
        ({"precision": (0.5, 0.9, 0.7)}, RANKING, DOES_NOT_HOLD),
        ({}, MEASURES, HOLDS),
        ({"other": 0.6}, MEASURES, DOES_NOT_HOLD),
        ({}, RELATIVE, HOLDS),
        ({"relative": 0.31}, RELATIVE, DOES_NOT_HOLD),
    ],
)
def test_verdicts_on_pools(whole, changed, number, word):
    assert words(with_pool(whole, **changed))[number] == word


@pytest.mark.parametrize(("ours", "word"), [(0.8, HOLDS), (0.5, DOES_NOT_HOLD)])
def test_verdicts_on_systems(whole, ours, word):
    plain = {"precision": certain(ours, ours), "plain": certain(0.7, 0.5)}
    found = replace(whole, relative=replace(whole.relative, **plain))
    assert words(found)[SYSTEMS] == word


def test_what_cannot_be_judged(whole):
    """Without similarities, without ROUGE, of two systems."""
    found = words(replace(whole, learned=replace(whole.learned, baselines={}), relative=None))
    without = {ERROR, CORRELATION, ANSWERS, THRESHOLD, RANKING, MEASURES, RELATIVE, SYSTEMS}
    assert {number for number, word in enumerate(found) if word == CANNOT} == without
    assert compute_findings(made_up(systems=2), Plan((0,), resamples=20)).relative is None


def with_similarities(whole: Findings, topics: int, seed: int) -> Findings:
    """Twelve similarities that differ by chance only."""
    errors = np.random.default_rng(seed).random((12, topics))
    gaps = bootstrap_means(errors, resamples=200)
    rows, one = np.zeros((1, 35)), certain(0.5)
    found = tuple(
        PooledEstimates(
            f"similarity {each}", rows, select_measures(gaps, [each]), np.ones(1), one, one
        )
        for each in range(12)
    )
    pools = PooledResults(np.zeros(1), found, found, "rouge(n=1)", one)
    return replace(whole, pools=pools, pool_gap=certain(0.5))


def test_of_many_similarities_the_best_and_the_worst_are_some_way_apart(whole):
    judge = CLAIMS[MEASURES].judge
    found = [judge(with_similarities(whole, 20, seed)).word for seed in range(20)]
    assert found.count(HOLDS) >= 17
    assert judge(with_similarities(whole, 1, 0)).word == CANNOT  # one topic


def test_rouge_l_is_expected_to_differ(whole):
    found = with_pool(whole, other=0.6)
    assert found.pools is not None
    first, second = found.pools.pools
    parts = (first, replace(second, measure="rouge_l"))
    found = replace(found, pools=replace(found.pools, pools=parts))
    assert words(found)[MEASURES] == CANNOT
