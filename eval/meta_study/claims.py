"""Conclusions of papers about measures, each with the rule that judges it by our figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Generic, TypeAlias, TypeVar

from eval.document import Table
from eval.judging.numerals import share_between
from eval.judging.rules import DOES_NOT_HOLD, HOLDS, UNDECIDED, Verdict
from eval.judging.tables import claims_table
from eval.ordering import Estimate

__all__ = [
    "CANNOT",
    "Conclusion",
    "Judgement",
    "at_most",
    "brief_table",
    "cannot",
    "full_table",
    "judged",
]

Findings = TypeVar("Findings")

CANNOT = "cannot be tested here"
"""The data at hand lack what the claim is about."""


@dataclass(frozen=True, slots=True)
class Conclusion(Generic[Findings]):
    """A conclusion of a paper."""

    claim: str
    """In less than 80 letters."""
    source: str
    rule: str
    """When it holds here, in words."""
    judge: Callable[[Findings], Verdict]


Judgement: TypeAlias = tuple[Conclusion[Findings], Verdict]


def judged(
    conclusions: Sequence[Conclusion[Findings]], findings: Findings
) -> list[Judgement[Findings]]:
    """Every conclusion with what our figures say of it."""
    return [(each, each.judge(findings)) for each in conclusions]


def cannot(reason: str) -> Verdict:
    """Nothing can be said, and why."""
    return Verdict(CANNOT, reason)


def at_most(figure: Estimate, limit: float) -> Verdict:
    """A figure stays below a limit with its whole interval."""
    word = UNDECIDED
    if figure.high < limit:
        word = HOLDS
    elif figure.low >= limit:
        word = DOES_NOT_HOLD
    return Verdict(word, share_between(figure) if not isnan(figure.value) else "")


def full_table(judgements: Sequence[Judgement[Findings]], sample: str) -> Table:
    """Claim, verdict, figures, rule and source, one row each, for the document."""
    return claims_table(
        judgements,
        "conclusions",
        "The papers' conclusions",
        f"In brackets: 95 % interval, bootstrapped over {sample} unless it is told otherwise. "
        "Undecided: the interval leaves it open.",
    )


def brief_table(judgements: Sequence[Judgement[Findings]]) -> Table:
    """Verdict and claim, for the terminal."""
    rows = [[verdict.word, each.claim] for each, verdict in judgements]
    heading = ["here", "the paper concludes"]
    return Table("conclusions", "What holds here", [heading, *rows], left=2)
