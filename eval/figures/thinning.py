"""Long curves made short without a visible difference."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["thinned"]


def thinned(
    x: NDArray[np.float64], y: NDArray[np.float64], most: int = 400
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """At most ``most`` points that look like all of them.

    The range of x is cut into equal parts; of each stay the first, the last, the lowest and the
    highest point, which is all that a part as narrow as a pixel shows (Jugel, Jerzak, Hackenbroich
    and Markl, M4, VLDB 2014).

    Args:
        x: shape (points,), not decreasing.
        y: shape (points,).
        most: at least 4.
    """
    if len(x) <= most:
        return x, y
    borders = np.searchsorted(x, np.linspace(x[0], x[-1], most // 4 + 1))
    borders[-1] = len(x)
    kept: set[int] = set()
    for start, stop in pairwise(borders.tolist()):
        if start < stop:
            part = y[start:stop]
            kept |= {start, stop - 1, start + int(part.argmin()), start + int(part.argmax())}
    chosen = sorted(kept)
    return x[chosen], y[chosen]
