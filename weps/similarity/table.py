"""Pair tables: the values of similarities, direct ones and those derived from them.

Where few of all pairs are compared, second-order similarity compares the similarities that two
pages have to a sample of the pages, not to all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._formatting import count_of, short_repr
from weps.features.bags import Bags
from weps.features.registry import Feature, FeatureKind, Flags
from weps.language.analysis import Analysis, drop_feature_caches
from weps.similarity.columns import Similarity, measures_of
from weps.similarity.pairs import (
    Pairs,
    Rows,
    SampledPairs,
    Vector,
    condense_matrix,
    square_matrix,
)

Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """The similarities of pairs of one name's n pages, and the strings that pages share."""

    analysis: Analysis
    similarities: tuple[Similarity, ...]
    pairs: Pairs
    """Which pairs were compared."""
    values: NDArray[np.float32]
    """Shape (pairs, similarities)."""
    bags: dict[Feature, Bags]
    """The strings that two pages or more have, by feature; flags have none. Strings of one page
    alone, which are nearly all runs of words, are of no use after comparing."""

    def __repr__(self) -> str:
        pairs = count_of(len(self.values), "pair")
        columns = count_of(len(self.similarities), "similarity", "similarities")
        return short_repr(self, self.analysis.name.text, pairs, columns)

    def shared_strings(self, wanted: Feature) -> Bags:
        """The strings of a feature that two pages or more have."""
        if wanted not in self.bags:
            self.bags[wanted] = wanted.extract_bags(self.analysis).shared
        return self.bags[wanted]


def pair_table(
    analysis: Analysis, similarities: Sequence[Similarity], pairs: Pairs | None = None
) -> PairTable:
    """Compute every similarity for pairs of documents, by default for every pair."""
    pairs = Pairs.of_all(len(analysis.documents)) if pairs is None else pairs
    values = np.empty((len(pairs), len(similarities)), dtype=np.float32, order="F")
    table = PairTable(analysis, tuple(similarities), pairs, values, {})
    derived: dict[Similarity | None, list[Similarity]] = {}
    for wanted in dict.fromkeys(base for each in similarities for base in each.with_bases()):
        derived.setdefault(wanted.base, []).append(wanted)

    def fill(wanted: Similarity, found: Floats, rows: Callable[[], Floats]) -> None:
        """Set the column, and those derived from it while their base is available.

        Args:
            wanted: the similarity.
            found: shape (pairs,), its values.
            rows: makes the values of each page with each of the sample, shape (n, sampled pages);
                most need none of them.
        """
        for column, each in enumerate(similarities):
            if each == wanted:
                values[:, column] = found
        for each in derived.get(wanted, ()):
            fill(each, *_derive(each, pairs, found, rows))

    direct: dict[Feature, list[Similarity]] = {}
    for wanted in derived.get(None, ()):
        direct.setdefault(wanted.feature, []).append(wanted)
    for feature, measured in direct.items():
        counted = feature.kind is FeatureKind.BAGS
        extracted = feature.extract_bags(analysis) if counted else feature.extract(analysis)
        for wanted in measured:
            rows = partial(_compare_with_sample, wanted, extracted, pairs)
            fill(wanted, _compare(wanted, extracted, pairs), rows)
        if isinstance(extracted, Bags):
            table.bags[feature] = extracted.shared
    drop_feature_caches()
    return table


def _compare(wanted: Similarity, extracted: Any, pairs: Pairs) -> Vector:
    """Shape (pairs,): the values of a similarity that is not derived."""
    if isinstance(extracted, Flags):
        return extracted.of(pairs.first, pairs.second)
    return measures_of(wanted.feature)[wanted.measure](extracted, pairs)


def _compare_with_sample(wanted: Similarity, extracted: Any, pairs: Pairs) -> Floats:
    sampled = SampledPairs.of(pairs.size, pairs.sample)
    values = _compare(wanted, extracted, sampled)
    return values.reshape(pairs.size, len(pairs.sample)).astype(np.float32)


def _derive(
    wanted: Similarity, pairs: Pairs, base: Floats, rows: Callable[[], Floats]
) -> tuple[Floats, Callable[[], Floats]]:
    """The values of a derived similarity, and those of each page with each of the sample."""
    if pairs.complete:
        return derive_similarity(wanted, base, pairs.size), rows
    sampled, sample = rows(), pairs.sample
    if wanted.relative:
        others = sampled.sum(dtype=np.float64) - sampled[sample, np.arange(len(sample))].sum()
        return base - others / max(sampled.size - len(sample), 1), rows
    unit = _unit_rows(sampled, sample)
    return pairs.dense_products(unit).clip(max=1), lambda: unit @ unit[sample].T


def derive_similarity(wanted: Similarity, base: NDArray[np.floating], size: int) -> Vector:
    """The values of a derived similarity.

    Args:
        wanted: it has a base.
        base: shape (size(size-1)/2,), the values of the base.
        size: number of pages.
    """
    if wanted.relative:
        return np.asarray(base - (base.mean() if len(base) else 0), dtype=np.float64)
    return second_order_similarity(base, size)


def second_order_similarity(similarity: NDArray[np.floating], size: int) -> NDArray[np.float64]:
    """The cosine of the pages' rows of similarities; 0 where a page resembles none.

    The similarity of a page to itself is set to its largest one, so that neither its own
    row nor its nearest neighbour's outweighs the others.

    Args:
        similarity: shape (size(size-1)/2,), condensed, see :mod:`weps.similarity.pairs`.
        size: number of pages.

    Returns:
        Same shape, between 0 and 1; from -1 on where the similarities are negative, too.
    """
    unit = _unit_rows(square_matrix(similarity, size), np.arange(size))
    return condense_matrix(unit @ unit.T).clip(max=1)


def _unit_rows(rows: Floats, sample: Rows) -> Floats:
    """The rows of similarities to the pages of a sample, divided by their lengths; overwritten."""
    own = (sample, np.arange(len(sample)))
    rows[own] = 0
    rows[own] = rows[sample].max(axis=1, initial=0)
    norms = np.sqrt((rows * rows).sum(axis=1))
    rows /= np.where(norms > 0, norms, 1)[:, np.newaxis]
    return rows
