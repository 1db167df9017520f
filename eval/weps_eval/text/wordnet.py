"""WordNet: its file, look-up of words, and personalised PageRank over its synsets.

WordNet 3.0, 117,659 synsets with 377,592 pointers, comes with weps: one file of arrays that takes a
tenth of the space of Princeton's files, and of the time to read them.

Base forms follow morphy(7WN) for single words: a form is looked up as
it is, then as its irregular base forms, or, if it has none, without a regular ending. Words joined
by underscores are looked up as they are; their parts are not reduced.

PageRank is that of ShafieiBavani et al. 2017, section 3.1, equation 3.1:
``V(t) = (1 - α) W V(t-1) + α V(0)`` with α = .15 and 30 iterations. "Edges connect senses according
to the relations defined in WordNet": any pointer, semantic or lexical, joins two synsets; the paper
does not state directions and weights; here edges are undirected, and all have weight one. Equal
probability on several synsets gives the mean of their vectors, since the equation is linear: one
walk for each synset is enough. As in the paper, a synset keeps all 117,659 dimensions, those that
no path leads to being zero, unless only so many of the largest are to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import resource_path
from weps_eval.tables import open_archive


@dataclass(frozen=True, slots=True, eq=False)
class WordNet:
    """Synsets, numbered in the order of the files: nouns, verbs, adjectives, adverbs."""

    synsets: tuple[str, ...]
    """Part of speech and offset of each, ``n00001740``."""
    pointers: NDArray[np.int32]
    """Shape (pointers, 2): from which synset to which; lexical pointers are among them."""
    senses: dict[tuple[str, str], tuple[int, ...]]
    """The synsets of a lemma, ``("bank", "n")``, the most frequent sense first."""
    exceptions: dict[tuple[str, str], tuple[str, ...]]
    """The base forms of an irregular form, ``("mice", "n")``."""
    digest: str
    """SHA-256 of Princeton's files, in hex."""


@lru_cache(2)
def load_wordnet(path: Path | None = None) -> WordNet:
    """WordNet 3.0 as it comes with weps, or another file of the same arrays.

    ``docs/benchmarks/wordnet.py`` makes them of Princeton's files, names being bytes of lines.

    Raises:
        SourceError: if the file cannot be read, or is no such file.
    """
    path = path or resource_path("wordnet/wordnet-3.0.npz")
    with open_archive(path) as arrays:
        digest, synsets, lemmas, exceptions = (
            arrays[name].tobytes().decode("ascii").splitlines()
            for name in ("digest", "synsets", "lemmas", "exceptions")
        )
        counts, senses = arrays["counts"].tolist(), iter(arrays["senses"].tolist())
        return WordNet(
            synsets=tuple(synsets),
            pointers=arrays["pointers"],
            senses={
                (lemma, part): tuple(islice(senses, count))
                for (lemma, part), count in zip(map(str.split, lemmas), counts, strict=True)
            },
            exceptions={
                (form, part): tuple(bases) for form, part, *bases in map(str.split, exceptions)
            },
            digest=digest[0],
        )


_ENDINGS: Final = {
    "n": (
        *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
        *(("men", "man"), ("ies", "y")),
    ),
    "v": (
        *(("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", "")),
        *(("ing", "e"), ("ing", "")),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
"""Part of speech → regular endings, and what stands in a lemma instead."""


def senses_of(word: str, wordnet: WordNet, part: str = "") -> tuple[int, ...]:
    """The numbers of the synsets that a word may stand for, each once; none if it is unknown.

    Args:
        word: in any form and case; the most frequent sense of the form itself is first.
        wordnet: the synsets.
        part: ``n``, ``v``, ``a`` or ``r``; empty for all four in this order.
    """
    lemmas = (
        (form, each)
        for each in ((part,) if part else _ENDINGS)
        for form in base_forms(word, wordnet, each)
    )
    return tuple(dict.fromkeys(synset for lemma in lemmas for synset in wordnet.senses[lemma]))


def base_forms(word: str, wordnet: WordNet, part: str) -> tuple[str, ...]:
    """The lemmas of a part of speech that a word may be a form of, the word itself first."""
    form = word.lower().replace(" ", "_")
    lemmas = [form]
    if irregular := wordnet.exceptions.get((form, part)):
        lemmas += irregular
    else:  # the first lemma that is left when a regular ending is taken off, if there is one
        rest, full = (form[:-3], "ful") if part == "n" and form.endswith("ful") else (form, "")
        # What ends in ss is no plural: Morphy leaves it alone, though its manual does not say so.
        endings = () if part == "n" and rest.endswith("ss") else _ENDINGS.get(part, ())
        bases = (rest.removesuffix(end) + new + full for end, new in endings if rest.endswith(end))
        lemmas += islice((lemma for lemma in bases if (lemma, part) in wordnet.senses), 1)
    return tuple(lemma for lemma in dict.fromkeys(lemmas) if (lemma, part) in wordnet.senses)


_RESTART = 0.15
_ITERATIONS = 30
_BATCH = 64
"""Walks at once: 30 MB for WordNet; more are no faster."""
_MOST_KEPT = 20_000_000
"""Dimensions kept in memory from one question to the next, 8 bytes each."""


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """The dimensions of a vector that are not zero, largest first, equal ones by number."""

    synsets: NDArray[np.int32]
    """Shape (dimensions,)."""
    weights: NDArray[np.float32]
    """Shape (dimensions,), positive, never rising."""


class PageRanks:
    """The vectors of synsets; what was walked once is kept in memory.

    Args:
        wordnet: the synsets.
        dimensions: number of largest dimensions that a synset keeps; None for all.
    """

    def __init__(self, wordnet: WordNet, dimensions: int | None = None) -> None:
        self.wordnet, self.dimensions = wordnet, dimensions
        self._known: dict[int, Vector] = {}

    def vectors(self, synsets: Iterable[int]) -> list[Vector]:
        """The vector of each of the synsets, in their order."""
        wanted = list(synsets)
        if sum(len(vector.synsets) for vector in self._known.values()) > _MOST_KEPT:
            self._known = {each: self._known[each] for each in wanted if each in self._known}
        missing = sorted(set(wanted) - self._known.keys())
        vectors = (sorted_vector(ranks, self.dimensions) for ranks in self.walks(missing))
        self._known.update(zip(missing, vectors, strict=True))
        return [self._known[synset] for synset in wanted]

    def walks(self, synsets: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        """The weights of all dimensions of each of the synsets, which are not kept."""
        graph = self.graph * np.float32(1 - _RESTART)
        for start in range(0, len(synsets), _BATCH):
            batch = np.asarray(synsets[start : start + _BATCH], dtype=np.intp)
            seeds = batch, np.arange(len(batch))
            ranks = np.zeros((graph.shape[0], len(batch)), dtype=np.float32)
            ranks[seeds] = 1.0
            for _ in range(_ITERATIONS):
                ranks = graph @ ranks
                ranks[seeds] += np.float32(_RESTART)
            yield from np.ascontiguousarray(ranks.T)

    @cached_property
    def graph(self) -> sparse.csr_array:
        """The matrix W of a random walk: ``W[i, j]`` is the probability of a step from j to i.

        Shape (synsets, synsets), float32. Columns sum to one, those of synsets without
        neighbours to zero; a pointer from a synset to itself is no edge.
        """
        size, pointers = len(self.wordnet.synsets), self.wordnet.pointers
        start, end = pointers[pointers[:, 0] != pointers[:, 1]].T
        both = (np.concatenate([start, end]), np.concatenate([end, start]))
        edges = sparse.coo_array((np.ones(len(both[0]), np.float32), both), (size, size)).tocsr()
        edges.data[:] = 1.0  # conversion has added up what joins the same two synsets
        degrees = edges.sum(axis=0)
        steps = np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)
        return sparse.csr_array(edges @ sparse.diags_array(steps))


@lru_cache(2)
def load_ranks(path: Path | None, dimensions: int | None) -> PageRanks:
    """Walks through the WordNet of :func:`load_wordnet`, those of all topics."""
    return PageRanks(load_wordnet(path), dimensions)


def mean_vector(vectors: Sequence[Vector]) -> Vector:
    """The mean of one vector or more: that of a walk which starts from all their synsets alike."""
    if len(vectors) == 1:
        return vectors[0]
    sums = np.zeros(1 + max(int(vector.synsets.max(initial=-1)) for vector in vectors))
    for vector in vectors:
        sums[vector.synsets] += vector.weights
    means = (sums / len(vectors)).astype(np.float32)
    synsets = np.flatnonzero(means).astype(np.int32)
    return _sorted(synsets, means[synsets])


def sorted_vector(ranks: NDArray[np.float32], count: int | None = None) -> Vector:
    """The largest dimensions of a vector of weights, none of them zero."""
    cut = count is not None and count < len(ranks)
    least = np.partition(ranks, -count)[-count] if count and cut else np.float32(0)
    synsets = np.flatnonzero((ranks >= least) & (ranks > 0)).astype(np.int32)
    whole = _sorted(synsets, ranks[synsets])
    return Vector(whole.synsets[:count].copy(), whole.weights[:count].copy())


def _sorted(synsets: NDArray[np.int32], weights: NDArray[np.float32]) -> Vector:
    """Largest first; positive floats have the order of their bits, so that integers are sorted."""
    bits = weights.view(np.uint32).astype(np.uint64)
    keys = (np.uint64(0xFFFFFFFF) - bits) << np.uint64(32) | np.arange(len(bits), dtype=np.uint64)
    order = (np.sort(keys) & np.uint64(0xFFFFFFFF)).astype(np.intp)
    return Vector(synsets[order], weights[order])
