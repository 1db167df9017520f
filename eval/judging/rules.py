"""Rules that turn figures with intervals into a verdict on a claim."""

from __future__ import annotations

from typing import NamedTuple

from eval.judging.numerals import percent_between, share_between, signed_between
from eval.ordering import Estimate

__all__ = [
    "DOES_NOT_HOLD",
    "HOLDS",
    "NOT_STUDIED",
    "SEVERITY",
    "UNDECIDED",
    "Verdict",
    "at_least",
    "below",
    "both",
    "greater",
    "largest",
    "similar",
]

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
