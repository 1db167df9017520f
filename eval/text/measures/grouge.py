"""GROUGE-1, -2 and -SU4: ROUGE with the similarity of word senses beside that of words.

ShafieiBavani et al. 2017, section 3. The sense of a word is, of all its senses, the one that is
most similar to any sense of any word of the other text (alignment-based disambiguation, 3.1); among
equals the more frequent one, thus always the most frequent one for a word that both texts have in
the same part of speech.

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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.stats.arrays import Floats
from eval.stats.estimate import safe_divide
from eval.text.wordnet import PageRanks, Vector, mean_vector, senses_of
from weps.errors import ValuesError

_EMPTY_VECTOR = Vector(np.empty(0, np.int32), np.empty(0, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """A vector over synsets, and the words out of vocabulary."""

    vector: Vector = _EMPTY_VECTOR
    unknown: frozenset[str] = frozenset()


def weighted_overlaps(one: Signature, others: Sequence[Signature]) -> Floats:
    """Equation 3.2 between one signature and each of some others.

    Returns:
        Shape (others,), in [0, 1]: 1 for the same ranks, 0 if nothing is shared or one is empty.
    """
    unknown = np.array([len(one.unknown & other.unknown) for other in others], dtype=np.intp)
    ours = one.vector.synsets
    synsets = (each.vector.synsets.max(initial=0) for each in (one, *others))
    ranks = np.full(1 + max(synsets), np.inf, dtype=np.float32)  # whole numbers below 2^24
    ranks[ours] = np.arange(1, len(ours) + 1) + len(one.unknown)
    places = np.arange(1.0, 1 + max((len(each.vector.synsets) for each in others), default=0))
    found = np.array([_gain(ranks, other, places) for other in others]).reshape(-1, 2)
    return _normalised(found[:, 0] + _ideals(unknown), found[:, 1].astype(np.intp) + unknown)


def _gain(ranks: NDArray[np.float32], other: Signature, places: Floats) -> tuple[float, int]:
    """The sum of equation 3.2 over shared synsets, given ranks or infinity, and their number."""
    theirs = ranks[other.vector.synsets]
    sums = theirs + places[: len(theirs)]
    sums += len(other.unknown)
    gain = np.reciprocal(sums, out=sums).sum()
    return float(gain), int(np.count_nonzero(theirs < np.inf))


def _normalised(gained: ArrayLike, shared: NDArray[np.intp]) -> Floats:
    """The fraction of equation 3.2 from its numerator and the number of shared dimensions."""
    fractions = safe_divide(gained, _ideals(shared), 0)
    return np.minimum(fractions, 1.0)  # rounding alone can lead beyond


def _rank_sums(
    one: Signature, others: Sequence[Signature]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """For every synset shared with one of the others: which of them, and the two ranks added."""
    lengths = [len(other.vector.synsets) for other in others]
    synsets = np.concatenate([_EMPTY_VECTOR.synsets, *(other.vector.synsets for other in others)])
    ours = one.vector.synsets
    ranks = np.zeros(1 + max(ours.max(initial=0), synsets.max(initial=0)), dtype=np.int32)
    ranks[ours] = np.arange(1, len(ours) + 1) + len(one.unknown)
    found = ranks[synsets]
    places = np.flatnonzero(found)
    starts = np.cumsum([0, *lengths])
    owners = np.searchsorted(starts, places, side="right") - 1
    before = np.array([len(other.unknown) for other in others], dtype=np.intp) - starts[:-1]
    return owners, found[places] + places + 1 + before[owners]


def _ideals(counts: NDArray[np.intp]) -> Floats:
    """The denominators of equation 3.2 for numbers of shared dimensions."""
    return _table(int(counts.max(initial=0)).bit_length())[counts]


@cache
def _table(bits: int) -> Floats:
    return np.concatenate([[0.0], np.cumsum(1 / (2 * np.arange(1, 1 << bits)))])


def all_pairs(vectors: Sequence[Vector]) -> NDArray[np.float32]:
    """Equation 3.2 between all vectors.

    Returns:
        Shape (vectors, vectors), float32 since they may be many; symmetric, in [0, 1].
    """
    if not vectors:
        return np.zeros((0, 0), dtype=np.float32)
    width = 1 + max(int(vector.synsets.max(initial=-1)) for vector in vectors)
    held = sum(len(vector.synsets) for vector in vectors)
    dense = held * _DENSE > len(vectors) * width
    return _all_of_dense(vectors, width) if dense else _all_of_sparse(vectors)


_DENSE = 8
"""Vectors with more than one in so many dimensions are compared dimension by dimension."""
_COLUMNS = 512
"""Dimensions compared at once: what is added up stays near the processor."""


def _all_of_dense(vectors: Sequence[Vector], width: int) -> NDArray[np.float32]:
    """Ranks of absent dimensions are infinite, so that they add nothing."""
    ranks = np.full((len(vectors), width), np.inf, dtype=np.float32)
    for row, vector in enumerate(vectors):
        ranks[row, vector.synsets] = np.arange(1, len(vector.synsets) + 1)
    gained = np.zeros((len(vectors), len(vectors)))
    shared = np.zeros_like(gained)
    room = np.empty((len(vectors), _COLUMNS), dtype=np.float32)
    ones = np.ones(_COLUMNS, dtype=np.float32)
    for start in range(0, width, _COLUMNS):
        columns = np.ascontiguousarray(ranks[:, start : start + _COLUMNS])
        known = np.isfinite(columns).astype(np.float32)
        shared += known @ known.T
        for row in range(len(vectors)):
            sums = room[row:, : columns.shape[1]]
            np.add(columns[row], columns[row:], out=sums)
            gained[row, row:] += np.reciprocal(sums, out=sums) @ ones[: columns.shape[1]]
    upper = np.triu(_normalised(gained, shared.astype(np.intp)))
    return (upper + np.triu(upper, 1).T).astype(np.float32)


def _all_of_sparse(vectors: Sequence[Vector]) -> NDArray[np.float32]:
    """Only dimensions that two vectors share are visited."""
    lengths = [len(vector.synsets) for vector in vectors]
    synsets = np.concatenate([vector.synsets for vector in vectors])
    by_synset = np.argsort(synsets, kind="stable")
    owners = np.repeat(np.arange(len(vectors)), lengths)[by_synset]
    ranks = np.concatenate([np.arange(1, length + 1) for length in lengths])[by_synset]
    bounds = np.searchsorted(synsets[by_synset], np.arange(synsets.max(initial=-1) + 2))
    matrix = np.zeros((len(vectors), len(vectors)), dtype=np.float32)
    for row, vector in enumerate(vectors):
        starts, ends = bounds[vector.synsets], bounds[vector.synsets + 1]
        entries = _ranges(starts, ends)
        sums = ranks[entries] + np.repeat(np.arange(1, len(starts) + 1), ends - starts)
        gained = np.bincount(owners[entries], 1 / sums, minlength=len(vectors))
        shared = np.bincount(owners[entries], minlength=len(vectors))
        matrix[row, row:] = matrix[row:, row] = _normalised(gained, shared)[row:]
    return matrix


def _ranges(starts: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """The numbers from each start to its end, one after another."""
    lengths = ends - starts
    offsets = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
    return offsets + np.arange(len(offsets))


class Word(NamedTuple):
    """A word of a text. Words that are equal in all three, case included, are one type."""

    form: str
    """As it is looked up in WordNet."""
    part: str = ""
    """``n``, ``v``, ``a`` or ``r``; empty if unknown: all four are looked up. Anything else is a
    word of a closed class, which has no sense and is never out of vocabulary."""
    stem: str = ""
    """What is compared by letters; empty for the form in lower case."""

    @property
    def letters(self) -> str:
        """What is compared by letters."""
        return self.stem or self.form.lower()

    @property
    def open(self) -> bool:
        """Whether the word may have a sense."""
        return self.part in ("", "n", "v", "a", "r")


Words = tuple[Word, ...]
"""A text without its division into sentences: n-grams run across their ends, as in ROUGE."""

_PARTS = {"NOUN": "n", "PROPN": "n", "VERB": "v", "ADJ": "a", "ADV": "r", "NUM": "", "X": ""}


def part_of_speech(tag: str) -> str:
    """The part of a :class:`Word` that a universal part of speech stands for.

    All but nouns, verbs, adjectives, adverbs, numerals and foreign words, thus auxiliaries too, are
    of a closed class.
    """
    return _PARTS.get(tag, "x")


def sense_words(tagged: Iterable[tuple[str, str]], stem: Callable[[str], str] = str.lower) -> Words:
    """The words of a text from its tokens with their universal parts of speech, in lower case.

    ``stem`` makes what is compared by letters.
    """
    lower = ((form.lower(), tag) for form, tag in tagged)
    return tuple(Word(form, part_of_speech(tag), stem(form)) for form, tag in lower)


_MOST_SENSES = 20_000
"""Their similarities take 1.6 GB."""
_MOST_WHOLE = 5_000
"""As many with all dimensions: their vectors and ranks take 7 GB."""

Readings = dict[Word, int | None]
"""The sense of each open word of a text, None if WordNet does not have the word."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """Texts whose words are read in the light of one another."""

    candidates: dict[Word, tuple[int, ...]]
    """The synsets that an open word may stand for, as numbers of this alignment."""
    vectors: tuple[Vector, ...]
    """One per sense."""
    similarities: NDArray[np.float32]
    """Shape (senses, senses), symmetric, equation 3.2."""

    @classmethod
    def of(cls, texts: Iterable[Words], ranks: PageRanks) -> Alignment:
        """Look up the words of all texts and compare all their senses.

        Raises:
            ValuesError: if they have more than 20,000 senses together, or 5,000 with all
                dimensions.
        """
        words = sorted({word for text in texts for word in text if word.open})
        found = {word: senses_of(word.form, ranks.wordnet, word.part) for word in words}
        synsets = sorted({synset for senses in found.values() for synset in senses})
        most = _MOST_WHOLE if ranks.dimensions is None else _MOST_SENSES
        if len(synsets) > most:
            what = f"these texts have {len(synsets):,} senses, more than the {most:,} that "
            hint = ", or choose dimensions=1000" if ranks.dimensions is None else ""
            remedy = f"compare shorter texts, or fewer at once{hint}"
            raise ValuesError(f"{what}can be compared with one another", remedy=remedy)
        numbers = {synset: number for number, synset in enumerate(synsets)}
        candidates = {
            word: tuple(numbers[synset] for synset in senses) for word, senses in found.items()
        }
        vectors = ranks.vectors(synsets)
        return cls(candidates, tuple(vectors), all_pairs(vectors))

    def read(self, text: Words, other: Words) -> Readings:
        """The sense of every open word of a text, given another text."""
        against = sorted({sense for word in other for sense in self.candidates.get(word, ())})
        best = self.similarities[:, against].max(axis=1, initial=0.0)
        return {
            word: max(self.candidates[word], key=best.__getitem__, default=None)
            for word in dict.fromkeys(text)
            if word.open
        }


Gram = tuple[Word, ...]

_BATCH = 50
"""n-grams compared at once; this and the next bound the memory that long texts take."""
_CACHE_SIZE = 60_000_000
"""Dimensions of signatures kept at most, 8 bytes each."""


@dataclass(frozen=True, slots=True)
class Grouge:
    """Which n-grams are compared, and how much their letters weigh.

    Raises:
        ValuesError: if there are none such.
    """

    n: int = 1
    """Words of an n-gram, from 1; 2 with ``skip``."""
    skip: int | None = None
    """Words that may be left out between the two of a skip-bigram; single words count, too."""
    beta: float = 0.5
    """Weight of letters, in [0, 1]; that of senses is the rest. The paper found .5 best."""

    def __post_init__(self) -> None:
        if not 0 <= self.beta <= 1:
            raise ValuesError(f"letters weigh {self.beta}", remedy="choose a beta from 0 to 1")
        if self.n < 1:
            raise ValuesError(f"GROUGE of {self.n}-grams", remedy="n is at least 1")
        if self.skip is not None and (self.skip < 0 or self.n != 2):
            what = f"{self.n}-grams that skip {self.skip} words"
            raise ValuesError(what, remedy="skip 0 words or more between the two of n=2")

    def grams(self, text: Words) -> list[Gram]:
        """The n-grams of a text, repeated ones repeatedly."""
        if self.skip is None:
            return list(zip(*(text[start:] for start in range(self.n)), strict=False))
        pairs = (
            (word, later)
            for place, word in enumerate(text)
            for later in text[place + 1 : place + self.skip + 2]
        )
        return [*((word,) for word in text), *pairs]


@dataclass(frozen=True, slots=True, eq=False)
class SenseReader:
    """Compares texts; what the measures have in common is computed once."""

    alignment: Alignment
    _known: dict[frozenset[int], Signature] = field(default_factory=dict, init=False)

    def counts(
        self, measure: Grouge, outputs: Sequence[Words], references: Sequence[Words]
    ) -> Floats:
        """Equation 3.3 for every output and every reference, before division.

        Where neither text has an n-gram, each is one, matched if they are the same by letters. An
        output without words scores 0 against a reference that has n-grams.

        Returns:
            Shape (2, outputs, references): the inner sums of the numerator, matches, and of the
            denominator, n-grams of the reference. Their ratio is GROUGE of the reference alone; the
            ratio of their sums over references is equation 3.3, in which long ones weigh more.
        """
        pairs = [  # signatures of a reference's n-grams are needed for all outputs
            self._compared(measure, output, reference)
            for reference in references
            for output in outputs
        ]
        table = np.array(pairs, np.float64).reshape(len(references), len(outputs), 2)
        return table.T

    def _compared(self, measure: Grouge, output: Words, reference: Words) -> tuple[float, float]:
        """The inner sums of numerator and denominator of equation 3.3."""
        ours, theirs = measure.grams(output), measure.grams(reference)
        if not theirs:
            return float(_letters(output) == _letters(reference)), float(not ours)
        by_letters = (Counter(map(_letters, ours)) & Counter(map(_letters, theirs))).total()
        if measure.beta == 1:
            return float(by_letters), float(len(theirs))
        read = self.alignment.read(output, reference)
        whole = self._signature(tuple(read), read)
        by_sense = self._likeness(theirs, self.alignment.read(reference, output), whole)
        return measure.beta * by_letters + (1 - measure.beta) * by_sense, len(theirs)

    def _likeness(self, grams: Sequence[Gram], readings: Readings, whole: Signature) -> float:
        distinct = list(dict.fromkeys(grams))
        likeness = 0.0
        for start in range(0, len(distinct), _BATCH):
            batch = [self._signature(gram, readings) for gram in distinct[start : start + _BATCH]]
            likeness += float(weighted_overlaps(whole, batch).sum())
        return likeness

    def _signature(self, words: Gram, readings: Readings) -> Signature:
        known = [word for word in words if word in readings]
        senses = frozenset(sense for word in known if (sense := readings[word]) is not None)
        unknown = frozenset(word.form.lower() for word in known if readings[word] is None)
        if senses not in self._known:
            vectors = [self.alignment.vectors[sense] for sense in sorted(senses)]
            new = Signature(mean_vector(vectors)) if vectors else Signature()
            if (len(self._known) + 1) * len(new.vector.synsets) > _CACHE_SIZE:
                self._known.clear()
            self._known[senses] = new
        return Signature(self._known[senses].vector, unknown)


def _letters(words: Gram) -> tuple[str, ...]:
    return tuple(word.letters for word in words)
