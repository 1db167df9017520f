"""One cross-validation for all learners: every score is estimated by a model that has not seen it.

Whole groups of instances, topics or systems, are left out at a time.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_judged
from eval.meta.regression.linear import Learner
from eval.ordering.values import as_groups
from weps.errors import ValuesError

__all__ = ["cross_validated", "folds"]

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def folds(group: ArrayLike, count: int | None = None, seed: int = 0) -> Ints:
    """Deal groups into folds of nearly equally many groups.

    Args:
        group: shape (instances,), the topic or system of each, whole numbers from 0.
        count: how many folds; None leaves each group out on its own.
        seed: for the order in which groups are dealt.

    Returns:
        Shape (instances,): the fold of each, from 0.

    Raises:
        ValuesError: if groups are not whole numbers from 0, or fewer than the folds.
    """
    groups = as_groups(group, np.size(group), "group")
    names, of = np.unique(groups, return_inverse=True)
    if count is None:
        return np.asarray(of, dtype=np.int64)
    if not 2 <= count <= len(names):
        remedy = f"choose from 2 to {len(names)} folds"
        raise ValuesError(f"{len(names)} groups make no {count} folds", remedy=remedy)
    dealt = np.random.default_rng(seed).permutation(len(names)) % count
    return np.asarray(dealt[of], dtype=np.int64)


def cross_validated(
    learner: Learner,
    values: ArrayLike,
    human: ArrayLike,
    fold: ArrayLike,
    within: ArrayLike | None = None,
) -> Floats:
    """Estimate each fold's scores by a model of the other folds.

    Nothing of a fold is seen before it is estimated: learners choose their parameters by the
    other folds alone. The text that we have of VRM (Hirao et al. 2007, section 4.1) does not tell
    what was left out; ``fold`` says it, and ``within`` whether models are made topic by topic.

    Args:
        learner: makes the models.
        values: shape (measures, instances).
        human: shape (instances,).
        fold: shape (instances,), whole numbers from 0, see :func:`folds`.
        within: shape (instances,): instances of each number have models of their own.

    Returns:
        Shape (instances,).

    Raises:
        ValuesError: if values are missing, NaN, infinite, no numbers, or not equally many, or
            there is one fold only.
    """
    measures, people = as_judged(values, human, finite=True)
    parts = as_groups(fold, len(people), "fold")
    strata = as_groups(within, len(people), "within")
    estimates = np.empty(len(people))
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        estimates[rows] = _estimated(learner, measures[:, rows], people[rows], parts[rows])
    return estimates


def _estimated(learner: Learner, values: Floats, human: Floats, fold: Ints) -> Floats:
    """Shape (instances,): each estimated from the other folds."""
    if np.ptp(fold) == 0:
        what = f"all {len(fold):,} instances are in one fold"
        raise ValuesError(what, where="fold", remedy="part them in two folds at least")
    estimates = np.empty(len(human))
    for left_out in np.unique(fold):
        out = fold == left_out
        model = learner(values[:, ~out], human[~out], fold[~out])
        estimates[out] = model(values[:, out])
    return estimates
