"""The conclusions of both 2012 papers on HBR, and the rules that judge them by one criterion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from weps_eval.meta.hbr import lowest_size
from weps_eval.report.claims import (
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
)
from weps_eval.stats.estimate import BootstrapSamples, Estimate
from weps_eval.studies.hbr.findings import CriterionFindings

_ALIKE = 0.02
"""AUC by which HBR may be below the best measure and still resemble it."""
_WORST = 10
_PREDICTED = 0.9
"""The paper's coefficient is .94."""
_FEW_TOPICS = 5
"""Fewer consistent topics are too few to judge by."""
_WORKSHOP, _SEM = "workshop 2012", "*SEM 2012"


def sample_size(findings: CriterionFindings) -> SampleSize:
    """Topics, and the instances that people judged."""
    return findings.judged.sample_size


def _over_measures(findings: CriterionFindings) -> SampleSize:
    return sample_size(findings)._replace(cases=findings.hbr, case="measures")


def _judge_ahead(
    findings: CriterionFindings,
    samples: BootstrapSamples,
    measure: int,
    judge: Callable[[Estimate], Verdict] = judge_above_zero,
    title: str = "",
) -> Verdict:
    verdict = judge(samples.difference(measure, findings.hbr))
    what = f"{title}HBR − {findings.names[measure]}"
    return Verdict(verdict.word, f"{what} {verdict.figures}")


def _judge_worst(findings: CriterionFindings) -> Verdict:
    """The hardest of the worst ones to improve on."""
    worst = findings.lowest(_WORST)
    if len(worst) == findings.hbr:
        return cannot_judge(f"there are no more than {_WORST} measures")
    hardest = min(worst, key=lambda row: findings.auc.difference(row, findings.hbr).low)
    return _judge_ahead(findings, findings.auc, hardest, title="least certain: ")


def _judge_robust(findings: CriterionFindings) -> Verdict:
    if len(findings.topics.total) < _FEW_TOPICS:
        return cannot_judge(f"there are fewer than {_FEW_TOPICS} topics")
    best = int(np.argmax(findings.worst.value[: findings.hbr]))
    worst = lowest_size(int(findings.topics.ranked.sum()))
    size = sample_size(findings)
    found = _judge_ahead(findings, findings.worst, best)
    return found.resting_on(size._replace(cases=worst, case=f"worst {size.group}"))


def _judge_consistent(findings: CriterionFindings) -> Verdict:
    if (count := int(findings.consistent.sum())) < _FEW_TOPICS:
        return cannot_judge(f"{count} of {len(findings.consistent)} topics are consistent")
    found = findings.auc_of(findings.consistent)
    best = int(np.nanargmax(found.value[: findings.hbr]))
    size = sample_size(findings)
    outputs = int(findings.consistent[findings.judged.group].sum())
    verdict = _judge_ahead(findings, found, best, title=f"{count} topics: ")
    return verdict.resting_on(size._replace(groups=count, cases=outputs))


def _judge_half(findings: CriterionFindings) -> Verdict:
    found = findings.of_worse_half
    if not len(found.value):
        return cannot_judge("there are fewer than four measures")
    verdict = judge_above_zero(found.difference(0, len(found.value) - 1))
    return Verdict(verdict.word, f"HBR of them − the best of them {verdict.figures}")


def _judge_prediction(findings: CriterionFindings) -> Verdict:
    if findings.hbr < _FEW_TOPICS:
        return cannot_judge(f"there are fewer than {_FEW_TOPICS} measures")
    return judge_at_least(findings.predictive, _PREDICTED)


def _judge_elsewhere(findings: CriterionFindings) -> Verdict:
    if np.isnan(findings.elsewhere.value):
        return cannot_judge("there is one topic, or all measures are equally good in each topic")
    return judge_above_zero(findings.elsewhere)


CLAIMS: tuple[Claim[CriterionFindings], ...] = (
    Claim(
        "HBR agrees with people about as well as the best measure.",
        f"{_WORKSHOP}, section 5.2; {_SEM}, section 5.1",
        f"AUC of HBR minus that of the best measure is at least −{_ALIKE}, with its whole interval",
        lambda found: _judge_ahead(
            found, found.auc, found.best, partial(judge_at_least, limit=-_ALIKE)
        ),
    ),
    Claim(
        "HBR improves on the ten worst measures.",
        f"{_WORKSHOP}, section 5.2",
        "AUC of HBR minus that of each of them is above 0, with its whole interval",
        _judge_worst,
    ),
    Claim(
        "On the topics where each ranks worst, HBR is better than any measure.",
        f"{_WORKSHOP}, section 5.3",
        "mean rank of HBR over the 10 % of topics where it is worst, minus that of the best "
        "measure over the 10 % where that is worst, is above 0, with its whole interval",
        _judge_robust,
    ),
    Claim(
        "HBR is the best on consistent topics.",
        f"{_WORKSHOP}, section 5.4",
        "AUC of HBR minus that of the best measure, over topics in which no measure is below ½, "
        f"is above 0, with its whole interval; at least {_FEW_TOPICS} topics are needed",
        _judge_consistent,
    ),
    Claim(
        "HBR of the less reliable measures is better than each of them.",
        f"{_SEM}, section 5.1 (its 40 worst of 88; here the worse half)",
        "AUC of HBR of the worse half, minus that of the best measure in it, is above 0, with its "
        "whole interval",
        _judge_half,
    ),
    Claim(
        "Agreement with HBR predicts how good a measure is.",
        f"{_SEM}, section 6, figure 1 (.94)",
        "the correlation, over measures, of agreement with HBR and agreement with people is at "
        f"least {_PREDICTED}, with its whole interval",
        _judge_prediction,
        _over_measures,
    ),
    Claim(
        "HBR predicts a measure's quality better than people's scores on other data do.",
        f"{_SEM}, section 6, figure 5 (other data: here other topics)",
        "over measures, the correlation of quality in a topic with agreement with HBR, minus that "
        "with mean quality over all other topics, is above 0, with its whole interval",
        _judge_elsewhere,
        _over_measures,
    ),
)
"""Of the papers; the three properties of HBR are tests of the project."""
