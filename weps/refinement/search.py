"""The best refinement of one kind for each of several people (ACL-IJCNLP 2009, section 3).

A candidate is a string on at least one of a person's pages; its result is the pages that contain
it. The best one has the highest F of precision and recall.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from weps.features.bags import Bags, LazyStrings
from weps.membership import membership

__all__ = ["Best", "best_of", "hits_of", "search"]


@dataclass(frozen=True, slots=True, eq=False)
class Best:
    """The best refinement of one kind for one person. Its figures are quotients of counts."""

    hits: int
    """Of the person's pages those that it returns."""
    returned: int
    """All pages that it returns."""
    wanted: int
    """All of the person's pages."""
    strings: Sequence[str]
    """All that reach this F, spelled when they are read: those that return most of the person's
    pages first, in the order of the bags' columns. The counts are those of the first."""

    @property
    def precision(self) -> float:
        """Share of the returned pages that are the person's."""
        return self.hits / self.returned

    @property
    def recall(self) -> float:
        """Share of the person's pages that are returned."""
        return self.hits / self.wanted

    @property
    def f(self) -> float:
        """F0.5, the harmonic mean of both (α = .5).

        Counts stay far below 2²⁶, so equal quotients are equal floats and others are not.
        """
        return 2 * self.hits / (self.returned + self.wanted)


def search(
    bags: Bags, targets: Sequence[Sequence[int]], candidates: Bags | None = None
) -> list[Best | None]:
    """For each person the best refinement among the strings of one kind.

    Args:
        bags: the strings of every collected page.
        targets: for each person the rows of their pages, each row once; people may share pages.
        candidates: bags of the same strings, if not every string that a page holds is a candidate
            there.

    Returns:
        One for each person, None where there is no candidate.
    """
    hits, frequency = hits_of(bags, targets), bags.frequency
    if candidates is not None:
        hits = sparse.csr_array(hits.multiply(hits_of(candidates, targets) > 0))
    found: list[Best | None] = []
    for (begin, end), rows in zip(pairwise(hits.indptr.tolist()), targets, strict=True):
        columns, counts = hits.indices[begin:end], hits.data[begin:end]
        if not len(columns):
            found.append(None)
            continue
        f = 2 * counts / (frequency[columns] + len(rows))
        ties = np.flatnonzero(f == f.max())
        ties = ties[np.lexsort((columns[ties], -counts[ties]))]
        first = ties[0]
        strings = LazyStrings(columns[ties], bags.strings.__getitem__)
        found.append(Best(int(counts[first]), int(frequency[columns[first]]), len(rows), strings))
    return found


def best_of(several: Iterable[Best | None]) -> Best | None:
    """The best of several kinds for one person; of equal ones the first with the best recall."""
    return max(
        (each for each in several if each is not None),
        key=lambda each: (each.f, each.hits),
        default=None,
    )


def hits_of(bags: Bags, targets: Sequence[Sequence[int]]) -> sparse.csr_array:
    """Shape (people, strings), int32: on how many of each person's pages each string is.

    One sparse product for all people at once.
    """
    present = bags.counts.copy()
    present.data = np.ones_like(present.data)
    return sparse.csr_array(membership(targets, present.shape[0]) @ present)
