"""Rules that turn figures with intervals into a verdict on a claim."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from eval.feature_study.findings import Findings
from eval.feature_study.numerals import percent_between, share_between, signed_between
from eval.ordering import Estimate

__all__ = [
    "DOES_NOT_HOLD",
    "HOLDS",
    "NOT_STUDIED",
    "UNDECIDED",
    "Verdict",
    "ahead_of_all",
    "at_least",
    "below",
    "greater",
    "not_outdone",
    "similar",
]

HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
UNDECIDED = "undecided"
"""The figure or its interval leaves it open."""
NOT_STUDIED = "not studied"
"""What the claim is about was not among the features studied."""


class Verdict(NamedTuple):
    """What our figures say of a claim."""

    word: str
    figures: str = ""


def not_outdone(findings: Findings, best: str, others: Iterable[str]) -> Verdict:
    """None of the others has a higher average precision.

    Holds if none has; is undecided if one has by no more than chance (the interval of the
    difference reaches down to 0).
    """
    ahead = {other: _negative(each) for other, each in _ahead(findings, best, others).items()}
    if not ahead:
        return Verdict(NOT_STUDIED)
    name, most = max(ahead.items(), key=lambda item: item[1].value)
    outdone = any(each.low > 0 for each in ahead.values())
    word = DOES_NOT_HOLD if outdone else HOLDS if most.value <= 0 else UNDECIDED
    return Verdict(word, f"average precision of {name} − {best}: {signed_between(most)}")


def ahead_of_all(findings: Findings, best: str, others: Iterable[str]) -> Verdict:
    """It has a higher average precision than each of the others, by more than chance."""
    ahead = _ahead(findings, best, others)
    if not ahead:
        return Verdict(NOT_STUDIED)
    name, least = min(ahead.items(), key=lambda item: item[1].value)
    words = {greater(each).word for each in ahead.values()}
    word = next(each for each in (DOES_NOT_HOLD, UNDECIDED, HOLDS) if each in words)
    return Verdict(word, f"average precision of {best} − {name}: {signed_between(least)}")


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
    name, most = max(shares.items(), key=lambda item: item[1].value)
    word = UNDECIDED
    if all(not each.high >= limit and each.value < limit for each in shares.values()):
        word = HOLDS
    elif any(each.low > limit for each in shares.values()):
        word = DOES_NOT_HOLD
    return Verdict(word, f"the largest, {name}: {percent_between(most)}")


def at_least(figure: Estimate, limit: float) -> Verdict:
    """A figure reaches a limit with its whole interval."""
    word = UNDECIDED
    if figure.low >= limit:
        word = HOLDS
    elif figure.high < limit:
        word = DOES_NOT_HOLD
    return Verdict(word, share_between(figure))


def _ahead(findings: Findings, best: str, others: Iterable[str]) -> dict[str, Estimate]:
    """How far a feature is ahead of each of the others that were studied, itself left out."""
    rankings = findings.rankings
    if best not in rankings:
        return {}
    return {
        other: rankings[best].ahead_of(rankings[other])
        for other in others
        if other in rankings and other != best
    }


def _negative(figure: Estimate) -> Estimate:
    return Estimate(-figure.value, -figure.high, -figure.low)
