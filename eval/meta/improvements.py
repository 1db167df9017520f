"""Does a measure see where one system significantly improves another? SIP and SIR.

Amigó, Giménez, Gonzalo and Verdejo, “The contribution of linguistic features to automatic machine
translation evaluation”, ACL 2009, section 5.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.meta.judged import as_table
from eval.meta.wilcoxon import rank_sum, signed_rank
from eval.ordering.tally import Tally
from weps.errors import ValuesError
from weps.progress import Progress, silent

__all__ = ["LEVEL", "Found", "Test", "improvements", "significant"]

Floats: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]

LEVEL = 0.025
"""The paper's α; of a one-sided test, which makes 0.05 for both sides."""


class Test(StrEnum):
    """How two systems are compared; the paper says “Wilcoxon”."""

    __test__ = False  # not a test, whatever pytest thinks of the name

    SIGNED_RANK = "signed-rank"
    """Paired: topic by topic, over the topics that both have answered."""
    RANK_SUM = "rank-sum"
    """Not paired, as in the evaluations of WMT: over all topics that either has answered."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The significant improvements that a measure finds, against those that people find.

    Tallies by pairs of systems: ``.pooled`` is the paper's figure, NaN if there is nothing to be
    shared, and :func:`eval.ordering.estimate` gives it an interval over systems.
    """

    precision: Tally
    """SIP = |Ih ∩ Im| / |Im|."""
    recall: Tally
    """SIR = |Ih ∩ Im| / |Ih|."""


def significant(  # noqa: PLR0913 - what is tested, where, how, and how it is told
    values: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    *,
    level: float = LEVEL,
    test: Test = Test.SIGNED_RANK,
    progress: Progress = silent,
) -> Truths:
    """Which systems a measure, or people, say significantly improve which others.

    The paper leaves open whether the test is paired and what becomes of ties: ``test`` chooses,
    and equal scores on a topic are left out of the signed-rank test, as in Wilcoxon's own. The
    signed-rank test takes O(systems² · topics log topics) for each measure.

    Args:
        values: shape (measures, instances), or (instances,) for one measure or human scores.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        level: the greatest p, of a one-sided test.
        test: how two systems are compared.
        progress: hears how many measures are done.

    Returns:
        Shape (measures, systems, systems): whether the row improves the column; never both ways
        below a level of ½.

    Raises:
        ValuesError: if values are missing, NaN, no numbers, or not equally many, or a system
            answers a topic twice.
    """
    table = as_table(values, topic, system)
    size = table.shape[2]
    better, worse = np.triu_indices(size, 1)
    improves = np.zeros((len(table), size, size), dtype=np.bool_)
    for measure, scores in enumerate(table if size > 1 else ()):
        progress("testing improvements", measure, len(table))
        first, second = scores[:, better], scores[:, worse]
        above, below = _compared(first, second, test)
        improves[measure, better, worse] = above <= level
        improves[measure, worse, better] = below <= level
    progress("testing improvements", len(table), len(table))
    return improves


def improvements(found: ArrayLike, real: ArrayLike) -> Found:
    """SIP and SIR of one measure.

    Args:
        found: shape (systems, systems), whether the measure says the row improves the column.
        real: the same by people, as of :func:`significant` or as published.

    Raises:
        ValuesError: if these are no truth values, or not of the same systems.
    """
    ours, theirs = np.asarray(found), np.asarray(real)
    if ours.shape != theirs.shape or ours.ndim != 2 or ours.shape[0] != ours.shape[1]:
        what = f"improvements of shape {ours.shape} and {theirs.shape} cannot be compared"
        raise ValuesError(what, remedy="give systems × systems for both")
    if ours.dtype != np.bool_ or theirs.dtype != np.bool_:
        raise ValuesError(f"these are no truth values ({ours.dtype}, {theirs.dtype})")
    both = ours & theirs
    return Found(Tally.of(both, ours), Tally.of(both, theirs))


def _compared(first: Floats, second: Floats, test: Test) -> tuple[Floats, Floats]:
    if test is Test.RANK_SUM:
        return rank_sum(first, second)
    equal = first == second  # infinite ones have no difference
    return signed_rank(np.where(equal, 0.0, first - np.where(equal, 0.0, second)))
