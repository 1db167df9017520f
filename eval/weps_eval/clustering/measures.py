"""The measures of a clustering, each with its name, heading and value, and baselines.

Purity and inverse purity are how much of each group its best counterpart covers; pair measures
count pairs that are together or apart in the answer and in the key. Tables and the JSON of
``evaluate`` are made from this registry.
"""

from collections.abc import Callable, Collection
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError
from weps.records import Clustering
from weps_eval.clustering.bcubed import (
    BCubed,
    Groups,
    Membership,
    Neighbours,
    bcubed,
    bcubed_of,
    disjoint_labels,
    from_groups,
    item_signatures,
)


def all_in_one(documents: Collection[int]) -> Clustering:
    """All documents about one person."""
    return Clustering((frozenset(documents),) if documents else ())


def one_in_one(documents: Collection[int]) -> Clustering:
    """Every document about a person of its own."""
    return Clustering(tuple(frozenset([document]) for document in sorted(set(documents))))


def combined(documents: Collection[int]) -> Clustering:
    """Both at once: each document in the one big group and in one of its own.

    It cheats purity, which sees the better of the two, and not B-Cubed.
    """
    return Clustering(all_in_one(documents).groups + one_in_one(documents).groups)


BASELINES: dict[str, Callable[[Collection[int]], Clustering]] = {
    baseline.__name__: baseline for baseline in (all_in_one, one_in_one, combined)
}
"""Every baseline by name; apply them to ``Scorer.documents``."""


class PairConfusion(NamedTuple):
    """Unordered pairs of different items; *together* means sharing at least one group."""

    both: int
    """Together in the answer and in the key."""
    answer_only: int
    key_only: int
    neither: int

    @property
    def rand(self) -> float:
        """The Rand statistic: the share of pairs on which both agree; 1 without pairs."""
        return (self.both + self.neither) / sum(self) if sum(self) else 1.0

    @property
    def jaccard(self) -> float:
        """Pairs together in both over pairs together in either; 1 where there are none."""
        either = self.both + self.answer_only + self.key_only
        return self.both / either if either else 1.0

    @property
    def fowlkes_mallows(self) -> float:
        """The geometric mean of pair precision and pair recall (Fowlkes and Mallows 1983).

        1 where the answer or the key puts no pair together: the formula gives 0 / 0 there, and
        this is what the official scorers print, even for one page per group.
        """
        answer, key = self.both + self.answer_only, self.both + self.key_only
        return self.both / sqrt(answer * key) if answer and key else 1.0


def pair_confusion(neighbours: Neighbours) -> PairConfusion:
    """Count the pairs of items, from what is known of every item's neighbours."""
    items = neighbours.items
    both, answer, key = (
        # Every item that stands in a group is its own neighbour; each pair is seen from both ends.
        round(float(items @ (sums - (sums > 0))) / 2)
        for sums in (neighbours.in_both, neighbours.in_answer, neighbours.in_key)
    )
    total = round(items.sum())
    neither = total * (total - 1) // 2 - answer - key + both
    return PairConfusion(both, answer - both, key - both, neither)


class Purity(NamedTuple):
    """Two shares of memberships, each in [0, 1]."""

    purity: float
    inverse: float


def purity(answer: Membership, key: Membership) -> Purity:
    """Purity and inverse purity, sizes summed with overlap (Artiles, Gonzalo and Sekine 2007).

    Purity is ``Σ_C max_L |C ∩ L| / Σ_C |C|`` over the answer groups C and key groups L; inverse
    purity swaps the two. Items that only the answer holds make its groups larger and so lower
    purity. Both matrices are binary, of shape (items, groups); a side without groups gives 0.
    """
    common = (answer.T @ key).tocoo()
    return Purity(_covered(common.row, common.data, answer), _covered(common.col, common.data, key))


def _covered(group: NDArray[Any], common: NDArray[Any], groups: Membership) -> float:
    """The share of the memberships in ``groups`` that each group has in common with its best."""
    best = np.zeros(groups.shape[1], dtype=np.int64)
    np.maximum.at(best, group, common)
    return float(best.sum() / groups.nnz) if groups.nnz else 0.0


class Comparison:
    """One answer and its key as groups of integer items, counted on first use.

    Items that only the answer holds lower its purity.
    """

    def __init__(self, answer: Groups, key: Groups) -> None:
        self._answer, self._key = answer, key

    @cached_property
    def bcubed(self) -> BCubed:
        """Extended B-Cubed precision and recall."""
        labels = disjoint_labels(self._answer, self._key)
        return bcubed(*labels) if labels else bcubed_of(self._neighbours)

    @cached_property
    def purity(self) -> Purity:
        """Purity and inverse purity."""
        return purity(*self._memberships)

    @cached_property
    def pairs(self) -> PairConfusion:
        """Pairs of items together in both, either or neither."""
        return pair_confusion(self._neighbours)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return Neighbours.of(item_signatures(*self._memberships))

    @cached_property
    def _memberships(self) -> tuple[Membership, Membership]:
        return from_groups(self._answer, self._key)


def bcubed_score(labels_true: ArrayLike, labels_pred: ArrayLike, *, alpha: float = 0.5) -> float:
    """B-Cubed F of an answer, with the arguments of the metrics of scikit-learn.

    F = 1 / (α / precision + (1 - α) / recall) of the means over items, see
    :func:`weps_eval.clustering.bcubed.bcubed`, which is
    what ``weps evaluate`` writes as ``bcubed_f05``. A negative whole number means no group, such as
    the -1 of pages that are set aside: of the answer, the item's recall is 0; of the key, it is not
    judged.

    Args:
        labels_true: shape (items,), of any type that can be sorted: the key.
        labels_pred: the same shape: the answer.
        alpha: weight of precision, from 0 to 1; 0.5 and 0.2 are those of the WePS campaigns.

    Returns:
        From 0 to 1.

    Raises:
        KeyFileError: if the labels do not fit each other, or none is judged.
        ValuesError: if alpha is out of range.
    """
    if not 0 <= alpha <= 1:
        raise ValuesError(f"expected a weight from 0 to 1, got {alpha}", where="alpha")
    return f_measure(*bcubed(_as_integers(labels_pred), _as_integers(labels_true)), alpha)


def _as_integers(labels: ArrayLike) -> NDArray[Any]:
    """Labels of any type as whole numbers; those that are whole numbers stay as they are."""
    vector = np.asarray(labels)
    if vector.ndim != 1 or np.issubdtype(vector.dtype, np.integer):
        return vector
    return np.unique(vector, return_inverse=True)[1]


def f_measure(precision: float, recall: float, alpha: float) -> float:
    """1 / (α / precision + (1 - α) / recall), 0 where either is 0 (van Rijsbergen 1979)."""
    if not precision or not recall:
        return 0.0
    return 1 / (alpha / precision + (1 - alpha) / recall)


class Measure(NamedTuple):
    """One figure about an answer; higher is better and 1 the most."""

    heading: str
    """Heading in tables."""
    meaning: str
    """Meaning of the heading, for legends."""
    value: Callable[[Comparison], float]


MEASURES = {
    # Amigó, Gonzalo, Artiles and Verdejo 2009, Information Retrieval 12
    "bcubed_precision": Measure("BEP", "B-Cubed precision", lambda found: found.bcubed.precision),
    "bcubed_recall": Measure("BER", "B-Cubed recall", lambda found: found.bcubed.recall),
    "bcubed_f05": Measure(
        "F0.5",
        "F of B-Cubed, precision and recall weighted alike",
        lambda found: f_measure(*found.bcubed, 0.5),
    ),
    "bcubed_f02": Measure(
        "F0.2",
        "F of B-Cubed, recall weighted four times as much",
        lambda found: f_measure(*found.bcubed, 0.2),
    ),
    # Artiles, Gonzalo and Sekine 2007, SemEval task 13
    "purity": Measure("P", "purity", lambda found: found.purity.purity),
    "inverse_purity": Measure("IP", "inverse purity", lambda found: found.purity.inverse),
    "purity_f05": Measure(
        "PF0.5",
        "F of purity and inverse purity, weighted alike",
        lambda found: f_measure(*found.purity, 0.5),
    ),
    "purity_f02": Measure(
        "PF0.2",
        "F of purity and inverse purity, the latter weighted four times as much",
        lambda found: f_measure(*found.purity, 0.2),
    ),
    # Halkidi, Batistakis and Vazirgiannis 2001, JIIS 17
    "rand": Measure("Rand", "Rand statistic, over pairs of pages", lambda found: found.pairs.rand),
    "jaccard": Measure(
        "Jacc", "Jaccard coefficient, over pairs of pages", lambda found: found.pairs.jaccard
    ),
    "fowlkes_mallows": Measure(
        "FM",
        "Fowlkes–Mallows index, over pairs of pages",
        lambda found: found.pairs.fowlkes_mallows,
    ),
}
"""Every measure by name, in the order in which tables show them."""
