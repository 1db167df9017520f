"""KING: how well a set of measures tells models from peers (ACL 2005, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.qarla.conditions import Conditions, Passed
from eval.meta.qarla.queen import left_triples, model_counts, peer_counts

__all__ = ["crowned", "king", "kings", "mean_king"]

Floats: TypeAlias = NDArray[np.float64]
_DIGITS = 12


def king(conditions: Conditions, measures: Sequence[int] | None = None) -> Floats:
    """KING(X) = P(∀a ∈ A: QUEEN(m) > QUEEN(a)), exact; its mean over topics is KING of them all.

    A model is left out of the models by which it and the peers are judged, as in section 5 of the
    paper; in its formula QUEEN has M for both. A tie with a peer is no success.

    Args:
        conditions: of the topics.
        measures: the set X, one measure or more; all, if None.

    Returns:
        Shape (topics,).

    Raises:
        ValuesError: as :func:`eval.meta.qarla.queen.queen_left_out`.
    """
    return crowned(conditions, conditions.together(measures))


def kings(conditions: Conditions) -> Floats:
    """KING of every single measure: shape (measures, topics). Errors as of :func:`king`."""
    return np.stack([king(conditions, [measure]) for measure in range(conditions.measures)])


def crowned(conditions: Conditions, passed: Sequence[Passed]) -> Floats:
    """Shape (topics,): KING by what models and peers pass, by panel. Errors as of :func:`king`."""
    shares = np.empty(conditions.topics)
    for panel, held in zip(conditions.panels, passed, strict=True):
        left_triples(panel)
        models = model_counts(panel, held)
        best = [np.maximum.reduceat(each, panel.starts) for each in peer_counts(panel, held)]
        shares[list(panel.topics)] = (models > np.stack(best)).mean(axis=0)
    return shares


def mean_king(shares: Floats) -> Floats:
    """The mean of shape (…, topics), by which measures and sets are compared: shape (…).

    To 12 digits, lest equal ones differ by the topics in which their models are first.
    """
    return np.asarray(shares.mean(axis=-1).round(_DIGITS))
