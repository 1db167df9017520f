"""Features: one named bag of strings per document, or a flag per pair of documents."""

from weps.features import entities, identity, links, words  # noqa: F401 - they register themselves
