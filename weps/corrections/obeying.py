"""Clustering that obeys corrections, and learns from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weps.clustering import Dendrogram, Link
from weps.corrections.learning import learnt
from weps.corrections.ruling import ruling
from weps.corrections.said import Correction

__all__ = ["obeying"]

Vector = NDArray[np.float64]


def obeying(
    said: Sequence[Correction],
    link: Link,
    probability: Vector,
    ranks: Sequence[int],
    preference: Vector | None = None,
) -> Dendrogram:
    """The dendrogram of a name under corrections; without any, what the link gives.

    Args:
        said: the corrections.
        link: of :data:`weps.clustering.LINKS`.
        probability: shape (n(n-1)/2,), the model's, condensed.
        ranks: of the n rows.
        preference: same shape as the probability, see :class:`weps.clustering.Link`.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    taught = learnt(probability, said, ranks)
    return link(taught, len(ranks), preference, ruling(said, ranks) if said else None)
