"""How good a clustering is: B-Cubed, purity, pair measures, official scorers, baselines."""

from eval.clustering.baselines import BASELINES, all_in_one, combined, one_in_one
from eval.clustering.bcubed import BCubed, bcubed
from eval.clustering.measures import MEASURES, Comparison, Measure, compare, f_measure, measure
from eval.clustering.scorers import SCORERS, Scorer, scorer
from eval.clustering.summary import mean, signature, standard_error, two_decimals

__all__ = [
    "BASELINES",
    "MEASURES",
    "SCORERS",
    "BCubed",
    "Comparison",
    "Measure",
    "Scorer",
    "all_in_one",
    "bcubed",
    "combined",
    "compare",
    "f_measure",
    "mean",
    "measure",
    "one_in_one",
    "scorer",
    "signature",
    "standard_error",
    "two_decimals",
]
