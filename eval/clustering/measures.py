"""The measures of a clustering, declared with name, description, source and value, and baselines.

Purity and inverse purity are how much of each group its best counterpart covers; pair measures
count pairs that are together or apart in the answer and in the key. Help texts, tables and the
JSON of ``evaluate`` are made from this registry.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from eval.clustering.bcubed import BCubed, Neighbours, bcubed, bcubed_of
from eval.clustering.membership import (
    Groups,
    Membership,
    disjoint_labels,
    from_groups,
    item_signatures,
)
from weps.errors import FeatureError
from weps.records import Clustering

__all__ = [
    "BASELINES",
    "MEASURES",
    "Comparison",
    "Measure",
    "PairConfusion",
    "Purity",
    "all_in_one",
    "combined",
    "compare_clusterings",
    "f_measure",
    "fowlkes_mallows",
    "get_measure",
    "jaccard_index",
    "one_in_one",
    "pair_confusion",
    "purity",
    "rand_index",
]


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


def rand_index(pairs: PairConfusion) -> float:
    """The Rand statistic: the share of pairs on which answer and key agree; 1 without pairs."""
    return _share(pairs.both + pairs.neither, sum(pairs))


def jaccard_index(pairs: PairConfusion) -> float:
    """Pairs together in both over pairs together in either; 1 where there are none."""
    return _share(pairs.both, pairs.both + pairs.answer_only + pairs.key_only)


def fowlkes_mallows(pairs: PairConfusion) -> float:
    """The geometric mean of pair precision and pair recall (Fowlkes and Mallows 1983).

    1 where the answer or the key puts no pair together: the formula gives 0 / 0 there, and this is
    what the official scorers print, even for one page per group.
    """
    answer, key = pairs.both + pairs.answer_only, pairs.both + pairs.key_only
    return pairs.both / sqrt(answer * key) if answer and key else 1.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


class Purity(NamedTuple):
    """Two shares of memberships, each in [0, 1]."""

    purity: float
    inverse: float


def purity(answer: Membership, key: Membership) -> Purity:
    """Purity and inverse purity, sizes summed with overlap (Artiles, Gonzalo and Sekine 2007).

    Purity is Σ_C max_L |C ∩ L| / Σ_C |C| over the answer groups C and key groups L; inverse
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


AMIGO = "Amigó, Gonzalo, Artiles and Verdejo 2009, Information Retrieval 12"
ARTILES = "Artiles, Gonzalo and Sekine 2007, SemEval task 13"
VAN_RIJSBERGEN = "van Rijsbergen 1979, Information Retrieval"
HALKIDI = "Halkidi, Batistakis and Vazirgiannis 2001, JIIS 17"


class Comparison:
    """Counts of one answer and its key, computed on first use."""

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


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure about an answer; higher is better and 1 the most."""

    name: str
    description: str
    source: str
    value: Callable[[Comparison], float] = field(repr=False, compare=False)


def compare_clusterings(answer: Groups, key: Groups) -> Comparison:
    """Compare two clusterings of integer items; what only the answer holds lowers its purity."""
    return Comparison(answer, key)


def f_measure(precision: float, recall: float, alpha: float) -> float:
    """1 / (α / precision + (1 - α) / recall), and 0 where either is 0."""
    if not precision or not recall:
        return 0.0
    return 1 / (alpha / precision + (1 - alpha) / recall)


def get_measure(name: str) -> Measure:
    """The measure of that name; ``F(alpha=0.3)`` is B-Cubed F with any α from 0 to 1.

    Raises FeatureError for an unknown name.
    """
    if name in MEASURES:
        return MEASURES[name]
    found = re.fullmatch(r"F\(alpha=(0(?:\.\d+)?|1(?:\.0+)?)\)", name)
    if not found:
        known = ", ".join([*MEASURES, "F(alpha=...)"])
        raise FeatureError("unknown measure", where=name, remedy=f"choose from {known}")
    return _bcubed_f(name, float(found[1]))


def _bcubed_f(name: str, alpha: float) -> Measure:
    return Measure(
        name,
        f"F of B-Cubed precision and recall, α = {alpha}",
        f"{VAN_RIJSBERGEN}; {AMIGO}",
        lambda found: f_measure(found.bcubed.precision, found.bcubed.recall, alpha),
    )


def _purity_f(name: str, alpha: float) -> Measure:
    return Measure(
        name,
        f"F of purity and inverse purity, α = {alpha}",
        f"{VAN_RIJSBERGEN}; {ARTILES}",
        lambda found: f_measure(found.purity.purity, found.purity.inverse, alpha),
    )


MEASURES = {
    declared.name: declared
    for declared in (
        Measure(
            "bcubed_precision",
            "mean over pages of the share of pages grouped with them that belong there",
            AMIGO,
            lambda found: found.bcubed.precision,
        ),
        Measure(
            "bcubed_recall",
            "mean over pages of the share of pages belonging with them that were found",
            AMIGO,
            lambda found: found.bcubed.recall,
        ),
        _bcubed_f("bcubed_f05", 0.5),
        _bcubed_f("bcubed_f02", 0.2),
        Measure(
            "purity",
            "share of the answer that lies in each group's best-matching person",
            ARTILES,
            lambda found: found.purity.purity,
        ),
        Measure(
            "inverse_purity",
            "share of the key that lies in each person's best-matching group",
            ARTILES,
            lambda found: found.purity.inverse,
        ),
        _purity_f("purity_f05", 0.5),
        _purity_f("purity_f02", 0.2),
        Measure(
            "rand",
            "share of page pairs on which answer and key agree",
            HALKIDI,
            lambda found: rand_index(found.pairs),
        ),
        Measure(
            "jaccard",
            "page pairs together in both over page pairs together in either",
            HALKIDI,
            lambda found: jaccard_index(found.pairs),
        ),
        Measure(
            "fowlkes_mallows",
            "geometric mean of precision and recall over page pairs",
            "Fowlkes and Mallows 1983, JASA 78",
            lambda found: fowlkes_mallows(found.pairs),
        ),
    )
}
"""Every measure by name, in the order in which tables show them."""
