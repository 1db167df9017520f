"""Learning from names whose key is known: who judges pairs, where to stop, how sure to be."""

from weps.training.classifiers import GROWERS, pair_weight, pairs_of
from weps.training.example import Example
from weps.training.learning import Answered, answer, train
from weps.training.settings import Settings, folds
from weps.training.stops import Objective, learn_threshold

__all__ = [
    "GROWERS",
    "Answered",
    "Example",
    "Objective",
    "Settings",
    "answer",
    "folds",
    "learn_threshold",
    "pair_weight",
    "pairs_of",
    "train",
]
