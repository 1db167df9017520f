"""Query refinements: what to add to a name so that the search finds all and only one person."""

from weps.refinement.kinds import Family, Kind, attribute_bags, kinds_of, layers_of
from weps.refinement.search import Best, best_of, search
from weps.refinement.suggest import Refinement, suggestions

__all__ = [
    "Best",
    "Family",
    "Kind",
    "Refinement",
    "attribute_bags",
    "best_of",
    "kinds_of",
    "layers_of",
    "search",
    "suggestions",
]
