"""The conclusions of the paper of 2006, as far as it is at hand, and what is said of ORANGE."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from math import isnan

import numpy as np

from eval.report.claims import SEVERITY, Verdict, at_least, both, greater
from eval.report.numbers import percent_between
from eval.studies.base import Conclusion, at_most, cannot
from eval.studies.orange.findings import Acceptance, Findings, Standings

__all__ = ["CONCLUSIONS"]

_HALF = 0.5
"""Of the way to where outputs would stand that people had picked themselves."""
_HIGH = 0.9
_UNJUDGED = "people have not judged single outputs"


def _implies(findings: Findings) -> Verdict:
    return _by_criterion(findings, _above)


def _above(each: Standings) -> Verdict:
    return at_least(each.accepted.estimates[0], _HALF)


def _not_reverse(findings: Findings) -> Verdict:
    return _by_criterion(findings, lambda each: at_most(each.likened.estimates[0], _HALF))


def _by_criterion(findings: Findings, judge: Callable[[Standings], Verdict]) -> Verdict:
    """Each way to say likeness, each criterion; the worst word counts."""
    told = [
        (f"{each.criterion} ({way.partition(',')[0]})", judge(each))
        for way, some in findings.standings.items()
        for each in some
    ]
    return _all(told) if told else cannot(_UNJUDGED)


def _not_always(findings: Findings) -> Verdict:
    words = [at_most(each, 1.0).word for each in findings.orange.estimates]
    worst = min(findings.order, key=lambda each: SEVERITY[words[each]])
    told = percent_between(findings.orange.estimates[worst])
    return Verdict(words[worst], f"the most, {findings.compared.measures[worst]}: {told}")


def _combined(findings: Findings) -> Verdict:
    if findings.qarla is None or findings.qarla.crossed is None:
        return cannot("too few references, topics or measures for KING of sets")
    return greater(findings.qarla.crossed.kings.difference(1, 0))


def _high(findings: Findings) -> Verdict:
    told = [
        (each.criterion, at_least(each.systems.estimates[_best(each)], _HIGH))
        for each in findings.acceptances
    ]
    return _all(told) if told else cannot("people have not judged three systems")


def _lower(findings: Findings) -> Verdict:
    told = [(each.criterion, each.lost(_best(each))) for each in findings.acceptances]
    known = [(name, greater(lost)) for name, lost in told if not isnan(lost.value)]
    return _all(known) if known else cannot(_UNJUDGED)


def _best(acceptance: Acceptance) -> int:
    """The measure that agrees best by systems, of which the paper speaks."""
    return int(np.nan_to_num(acceptance.systems.value, nan=-2).argmax())


def _few_references(findings: Findings) -> Verdict:
    found = findings.stability
    if found is None:
        return cannot("topics have too few references, or not equally many")
    size = found.references[0]
    verdict = greater(found.ahead(size))
    return Verdict(verdict.word, f"{size} references: {verdict.figures}")


def _all(told: Iterable[tuple[str, Verdict]]) -> Verdict:
    """Parts of a claim; the worst word counts."""
    parts = (Verdict(each.word, f"{name}: {each.figures}") for name, each in told)
    return reduce(both, parts)


CONCLUSIONS: tuple[Conclusion[Findings], ...] = (
    Conclusion(
        "Likeness to people implies acceptability to people.",
        "COLING/ACL 2006, abstract",
        "by acceptability, the tenth of outputs most like references stands at least half of the "
        "way up from the middle to the most acceptable tenth, its interval too, by every criterion",
        _implies,
    ),
    Conclusion(
        "Acceptability does not imply likeness.",
        "COLING/ACL 2006, abstract",
        "by likeness, the most acceptable tenth of outputs stands less than half of the way up "
        "from the middle to the tenth most like references, its interval too, by every criterion",
        _not_reverse,
    ),
    Conclusion(
        "Measures cannot always tell people's texts from systems'.",
        "COLING/ACL 2006, abstract, section 2",
        "ORANGE of every measure is below 1, its interval too",
        _not_always,
    ),
    Conclusion(
        "Measures combined by QARLA tell them better.",
        "COLING/ACL 2006, abstract, section 3",
        "KING of the best set of several is higher than that of the best measure on topics that "
        "did not choose them, the whole interval of the difference",
        _combined,
    ),
    Conclusion(
        "Measures of syntax tell them better.",
        "COLING/ACL 2006, abstract, section 3",
        "–",
        lambda _: cannot("the paper's measures of syntax are not at hand"),
    ),
    Conclusion(
        "Measures of likeness are more reliable for tuning systems.",
        "COLING/ACL 2006, abstract",
        "–",
        lambda _: cannot("no system was tuned"),
    ),
    Conclusion(
        "By systems, measures agree with people very well.",
        "COLING/ACL 2006, section 1, of other work",
        f"Pearson's r of the measure with the highest r is at least {_HIGH}, its interval too, by "
        "every criterion",
        _high,
    ),
    Conclusion(
        "By single outputs they agree much less.",
        "COLING/ACL 2006, section 1",
        "r by systems minus r by outputs of that measure is above 0, the whole interval, by every "
        "criterion",
        _lower,
    ),
    Conclusion(
        "ORANGE needs fewer references than KING to be stable.",
        "ACL 2005, section 6.2",
        "with the fewest references that KING takes, Kendall's τ with all references is higher for "
        "ORANGE, the whole interval of the difference",
        _few_references,
    ),
)
