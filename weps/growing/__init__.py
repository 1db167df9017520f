"""Growing classifiers of pairs; reading them is :mod:`weps.coreference`."""

from weps.growing.boosted import grow_boosted
from weps.growing.trees import grow_forest, grow_tree

__all__ = ["grow_boosted", "grow_forest", "grow_tree"]
