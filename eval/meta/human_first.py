"""Which criterion ranks the human first? The test of the framework itself (ACL 2005, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.meta.left_out import LeftOut
from weps.errors import ValuesError

__all__ = ["human_first"]

_EQUAL = 1e-12
"""Means no further apart, in relation to their size, are equal: added up in another order."""


def human_first(topics: Sequence[LeftOut]) -> NDArray[np.bool_]:
    """Is a model, taken for the output of a system, better than all peers on the average?

    "Whether the average quality of a human summariser on all test cases is superior to the
    average quality of any automatic summariser": the share of true values, for each criterion, is
    a line of the paper's Table 1. The criterion is a measure (:func:`eval.meta.left_out.left_out`)
    or QUEEN of a set (:func:`eval.meta.qarla.queen.queen_left_out`). A tie is not superior.

    Args:
        topics: all with the same measures, the same people as models and the same systems as
            peers, in the same order.

    Returns:
        Shape (measures, models).

    Raises:
        ValuesError: if there are no topics or they do not have the same shape.
    """
    if len({each.peers.shape for each in topics}) != 1:
        raise ValuesError(
            "there are no topics, or they differ in how many measures, models or peers they have",
            where="topics",
            remedy="give the same people and systems on every topic",
        )
    models = np.mean([each.models for each in topics], axis=0)
    best = np.mean([each.peers for each in topics], axis=0).max(axis=2)
    tied = np.isclose(models, best, rtol=_EQUAL, atol=0)
    return np.asarray((models > best) & ~tied)
