"""What papers conclude from correlations, and whether it holds.

Amigó, Giménez, Gonzalo and Verdejo (ACL 2009), section 4; Hirao et al. 2007, section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation_levels import Level
from eval.report.claims import (
    Claim,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_at_most,
    worst_verdict,
)
from eval.stats.estimate import Estimate
from eval.studies.correlation.findings import Findings
from eval.studies.several import (
    TOO_FEW_KINDS,
    correlation_over_measures,
    joint_estimate,
    linguistic_ahead,
    select_measures,
)

__all__ = ["CLAIMS"]

Floats: TypeAlias = NDArray[np.float64]

_MOST = 0.5
"""The coefficient that most metrics do not reach, and the share that is most."""
_RANDOM = 0.5
"""Halves of the systems that rank measures less alike than this; the paper's test beds had .26."""
_EQUAL = 0.02
"""A coefficient that is so much lower is about equal."""
_FEWEST = 3
_WHOLE = "people judged whole systems, not single outputs"
_APART = "there are too few systems, or no topic that all of them have answered"
_FEW = "there are fewer than three measures"


def _assess_trade(findings: Findings) -> Verdict:
    levels = [findings.pearson(level) for level in (Level.SYSTEM, Level.SEGMENT)]
    if levels[0] is None or levels[1] is None:
        return cannot_judge(_missing_level(findings))
    if len(findings.single) < _FEWEST:
        return cannot_judge(_FEW)
    found = joint_estimate(
        correlation_over_measures,
        *(select_measures(each, findings.single) for each in levels if each),
    )
    return judge_at_most(found, 0)


def _assess_low(findings: Findings) -> Verdict:
    segment = findings.pearson(Level.SEGMENT)
    if segment is None:
        return cannot_judge(_missing_level(findings))
    return judge_at_least(joint_estimate(_share_low, segment), _MOST)


def _share_low(values: Floats) -> Floats:
    """Shape (columns,); NaN where a value is."""
    return np.asarray(np.where(np.isnan(values), np.nan, values < _MOST).mean(axis=0))


def _assess_combined(findings: Findings) -> Verdict:
    if findings.pearson(Level.SEGMENT) is None or findings.pearson(Level.SYSTEM) is None:
        return cannot_judge(_missing_level(findings))
    if len(findings.single) < _FEWEST:
        return cannot_judge(_FEW)
    verdicts = [_ahead_of_most(findings, level) for level in (Level.SYSTEM, Level.SEGMENT)]
    return worst_verdict(verdicts)


def _ahead_of_most(findings: Findings, level: Level) -> Verdict:
    drawn = findings.pearson(level)
    if drawn is None:
        return cannot_judge(_missing_level(findings))

    def ahead(values: Floats) -> Floats:
        *others, own = values
        return np.asarray(own - np.percentile(others, 75, axis=0))

    found = judge_above_zero(
        joint_estimate(ahead, select_measures(drawn, [*findings.single, findings.combined]))
    )
    return Verdict(found.word, f"{level}: {found.figures}")


def _assess_random(findings: Findings) -> Verdict:
    if findings.halves is None:
        return cannot_judge("it needs six systems whose outputs people judged, and four measures")
    return judge_at_most(findings.halves.range(Level.SYSTEM), _RANDOM)


def _assess_stable(findings: Findings) -> Verdict:
    if findings.halves is None:
        return cannot_judge("it needs six systems whose outputs people judged, and four measures")
    return judge_above_zero(findings.halves.gain)


def _assess_within(findings: Findings) -> Verdict:
    system, within = findings.pearson(Level.SYSTEM), findings.pearson(Level.WITHIN_SYSTEM)
    if system is None or within is None:
        return cannot_judge(_missing_level(findings))

    def ahead(ours: Floats, theirs: Floats) -> Floats:
        return np.asarray(np.median(ours - theirs, axis=0))

    return judge_above_zero(
        joint_estimate(
            ahead, *(select_measures(each, findings.single) for each in (system, within))
        )
    )


def _assess_kinds(
    findings: Findings, level: Level, assess: Callable[[Estimate], Verdict]
) -> Verdict:
    """Linguistic less lexical measures, middle against middle."""
    drawn = findings.pearson(level)
    if drawn is None:
        return cannot_judge(_missing_level(findings))
    ahead = linguistic_ahead(findings.judged.measures, drawn)
    return assess(ahead) if ahead else cannot_judge(TOO_FEW_KINDS)


def _missing_level(findings: Findings) -> str:
    """Why a level cannot be looked at."""
    return _WHOLE if findings.judged.is_by_system else _APART


def _not_above(difference: Estimate) -> Verdict:
    return judge_at_most(difference, _EQUAL)


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Agreement by segments is traded for agreement by systems.",
        "ACL 2009, section 4.1, figure 1",
        "over measures, Pearson's coefficient of the two is below 0, the whole interval; in the "
        "paper −.44",
        _assess_trade,
    ),
    Claim(
        "Most measures correlate below .5 by segments.",
        "ACL 2009, section 4.2",
        "more than half of the measures do, the whole interval",
        _assess_low,
    ),
    Claim(
        "All measures combined (ULC) agree highly with people at both levels.",
        "ACL 2009, section 4.1",
        "ULC is above three quarters of the single measures at both levels, the whole interval",
        _assess_combined,
    ),
    Claim(
        "Other systems rank measures almost at random, compared by systems.",
        "ACL 2009, section 4.2, table 2",
        "two random halves of the systems rank measures with a Spearman coefficient below "
        f"{_RANDOM}, 95 % of the splits (in brackets); the paper compares two test beds, .26",
        _assess_random,
    ),
    Claim(
        "Compared by segments, measures are ranked more reliably.",
        "ACL 2009, section 4.2",
        "random halves of the systems rank measures more alike by segments than by systems, "
        "95 % of the splits",
        _assess_stable,
    ),
    Claim(
        "Measures agree far less with people about the outputs of one system.",
        "Hirao et al. 2007, section 2.3",
        "the middle difference of single measures, by systems less within a system, is above 0, "
        "the whole interval",
        _assess_within,
    ),
    Claim(
        "Linguistic measures agree better with people by systems.",
        "ACL 2009, sections 4.1 and 6",
        "the middle one of measures with parts of speech or WordNet, which stand in for the "
        "paper's, is above the middle one of the others, the whole interval",
        partial(_assess_kinds, level=Level.SYSTEM, assess=judge_above_zero),
    ),
    Claim(
        "Measures of words agree as well or better with people by segments.",
        "ACL 2009, sections 4.1 and 6",
        f"the middle one of the linguistic measures is at most {_EQUAL} above the middle one of "
        "the others, the whole interval",
        partial(_assess_kinds, level=Level.SEGMENT, assess=_not_above),
    ),
)
