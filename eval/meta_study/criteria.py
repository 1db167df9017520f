"""Verdicts on a claim by several criteria of people, made one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

from eval.judging.rules import SEVERITY, Verdict, both
from eval.meta_study.claims import Conclusion, Judgement, cannot

__all__ = ["judged_over", "over_criteria"]

Findings = TypeVar("Findings")


def judged_over(
    conclusions: Sequence[Conclusion[Findings]], findings: Mapping[str, Findings]
) -> list[Judgement[Any]]:
    """Every conclusion with what the figures of all criteria say of it.

    Args:
        conclusions: each is judged by what was found by one criterion.
        findings: criterion → what was found, at least one.
    """
    return [
        (each, over_criteria({name: each.judge(found) for name, found in findings.items()}))
        for each in conclusions
    ]


def over_criteria(verdicts: Mapping[str, Verdict]) -> Verdict:
    """The worst word; of a criterion that cannot say anything nothing is told if others can.

    Args:
        verdicts: criterion → verdict.
    """
    if not verdicts:
        return cannot("there are no human scores")
    known = {name: each for name, each in verdicts.items() if each.word in SEVERITY}
    if not known:
        return next(iter(verdicts.values()))
    if len(verdicts) == 1:
        return next(iter(known.values()))
    titled = (Verdict(each.word, f"{name}: {each.figures}") for name, each in known.items())
    return reduce(both, titled)
