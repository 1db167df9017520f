"""Key terms: the words and phrases that characterise a set of documents (COLING 2004)."""

from weps.key_terms.extraction import (
    Ranked,
    Terms,
    key_terms,
    key_terms_of_all,
    ranked_of_all,
)
from weps.key_terms.growing import Browser, grown, grown_of_all
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.phrases import Phrases
from weps.key_terms.reference import Reference
from weps.key_terms.weightings import WEIGHTINGS, Weighting, weighting

__all__ = [
    "WEIGHTINGS",
    "Browser",
    "Occurrences",
    "Phrases",
    "Position",
    "Ranked",
    "Reference",
    "Terms",
    "Weighting",
    "grown",
    "grown_of_all",
    "key_terms",
    "key_terms_of_all",
    "ranked_of_all",
    "weighting",
]
