"""Heterogeneity of measures of words alone, and with those that know language (2011, figure 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eval.meta.drawn import Drawn
from eval.meta.heterogeneity import Pairs, every_pair, random_sets
from eval.meta_study.grouped import Grouped
from eval.meta_study.heterogeneity.counts import counted, split_pairs
from eval.meta_study.kinds import NO_KINDS, Kind, of_kind
from eval.meta_study.several import together
from eval.ordering import Estimate

__all__ = ["NO_LEVELS", "SIZES", "linguistic_gain", "mean_heterogeneity"]

Floats = NDArray[np.float64]

SIZES = range(1, 11)
"""The paper's."""
_EACH = 100
"""Random sets of each size."""
NO_LEVELS = NO_KINDS


def mean_heterogeneity(source: Grouped, seed: int) -> tuple[Drawn, Drawn] | None:
    """Mean H of random sets of measures of words, and of random sets of all, by size.

    Both topics and sets are drawn anew for the intervals.

    None if fewer than three measures are known to be of either kind.
    """
    words, language = (of_kind(source.measures, each) for each in (Kind.WORDS, Kind.LINGUISTIC))
    if not words or not language:
        return None
    parts = split_pairs(every_pair(len(source.group), source.group), source.group)
    return (
        _means(source.values[words], parts, seed),
        _means(source.values[[*words, *language]], parts, seed),
    )


def linguistic_gain(source: Grouped, seed: int) -> Estimate | None:
    """By how much mean H of the largest sets is higher with linguistic measures; None as above."""
    found = mean_heterogeneity(source, seed)
    if found is None:
        return None
    size = min(len(each.value) for each in found)
    words, every = (Drawn(each.value[[size - 1]], each.drawn[[size - 1]]) for each in found)
    return together(lambda one, other: other[0] - one[0], words, every)


def _means(values: Floats, parts: list[Pairs], seed: int) -> Drawn:
    """Shape (sizes,)."""
    sizes = [size for size in SIZES if size <= len(values)]
    sets = random_sets(len(values), sizes, _EACH, seed)
    nobody = np.zeros(values.shape[1])
    found = counted(values, nobody, sets, parts, seed).heterogeneity
    generator = np.random.default_rng(seed)
    of_size = [np.flatnonzero(sets.sum(axis=1) == size) for size in sizes]
    return Drawn(
        np.array([found.value[each].mean() for each in of_size]),
        np.stack([_drawn_mean(found.drawn[each], generator) for each in of_size]),
    )


def _drawn_mean(drawn: Floats, generator: np.random.Generator) -> Floats:
    """Shape (resamples,): means over sets, which are drawn anew like the topics.

    Args:
        drawn: shape (sets, resamples).
        generator: draws the sets.
    """
    size, resamples = drawn.shape
    weights = generator.multinomial(size, np.full(size, 1 / size), resamples).T / size
    return np.asarray((drawn * weights).sum(axis=0))
