"""The heterogeneity principle: the more measures differ, the more it means that they agree.

Amigó, Gonzalo, Giménez and Verdejo (EMNLP 2011; *SEM 2012) and Amigó, Gonzalo and Verdejo
(workshop on evaluation metrics for summarization, NAACL 2012). Measures are rows and instances
columns; pairs of instances are compared within their groups, topics or test sets.
"""

from eval.meta.heterogeneity.contradiction import (
    heterogeneities,
    heterogeneity,
    heterogeneity_tally,
)
from eval.meta.heterogeneity.gain import drawn_gains, reliability_gains, threshold_curve
from eval.meta.heterogeneity.increase import (
    Increase,
    Levels,
    levels_by_group,
    quality_increase,
)
from eval.meta.heterogeneity.pairs import (
    Pairs,
    every_pair,
    ordered_pairs,
    rival_pairs,
    sampled_pairs,
)
from eval.meta.heterogeneity.prediction import Prediction, prediction
from eval.meta.heterogeneity.ranking import hbr
from eval.meta.heterogeneity.reliability import (
    Corroboration,
    additive_gains,
    corroboration,
    corroboration_by_group,
)
from eval.meta.heterogeneity.sets import as_sets, members, random_sets, two_by_two
from eval.meta.heterogeneity.verdicts import Verdicts

__all__ = [
    "Corroboration",
    "Increase",
    "Levels",
    "Pairs",
    "Prediction",
    "Verdicts",
    "additive_gains",
    "as_sets",
    "corroboration",
    "corroboration_by_group",
    "drawn_gains",
    "every_pair",
    "hbr",
    "heterogeneities",
    "heterogeneity",
    "heterogeneity_tally",
    "levels_by_group",
    "members",
    "ordered_pairs",
    "prediction",
    "quality_increase",
    "random_sets",
    "reliability_gains",
    "rival_pairs",
    "sampled_pairs",
    "threshold_curve",
    "two_by_two",
]
