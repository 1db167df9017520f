"""Features: one named bag of strings per document, or a flag per pair of documents."""

# Features register themselves, and are listed in the order in which they do.
from weps.features import entities, links  # noqa: F401

# isort: split
from weps.features import identity, words  # noqa: F401
