"""Personalised PageRank over the graph of synsets, nearest synsets first.

"Edges connect senses according to the relations defined in WordNet" (ShafieiBavani et al. 2017,
section 3.1): any pointer, semantic or lexical, joins two synsets. The paper does not state
directions and weights; here edges are undirected, and all have weight one. Equation 3.1:
``V(t) = (1 - α) W V(t-1) + α V(0)`` with α = .15 and 30 iterations. Equal probability on several
synsets gives the mean of their vectors, since the equation is linear: one walk for each synset is
enough. The paper keeps all 117,659 dimensions; here a synset keeps its largest ones, by default
1,000.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from eval.text import wordnet as package
from eval.text.wordnet.database import WordNet
from weps._cache import Cache, digest, source_digest

__all__ = ["DIMENSIONS", "PageRanks", "Vector", "mean_vector", "page_ranks", "transition_matrix"]


def transition_matrix(wordnet: WordNet) -> sparse.csr_array:
    """The matrix W of a random walk: ``W[i, j]`` is the probability of a step from j to i.

    Returns:
        Shape (synsets, synsets), float32. Columns sum to one, those of synsets without
        neighbours to zero; a pointer from a synset to itself is no edge.
    """
    size = len(wordnet.synsets)
    start, end = wordnet.pointers[wordnet.pointers[:, 0] != wordnet.pointers[:, 1]].T
    both = (np.concatenate([start, end]), np.concatenate([end, start]))
    edges = sparse.coo_array((np.ones(len(both[0]), np.float32), both), (size, size)).tocsr()
    edges.data[:] = 1.0  # conversion has added up what joins the same two synsets
    degrees = edges.sum(axis=0)
    steps = np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)
    return sparse.csr_array(edges @ sparse.diags_array(steps))


DIMENSIONS = 1000
_RESTART = 0.15
_ITERATIONS = 30
_BATCH = 64
"""Walks at once: 30 MB for WordNet; more are no faster."""


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """The dimensions of a vector that are not zero, largest first, equal ones by number."""

    synsets: NDArray[np.int32]
    """Shape (dimensions,)."""
    weights: NDArray[np.float32]
    """Shape (dimensions,), positive, never rising."""


@dataclass(frozen=True, slots=True, eq=False)
class PageRanks:
    """The vectors of synsets; what was walked once is kept in memory, and in a cache if given."""

    wordnet: WordNet
    dimensions: int = DIMENSIONS
    """How many of its largest dimensions a synset keeps."""
    cache: Cache | None = None
    _known: dict[int, Vector] = field(default_factory=dict, init=False, repr=False)
    _graph: list[sparse.csr_array] = field(default_factory=list, init=False, repr=False)

    def vectors(self, synsets: Iterable[int]) -> list[Vector]:
        """The vector of each of the synsets, in their order."""
        wanted = list(synsets)
        new = sorted(set(wanted) - self._known.keys())
        missing = [synset for synset in new if not self._cached(synset)]
        for start in range(0, len(missing), _BATCH):
            self._walk(missing[start : start + _BATCH])
        return [self._known[synset] for synset in wanted]

    def _walk(self, synsets: Sequence[int]) -> None:
        if not self._graph:
            self._graph.append(transition_matrix(self.wordnet))
        for synset, ranks in zip(synsets, page_ranks(self._graph[0], synsets).T, strict=True):
            vector = _largest(np.ascontiguousarray(ranks), self.dimensions)
            self._known[synset] = vector
            if self.cache is not None:
                self.cache.put(
                    self._key(synset), vector.synsets.tobytes() + vector.weights.tobytes()
                )

    def _cached(self, synset: int) -> bool:
        """Take a vector from the cache, if it is there."""
        entry = self.cache.get(self._key(synset)) if self.cache is not None else None
        if entry is None:
            return False
        half = len(entry) // 2
        self._known[synset] = Vector(
            np.frombuffer(entry[:half], np.int32), np.frombuffer(entry[half:], np.float32)
        )
        return True

    def _key(self, synset: int) -> str:
        code = source_digest(package)
        return digest("ranks", code, self.wordnet.digest, str(self.dimensions), str(synset))


def page_ranks(graph: sparse.csr_array, seeds: Sequence[int]) -> NDArray[np.float32]:
    """Walk from each of the seeds.

    Args:
        graph: shape (synsets, synsets), columns sum to one.
        seeds: numbers of synsets.

    Returns:
        Shape (synsets, seeds), each column a vector of equation 3.1.
    """
    starts = (np.asarray(seeds, dtype=np.intp), np.arange(len(seeds)))
    ranks = np.zeros((graph.shape[0], len(seeds)), dtype=np.float32)
    ranks[starts] = 1.0
    for _ in range(_ITERATIONS):
        ranks = graph @ ranks
        ranks *= np.float32(1 - _RESTART)
        ranks[starts] += np.float32(_RESTART)
    return ranks


def mean_vector(vectors: Sequence[Vector]) -> Vector:
    """The mean of some vectors: that of a walk which starts from all their synsets alike.

    Args:
        vectors: at least one; their dimensions are all kept.
    """
    if len(vectors) == 1:
        return vectors[0]
    synsets, places = np.unique(
        np.concatenate([vector.synsets for vector in vectors]), return_inverse=True
    )
    weights = np.concatenate([vector.weights for vector in vectors])
    means = np.bincount(places, weights) / len(vectors)
    return _sorted(synsets, means.astype(np.float32))


def _largest(ranks: NDArray[np.float32], count: int) -> Vector:
    """The largest dimensions of a vector, none of them zero."""
    least = np.partition(ranks, -count)[-count] if count < len(ranks) else np.float32(0)
    synsets = np.flatnonzero((ranks >= least) & (ranks > 0)).astype(np.int32)
    whole = _sorted(synsets, ranks[synsets])
    return Vector(whole.synsets[:count].copy(), whole.weights[:count].copy())


def _sorted(synsets: NDArray[np.int32], weights: NDArray[np.float32]) -> Vector:
    order = np.argsort(-weights, kind="stable")
    return Vector(synsets[order], weights[order])
