"""Names to be corrected, with what a classifier says of each pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eval.benchmark.corrections import CorrectionCurve
from weps.clustering.stopping import Threshold
from weps.model import Model
from weps.page_forms import Origin
from weps.records import Clustering
from weps.training.examples import Example


@dataclass(frozen=True)
class Told:
    """A classifier that says what is in the first column."""

    kind = "told"

    def predict(self, values: np.ndarray) -> np.ndarray:
        return values[:, 0].astype(np.float64)

    def to_data(self) -> dict[str, float]:
        return {}


def model(link: str = "average", level: float = 0.5) -> Model:
    return Model((), Told(), link, dict.fromkeys(Origin, Threshold(level)))


def example(probabilities: list[float], *groups: set[int], discarded: set[int] = frozenset()):
    """A name of pages 1 to n with the probabilities of its pairs, and its key."""
    size = round((1 + (1 + 8 * len(probabilities)) ** 0.5) / 2)
    values = np.array(probabilities, dtype=np.float32)[:, np.newaxis]
    key = Clustering(tuple(map(frozenset, groups)), frozenset(discarded))
    return Example("A_Name", tuple(range(1, size + 1)), (), values, key)


def made_up(name: str, best: float, anew: list[float], alone: list[float]) -> CorrectionCurve:
    return CorrectionCurve(
        name, 10, 3, Clustering(()), best, {"anew": tuple(anew), "alone": tuple(alone)}
    )
