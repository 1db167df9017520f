"""Features: one named bag of strings per document, or a flag per pair of documents."""

from weps.features import (  # noqa: F401 - they register themselves
    capitalised,
    contacts,
    content,
    gazetteer,
    identity,
    lemmas,
    links,
    ngrams,
    phrases,
    recognised,
    tokens,
)
from weps.features.bags import Bags
from weps.features.registry import Feature, Flags, feature, features
from weps.features.runs import PUNCTUATION

__all__ = ["PUNCTUATION", "Bags", "Feature", "Flags", "feature", "features"]
