"""Profiles: two pages are alike if they resemble the same pages.

The idea of second-order co-occurrence (Schütze 1998, *Automatic word sense discrimination*),
applied to pages: pages about one person that share few words with each other still share them with
the same third pages. A profile is relative to the name: what resembles everything proves nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["profile"]

_FEWEST = 2


def profile(similarity: NDArray[np.floating], size: int) -> NDArray[np.float64]:
    """The cosine of the pages' rows of similarities; 0 where a page resembles none.

    A page resembles itself as much as the page that it resembles most, so that neither its own
    row nor its nearest neighbour's outweighs the others.

    Args:
        similarity: shape (size(size-1)/2,), not negative, condensed, see :mod:`weps.similarity`.
        size: number of pages.

    Returns:
        Same shape, between 0 and 1.
    """
    if size < _FEWEST:
        return np.zeros(0)
    rows = np.zeros((size, size))
    upper = np.triu_indices(size, k=1)
    rows[upper] = similarity
    rows += rows.T
    np.fill_diagonal(rows, rows.max(axis=1))
    norms = np.sqrt((rows * rows).sum(axis=1))
    rows /= np.where(norms > 0, norms, 1)[:, np.newaxis]
    return np.minimum((rows @ rows.T)[upper], 1.0)
