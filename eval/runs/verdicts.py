"""What a difference amounts to, in words that promise no more than the names and seeds show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import isnan

from eval.comparison import Difference
from eval.runs.wording import probability, share, signed

__all__ = ["Verdict", "Word", "verdict"]

_LEVEL = 0.05
_FEWEST = 6
"""Names that must differ before the sign test can fall below the level: 2 / 2⁶ < 0.05 < 2 / 2⁵."""
_EQUAL = 1e-9
"""Differences no larger are none: the same answers, added up in another order."""


class Word(StrEnum):
    """The verdict in short: of the second system against the first."""

    BETTER = "better"
    WORSE = "worse"
    NOISE = "within the noise"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a difference amounts to."""

    word: Word
    remarks: tuple[str, ...]
    """Why it is no more than that, one sentence each."""


def verdict(difference: Difference, between_seeds: float = 0.0) -> Verdict:
    """Better or worse only if interval, sign test and seeds leave no other reading.

    The 95 % interval must exclude 0, the sign test must fall below .05 in the same direction, and
    the difference must be larger than that between two seeds of one system.

    Args:
        difference: of the second system from the first.
        between_seeds: how far the mean of a system moves with its seed, 0 if that is not known.
    """
    interval, signs = _of_interval(difference), _of_signs(difference)
    large = abs(difference.mean) > max(between_seeds, _EQUAL)
    held = interval == signs and large
    word = {1: Word.BETTER, -1: Word.WORSE}.get(interval if held else 0, Word.NOISE)
    remarks = [*_disagreement(difference, interval, signs), *_few_names(difference)]
    if _EQUAL < abs(difference.mean) <= between_seeds:
        remarks.append(
            f"The difference ({signed(difference.mean)}) is no larger than that between two seeds "
            f"of one system ({share(between_seeds)})."
        )
    return Verdict(word, tuple(remarks))


def _of_interval(difference: Difference) -> int:
    """1 if the interval lies above 0, -1 if below, 0 if it does not exclude 0 or is not known."""
    return (difference.low > _EQUAL) - (difference.high < -_EQUAL)


def _of_signs(difference: Difference) -> int:
    """1 if more names are better than chance explains, -1 if worse, else 0."""
    better, worse = difference.better, difference.worse
    return (better > worse) - (better < worse) if difference.p < _LEVEL else 0


def _disagreement(difference: Difference, interval: int, signs: int) -> Iterator[str]:
    if interval != signs:
        lies = {1: "lies above 0", -1: "lies below 0", 0: "includes 0"}[interval]
        means = {1: "says better", -1: "says worse", 0: "finds no direction"}[signs]
        yield (
            f"Interval and sign test disagree: the interval {lies}, the sign test {means} (p "
            f"{probability(difference.p)}; {difference.better} names better, {difference.worse} "
            "worse)."
        )


def _few_names(difference: Difference) -> Iterator[str]:
    if isnan(difference.low):
        yield "A single name has no interval."
    if 0 < (differing := difference.better + difference.worse) < _FEWEST:
        names = "1 name differs" if differing == 1 else f"{differing} names differ"
        yield f"{names}; the sign test needs {_FEWEST} to show anything."
