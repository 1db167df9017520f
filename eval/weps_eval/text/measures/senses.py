"""WordNet, look-up of words and PageRank; and GROUGE, ROUGE with the similarity of senses.

WordNet 3.0, 117,659 synsets with 377,592 pointers, comes with weps: one file of arrays that takes a
tenth of the space of Princeton's files, and of the time to read them. Base forms follow morphy(7WN)
for single words: a form is looked up as it is, then as its irregular base forms, or, if it has
none, without a regular ending. Words joined by underscores are looked up as they are; their parts
are not reduced.

GROUGE-1, -2 and -SU4 are those of ShafieiBavani et al. 2017, section 3. Personalised PageRank is
equation 3.1: ``V(t) = (1 - α) W V(t-1) + α V(0)`` with α = .15 and 30 iterations. "Edges connect
senses according to the relations defined in WordNet": any pointer, semantic or lexical, joins two
synsets; the paper does not state directions and weights; here edges are undirected, and all have
weight one. Equal probability on several synsets gives the mean of their vectors, since the equation
is linear: one walk for each synset is enough. As in the paper, a synset keeps all 117,659
dimensions, those that no path leads to being zero, unless only so many of the largest are to be
kept.

The sense of a word is, of all its senses, the one that is most similar to any sense of any word of
the other text (alignment-based disambiguation, 3.1); among equals the more frequent one, thus
always the most frequent one for a word that both texts have in the same part of speech.

The similarity of senses is weighted overlap, equation 3.2. Words that WordNet does not have are
dimensions of their own, placed before all others. The paper leaves their order open: here those
that both signatures have come first, so that no arbitrary order changes the value.

GROUGE is equations 3.3 and 3.4, recall only. Sums run over the distinct n-grams of a reference, so
that the similarity of senses counts once for a repeated n-gram; n-grams are compared with the whole
output. Where the paper is silent: the senses of the output are those found against the whole
reference, and a set of senses has each sense once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any, Final, NamedTuple
from weakref import finalize

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from weps._files import resource_path
from weps._formatting import error_reason
from weps.errors import OutputError, ValuesError
from weps_eval import stats, tables
from weps_eval.text import testbed, topic
from weps_eval.text.declaration import (
    Need,
    Texts,
    measure,
    real_number,
    true_or_false,
    whole_number,
)


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
    with tables.open_archive(path) as arrays:
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
        for form in _base_forms(word, wordnet, each)
    )
    return tuple(dict.fromkeys(synset for lemma in lemmas for synset in wordnet.senses[lemma]))


def _base_forms(word: str, wordnet: WordNet, part: str) -> tuple[str, ...]:
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
_WALKS = 64
"""Walks at once: 30 MB for WordNet; more are no faster."""
_MOST_KEPT = 6_000
"""Synsets whose weights are kept, .5 MB of a temporary file each."""


class PageRanks:
    """The vectors of synsets; those that were asked for last are kept in a temporary file.

    Nothing stays in memory: joblib replaces a process that grows, with all that it keeps.

    Args:
        wordnet: the synsets.
        dimensions: number of largest dimensions that a synset keeps, equal ones by number, the
            others being zero; None for all.
    """

    def __init__(self, wordnet: WordNet, dimensions: int | None = None) -> None:
        self.wordnet, self.dimensions = wordnet, dimensions
        self._places: dict[int, int] = {}

    def weights(self, synset: int) -> NDArray[np.float32]:
        """The weights of all dimensions for a synset, which is walked from if it is not kept."""
        if synset not in self._places:
            self.walk([synset])
        size = 4 * len(self.wordnet.synsets)
        self._file.seek(size * self._places[synset])
        return np.frombuffer(self._file.read(size), np.float32)

    def walk(self, synsets: Iterable[int]) -> None:
        """Walk from synsets that are not kept, all at once, and keep all for the next questions.

        Raises:
            OutputError: if there is no space for temporary files.
        """
        wanted, places = dict.fromkeys(synsets), self._places
        places |= {synset: places.pop(synset) for synset in wanted if synset in places}
        missing = [synset for synset in wanted if synset not in places]
        for synset, weights in zip(missing, self._walks(missing), strict=True):
            full = len(places) >= _MOST_KEPT
            place = places.pop(next(iter(places))) if full else len(places)
            try:
                self._file.seek(weights.nbytes * place)
                self._file.write(weights.tobytes())
                self._file.flush()
            except OSError as error:
                places.clear()  # one of them may be half written over
                raise OutputError(
                    f"PageRanks cannot be kept ({error_reason(error)})",
                    where=gettempdir(),
                    remedy="make space there",
                ) from None
            places[synset] = place

    def _walks(self, synsets: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        graph = self.graph * np.float32(1 - _RESTART)
        for start in range(0, len(synsets), _WALKS):
            batch = np.asarray(synsets[start : start + _WALKS], dtype=np.intp)
            seeds = batch, np.arange(len(batch))
            ranks = np.zeros((graph.shape[0], len(batch)), dtype=np.float32)
            ranks[seeds] = 1.0
            for _ in range(_ITERATIONS):
                ranks = graph @ ranks
                ranks[seeds] += np.float32(_RESTART)
            for weights in np.ascontiguousarray(ranks.T):
                if self.dimensions is not None:
                    weights[np.argsort(-weights, kind="stable")[self.dimensions :]] = 0
                yield weights

    @cached_property
    def _file(self) -> IO[bytes]:
        file = TemporaryFile()  # noqa: SIM115 - closed when these ranks are no more needed
        finalize(self, file.close)
        return file

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


known_ranks = lru_cache(2)(PageRanks)
"""Walks through a WordNet, those of all topics."""


_SORTED = 1000
"""The first ranks, which each dimension has alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """A vector over synsets, and the words out of vocabulary."""

    ranks: NDArray[np.float32]
    """The rank of each dimension from 1, infinite where the vector is zero."""
    unknown: frozenset[str] = frozenset()


def vector_ranks(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rank of each dimension, largest first and equal ones by number; infinite for zero.

    Behind the first, weights that agree in their first 16 bits (to 1 %) share the mean of their
    ranks: counting them takes a tenth of the time of sorting.
    """
    bits = (weights.view(np.uint32) >> np.uint32(16)).astype(np.intp)
    counts = np.bincount(bits)
    before = len(weights) - counts.cumsum()
    means = (before + (counts + 1) / 2).astype(np.float32)
    means[0] = np.inf
    ranks = means.take(bits, mode="clip")  # faster than indices that are checked
    head = np.flatnonzero(bits >= max(int((before >= _SORTED).sum()), 1))
    ranks[head[np.argsort(-weights[head], kind="stable")]] = np.arange(1, len(head) + 1)
    return ranks


def _weighted_overlaps(one: Signature, others: Sequence[Signature]) -> stats.Floats:
    """Equation 3.2 between one signature and each of some others.

    Returns:
        Shape (others,), in [0, 1]: 1 for the same ranks, 0 if nothing is shared or one is empty.
    """
    # Words come first: those that are shared have the first ranks in both.
    shared = np.array([len(one.unknown & other.unknown) for other in others], dtype=np.intp)
    gained = _IDEALS[shared]
    sums, ones = np.empty_like(one.ranks), np.ones_like(one.ranks)
    for row, other in enumerate(others):
        np.add(one.ranks, other.ranks, out=sums)
        if words := len(one.unknown) + len(other.unknown):
            sums += np.float32(words)
        shared[row] += np.count_nonzero(sums < np.inf)
        # Half the time of a reciprocal, a third of the time of a sum.
        gained[row] += float(np.divide(np.float32(1), sums, out=sums) @ ones)
    return _normalised(gained, shared)


def _normalised(gained: ArrayLike, shared: NDArray[np.intp]) -> stats.Floats:
    """The fraction of equation 3.2 from its numerator and the number of shared dimensions."""
    # Rounding alone can lead beyond 1.
    return np.minimum(stats.safe_divide(gained, _IDEALS[shared], 0), 1.0)


_IDEALS = np.concatenate([[0.0], np.cumsum(1 / (2 * np.arange(1, 1 << 18)))])
"""The denominators of equation 3.2 for numbers of shared dimensions."""
_HEAD = 256
"""The first ranks, which are compared one by one; those behind are compared in product form."""
_FACTORS = 4
"""Terms of the product form: so many that few words are left between whose senses they cannot
decide."""
_ROWS = 128
"""Dimensions projected at once."""
_SIGNS = 8
"""Dimensions that they are projected on."""
_DEVIATIONS = 6
"""Standard deviations of the projection that an estimate may be wrong by."""
_CODED = np.concatenate([[np.inf], (65535 / np.arange(1, 65536)) ** 4]).astype(np.float32)
"""The ranks that 16 bits stand for, to .06 % up to 117,659; infinite for 0."""


def _codes(ranks: NDArray[np.float32]) -> NDArray[np.uint16]:
    return np.asarray(np.rint(65535 / np.sqrt(np.sqrt(ranks))), np.uint16)


def all_pairs(
    ranks: Iterable[NDArray[np.float32]], shape: tuple[int, int]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Estimates of equation 3.2 between all vectors.

    Args:
        ranks: those of the dimensions of each vector; looked at once.
        shape: vectors and dimensions.

    Returns:
        Shape (vectors, vectors), float32 since they may be many; symmetric, at most 1, and 1 on
        the diagonal. And the most that each may be wrong.
    """
    codes, gained = np.empty(shape[::-1], dtype=np.uint16), np.zeros((shape[0], shape[0]))
    heads, supports = [], dict[bytes, int]()
    kinds = np.empty(shape[0], dtype=np.intp)
    for column, each in enumerate(ranks):
        codes[:, column] = _codes(each)
        heads.append(np.flatnonzero(_CODED[codes[:, column]] <= _HEAD))  # by codes, as below
        kinds[column] = supports.setdefault(np.packbits(each < np.inf).tobytes(), len(supports))
    # What is in both heads counts twice, half each time.
    parts = np.where(_CODED <= _HEAD, np.float32(0.5), np.float32(1))
    for column, head in enumerate(heads):
        theirs = codes[head].astype(np.intp)
        sums = _CODED.take(theirs, mode="clip")
        sums += sums[:, [column]]
        gained[column] = (parts.take(theirs, mode="clip") / sums).sum(axis=0)
    gained += gained.T
    factors, error = _factors(shape[1])
    blocks, variances = _projected(codes, factors), np.zeros_like(gained)
    while batch := list(islice(blocks, 16)):
        projected, shares, norms = map(np.concatenate, zip(*batch, strict=True))
        gained += projected.T @ projected + np.add.outer(common := shares.sum(axis=0), common)
        variances += norms.T @ norms
    bits = np.frombuffer(b"".join(supports), np.uint8).reshape(len(supports), -(-shape[1] // 8))
    present = sparse.csr_array(np.unpackbits(bits, axis=1)).astype(np.int32)
    shared = (present @ present.T).toarray()[np.ix_(kinds, kinds)]
    found = _normalised(gained, shared).astype(np.float32)
    np.fill_diagonal(found, 1)
    deviations = stats.safe_divide(np.sqrt(variances * (2 / _SIGNS)), _IDEALS[shared], 0)
    return found, (error + _DEVIATIONS * deviations).astype(np.float32)


def _projected(
    codes: NDArray[np.uint16], factors: NDArray[np.float32]
) -> Iterator[tuple[NDArray[np.float32], ...]]:
    """Factors of all vectors in fewer dimensions, of which products are right on average.

    What vectors have in common is multiplied as it is. Where they differ from their mean, random
    signs (the same in every run) join dimensions; the variance of a product is at most 2 / signs ·
    products of squared norms, summed over blocks.

    Yields:
        For a block of dimensions: the projected differences, shape (factors · signs, vectors);
        each one's product with the mean and half of that of the mean with itself, shape (1,
        vectors); the squared norms of the differences, shape (factors, vectors).
    """
    generator = np.random.default_rng(0)
    for start in range(0, len(codes), _ROWS):
        products = factors.take(codes[start : start + _ROWS], axis=1, mode="clip")
        means = products.sum(axis=2, keepdims=True) / np.float32(max(products.shape[2], 1))
        products -= means
        shares = np.tensordot(means[..., 0], products) + np.square(means).sum() / 2
        norms = np.einsum("frv,frv->fv", products, products)
        signs = generator.integers(0, 2, (len(factors), _SIGNS, products.shape[1])) * 2 - 1
        projected = (signs / np.sqrt(_SIGNS)).astype(np.float32) @ products
        yield projected.reshape(len(factors) * _SIGNS, -1), shares[None], norms


def _factors(size: int) -> tuple[NDArray[np.float32], float]:
    """For each code numbers such that those of two, multiplied and summed, are 1 / sum of ranks.

    With ranks as exponentials that is ``exp(-(u + v) / 2) / (2 cosh((u - v) / 2))``, a positive
    definite kernel. It is projected on its principal functions (those of its values on a grid), so
    that what is left is positive definite, too, and a sum of it over shared dimensions no larger
    than that for the same ranks twice.

    Returns:
        Shape (factors, codes), zero for ranks in the head and above the size, and a bound of the
        error that they cause in equation 3.2.
    """
    factors = np.zeros((len(_CODED), _FACTORS), dtype=np.float32)
    last = round(len(_CODED) / max(size, 1) ** 0.25)
    tail = last + np.flatnonzero(_CODED[last:] > _HEAD)
    logs, ranks = np.log(_CODED[tail]), np.arange(_HEAD + 1, size + 1, dtype=np.float32)
    if not len(tail):
        return factors.T, 2 / last
    grid = np.linspace(logs[-1], logs[0], 64)
    values, functions = np.linalg.eigh(1 / np.cosh(np.subtract.outer(grid, grid) / 2))
    principal = functions[:, -_FACTORS:] / np.sqrt(values[-_FACTORS:].clip(1e-9))
    kernel = 1 / np.cosh(np.subtract.outer(logs, grid) / 2)
    factors[tail] = kernel @ principal / np.sqrt(2 * _CODED[tail, None])
    left = 1 / (2 * ranks) - np.square(factors[_codes(ranks)]).sum(axis=1)
    most = np.cumsum(np.sort(left.clip(0))[::-1]) / _IDEALS[1 : 1 + len(ranks)]
    return np.ascontiguousarray(factors.T), float(most.max(initial=0)) + 2 / last


class Word(NamedTuple):
    """A word of a text. Words that are equal in all three, case included, are one type."""

    form: str
    """As it is looked up in WordNet."""
    part: str = ""
    """``n``, ``v``, ``a`` or ``r``; empty if unknown: all four are looked up. Anything else is a
    word of a closed class, which has no sense and is never out of vocabulary."""
    letters: str = ""
    """What is compared by letters."""

    @property
    def open(self) -> bool:
        """Whether the word may have a sense."""
        return self.part in ("", "n", "v", "a", "r")


Words = tuple[Word, ...]
"""A text without its division into sentences: n-grams run across their ends, as in ROUGE."""

_PARTS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r", "NUM": "", "X": ""}


def sense_words(tagged: Iterable[tuple[str, str]], stem: Callable[[str], str] = str.lower) -> Words:
    """The words of a text from its tokens with their universal parts of speech, in lower case.

    ``stem`` makes what is compared by letters. All but nouns, verbs, adjectives, adverbs, numerals
    and foreign words, thus auxiliaries too, are of a closed class.
    """
    return tuple(
        Word(form.lower(), _PARTS.get(tag, "x"), stem(form.lower())) for form, tag in tagged
    )


_MOST_SENSES = 5_000
"""They take 2.4 GB on disk, 1.2 GB of memory and some minutes."""

Readings = dict[Word, int | None]
"""The sense of each open word of a text, None if WordNet does not have the word."""

Senses = tuple[frozenset[int], frozenset[str]]
"""The senses of words, and the words out of vocabulary."""


_BATCH = 50
"""n-grams compared at once."""
_MOST_SIGNATURES = 800
"""Signatures kept at most, .5 MB each, in one block that goes back to the system as a whole."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Texts whose words are read in the light of one another; each signature is computed once."""

    candidates: dict[Word, tuple[int, ...]]
    """The synsets that an open word may stand for, as numbers of this alignment."""
    synsets: Sequence[int]
    """What the numbers stand for."""
    ranks: PageRanks
    """The vectors of synsets."""
    similarities: NDArray[np.float32]
    """Shape (senses, senses), symmetric: equation 3.2, estimated."""
    errors: NDArray[np.float32]
    """The most that each estimate may be wrong."""
    _signatures: NDArray[np.float32]
    """Shape (signatures, dimensions)."""
    _places: dict[frozenset[int], int] = field(default_factory=dict)
    _overlaps: dict[Senses, dict[Senses, float]] = field(default_factory=dict)
    _readings: dict[tuple[Words, Words], Readings] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[Words], ranks: PageRanks) -> Alignment:
        """Look up the words of all texts and compare all their senses.

        Raises:
            ValuesError: if they have more than 5,000 senses together.
        """
        found = {
            word: senses_of(word.form, ranks.wordnet, word.part)
            for word in sorted({word for text in texts for word in text if word.open})
        }
        synsets = sorted({synset for senses in found.values() for synset in senses})
        if len(synsets) > _MOST_SENSES:
            raise ValuesError(
                f"these texts have {len(synsets):,} senses, more than the {_MOST_SENSES:,} that "
                "can be compared with one another",
                remedy="compare shorter texts, or fewer at once",
            )
        numbers = {synset: number for number, synset in enumerate(synsets)}
        candidates = {
            word: tuple(numbers[synset] for synset in senses) for word, senses in found.items()
        }
        ranks.walk(synsets)
        vectors, size = map(vector_ranks, map(ranks.weights, synsets)), len(ranks.wordnet.synsets)
        signatures = np.empty((_MOST_SIGNATURES, size), np.float32)
        return cls(
            candidates, synsets, ranks, *all_pairs(vectors, (len(synsets), size)), signatures
        )

    def read(self, text: Words, other: Words) -> Readings:
        """The sense of every open word of a text, given another text."""
        if (text, other) in self._readings:
            return self._readings[text, other]
        theirs = {sense for word in other for sense in self.candidates.get(word, ())}
        against = np.array(sorted(theirs), np.intp)

        def choose(senses: tuple[int, ...]) -> int | None:
            same = [sense for sense in senses if sense in theirs]
            if same or len(senses) < 2 or not theirs:
                return next(iter(same or senses), None)
            pairs = np.ix_(np.array(senses), against)
            estimates, errors = self.similarities[pairs], self.errors[pairs]
            least, most = (estimates - errors).max(axis=1), estimates + errors
            rivals = np.flatnonzero(most.max(axis=1) >= least.max()).tolist()
            best, chosen = -1.0, rivals[0]
            for rival in sorted(rivals, key=least.__getitem__, reverse=True)[len(rivals) < 2 :]:
                near = against[most[rival] >= max(best, least.max())].tolist()
                overlap = max(self._compare(_one(senses[rival]), map(_one, near)), default=0.0)
                if (overlap, -rival) > (best, -chosen):
                    best, chosen = overlap, rival
            return senses[chosen]

        words = (word for word in dict.fromkeys(text) if word.open)
        found = {word: choose(self.candidates[word]) for word in words}
        return self._readings.setdefault((text, other), found)

    def likeness(self, output: Words, reference: Words, grams: Sequence[Words]) -> float:
        """The weighted overlaps of the reference's distinct n-grams with the output, summed."""
        own, readings = self.read(output, reference), self.read(reference, output)
        distinct = Counter(_senses(gram, readings) for gram in dict.fromkeys(grams))
        overlaps = self._compare(_senses(tuple(own), own), distinct)
        return float(np.dot(overlaps, list(distinct.values())))

    def _compare(self, one: Senses, others: Iterable[Senses]) -> list[float]:
        wanted, known = list(others), self._overlaps.setdefault(one, {})
        missing = iter([each for each in wanted if each not in known])
        while batch := list(islice(missing, _BATCH)):
            signatures = list(map(self._signature, batch))
            found = _weighted_overlaps(self._signature(one), signatures)
            known.update(zip(batch, found.tolist(), strict=True))
        return [known[each] for each in wanted]

    def _signature(self, senses: Senses) -> Signature:
        synsets, unknown = senses
        places, most = self._places, len(self._signatures)
        if (place := places.pop(synsets, -1)) < 0:
            place = len(places) if len(places) < most else places.pop(next(iter(places)))
            total = np.zeros(self._signatures.shape[1], np.float32)
            for synset in sorted(synsets):  # the mean has the order of the sum
                total += self.ranks.weights(self.synsets[synset])
            self._signatures[place] = vector_ranks(total)
        places[synsets] = place
        return Signature(self._signatures[place], unknown)


def _one(sense: int) -> Senses:
    return frozenset((sense,)), frozenset()


@lru_cache(64)
def _grams_of(text: Words, n: int, skip: int | None) -> list[Words]:
    """The n-grams of a text, repeated ones repeatedly; with ``skip``, words and skip-bigrams."""
    if skip is None:
        return list(zip(*(text[start:] for start in range(n)), strict=False))
    pairs = (
        (word, later)
        for place, word in enumerate(text)
        for later in text[place + 1 : place + skip + 2]
    )
    return [*((word,) for word in text), *pairs]


def _senses(words: Words, readings: Readings) -> Senses:
    known = [word for word in words if word in readings]
    return (
        frozenset(sense for word in known if (sense := readings[word]) is not None),
        frozenset(word.form.lower() for word in known if readings[word] is None),
    )


def _letters(words: Words) -> tuple[str, ...]:
    return tuple(word.letters for word in words)


@lru_cache(64)
def _letter_counts(text: Words, n: int, skip: int | None) -> Counter[tuple[str, ...]]:
    return Counter(map(_letters, _grams_of(text, n, skip)))


@measure(
    "word senses",
    "ROUGE that also compares word senses",
    formula="recall = Σ over n-grams of the reference of β · (matched by form, as in rouge and "
    "rouge_su) + (1 − β) · (weighted overlap of the personalised PageRanks over WordNet of the "
    "n-gram's senses and of the output's senses, once for each different n-gram) / n-grams of the "
    "reference; each word has the sense most similar to any sense of the other text; words are "
    "those of the language pipeline without punctuation; less than 1 for the same text, because an "
    "n-gram is compared with the whole text; forms are compared by stems, and stop words are kept, "
    "as in the NIST setting of section 4.1",
    source="ShafieiBavani, Ebrahimi, Wong and Chen 2017, A semantically motivated approach to "
    "compute ROUGE scores (UNSW-CSE-TR-201706), section 3, equations 3.1 to 3.4",
    name="grouge",
    read=None,
    joined="all matches divided by all n-grams of the references (equation 3.3); if inverted, the "
    "mean over references, because the n-grams are always those of the output",
    usually="together",
    needs=(Need.TAGS, Need.WORDNET),
    aliases={"grouge{}": "n={}", "grouge_su{}": "n=2, skip={}"},
    n=whole_number(None, 1, 100, "length of the n-grams"),
    skip=whole_number(
        "none",
        0,
        1000,
        "for n=2: maximum number of words between the two; adds single words; 4 is GROUGE-SU4",
        "none",
    ),
    beta=real_number(0.5, 0, 1, "weight of forms; the weight of senses is 1 − beta"),
    inverted=true_or_false("precision: swap output and reference"),
    stem=true_or_false("compare forms by the stems of ROUGE-1.5.5", default=True),
    dimensions=whole_number(
        "all",
        1,
        1_000_000,
        "number of the largest dimensions of a PageRank that are kept; all in the paper",
        "all",
    ),
)
def grouge_scores(
    topic_texts: topic.TopicTexts,
    outputs: Texts,
    references: Texts,
    *,
    together: bool = False,
    **values: Any,
) -> stats.Floats:
    """GROUGE, equations 3.3 and 3.4, shape (outputs, references), or (outputs, 1)."""
    matches, totals = _counts(topic_texts, outputs, references, **values)
    if together and not values["inverted"]:  # else the denominator is the same text each time
        matches, totals = (each.sum(axis=1, keepdims=True) for each in (matches, totals))
    found = stats.safe_divide(matches, totals, 0)
    return found.mean(axis=1, keepdims=True) if together else found


def _counts(  # noqa: PLR0913 - texts and parameters
    topic_texts: topic.TopicTexts,
    outputs: Texts,
    references: Texts,
    *,
    n: int,
    skip: int | str,
    beta: float,
    inverted: bool,
    stem: bool,
    dimensions: int | str,
) -> stats.Floats:
    """Equation 3.3 for every output and every reference, before division.

    Where neither text has an n-gram, each is one, matched if they are the same by letters. An
    output without words scores 0 against a reference that has n-grams. Matches by letters and by
    senses are counted apart, so that other weights count nothing again.

    Returns:
        Shape (2, outputs, references): the inner sums of the numerator, matches, and of the
        denominator, n-grams of the reference. Their ratio is GROUGE of the reference alone; the
        ratio of their sums over references is equation 3.3, in which long ones weigh more.
    """
    if skip != "none" and n != 2:
        raise ValuesError(
            f"{n}-grams that skip {skip} words",
            remedy="skip 0 words or more between the two of n=2",
        )
    compared, judges = (references, outputs) if inverted else (outputs, references)
    skipped = None if skip == "none" else int(skip)
    texts = tuple(dict.fromkeys((*topic_texts.texts, *compared, *judges)))

    def read(text: testbed.Text) -> Words:
        words = chain.from_iterable(topic_texts.tagged_words(text))
        tagged = ((word.form, word.tag) for word in words)
        return sense_words(tagged, topic.official_stem if stem else str.lower)

    def align() -> Alignment:
        wordnet = load_wordnet(topic_texts.tools.wordnet)
        most = None if dimensions == "all" else int(dimensions)
        return Alignment.of(map(read, texts), known_ranks(wordnet, most))

    def count(*, by_sense: bool) -> stats.Floats:
        key = (Alignment, stem, dimensions, texts)
        aligned = topic_texts.cached(key, align) if by_sense else None
        pairs = [  # signatures of a reference's n-grams are needed for all outputs
            _gram_matches(output, reference, n, skipped, aligned)
            for reference in map(read, judges)
            for output in map(read, compared)
        ]
        return np.array(pairs, np.float64).reshape(len(judges), len(compared), 2).T

    table = np.zeros((2, len(compared), len(judges)))
    for by_sense, share in ((False, beta), (True, 1 - beta)):
        if share:
            kind = ("grouge", n, skip, by_sense, stem, dimensions, tuple(compared), tuple(judges))
            table += share * topic_texts.cached(kind, partial(count, by_sense=by_sense))
    return table.transpose(0, 2, 1) if inverted else table


def _gram_matches(
    output: Words, reference: Words, n: int, skip: int | None, aligned: Alignment | None
) -> tuple[float, float]:
    """The inner sums of numerator and denominator, by senses if texts are aligned."""
    ours, theirs = (_grams_of(text, n, skip) for text in (output, reference))
    if not theirs:
        return float(_letters(output) == _letters(reference)), float(not ours)
    if aligned:
        return aligned.likeness(output, reference, theirs), len(theirs)
    alike = _letter_counts(output, n, skip) & _letter_counts(reference, n, skip)
    return alike.total(), len(theirs)
