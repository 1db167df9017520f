"""Features: a named bag of strings or vector per document, or a flag per pair of documents.

The functions that make them register themselves and are found by name in the registry.
"""

from weps.features import embeddings, entities, links, words  # noqa: F401 - for the registry
from weps.features.name import form, frequency, identity, windows  # noqa: F401
