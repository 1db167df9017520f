"""Logistic regression over the similarities of a pair, alone and averaged with boosted trees.

The two err differently: a sum adds up much weak evidence and continues beyond what training pairs
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

from weps.coreference.base import are_columns, float32_array, int32_array, read_fields
from weps.coreference.trees import BoostedTrees
from weps.errors import ModelError

NO_COLUMN = -1
"""Stands for a column that the pair table does not have."""
_FEW_PAGES = 5
"""Number of pages at which logistic regression has half of its weight."""


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
    """A pair's log odds are the mean of those of boosted trees and of logistic regression.

    Similarities within a few pages say little, and a sum over them adds up what they have in
    common: with n pages, the regression has the weight ½ · n / (n + 5), the trees have the rest.
    """

    kind: ClassVar[str] = "mean"

    trees: BoostedTrees
    tree_columns: NDArray[np.int32]
    """The columns of the pair table that the trees are over, in their order."""
    linear: LogisticClassifier
    linear_columns: NDArray[np.int32]
    """Columns that the logistic regression is over."""
    size_column: int = NO_COLUMN
    """The column of 1 / n; :data:`NO_COLUMN` if there is none, then both have the weight ½."""

    def predict(self, values: NDArray[np.float32]) -> NDArray[np.float64]:
        """The confidence that each pair is coreferent, see :class:`Classifier`."""
        trees = self.trees.log_odds(values[:, self.tree_columns])
        linear = self.linear.log_odds(values[:, self.linear_columns])
        weight = np.full(len(values), 0.5)
        if self.size_column != NO_COLUMN:
            weight /= 1 + _FEW_PAGES * values[:, self.size_column]
        return np.asarray(expit(trees + weight * (linear - trees)), dtype=np.float64)

    def to_data(self) -> dict[str, Any]:
        """Both parts, each with its columns, for JSON."""
        return {
            "trees": self.trees.to_data(),
            "tree_columns": self.tree_columns.tolist(),
            "linear": self.linear.to_data(),
            "linear_columns": self.linear_columns.tolist(),
            "size_column": self.size_column,
        }

    @classmethod
    def from_data(cls, data: Any, columns: int) -> MeanClassifier:
        """Read what :meth:`to_data` wrote, see :class:`Classifier`."""
        fields = read_fields(
            data,
            "its mean of trees and logistic regression",
            trees=lambda each: each,
            tree_columns=int32_array,
            linear=lambda each: each,
            linear_columns=int32_array,
            size_column=int,
        )
        trees, tree_columns, linear, linear_columns, size_column = fields.values()
        used = are_columns(tree_columns, columns) and are_columns(linear_columns, columns)
        if not used or not NO_COLUMN <= size_column < columns:
            raise ModelError("its mean refers to missing columns")
        return cls(
            BoostedTrees.from_data(trees, tree_columns.size),
            tree_columns,
            LogisticClassifier.from_data(linear, linear_columns.size),
            linear_columns,
            size_column,
        )
