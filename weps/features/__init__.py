"""Features: one named bag of strings per document, or a flag per pair of documents.

The functions that make them register themselves and are found by name in the registry.
"""

from weps.features import entities, links, words  # noqa: F401 - for the registry
from weps.features.name import form, frequency, identity  # noqa: F401
