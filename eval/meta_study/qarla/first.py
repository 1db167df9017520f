"""How often criteria rank people first, with intervals over topics (ACL 2005, Table 1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.meta.drawn import RESAMPLES, Drawn, times_drawn
from eval.meta.left_out import LeftOut

__all__ = ["people_first"]

_EQUAL = 1e-12


def people_first(topics: Sequence[LeftOut], seed: int = 0) -> Drawn:
    """The share of references that are better than all systems on the average.

    The mean over references of :func:`eval.meta.human_first.human_first`, and the same with topics
    drawn anew; resamples × references × systems values are held at a time.

    Args:
        topics: with the same criteria, references and systems.
        seed: for the resamples.
    """
    times = times_drawn(len(topics), RESAMPLES, seed) / len(topics)
    shares = np.stack([_shares(topics, criterion, times) for criterion in range(_size(topics))])
    return Drawn(shares[:, 0], shares[:, 1:])


def _size(topics: Sequence[LeftOut]) -> int:
    return len(topics[0].models)


def _shares(topics: Sequence[LeftOut], criterion: int, times: np.ndarray) -> np.ndarray:
    """Shape (1 + resamples,); NaN where nothing was drawn."""
    models, peers = (
        np.tensordot(times, np.stack([getattr(each, part)[criterion] for each in topics]), axes=1)
        for part in ("models", "peers")
    )
    best = peers.max(axis=2)
    ahead = (models > best) & ~np.isclose(models, best, rtol=_EQUAL, atol=0)
    return np.where(np.isnan(times).any(axis=1), np.nan, ahead.mean(axis=1))
