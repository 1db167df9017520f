"""Growing classifiers of pairs; reading them is :mod:`weps.coreference`."""

from weps.growing.boosted import grow_boosted
from weps.growing.hbr import draw_rivals
from weps.growing.trees import grow_forest, grow_tree

__all__ = ["draw_rivals", "grow_boosted", "grow_forest", "grow_tree"]
