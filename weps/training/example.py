"""Examples: names to learn from, their pairs of pages, and who is who."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps.forms import Origin
from weps.records import Clustering
from weps.similarity import PairTable, Similarity

__all__ = ["Example"]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A name to learn from: its pairs, and who is who."""

    name: str
    """Identifier of the name in its source."""
    ranks: tuple[int, ...]
    """Ranks of the n pages."""
    similarities: tuple[Similarity, ...]
    """What the columns of ``values`` are."""
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    key: Clustering
    origin: Origin = Origin.SEARCH

    @classmethod
    def of(cls, name: str, table: PairTable, key: Clustering, origin: Origin) -> Example:
        """The example that a pair table and a key make."""
        ranks = tuple(document.rank for document in table.analysis.documents)
        return cls(name, ranks, table.similarities, table.values, key, origin)

    def narrowed(self, wanted: Sequence[Similarity]) -> Example:
        """The example with these of its columns."""
        places = [self.similarities.index(each) for each in wanted]
        values = self.values[:, places]
        return Example(self.name, self.ranks, tuple(wanted), values, self.key, self.origin)

    def members(self) -> NDArray[np.bool_]:
        """Shape (n, groups of the key): which pages are about whom."""
        member = np.array([[rank in group for group in self.key.groups] for rank in self.ranks])
        return member.reshape(len(self.ranks), len(self.key.groups)).astype(bool)

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pairs the key judges, and which of these are coreferent.

        Returns:
            Two arrays of shape (n(n-1)/2,). A pair is judged if both pages stand in the key, and
            coreferent if they stand in one group of it (EMNLP 2009, section 4.1).
        """
        member = self.members().astype(np.int32)
        first, second = np.triu_indices(len(self.ranks), k=1)
        inside = member.sum(axis=1) > 0
        coreferent = (member @ member.T)[first, second] > 0
        return inside[first] & inside[second], coreferent
