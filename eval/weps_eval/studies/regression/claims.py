"""What two papers conclude of estimated scores, and whether it holds.

Hirao, Okumura, Yasuda and Isozaki 2007 (the voted regression model); Nanba and Okumura 2006
(Kazawa's and Yasuda's methods).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from weps._formatting import format_number
from weps_eval.report.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    worst_by_name,
)
from weps_eval.studies.regression.findings import BASELINES, BEST, Findings, LearnerResults
from weps_eval.studies.several import concatenate_samples, joint_estimate, select_measures

_FEW, _SOME = 0.2, 0.3
"""Coverages that a threshold must leave: the least of the paper's tables, and a little more."""
_NO_TEXTS = "this needs similarities between outputs, and a table has no texts"
_NO_SYSTEMS = "there are fewer than three systems"
_NO_ROUGE = f"neither {' nor '.join(BASELINES)} is among the measures"
_HIRAO, _NANBA = "Hirao et al. 2007", "Nanba and Okumura 2006"


def sample_size(findings: Findings) -> SampleSize:
    """Outputs, and topics or systems."""
    return findings.judged.sample_size()


def _covered_size(findings: Findings, coverage: float) -> SampleSize:
    """Of estimates where so much is still covered, the least by any similarity."""
    pools = findings.pools.pools if findings.pools else ()
    rows = ((each, each.at(coverage)) for each in pools)
    covered = [
        round(len(findings.judged.human) * each.coverage[row])
        for each, row in rows
        if row is not None
    ]
    return findings.judged.sample_size(min(covered, default=0), "estimated outputs")


def _pairs_size(findings: Findings) -> SampleSize:
    systems = len(findings.judged.systems)
    return findings.judged.sample_size(systems * (systems - 1) // 2, "pairs of systems")


def _judge_errors(learned: LearnerResults, others: Mapping[str, str]) -> Verdict:
    """How far VRM's error is below that of other learners; ``others``: name → learner."""
    verdicts = (
        (name, judge_above_zero(learned.ahead_in_error(learner)))
        for name, learner in others.items()
    )
    return worst_by_name(verdicts, _NO_ROUGE)


def _judge_correlation(findings: Findings) -> Verdict:
    verdicts = (
        (f"{name}, {level}", judge_above_zero(ahead))
        for name, learner in findings.learned.baselines.items()
        for level, ahead in findings.learned.ahead_in_correlation(learner).items()
    )
    return worst_by_name(verdicts, _NO_ROUGE)


def _judge_threshold(findings: Findings) -> Verdict:
    if findings.pools is None:
        return cannot_judge(_NO_TEXTS)
    ends = ((each, each.at(1.0) or 0, each.at(_SOME)) for each in findings.pools.pools)
    verdicts = (
        (pool.measure, judge_above_zero(pool.gap.difference(last, first)))
        for pool, first, last in ends
        if last is not None and last != first
    )
    return worst_by_name(verdicts, "every threshold leaves out all outputs or none")


def _judge_ranking(findings: Findings) -> Verdict:
    if findings.pools is None:
        return cannot_judge(_NO_TEXTS)
    pool = findings.pools.pools[0]
    last = pool.at(_FEW)
    if last is None:
        return cannot_judge("no threshold covers enough outputs")
    lead = findings.pools.best_precision.difference(0, last, pool.precision)
    same = pool.best_measure_precision.difference(last, last, pool.precision)
    verdict = judge_above_zero(lead)
    figures = (
        f"{verdict.figures} with {format_number(float(pool.precision.value[last]), 2)} "
        f"at Coverage {format_number(pool.coverage[last], 2)}; "
        f"minus the measure on the same pairs {judge_above_zero(same).figures}"
    )
    return Verdict(verdict.word, figures)


def _judge_measures(findings: Findings) -> Verdict:
    if findings.pools is None:
        return cannot_judge(_NO_TEXTS)
    chosen = [each for each in findings.pools.pools if not each.measure.startswith("rouge_l")]
    if len(chosen) < 2:
        return cannot_judge("one measure of similarity is studied; --similarity takes several")
    first = concatenate_samples([select_measures(each.gap, [0]) for each in chosen])
    best, worst = int(np.nanargmin(first.value)), int(np.nanargmax(first.value))
    apart = first.difference(best, worst)
    by_chance = float(np.percentile(np.ptp(first.samples - first.value[:, None], axis=0), 95))
    if np.isnan(by_chance):
        return cannot_judge("there is no interval for a single topic")
    names = f"{chosen[worst].measure} − {chosen[best].measure}"
    return Verdict(
        DOES_NOT_HOLD if apart.value > by_chance else HOLDS,
        f"{names}: {judge_above_zero(apart).figures}; by chance up to {by_chance:.3f}",
    )


def _judge_relative(findings: Findings) -> Verdict:
    if findings.pool_gap is None:
        return cannot_judge(_NO_TEXTS)
    if findings.relative is None:
        return cannot_judge(_NO_SYSTEMS)
    gaps = findings.relative.gap, findings.pool_gap
    if any(np.isnan(each.value).all() for each in gaps):
        return cannot_judge("no score of a system can be estimated")
    best, pool = (int(np.nanargmin(each.value)) for each in gaps)
    return judge_above_zero(findings.relative.gap.difference(best, pool, findings.pool_gap))


def _judge_relative_ranking(findings: Findings) -> Verdict:
    if findings.relative is None:
        return cannot_judge(_NO_SYSTEMS)
    both = findings.relative.precision, findings.relative.plain
    ahead = joint_estimate(lambda ours, plain: (ours - plain).mean(axis=0), *both)
    return judge_above_zero(ahead)


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "VRM has a smaller error than ROUGE-1 and ROUGE-2 alone.",
        f"{_HIRAO}, section 4.4.1",
        "its absolute error is smaller than that of simple regression on each, with the whole "
        "interval of the difference",
        lambda found: _judge_errors(found.learned, found.learned.baselines),
    ),
    Claim(
        "VRM correlates better with people than ROUGE-1 and ROUGE-2.",
        f"{_HIRAO}, section 4.4.1",
        "Pearson's coefficient is higher per system and per summary, with the whole intervals of "
        "the differences",
        _judge_correlation,
    ),
    Claim(
        "Voting is better than the single regression with the best AICc.",
        f"{_HIRAO}, section 4.4.1",
        "VRM's absolute error is smaller, with the whole interval of the difference",
        lambda findings: judge_above_zero(findings.learned.ahead_in_error(BEST)),
    ),
    Claim(
        "VRM has a smaller error than the other regression models.",
        f"{_HIRAO}, sections 3.3 and 4.4.1",
        "its absolute error is smaller than that of each, with the whole interval of the "
        "difference",
        lambda found: _judge_errors(found.learned, {name: name for name in found.learned.rivals}),
    ),
    Claim.untestable(
        "ROUGE-2, Exact and F score are the variables that matter.",
        f"{_HIRAO}, section 4.5",
        "Exact and F score need sentences annotated as answers",
        "the best models contain them",
    ),
    Claim(
        "Estimates from more similar outputs are more accurate.",
        f"{_NANBA}, section 4.5, tables 1 and 2",
        f"for each similarity, the weighted mean's Gap is smaller at a Coverage of {_SOME} than "
        "where all outputs are covered, with the whole interval of the difference",
        _judge_threshold,
        lambda findings: _covered_size(findings, _SOME),
    ),
    Claim(
        "Where outputs are similar enough, Kazawa's method ranks better than measures.",
        f"{_NANBA}, section 4.5, figures 1 and 2",
        f"by the first similarity, at a Coverage of {_FEW}, the weighted mean's precision of pairs "
        "is above that of the best measure on all pairs, with the whole interval of the difference",
        _judge_ranking,
        lambda findings: _covered_size(findings, _FEW),
    ),
    Claim(
        "Measures of similarity do not differ significantly, except ROUGE-L.",
        f"{_NANBA}, section 4.5, table 1",
        "the range from the smallest to the largest Gap of weighted means of all outputs is no "
        "wider than in 95 % of the resamples, once each measure's own Gap is subtracted",
        _judge_measures,
    ),
    Claim(
        "Yasuda's regression has a smaller Gap than Kazawa's method.",
        f"{_NANBA}, section 4.5, table 3",
        "for the systems' scores, each with its best measure, and Kazawa's as the weighted mean "
        "without threshold: the Gap is smaller, with the whole interval of the difference",
        _judge_relative,
    ),
    Claim(
        "Yasuda's regression ranks systems better than the measure that it uses.",
        f"{_NANBA}, section 4.5, table 4",
        "the mean difference of precision over measures is above 0, with its whole interval",
        _judge_relative_ranking,
        _pairs_size,
    ),
)
