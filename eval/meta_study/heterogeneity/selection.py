"""Features chosen one after another: as KING would have it, and by MaxPWA."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.meta.passing import Passing, superiority
from eval.meta.passing import greedy as greedy_by_king
from eval.meta_study.grouped import Grouped
from eval.ordering import greedy, max_pwa

__all__ = ["Choice", "choices"]

Ints = NDArray[np.int64]
_MOST = 10


@dataclass(frozen=True, slots=True)
class Choice:
    """One feature more, by either way."""

    by_king: str
    """Added where P(QUEEN of a positive > QUEEN of a negative) is to be highest."""
    king: float
    """That of the features so far, K."""
    king_max_pwa: float
    """Their MaxPWA."""
    by_max_pwa: str
    """Added where MaxPWA is to be highest."""
    max_pwa: float
    max_pwa_king: float
    """K of the features that MaxPWA chose."""


def choices(source: Grouped, most: int = _MOST) -> tuple[Choice, ...]:
    """Both ways side by side, for labelled instances; none if no group shows them all it takes.

    QUEEN compares instances of one group, MaxPWA those of all (EMNLP 2009, section 4.1).
    """
    if not source.labelled:
        return ()
    (quality,) = source.quality.values()
    positive = quality > 0
    ours, theirs = source.values[:, positive], source.values[:, ~positive]
    our_groups, their_groups = source.group[positive], source.group[~positive]
    if not _enough(our_groups, their_groups, len(source.groups)):
        return ()
    passing = Passing.of(ours, theirs, our_groups, their_groups)
    size = min(most, len(source.measures))
    by_king = greedy_by_king(passing, size)
    steps = greedy(ours, theirs, size)
    found = []
    for number, (chosen, step) in enumerate(zip(by_king, steps, strict=True), start=1):
        rivals = tuple(each.measure for each in steps[:number])
        members = list(chosen.measures)
        found.append(
            Choice(
                source.measures[chosen.measures[-1]],
                chosen.quality,
                max_pwa(ours[members], theirs[members]),
                source.measures[step.measure],
                step.max_pwa,
                superiority(passing, rivals),
            )
        )
    return tuple(found)


def _enough(ours: Ints, theirs: Ints, groups: int) -> bool:
    """Whether a group has two positives and a negative."""
    positives, negatives = (np.bincount(each, minlength=groups) for each in (ours, theirs))
    return bool(((positives > 1) & (negatives > 0)).any())
