"""Logistic regression over the similarities of a pair, alone and averaged with boosted trees.

The two err differently: a line adds up much weak evidence and continues beyond what training pairs
show, trees know thresholds and combinations. Their mean in log odds is a logarithmic opinion pool
(C. Genest and J. Zidek, "Combining probability distributions", Statistical Science 1, 1986).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from weps.coreference.base import float32_array, read_fields
from weps.coreference.trees import BoostedTrees
from weps.errors import ModelError


@dataclass(frozen=True, slots=True, eq=False)
class LogisticClassifier:
    """A pair's log odds are the intercept plus its similarities times their coefficients."""

    kind: ClassVar[str] = "logistic"

    intercept: float
    """Log odds of a pair without any similarity."""
    coefficients: NDArray[np.float32]
    """Shape (columns,): what one unit of each similarity adds to the log odds."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The confidence that each pair is coreferent, see :class:`Classifier`."""
        return np.asarray(expit(self.log_odds(values)), dtype=np.float64)

    def log_odds(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (pairs,): the log odds of each pair, given its values, shape (pairs, columns)."""
        return np.asarray(
            self.intercept + values.astype(np.float64) @ self.coefficients.astype(np.float64)
        )

    def to_data(self) -> dict[str, Any]:
        """Intercept and coefficients for JSON, each as short as its precision allows."""
        return {
            "intercept": self.intercept,
            "coefficients": [float(str(each)) for each in self.coefficients],
        }

    @classmethod
    def from_data(cls, data: Any, columns: int) -> LogisticClassifier:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        fields = read_fields(
            data, "its logistic regression", intercept=float, coefficients=float32_array
        )
        read = cls(**fields)
        if read.coefficients.shape != (columns,):
            raise ModelError(f"its logistic regression does not have {columns} coefficients")
        if not (isfinite(read.intercept) and np.isfinite(read.coefficients).all()):
            raise ModelError("its logistic regression has numbers that are not finite")
        return read


@dataclass(frozen=True, slots=True, eq=False)
class MeanClassifier:
    """A pair's log odds are a weighted mean of those of boosted trees and logistic regression."""

    kind: ClassVar[str] = "mean"

    trees: BoostedTrees
    linear: LogisticClassifier
    """Over the same columns."""
    share: float = 0.5
    """Weight of the trees, from 0 to 1; that of logistic regression is the rest."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The confidence that each pair is coreferent, see :class:`Classifier`."""
        trees, linear = self.trees.log_odds(values), self.linear.log_odds(values)
        log_odds = self.share * trees + (1 - self.share) * linear
        return np.asarray(expit(log_odds), dtype=np.float64)

    def to_data(self) -> dict[str, Any]:
        """Both parts and the weight for JSON."""
        return {
            "trees": self.trees.to_data(),
            "linear": self.linear.to_data(),
            "share": self.share,
        }

    @classmethod
    def from_data(cls, data: Any, columns: int) -> MeanClassifier:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        fields = read_fields(
            data,
            "its mean of trees and logistic regression",
            trees=lambda each: each,
            linear=lambda each: each,
            share=float,
        )
        if not 0 <= fields["share"] <= 1:
            raise ModelError("its mean has a weight that is not between 0 and 1")
        return cls(
            BoostedTrees.from_data(fields["trees"], columns),
            LogisticClassifier.from_data(fields["linear"], columns),
            fields["share"],
        )
