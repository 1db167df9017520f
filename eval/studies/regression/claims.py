"""What two papers conclude of estimated scores, and whether it holds.

Hirao, Okumura, Yasuda and Isozaki 2007 (the voted regression model); Nanba and Okumura 2006
(Kazawa's and Yasuda's methods).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation import Coefficient
from eval.report.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    Claim,
    Verdict,
    cannot_judge,
    judge_above_zero,
    worst_verdict,
)
from eval.stats.estimate import BootstrapSamples, Estimate
from eval.studies.regression.findings import Findings
from eval.studies.regression.learners import BASELINES, VRM
from eval.studies.several import concatenate_samples, joint_estimate
from weps._formatting import format_number

__all__ = ["CLAIMS", "ahead_in_correlation", "ahead_in_error"]

Floats: TypeAlias = NDArray[np.float64]

_FEW, _SOME = 0.2, 0.3
"""Coverages that a threshold must leave: the least of the paper's tables, and a little more."""
_NO_TEXTS = "it needs similarities between outputs, and a table has no texts"
_NO_SYSTEMS = "there are fewer than three systems"
_NO_ROUGE = f"neither {' nor '.join(BASELINES)} is among the measures"
_NO_ANSWERS = "Exact and F score need sentences that somebody has annotated as answers"
_HIRAO, _NANBA = "Hirao et al. 2007", "Nanba and Okumura 2006"


def ahead_in_error(findings: Findings, name: str) -> Estimate:
    """How much smaller VRM's absolute error is."""
    names = findings.learned.names
    return findings.learned.accuracy.absolute.difference(names.index(VRM), names.index(name))


def ahead_in_correlation(findings: Findings, name: str) -> dict[str, Estimate]:
    """How much higher VRM's Pearson coefficients are, per system and per summary."""
    found, names = findings.learned.accuracy, findings.learned.names
    return {
        what: drawn[Coefficient.PEARSON].difference(names.index(name), names.index(VRM))
        for what, drawn in (("per system", found.per_system), ("per summary", found.per_summary))
    }


def _assess_error(findings: Findings) -> Verdict:
    if not findings.learned.baselines:
        return cannot_judge(_NO_ROUGE)
    return _all(
        {
            name: judge_above_zero(ahead_in_error(findings, learner))
            for name, learner in findings.learned.baselines.items()
        }
    )


def _assess_correlation(findings: Findings) -> Verdict:
    if not findings.learned.baselines:
        return cannot_judge(_NO_ROUGE)
    return _all(
        {
            f"{name}, {what}": judge_above_zero(found)
            for name, learner in findings.learned.baselines.items()
            for what, found in ahead_in_correlation(findings, learner).items()
        }
    )


def _assess_votes(findings: Findings) -> Verdict:
    return judge_above_zero(ahead_in_error(findings, "best AICc"))


def _assess_rivals(findings: Findings) -> Verdict:
    return _all(
        {name: judge_above_zero(ahead_in_error(findings, name)) for name in findings.learned.rivals}
    )


def _assess_answers(_: Findings) -> Verdict:
    return cannot_judge(_NO_ANSWERS)


def _assess_threshold(findings: Findings) -> Verdict:
    if findings.pools is None:
        return cannot_judge(_NO_TEXTS)
    verdicts = {}
    for pool in findings.pools.pools:
        first, last = pool.at(1.0), pool.at(_SOME)
        start = 0 if first is None else first
        if last is None or last == start:
            continue
        verdicts[pool.measure] = judge_above_zero(pool.gap.difference(last, start))
    return _all(verdicts) if verdicts else cannot_judge("no threshold leaves out some outputs only")


def _assess_ranking(findings: Findings) -> Verdict:
    if findings.pools is None:
        return cannot_judge(_NO_TEXTS)
    pool = findings.pools.pools[0]
    last = pool.at(_FEW)
    if last is None:
        return cannot_judge("no threshold covers enough")
    own = pool.precision.estimates[last]
    lead = _between(findings.pools.best_precision, 0, pool.precision, last)
    same = _between(pool.best_measure_precision, last, pool.precision, last)
    told = judge_above_zero(lead)
    figures = (
        f"{told.figures} with {format_number(own.value, 2)} "
        f"where {format_number(pool.coverage[last], 2)} is covered; "
        f"against the measure on the same pairs {judge_above_zero(same).figures}"
    )
    return Verdict(told.word, figures)


def _assess_measures(findings: Findings) -> Verdict:
    if findings.pools is None:
        return cannot_judge(_NO_TEXTS)
    chosen = [each for each in findings.pools.pools if not each.measure.startswith("rouge_l")]
    if len(chosen) < 2:
        return cannot_judge("one measure of similarity is studied; --similarity takes several")
    first = concatenate_samples([_row(each.gap, 0) for each in chosen])
    best, worst = int(np.nanargmin(first.value)), int(np.nanargmax(first.value))
    apart = first.difference(best, worst)
    by_chance = float(np.percentile(np.ptp(first.samples - first.value[:, None], axis=0), 95))
    if np.isnan(by_chance):
        return cannot_judge("a single topic has no interval")
    word = DOES_NOT_HOLD if apart.value > by_chance else HOLDS
    names = f"{chosen[worst].measure} − {chosen[best].measure}"
    return Verdict(
        word, f"{names}: {judge_above_zero(apart).figures}; by chance up to {by_chance:.3f}"
    )


def _assess_relative(findings: Findings) -> Verdict:
    if findings.pool_gap is None:
        return cannot_judge(_NO_TEXTS)
    if findings.relative is None:
        return cannot_judge(_NO_SYSTEMS)
    if np.isnan(findings.relative.gap.value).all() or np.isnan(findings.pool_gap.value).all():
        return cannot_judge("no score of a system can be estimated")
    best = int(np.nanargmin(findings.relative.gap.value))
    pool = int(np.nanargmin(findings.pool_gap.value))
    return judge_above_zero(_between(findings.relative.gap, best, findings.pool_gap, pool))


def _assess_relative_ranking(findings: Findings) -> Verdict:
    if findings.relative is None:
        return cannot_judge(_NO_SYSTEMS)

    def ahead(ours: Floats, plain: Floats) -> Floats:
        return np.asarray((ours - plain).mean(axis=0))

    return judge_above_zero(
        joint_estimate(ahead, findings.relative.precision, findings.relative.plain)
    )


def _between(first: BootstrapSamples, row: int, second: BootstrapSamples, other: int) -> Estimate:
    """A row of the second less a row of the first."""
    return concatenate_samples([_row(first, row), _row(second, other)]).difference(0, 1)


def _row(samples: BootstrapSamples, row: int) -> BootstrapSamples:
    return BootstrapSamples(samples.value[[row]], samples.samples[[row]])


def _all(verdicts: Mapping[str, Verdict]) -> Verdict:
    """Parts of a claim; the worst word counts."""
    titled: Iterable[Verdict] = (
        Verdict(verdict.word, f"{what}: {verdict.figures}") for what, verdict in verdicts.items()
    )
    return worst_verdict(titled)


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "VRM has a smaller error than ROUGE-1 and ROUGE-2 alone.",
        f"{_HIRAO}, section 4.4.1",
        "its absolute error is smaller than that of simple regression on each, the whole interval "
        "of the difference",
        _assess_error,
    ),
    Claim(
        "VRM correlates better with people than ROUGE-1 and ROUGE-2.",
        f"{_HIRAO}, section 4.4.1",
        "per system and per summary, Pearson's coefficient, the whole intervals of the differences",
        _assess_correlation,
    ),
    Claim(
        "Voting is better than the single regression of the best AICc.",
        f"{_HIRAO}, section 4.4.1",
        "VRM's absolute error is smaller, the whole interval of the difference",
        _assess_votes,
    ),
    Claim(
        "VRM has a smaller error than the other regression models.",
        f"{_HIRAO}, sections 3.3 and 4.4.1",
        "its absolute error is smaller than that of each, the whole intervals of the differences",
        _assess_rivals,
    ),
    Claim(
        "ROUGE-2, Exact and F score are the variables that matter.",
        f"{_HIRAO}, section 4.5",
        "the best models have them",
        _assess_answers,
    ),
    Claim(
        "Estimates from more similar outputs are more accurate.",
        f"{_NANBA}, section 4.5, tables 1 and 2",
        f"for each similarity the Gap is smaller where {_SOME} is still covered than where all "
        "are, the whole interval of the difference",
        _assess_threshold,
    ),
    Claim(
        "Where outputs are similar enough, Kazawa's method ranks better than measures.",
        f"{_NANBA}, section 4.5, figures 1 and 2",
        f"where {_FEW} is still covered the precision of pairs is above that of the best measure "
        "on all pairs, the whole interval of the difference; first similarity",
        _assess_ranking,
    ),
    Claim(
        "Measures of similarity do not differ significantly, but for ROUGE-L.",
        f"{_NANBA}, section 4.5, table 1",
        "the largest and the smallest Gap of all outputs are no further apart than 95 % of the "
        "resamples have them where each is taken off its own figure",
        _assess_measures,
    ),
    Claim(
        "Yasuda's regression has a smaller Gap than Kazawa's method.",
        f"{_NANBA}, section 4.5, table 3",
        "for the systems' scores, each with its best measure and Kazawa's without threshold, the "
        "whole interval of the difference",
        _assess_relative,
    ),
    Claim(
        "Yasuda's regression ranks systems better than the measure that it uses.",
        f"{_NANBA}, section 4.5, table 4",
        "on average over measures, the whole interval of the difference",
        _assess_relative_ranking,
    ),
)
