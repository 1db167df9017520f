"""Who ranks above whom: the kernel of PWA, MaxPWA and redundancy, over plain arrays.

Measures are rows and instances columns; nothing here knows of pages or names. Every count is exact.
"""

from eval.ordering.accuracy import auc, auc_tally, max_pwa, max_pwa_tally, pwa, pwa_tally
from eval.ordering.agreement import Agreement, agreement
from eval.ordering.concordance import Redundancy, redundancy
from eval.ordering.curves import Curve, average_precision, precision_at, precision_recall
from eval.ordering.resampled import average_precisions
from eval.ordering.subsets import Step, Subset, best_subset, gain_tallies, gains, greedy
from eval.ordering.tally import Estimate, Tally, difference, estimate, multiplicities

__all__ = [
    "Agreement",
    "Curve",
    "Estimate",
    "Redundancy",
    "Step",
    "Subset",
    "Tally",
    "agreement",
    "auc",
    "auc_tally",
    "average_precision",
    "average_precisions",
    "best_subset",
    "difference",
    "estimate",
    "gain_tallies",
    "gains",
    "greedy",
    "max_pwa",
    "max_pwa_tally",
    "multiplicities",
    "precision_at",
    "precision_recall",
    "pwa",
    "pwa_tally",
    "redundancy",
]
