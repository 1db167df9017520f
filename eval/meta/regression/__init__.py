"""Human scores learned from measures, and how good the estimates are."""

from eval.meta.regression.accuracy import Accuracy, accuracy, errors
from eval.meta.regression.folds import cross_validated, folds
from eval.meta.regression.gaps import Gaps, gap_at, gaps, pair_precision
from eval.meta.regression.linear import Learner, Linear, Model, multiple, simple
from eval.meta.regression.pooled import pooled_pairs, pooled_scores, pooled_values
from eval.meta.regression.relative import relative_scores, win_rates
from eval.meta.regression.tuned import lasso, ridge, support_vectors
from eval.meta.regression.voted import (
    Voted,
    aicc,
    best_aicc,
    candidates,
    voted,
    voted_regression,
)

__all__ = [
    "Accuracy",
    "Gaps",
    "Learner",
    "Linear",
    "Model",
    "Voted",
    "accuracy",
    "aicc",
    "best_aicc",
    "candidates",
    "cross_validated",
    "errors",
    "folds",
    "gap_at",
    "gaps",
    "lasso",
    "multiple",
    "pair_precision",
    "pooled_pairs",
    "pooled_scores",
    "pooled_values",
    "relative_scores",
    "ridge",
    "simple",
    "support_vectors",
    "voted",
    "voted_regression",
    "win_rates",
]
