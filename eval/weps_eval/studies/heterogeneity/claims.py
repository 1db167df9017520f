"""The conclusions of the 2011 paper and of those of 2012 on sets, and the rules that judge them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from weps._formatting import format_number, format_percentage_interval
from weps_eval.report.claims import (
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    over_criteria,
)
from weps_eval.stats.estimate import BootstrapSamples, Estimate
from weps_eval.studies.heterogeneity.findings import CriterionReliability, Findings
from weps_eval.studies.several import TOO_FEW_KINDS

_ALMOST_ALL = 0.95
_FEW = 3
"""Fewer random sets have no coefficient worth the name."""
_CERTAIN = 1.0
_2011, _WORKSHOP = "EMNLP 2011", "workshop 2012"


def sample_size(findings: Findings) -> SampleSize:
    """Groups, such as topics, and instances."""
    source = findings.source
    return SampleSize(len(source.groups), len(source.group), source.called[1], "instances")


def _over_sets(found: CriterionReliability, sets: BootstrapSamples) -> SampleSize:
    """Of what is found over sets of measures that have a figure."""
    known = int((~np.isnan(sets.value)).sum())
    return found.judged.sample_size._replace(cases=known, case="sets of measures")


def _by_criterion(judge: Callable[[CriterionReliability], Verdict], findings: Findings) -> Verdict:
    if findings.human_agreement and len(findings.sets) < _FEW:
        return cannot_judge("there are too few measures to make sets of")
    return over_criteria({each.criterion: judge(each) for each in findings.human_agreement})


def _judge_share(share: str, of: str) -> Callable[[Findings], Verdict]:
    """Whether a share of sets is almost all; both named as in :class:`CriterionReliability`."""

    def judge(found: CriterionReliability) -> Verdict:
        figure = getattr(found, share)
        verdict = judge_at_least(figure, _ALMOST_ALL)
        size = _over_sets(found, getattr(found, of))
        return verdict._replace(figures=format_percentage_interval(figure)).resting_on(size)

    return partial(_by_criterion, judge)


def _judge_rise(
    figure: Callable[[CriterionReliability], BootstrapSamples], *, falls: bool = False
) -> Callable[[Findings], Verdict]:
    """Whether a figure of random sets rises as H does, or ``falls``."""

    def judge(found: CriterionReliability) -> Verdict:
        samples = figure(found)
        verdict = _judge_coefficient(found.correlation(samples), falls=falls)
        return verdict.resting_on(_over_sets(found, samples))

    return partial(_by_criterion, judge)


def _judge_increase(found: CriterionReliability) -> Verdict:
    compared = int(found.levels.total.sum())
    size = found.judged.sample_size._replace(cases=compared, case="comparisons")
    return _judge_coefficient(found.increase_correlation).resting_on(size)


def _judge_coefficient(figure: Estimate, *, falls: bool = False) -> Verdict:
    """Whether it is above 0, or below."""
    turned = Estimate(-figure.value, -figure.high, -figure.low) if falls else figure
    return Verdict(judge_above_zero(turned).word, f"r = {judge_above_zero(figure).figures}")


def _judge_certain(findings: Findings) -> Verdict:
    most = max([float(findings.whole.value), *findings.heterogeneity.tolist()])
    if most < _CERTAIN:
        return cannot_judge(
            f"no set has heterogeneity 1; the most heterogeneous one has {format_number(most)}"
        )
    return cannot_judge("sets of heterogeneity 1 confirm nothing")


def _judge_linguistic(findings: Findings) -> Verdict:
    gain = findings.linguistic_gain
    return cannot_judge(TOO_FEW_KINDS) if gain is None else judge_above_zero(gain)


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "A second measure makes an improvement more reliable, whatever its quality.",
        f"{_2011}, section 5, figure 1",
        "R of both measures together is at least the higher R of the two for at least "
        f"{_ALMOST_ALL:.0%} of all pairs, with the whole interval",
        _judge_share("additive", "added"),
    ),
    Claim(
        "The more heterogeneous a set of measures, the more reliable it is.",
        f"{_2011}, section 6, figures 2 and 3",
        "the correlation of H and R over random sets is above 0, with its whole interval",
        _judge_rise(lambda found: found.random.reliability),
    ),
    Claim(
        "A set of heterogeneity 1 has reliability 1.",
        f"{_2011}, section 6; both papers of 2012, section 3",
        "–",
        _judge_certain,
    ),
    Claim(
        "More heterogeneous sets are less sensitive.",
        f"{_2011}, section 6",
        "the correlation of H and S over random sets is below 0, with its whole interval",
        _judge_rise(lambda found: found.random.sensitivity, falls=True),
    ),
    Claim(
        "Linguistic measures make sets more heterogeneous.",
        f"{_2011}, section 6, figure 4",
        "mean H of random sets of ten of all measures, minus that of ten measures of words, is "
        "above 0, with its whole interval; topics and sets are resampled",
        _judge_linguistic,
    ),
    Claim(
        "A set is more reliable than a higher threshold on any measure in it.",
        f"{_2011}, section 7, figures 5 and 6",
        "the gain at equal sensitivity is not negative for at least "
        f"{_ALMOST_ALL:.0%} of the random sets, with the whole interval",
        _judge_share("gaining", "gains"),
    ),
    Claim(
        "The largest gains are those of highly heterogeneous sets.",
        f"{_2011}, section 7, figures 5 and 6",
        "the correlation of H and the gain over random sets is above 0, with its whole interval",
        _judge_rise(lambda found: found.gains),
    ),
    Claim(
        "The more heterogeneous the measures that confirm an increase, the surer it is.",
        f"{_WORKSHOP}, section 5.1, figure 1; *SEM 2012, section 3",
        "over 100 equal parts of all comparisons, the correlation of mean H of the measures that "
        "confirm them and the share that people confirm is above 0, with its whole interval",
        partial(_by_criterion, _judge_increase),
    ),
    Claim.untestable(
        "Measures that agree with people by systems do not agree by segments.",
        f"{_2011}, sections 2.3 and 8",
        "see weps meta correlation",
        "not judged by this study",
    ),
)
