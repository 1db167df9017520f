"""Models as peers: each in turn is judged, next to the peers, by the other models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.similarities import Similarities
from eval.ordering.values import rounded
from eval.text.references import mean
from weps.errors import ValuesError

__all__ = ["LeftOut", "left_out"]

Floats: TypeAlias = NDArray[np.float64]
Combine: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """What measures say of the texts of one topic when models are left out; more is better.

    Raises:
        ValuesError: if the shapes do not fit together, there is nothing, or a value is NaN.
    """

    models: Floats
    """Shape (measures, models): of model m by all models but m."""
    peers: Floats
    """Shape (measures, models, peers): of peer a by all models but m."""

    def __post_init__(self) -> None:
        if self.peers.ndim != 3 or not self.peers.size:
            what = (
                f"shape {self.peers.shape} is not measures × models × peers, one of each at least"
            )
            raise ValuesError(what, where="peers")
        if self.models.shape != self.peers.shape[:2]:
            what = f"shape {self.models.shape} does not fit {self.peers.shape} of the peers"
            raise ValuesError(what, where="models")
        for values, name in ((self.models, "models"), (self.peers, "peers")):
            for measure, model, *_ in np.argwhere(np.isnan(values))[:1].tolist():
                what = f"measure {measure} has NaN where model {model} is left out"
                raise ValuesError(what, where=name, remedy="give it a value, or leave it out")


def left_out(topic: Similarities, combine: Combine = mean) -> LeftOut:
    """Judge texts by their similarities to the models that are left, to ten digits.

    Args:
        topic: with two models at least.
        combine: makes one score of several, shape (texts, models) to (texts,); for example the
            mean or another function of :mod:`eval.text.references`.

    Raises:
        ValuesError: if there is a single model.
    """
    size = topic.models.shape[1]
    if size < 2:
        what = "a single model leaves none when it is left out"
        raise ValuesError(what, where="models", remedy="give two at least")
    models, peers = np.empty(topic.models.shape[:2]), np.empty(topic.peers.swapaxes(1, 2).shape)
    for model in range(size):
        others = np.arange(size) != model
        models[:, model] = combine(topic.models[:, model][:, others])
        rows = topic.peers[:, :, others].reshape(-1, size - 1)  # of all measures at once
        peers[:, model] = combine(rows).reshape(topic.peers.shape[:2])
    return LeftOut(rounded(models), rounded(peers))
