"""The measures of a clustering, declared: name, description, source, value.

The arithmetic stands in ``bcubed``, ``purity`` and ``pairs``; help texts, tables and the JSON of
``evaluate`` are made from this registry.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from eval.clustering.bcubed import BCubed, bcubed, bcubed_of
from eval.clustering.membership import (
    Groups,
    Membership,
    disjoint_labels,
    from_groups,
    signatures,
)
from eval.clustering.neighbours import Neighbours
from eval.clustering.pairs import PairCounts, fowlkes_mallows, jaccard, pair_counts, rand
from eval.clustering.purity import Purity, purity
from weps.errors import FeatureError

__all__ = ["MEASURES", "Comparison", "Measure", "compare", "f_measure", "measure"]

AMIGO = "Amigó, Gonzalo, Artiles and Verdejo 2009, Information Retrieval 12"
ARTILES = "Artiles, Gonzalo and Sekine 2007, SemEval task 13"
VAN_RIJSBERGEN = "van Rijsbergen 1979, Information Retrieval"
HALKIDI = "Halkidi, Batistakis and Vazirgiannis 2001, JIIS 17"


class Comparison:
    """What the measures need to know of one answer and its key, worked out when first asked for."""

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
    def pairs(self) -> PairCounts:
        """Pairs of items together in both, either or neither."""
        return pair_counts(self._neighbours)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return Neighbours.of(signatures(*self._memberships))

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


def compare(answer: Groups, key: Groups) -> Comparison:
    """Compare two clusterings of integer items; what only the answer holds lowers its purity."""
    return Comparison(answer, key)


def f_measure(precision: float, recall: float, alpha: float) -> float:
    """1 / (α / precision + (1 - α) / recall), and 0 where either is 0."""
    if not precision or not recall:
        return 0.0
    return 1 / (alpha / precision + (1 - alpha) / recall)


def measure(name: str) -> Measure:
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
            lambda found: rand(found.pairs),
        ),
        Measure(
            "jaccard",
            "page pairs together in both over page pairs together in either",
            HALKIDI,
            lambda found: jaccard(found.pairs),
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
