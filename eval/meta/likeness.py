"""Human likeness against human acceptability, side by side (COLING/ACL 2006).

The paper's claim is that a text which could be a person's is acceptable to people, and that the
reverse is not true. It is about texts: likeness is QUEEN or what else tells models from peers,
acceptability what people say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from eval.ordering.values import as_measure
from weps.errors import ValuesError

__all__ = ["Implication", "implications"]

Floats: TypeAlias = NDArray[np.float64]


class Implication(NamedTuple):
    """What follows of being among the highest by one criterion; .5 is nothing, near 1 is all."""

    share: float
    """Of the texts, the highest by one criterion."""
    acceptable: float
    """Mean standing by acceptability of the most human-like texts."""
    human_like: float
    """Mean standing by likeness of the most acceptable texts."""


def implications(
    likeness: ArrayLike, acceptability: ArrayLike, shares: Sequence[float] = (0.1, 0.25, 0.5)
) -> list[Implication]:
    """How acceptable are the most human-like texts, how human-like the most acceptable?

    The standing of a text is the share of texts below it, those of equal value counted half. Of
    the paper nothing but its opening is at hand, so this is our way to ask; if likeness implies
    acceptability and not the reverse, the first standing is the higher of the two.

    Args:
        likeness: shape (texts,).
        acceptability: shape (texts,), of the same texts.
        shares: how many of the texts are the highest, more than 0 and at most 1; all that are as
            high as the last of them belong to them.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many, or for a share
            that cannot be.
    """
    like, accepted = as_measure(likeness, "likeness"), as_measure(acceptability, "acceptability")
    if len(like) != len(accepted):
        what = f"{len(like)} and {len(accepted)} texts cannot be paired"
        raise ValuesError(what, remedy="give both for each text")
    return [
        Implication(share, _standing(accepted, like, share), _standing(like, accepted, share))
        for share in shares
    ]


def _standing(values: Floats, criterion: Floats, share: float) -> float:
    """The mean standing by value of the texts that are the highest by the criterion."""
    if not 0 < share <= 1:
        raise ValuesError(f"{share} is no share of the texts", remedy="more than 0, at most 1")
    size = len(criterion)
    last = np.sort(criterion)[size - math.ceil(round(share * size, 9))]  # .07 · 100 > 7
    standings = (rankdata(values) - 0.5) / size
    return float(standings[criterion >= last].mean())
