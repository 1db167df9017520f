"""Dice, cosine and overlap: which way to compare bags ranks best (EMNLP 2009, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.feature_study.rankings import average_precisions_of
from eval.instances import Instances
from eval.ordering import Estimate
from weps.features import Feature
from weps.measures import PAPER_MEASURES
from weps.similarity import Similarity

__all__ = ["Rivals", "rival_measures"]


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """Average precision of each feature under each measure, by resamples of the names."""

    features: tuple[str, ...]
    measures: tuple[str, ...]
    figures: NDArray[Any]
    """Shape (features, measures, 1 + resamples): of the names as they are, then drawn anew; ask
    nothing of them if there are no features."""

    def average_precision(self, feature: str, measure: str) -> Estimate:
        """Of one feature under one measure."""
        return _estimate(self._of(measure)[self.features.index(feature)])

    def ahead(self, measure: str, other: str) -> Estimate:
        """Average precision under one measure minus that under another, mean over features."""
        return _estimate((self._of(measure) - self._of(other)).mean(axis=0))

    def wins(self, measure: str, other: str) -> int:
        """For how many features the one has the higher average precision."""
        return int((self._of(measure)[:, 0] > self._of(other)[:, 0]).sum())

    def _of(self, measure: str) -> NDArray[Any]:
        return np.asarray(self.figures[:, self.measures.index(measure)])


def rival_measures(instances: Instances, features: Sequence[Feature], seed: int = 0) -> Rivals:
    """Compare the measures on every feature that is no flag.

    Args:
        instances: with every feature under every measure, ``cosine(token)``.
        features: the features, flags among them or not.
        seed: for the resamples of names.
    """
    bags = [each for each in features if not each.flag]
    figures = [
        [
            average_precisions_of(instances, str(Similarity(each, name)), seed)
            for name in PAPER_MEASURES
        ]
        for each in bags
    ]
    return Rivals(tuple(map(str, bags)), PAPER_MEASURES, np.array(figures))


def _estimate(figures: NDArray[Any]) -> Estimate:
    return Estimate.of(float(figures[0]), figures[1:])
