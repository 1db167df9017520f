"""The conclusions of the paper of 2006, as far as it is available, and one about ORANGE."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, isnan

import numpy as np

from weps._formatting import format_percentage_interval
from weps_eval.report.claims import (
    SEVERITY,
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_at_most,
    worst_by_name,
)
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.orange.findings import SHARES, Findings, HumanAgreement

_HALF = 0.5
"""Of the way to where outputs would stand that people had picked themselves."""
_HIGH = 0.9
_UNJUDGED = "people have not judged single outputs"


def sample_size(findings: Findings) -> SampleSize:
    """Topics and their references."""
    return findings.compared.sample_size


def _judge_curves(
    part: str, judge: Callable[[Estimate, float], Verdict]
) -> Callable[[Findings], Verdict]:
    """A figure of the highest tenth, by each definition of likeness and each criterion."""
    return lambda findings: worst_by_name(
        (
            (
                f"{each.criterion} ({way.partition(',')[0]})",
                judge(getattr(each, part).estimates[0], _HALF).resting_on(
                    _highest_size(findings, each.criterion)
                ),
            )
            for way, curves in findings.acceptance_curves.items()
            for each in curves
        ),
        _UNJUDGED,
    )


def _highest_size(findings: Findings, criterion: str) -> SampleSize:
    """Of the highest tenth of the outputs that people judged."""
    compared = findings.compared
    human = compared.instances.human[compared.criteria.index(criterion)]
    topics = np.unique(compared.instances.topic[~np.isnan(human)])
    return SampleSize(len(topics), ceil(round(SHARES[0] * (~np.isnan(human)).sum(), 9)))


def _judge_not_always(findings: Findings) -> Verdict:
    words = [judge_at_most(each, 1.0).word for each in findings.orange.estimates]
    worst = min(findings.order, key=lambda each: SEVERITY[words[each]])
    figures = format_percentage_interval(findings.orange.estimates[worst])
    return Verdict(words[worst], f"the most, {findings.compared.measures[worst]}: {figures}")


def _judge_combined(findings: Findings) -> Verdict:
    if findings.qarla is None or findings.qarla.cross_validated is None:
        return cannot_judge("too few references, topics or measures for KING of sets")
    return judge_above_zero(findings.qarla.cross_validated.difference(1, 0))


def _judge_high(findings: Findings) -> Verdict:
    verdicts = (
        (
            each.criterion,
            judge_at_least(each.systems.estimates[_best(each)], _HIGH).resting_on(
                findings.compared.judged_size(each.criterion)
            ),
        )
        for each in findings.human_agreements
    )
    return worst_by_name(verdicts, "people have not judged three systems")


def _judge_lower(findings: Findings) -> Verdict:
    lost = ((each.criterion, each.lost(_best(each))) for each in findings.human_agreements)
    verdicts = (
        (name, judge_above_zero(each).resting_on(findings.compared.judged_size(name)))
        for name, each in lost
        if not isnan(each.value)
    )
    return worst_by_name(verdicts, _UNJUDGED)


def _best(agreement: HumanAgreement) -> int:
    """The measure that agrees best by systems, of which the paper speaks."""
    return int(np.nan_to_num(agreement.systems.value, nan=-2).argmax())


def _judge_few_references(findings: Findings) -> Verdict:
    found = findings.stability
    if found is None:
        return cannot_judge("topics have too few references, or different numbers of them")
    verdict = judge_above_zero(found.ahead(0))
    return Verdict(verdict.word, f"{found.references[0]} references: {verdict.figures}")


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Likeness to people implies acceptability to people.",
        "COLING/ACL 2006, abstract",
        "in the ranking by acceptability, the 10 % of outputs most like references are at least "
        "half of the way from the middle to the most acceptable 10 %, with the whole interval, by "
        "every criterion",
        _judge_curves("accepted", judge_at_least),
    ),
    Claim(
        "Acceptability does not imply likeness.",
        "COLING/ACL 2006, abstract",
        "in the ranking by likeness, the most acceptable 10 % of outputs are less than half of "
        "the way from the middle to the 10 % most like references, with the whole interval, by "
        "every criterion",
        _judge_curves("likened", judge_at_most),
    ),
    Claim(
        "Measures cannot always distinguish people's texts from systems'.",
        "COLING/ACL 2006, abstract, section 2",
        "ORANGE of every measure is below 1, with its whole interval",
        _judge_not_always,
    ),
    Claim(
        "Measures combined by QARLA distinguish them better.",
        "COLING/ACL 2006, abstract, section 3",
        "KING of the best set of several measures, minus that of the best single measure, is "
        "above 0 on topics not used to choose them, with its whole interval",
        _judge_combined,
    ),
    Claim.untestable(
        "Measures of syntax distinguish them better.",
        "COLING/ACL 2006, abstract, section 3",
        "the paper's measures of syntax are not available",
    ),
    Claim.untestable(
        "Measures of likeness are more reliable for tuning systems.",
        "COLING/ACL 2006, abstract",
        "no system was tuned",
    ),
    Claim(
        "By systems, measures agree very well with people.",
        "COLING/ACL 2006, section 1, of other work",
        f"the highest Pearson's r of any measure is at least {_HIGH}, with its whole interval, by "
        "every criterion",
        _judge_high,
    ),
    Claim(
        "By single outputs they agree much less.",
        "COLING/ACL 2006, section 1",
        "for the measure with the highest r by systems, r by systems minus r by outputs is above "
        "0, with its whole interval, by every criterion",
        _judge_lower,
    ),
    Claim(
        "ORANGE needs fewer references than KING to be stable.",
        "ACL 2005, section 6.2",
        "with the fewest references that KING needs, Kendall's τ with all references is higher for "
        "ORANGE than for KING, with the whole interval of the difference",
        _judge_few_references,
        lambda findings: sample_size(findings)._replace(
            cases=len(findings.compared.measures), case="measures"
        ),
    ),
)
