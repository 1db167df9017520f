"""Rules that turn figures with intervals into a verdict on a claim.

What a reader of any study must know to take its figures for what they are.

The table of a paper's conclusions and what became of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

from eval.report.document import Table, Tone
from eval.report.numbers import percent_between, share_between, signed_between
from eval.stats.estimate import Estimate

__all__ = [
    "DOES_NOT_HOLD",
    "HOLDS",
    "MARKS",
    "NOT_STUDIED",
    "SEVERITY",
    "UNDECIDED",
    "Claimed",
    "Verdict",
    "at_least",
    "below",
    "both",
    "claims_table",
    "greater",
    "largest",
    "rough_intervals",
    "similar",
]

_FEW = 10


def rough_intervals(groups: int) -> Iterator[str]:
    """A warning, if there are too few groups for what resampling them says to be relied on."""
    if 1 < groups < _FEW:
        yield f"Resampling {groups} groups gives rough intervals, so that verdicts are hints only."


HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
UNDECIDED = "undecided"
"""The figure or its interval leaves it open."""
NOT_STUDIED = "not studied"
"""What the claim is about was not among the features studied."""

SEVERITY = {DOES_NOT_HOLD: 0, UNDECIDED: 1, HOLDS: 2, NOT_STUDIED: 3}
"""Of several parts of a claim the first of these decides."""


class Verdict(NamedTuple):
    """What our figures say of a claim."""

    word: str
    figures: str = ""


def greater(difference: Estimate) -> Verdict:
    """A difference is greater than 0: its whole interval is."""
    word = UNDECIDED
    if difference.low > 0:
        word = HOLDS
    elif difference.high < 0:
        word = DOES_NOT_HOLD
    return Verdict(word, signed_between(difference))


def similar(difference: Estimate, most: float) -> Verdict:
    """A difference is small either way: the figure and its whole interval.

    It does not hold if the whole interval is larger than that, and is undecided in between.
    """
    word = UNDECIDED
    if -most <= difference.low and difference.high <= most:
        word = HOLDS
    elif difference.low > most or difference.high < -most:
        word = DOES_NOT_HOLD
    return Verdict(word, signed_between(difference))


def below(shares: dict[str, Estimate], limit: float) -> Verdict:
    """All shares are below a limit, their intervals too; it does not hold if one is above it."""
    if not shares:
        return Verdict(NOT_STUDIED)
    under = {name: greater(_less(limit, each)).word for name, each in shares.items()}
    name = min(shares, key=lambda each: (SEVERITY[under[each]], -shares[each].value))
    return Verdict(under[name], f"the most, {name}: {percent_between(shares[name])}")


def largest(shares: dict[str, Estimate], name: str) -> Verdict:
    """One share is larger than all others, the intervals apart; does not hold if one is larger."""
    others = {other: each for other, each in shares.items() if other != name}
    if name not in shares or not others:
        return Verdict(NOT_STUDIED)
    own = shares[name]
    words = {other: _apart(own, each) for other, each in others.items()}
    rival = min(others, key=lambda each: (SEVERITY[words[each]], -others[each].value))
    told = f"{name}: {percent_between(own)}, {rival}: {percent_between(others[rival])}"
    return Verdict(words[rival], told)


def at_least(figure: Estimate, limit: float) -> Verdict:
    """A figure reaches a limit with its whole interval."""
    word = UNDECIDED
    if figure.low >= limit:
        word = HOLDS
    elif figure.high < limit:
        word = DOES_NOT_HOLD
    return Verdict(word, share_between(figure))


def both(first: Verdict, second: Verdict) -> Verdict:
    """Two parts of a claim; the worse word counts."""
    word = min(first.word, second.word, key=SEVERITY.__getitem__)
    return Verdict(word, f"{first.figures}; {second.figures}")


def _less(limit: float, share: Estimate) -> Estimate:
    """How far a share is below a limit."""
    return Estimate(limit - share.value, limit - share.high, limit - share.low)


def _apart(first: Estimate, second: Estimate) -> str:
    """Whether the first is larger, by intervals that do not touch."""
    if first.low > second.high:
        return HOLDS
    return DOES_NOT_HOLD if first.high < second.low else UNDECIDED


MARKS: dict[str, Tone] = {HOLDS: "yes", DOES_NOT_HOLD: "no", UNDECIDED: "open"}
"""Verdict → how it is marked in a document."""


class Claimed(Protocol):
    """A conclusion of a paper."""

    @property
    def claim(self) -> str:
        """What the paper says."""

    @property
    def source(self) -> str:
        """Where it says so."""

    @property
    def rule(self) -> str:
        """When it holds here, in words."""


def claims_table(
    judged: Iterable[tuple[Claimed, Verdict]], key: str, title: str, remark: str = ""
) -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    rows = [
        [each.claim, verdict.word, verdict.figures, each.rule, each.source]
        for each, verdict in judged
    ]
    heading = ["the paper concludes", "here", "our figures", "holds if", "where"]
    return Table(key, title, [heading, *rows], remark, left=len(heading), marks=MARKS)
