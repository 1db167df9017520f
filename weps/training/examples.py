"""Training examples: pairs of pages with their labels, how they are divided, and subsamples.

Most pairs of the WePS-1 training names are coreferent, most pairs of other names are not, so a
model fitted to the former alone joins too many of the latter. A subsample keeps a limited number of
pages per person; second-order similarities, which depend on all pages, are computed again.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from weps.page_forms import Origin
from weps.records import Clustering
from weps.similarity import PairTable, Similarity, second_order_similarity

__all__ = ["Example", "TrainingSettings", "make_folds", "select_rows", "subsampled_copies"]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A training name: its pairs, and their labels."""

    name: str
    """Identifier of the name in its source."""
    ranks: tuple[int, ...]
    """Ranks of the n pages."""
    similarities: tuple[Similarity, ...]
    """The columns of ``values``."""
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    key: Clustering
    origin: Origin = Origin.SEARCH

    @classmethod
    def of(cls, name: str, table: PairTable, key: Clustering, origin: Origin) -> Example:
        """Build an example from a pair table and a key."""
        ranks = tuple(document.rank for document in table.analysis.documents)
        return cls(name, ranks, table.similarities, table.values, key, origin)

    def with_similarities(self, wanted: Sequence[Similarity]) -> Example:
        """The example with these of its columns."""
        places = [self.similarities.index(each) for each in wanted]
        values = self.values[:, places]
        return Example(self.name, self.ranks, tuple(wanted), values, self.key, self.origin)

    def members(self) -> NDArray[np.bool_]:
        """Shape (n, groups of the key): which pages are in which group."""
        member = np.array([[rank in group for group in self.key.groups] for rank in self.ranks])
        return member.reshape(len(self.ranks), len(self.key.groups)).astype(bool)

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pairs the key judges, and which of these are coreferent.

        Returns:
            Two arrays of shape (n(n-1)/2,). A pair is judged if both pages are in the key, and
            coreferent if they share a group of it (EMNLP 2009, section 4.1).
        """
        member = self.members().astype(np.int32)
        first, second = np.triu_indices(len(self.ranks), k=1)
        inside = member.sum(axis=1) > 0
        coreferent = (member @ member.T)[first, second] > 0
        return inside[first] & inside[second], coreferent


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How training divides its names for cross-validation."""

    folds: int = 5
    """Number of folds; each is scored by a classifier that was fitted without it."""
    repeats: int = 3
    """Number of divisions into folds; a threshold fitted to one of them varies too much."""
    seed: int = 0


def make_folds(size: int, parts: int, seed: int) -> list[list[int]]:
    """Divide ``range(size)`` into at most ``parts`` parts at random, none empty."""
    shuffled = np.random.default_rng(seed).permutation(size)
    return [sorted(shuffled[part::parts].tolist()) for part in range(min(parts, size))]


_PAGES_PER_PERSON = (1, 2, 3, 5, 8)
"""Largest number of pages of each person in a subsample; one of these, at random."""
_MIN_PAGES = 10
"""Fewest judged pages of a name to subsample."""
_MIN_PAIRS = 10
"""Fewest judged pairs of a usable subsample."""
_ATTEMPTS_PER_COPY = 3
"""For each subsample."""


def subsampled_copies(example: Example, copies: int, seed: int) -> list[Example]:
    """Subsamples of a name, fewer if it is small.

    Args:
        example: the name; it has the similarities that its second-order similarities compare.
        copies: number of subsamples.
        seed: the choice of pages depends only on it and on the name.
    """
    if example.members().any(axis=1).sum() < _MIN_PAGES:
        return []
    generator = np.random.default_rng([seed, zlib.crc32(example.name.encode())])
    tries = (_subsample_once(example, generator) for _ in range(_ATTEMPTS_PER_COPY * copies))
    return list(islice(filter(None, tries), copies))


def _subsample_once(example: Example, generator: np.random.Generator) -> Example | None:
    """A subsample, if it has enough judged pairs."""
    copy = select_rows(example, _sampled_rows(example.members(), generator))
    judged, _ = copy.judged()
    return copy if judged.sum() >= _MIN_PAIRS else None


def _sampled_rows(member: NDArray[np.bool_], generator: np.random.Generator) -> NDArray[np.intp]:
    """Rows of the pages kept: some of each person, and the same share of the others."""
    most = int(generator.choice(_PAGES_PER_PERSON))
    kept = np.zeros(len(member), dtype=bool)
    for person in member.T:
        pages = generator.permutation(np.flatnonzero(person))
        kept[pages[: max(0, most - int(kept[pages].sum()))]] = True
    inside = member.any(axis=1)
    outside = np.flatnonzero(~inside)
    kept[outside] = generator.random(len(outside)) < kept.sum() / inside.sum()
    return np.flatnonzero(kept)


def select_rows(example: Example, rows: NDArray[np.intp]) -> Example:
    """The example restricted to these pages, given by their rows, ascending."""
    size = len(example.ranks)
    upper = np.triu_indices(len(rows), k=1)
    first, second = rows[upper[0]], rows[upper[1]]
    values = example.values[first * (2 * size - first - 1) // 2 + second - first - 1]
    for column, vector in _second_order_columns(example.similarities, values, len(rows)):
        values[:, column] = vector
    return replace(example, ranks=tuple(example.ranks[row] for row in rows), values=values)


def _second_order_columns(
    similarities: Sequence[Similarity], values: NDArray[np.float32], size: int
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Column and values of each second-order similarity, lower orders first."""
    places = {each: column for column, each in enumerate(similarities)}
    for each in sorted(similarities, key=lambda similarity: similarity.order):
        if each.order > 1:
            yield places[each], second_order_similarity(values[:, places[each.lower_order]], size)
