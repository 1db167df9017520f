"""What papers conclude from correlations, and whether it holds.

Amigó, Giménez, Gonzalo and Verdejo (ACL 2009), section 4; Hirao et al. 2007, section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from weps_eval.meta.correlation_levels import Level
from weps_eval.report.claims import (
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_at_most,
    worst_by_name,
)
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import BootstrapSamples, Estimate
from weps_eval.studies.correlation.findings import Findings, SplitHalves
from weps_eval.studies.several import (
    TOO_FEW_KINDS,
    correlation_over_measures,
    joint_estimate,
    linguistic_ahead,
    select_measures,
)

_MOST = 0.5
"""The coefficient that most metrics do not reach, and the share that is most."""
_RANDOM = 0.5
"""Halves of the systems that rank measures less alike than this; the paper's test beds had .26."""
_EQUAL = 0.02
"""A coefficient that is so much lower is about equal."""
_FEWEST = 3
_UNSPLIT = "this needs at least four measures, and six systems whose outputs people judged"


def sample_size(findings: Findings) -> SampleSize:
    """Outputs, and topics or systems."""
    return findings.judged.sample_size()


def _over_measures(findings: Findings) -> SampleSize:
    """Of what is found over single measures."""
    return findings.judged.sample_size(len(findings.judged.single), "measures")


def _judge_trade(findings: Findings) -> Verdict:
    def judge(*levels: BootstrapSamples) -> Verdict:
        return judge_at_most(_of_single(findings, correlation_over_measures, *levels), 0)

    return _at_levels(findings, judge, Level.SYSTEM, Level.SEGMENT, fewest=_FEWEST)


def _share_low(values: Floats) -> Floats:
    return np.asarray(np.where(np.isnan(values), np.nan, values < _MOST).mean(axis=0))


def _judge_low(findings: Findings) -> Verdict:
    def judge(segment: BootstrapSamples) -> Verdict:
        own = select_measures(segment, findings.judged.of_paper)
        return judge_at_least(joint_estimate(_share_low, own), _MOST)

    return _at_levels(findings, judge, Level.SEGMENT)


def _judge_combined(findings: Findings) -> Verdict:
    levels = Level.SYSTEM, Level.SEGMENT

    def ahead(values: Floats) -> Floats:
        *others, own = values
        return np.asarray(own - np.percentile(others, 75, axis=0))

    def judge(*samples: BootstrapSamples) -> Verdict:
        found = (
            joint_estimate(ahead, select_measures(each, findings.judged.of_paper))
            for each in samples
        )
        return worst_by_name(zip(levels, map(judge_above_zero, found), strict=True))

    return _at_levels(findings, judge, *levels, fewest=_FEWEST)


def _of_halves(judge: Callable[[SplitHalves], Verdict]) -> Callable[[Findings], Verdict]:
    return lambda findings: judge(findings.halves) if findings.halves else cannot_judge(_UNSPLIT)


def _judge_within(findings: Findings) -> Verdict:
    def ahead(ours: Floats, theirs: Floats) -> Floats:
        return np.asarray(np.median(ours - theirs, axis=0))

    def judge(*levels: BootstrapSamples) -> Verdict:
        return judge_above_zero(_of_single(findings, ahead, *levels))

    return _at_levels(findings, judge, Level.SYSTEM, Level.WITHIN_SYSTEM)


def _judge_kinds(findings: Findings, level: Level, judge: Callable[[Estimate], Verdict]) -> Verdict:
    """Linguistic less lexical measures, median against median."""

    def judge_kinds(samples: BootstrapSamples) -> Verdict:
        ahead = linguistic_ahead(findings.judged.measures, samples)
        return judge(ahead) if ahead else cannot_judge(TOO_FEW_KINDS)

    return _at_levels(findings, judge_kinds, level)


def _at_levels(
    findings: Findings, judge: Callable[..., Verdict], *levels: Level, fewest: int = 0
) -> Verdict:
    """What is judged by Pearson's coefficient at some levels, if people judged at all of them.

    At least ``fewest`` single measures are needed.
    """
    samples = [findings.pearson(level) for level in levels]
    if any(each is None for each in samples):
        if findings.judged.is_by_system:
            return cannot_judge("people judged whole systems, not single outputs")
        return cannot_judge("there are too few systems, or no topic has outputs of all of them")
    if len(findings.judged.single) < fewest:
        return cannot_judge("there are fewer than three measures")
    return judge(*samples)


def _of_single(
    findings: Findings, figure: Callable[..., Floats], *samples: BootstrapSamples
) -> Estimate:
    return joint_estimate(
        figure, *(select_measures(each, findings.judged.single) for each in samples)
    )


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Measures that agree better with people by systems agree less by segments.",
        "ACL 2009, section 4.1, figure 1",
        "the whole interval of Pearson's coefficient between the two, over measures, is below 0; "
        "in the paper it is −.44",
        _judge_trade,
        _over_measures,
    ),
    Claim(
        "Most measures correlate below .5 by segments.",
        "ACL 2009, section 4.2",
        "the whole interval of the share of such measures is at least one half",
        _judge_low,
        _over_measures,
    ),
    Claim(
        "All measures combined (ULC) agree highly with people at both levels.",
        "ACL 2009, section 4.1",
        "ULC, the plain mean, is above the third quartile of the single measures at both levels: "
        "the whole interval of each difference is above 0",
        _judge_combined,
    ),
    Claim(
        "Other systems rank measures almost at random, compared by systems.",
        "ACL 2009, section 4.2, table 2",
        "Spearman's coefficient between the rankings of measures by two random halves of the "
        f"systems is below {_RANDOM} in the middle 95 % of the splits (in brackets; not a "
        "confidence interval); the paper compares two test beds and has .26",
        _of_halves(lambda halves: judge_at_most(halves.range(Level.SYSTEM), _RANDOM)),
        _over_measures,
    ),
    Claim(
        "Compared by segments, measures are ranked more reliably.",
        "ACL 2009, section 4.2",
        "random halves of the systems agree more on the ranking of measures by segments than by "
        "systems in the middle 95 % of the splits (in brackets; not a confidence interval)",
        _of_halves(lambda halves: judge_above_zero(halves.gain)),
        _over_measures,
    ),
    Claim(
        "Measures agree far less with people about the outputs of one system.",
        "Hirao et al. 2007, section 2.3",
        "the median over single measures of the coefficient by systems minus that within a "
        "system is above 0, with its whole interval",
        _judge_within,
    ),
    Claim(
        "Linguistic measures agree better with people by systems.",
        "ACL 2009, sections 4.1 and 6",
        "the median of the measures of parts of speech, syntax and entities minus the median of "
        "the measures of words is above 0, with its whole interval",
        lambda findings: _judge_kinds(findings, Level.SYSTEM, judge_above_zero),
    ),
    Claim(
        "Measures of words agree as well or better with people by segments.",
        "ACL 2009, sections 4.1 and 6",
        "the median of the linguistic measures minus the median of the measures of words is below "
        f"{_EQUAL}, with its whole interval",
        lambda findings: _judge_kinds(
            findings, Level.SEGMENT, partial(judge_at_most, limit=_EQUAL)
        ),
    ),
)
