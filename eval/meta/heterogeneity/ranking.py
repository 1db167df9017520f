"""Heterogeneity based ranking: measures united without weights, scales or human judgements."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.heterogeneity.contradiction import contradictions
from eval.meta.heterogeneity.pairs import Pairs, ordered_pairs, rival_pairs
from eval.meta.heterogeneity.verdicts import Verdicts
from eval.meta.shares import share
from eval.ordering.values import as_groups, as_measures
from weps.errors import ValuesError
from weps.progress import Progress, silent

__all__ = ["contradicting", "hbr"]

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
_WORD = 64


def hbr(  # noqa: PLR0913 - what is ranked, by what, with whom, and how it is told
    values: ArrayLike,
    verdicts: Verdicts,
    group: ArrayLike | None = None,
    *,
    rivals: int | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> NDArray[np.float64]:
    """HBR_X(i) = Avg_j H({x ∈ X: x(i) ≥ x(j)}) (*SEM 2012, section 3; summaries: section 3.2).

    Exact over the instances: i is compared with every other j of its group (the papers leave open
    whether with itself too; that would add the same to all). It depends on the order of values
    only, a repeated measure changes nothing, and it never ranks an instance below one that it is
    at least as high as in every measure.

    A random measure is said to change nothing for enough instances. That holds on average over
    random measures only: one of them corroborates, for an instance that it happens to rank high,
    more than half of the comparisons, and adds (Avg_j [some x(i) ≥ x(j)] − HBR(i)) / 2 times the
    share of instances that it ranks below i, however many there are.

    The measures for which i is at least as high as j are a set, found by comparing bits; sets
    that occur more than once among the comparisons at hand are looked up once. Time grows with the
    comparisons, n² in a group of n, memory does not. Of large groups a sample of rivals orders the
    instances nearly alike (:func:`eval.meta.heterogeneity.pairs.rival_pairs`).

    Args:
        values: shape (measures, instances).
        verdicts: of the same measures, over which heterogeneity is a share: of all pairs, of a
            sample (the papers: 1,000 and 10,000), or of other instances.
        group: shape (instances,), whole numbers from 0; None for one group.
        rivals: with how many of its group an instance is compared, the same for all; None for all.
        seed: which rivals are drawn.
        progress: hears how many comparisons are done, of about how many.

    Returns:
        Shape (instances,), in [0, 1]; nan for an instance that is alone in its group.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    measures = as_measures(values)
    size = measures.shape[1]
    sums, compared = np.zeros(size), np.zeros(size)
    compare = (
        ordered_pairs(size, group) if rivals is None else rival_pairs(size, rivals, group, seed)
    )
    groups = np.bincount(as_groups(group, size, "group"))
    total = int((groups * np.minimum(groups, rivals or size)).sum())
    for pairs in compare:
        progress("ranking", min(int(compared.sum()), total), total)
        sums += np.bincount(pairs.first, contradicting(measures, verdicts, pairs), size)
        compared += np.bincount(pairs.first, minlength=size)
    progress("ranking", total, total)
    return share(sums, compared * verdicts.pairs)


def contradicting(values: ArrayLike, verdicts: Verdicts, pairs: Pairs) -> Ints:
    """Of each pair (i, j), how often {x ∈ X: x(i) ≥ x(j)} contradicts itself in the verdicts.

    Divided by ``verdicts.pairs`` it is the heterogeneity of what corroborates that i is better.

    Args:
        values: shape (measures, instances).
        verdicts: of the same measures.
        pairs: of the instances.

    Returns:
        Shape (pairs,), whole numbers.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or do not fit together.
    """
    measures = as_measures(values)
    if len(measures) != verdicts.measures:
        what = f"{len(measures)} measures do not fit verdicts of {verdicts.measures}"
        raise ValuesError(what, where="verdicts", remedy="give verdicts of the same measures")
    words, place = _distinct(_corroborating(measures, pairs))
    members = words.astype("<u8").view(np.uint8)[:, : -(-len(measures) // 8)]
    return contradictions(verdicts, members)[place]


def _corroborating(measures: NDArray[np.float64], pairs: Pairs) -> Words:
    """Shape (pairs, words): bit m says whether the first is at least as high in measure m."""
    words = np.zeros((len(pairs.first), -(-len(measures) // _WORD)), dtype=np.uint64)
    for number, measure in enumerate(measures):
        held = measure[pairs.first] >= measure[pairs.second]
        words[:, number // _WORD] |= held.astype(np.uint64) << np.uint64(number % _WORD)
    return words


def _distinct(words: Words) -> tuple[Words, Ints]:
    """The different rows, and for each row which of them it is; all, if most are different."""
    code = np.zeros(len(words), dtype=np.int64)
    for column in words.T:
        if 2 * code.max(initial=0) > len(words):
            return words, np.arange(len(words))
        level = np.unique(column, return_inverse=True)[1]
        code = np.unique(code * (level.max() + 1) + level, return_inverse=True)[1]
    _, place = np.unique(code, return_index=True)
    return words[place], code
