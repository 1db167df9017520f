"""Similarities between all pairs of documents of a name: what they are called, and the table.

Pairs stand in the order of :mod:`weps.measures`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from weps import expressions
from weps.errors import FeatureError
from weps.expressions import Expression
from weps.features import Bags, Feature, feature
from weps.language import Analysis, Layer
from weps.measures import MEASURES, Vector, condensed
from weps.profiles import profile

__all__ = ["PairTable", "Similarity", "by_dice", "layers_of", "pair_table", "similarity"]

_PROFILE = "profile"
_HIGHEST_ORDER = 3


@dataclass(frozen=True, slots=True)
class Similarity:
    """A column of a pair table: ``dice(token)``, ``overlap(email)``, or a flag, ``linked``.

    ``profile(dice(token))`` compares two pages by whom they resemble, see :mod:`weps.profiles`.
    """

    feature: Feature
    measure: str = ""
    """Key of the measure; empty for a flag."""
    order: int = 1
    """1 compares two pages by what they hold; each ``profile(…)`` around it adds one."""

    def __str__(self) -> str:
        plain = f"{self.measure}({self.feature})" if self.measure else str(self.feature)
        profiles = self.order - 1
        return f"{_PROFILE}(" * profiles + plain + ")" * profiles

    @property
    def beneath(self) -> Similarity:
        """The similarity that this one is the profile of."""
        return replace(self, order=self.order - 1)


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """The similarities of all pairs of one name's n pages, and the bags they were made from."""

    analysis: Analysis
    similarities: tuple[Similarity, ...]
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    bags: dict[Feature, Bags]
    """The bags of every feature compared so far; flags have none."""

    def bags_of(self, wanted: Feature) -> Bags:
        """The bags of a feature, made now if they were not compared."""
        if wanted not in self.bags:
            made = wanted.extract(self.analysis)
            if not isinstance(made, Bags):
                raise FeatureError(f"{wanted} is a flag and has no bags of strings")
            self.bags[wanted] = made
        return self.bags[wanted]


def pair_table(analysis: Analysis, similarities: Sequence[Similarity]) -> PairTable:
    """Compute every similarity for every pair of documents."""
    size = len(analysis.documents)
    values = np.zeros((size * (size - 1) // 2, len(similarities)), dtype=np.float32)
    table = PairTable(analysis, tuple(similarities), values, {})

    @cache
    def vector(wanted: Similarity) -> Vector:
        if wanted.order == 1:
            return _compare(table, wanted)
        return profile(vector(wanted.beneath), size)

    for column, wanted in enumerate(similarities):
        values[:, column] = vector(wanted)
    return table


def layers_of(similarities: Iterable[Similarity]) -> frozenset[Layer]:
    """The layers of language processing that the similarities need."""
    needs = {need for each in similarities for need in each.feature.needs}
    return frozenset(layer for layer in Layer if layer in needs)


def similarity(text: str) -> Similarity:
    """The similarity of that name.

    Raises:
        FeatureError: if the measure or the feature is unknown, or they do not go together.
    """
    return _similarity(expressions.parse(text))


def _similarity(parsed: Expression) -> Similarity:
    if parsed.name == _PROFILE:
        return _profile(parsed)
    if parsed.name in MEASURES:
        return _compared(parsed)
    if parsed.arguments:
        raise FeatureError(
            f"there is no similarity {parsed.name!r}",
            remedy=f"choose from {', '.join([*MEASURES, _PROFILE])}",
        )
    flag = feature(parsed)
    if not flag.flag:
        raise FeatureError(
            f"{str(parsed)!r} names bags of strings, no similarity",
            remedy="choose how: " + ", ".join(f"{each}({flag})" for each in MEASURES),
        )
    return Similarity(flag)


def _profile(parsed: Expression) -> Similarity:
    """The profile that an expression writes, ``profile(dice(token))``."""
    if len(parsed.arguments) != 1 or parsed.parameters:
        raise FeatureError(
            f"{str(parsed)!r}: a profile is made of one similarity",
            remedy=f"for example {_PROFILE}(dice(token))",
        )
    beneath = _similarity(parsed.arguments[0])
    if beneath.order == _HIGHEST_ORDER:
        raise FeatureError(
            f"{str(parsed)!r}: profiles of profiles of profiles say nothing new",
            remedy=f"nest {_HIGHEST_ORDER - 1} at most",
        )
    return replace(beneath, order=beneath.order + 1)


def _compared(parsed: Expression) -> Similarity:
    """The similarity that a measure of a feature writes, ``dice(token)``."""
    if len(parsed.arguments) != 1 or parsed.parameters:
        raise FeatureError(
            f"{str(parsed)!r}: a similarity takes one feature",
            remedy=f"for example {parsed.name}(token)",
        )
    compared = feature(parsed.arguments[0])
    if compared.flag:
        raise FeatureError(
            f"{str(parsed)!r}: {compared} is a flag", remedy=f"write {compared} alone"
        )
    return Similarity(compared, parsed.name)


def by_dice(compared: Feature) -> Similarity:
    """Dice of the feature, or the flag that it is.

    The paper found Dice the best of the three across feature types (EMNLP 2009, section 4.1).
    """
    return Similarity(compared, "" if compared.flag else "dice")


def _compare(table: PairTable, wanted: Similarity) -> Vector:
    """Shape (pairs,): one column of the table."""
    if wanted.measure:
        return MEASURES[wanted.measure](table.bags_of(wanted.feature))
    flags = wanted.feature.extract(table.analysis)
    if isinstance(flags, Bags):
        raise FeatureError(f"{wanted} is no flag", remedy="say how its bags are to be compared")
    return condensed(flags)
