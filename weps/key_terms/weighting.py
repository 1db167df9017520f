"""Weightings: how characteristic a word is of a set of documents, with the registry of them.

All are functions of the same counts, vectorised over k words, and greater for more characteristic
words. Word frequencies of a reference collection lower the weight of common words.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from weps._files import atomic_write, read_bytes, resource_path
from weps.errors import FeatureError, SourceError, ValuesError
from weps.key_terms.occurrences import Occurrences, Position

_BUILTIN_FILE = "reference/english.json"
_MAX_BYTES = 500_000_000
_PARTS = ("made_from", "documents", "size", "words")
_DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What data of another shape raise."""


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Word counts of a collection of documents."""

    words: Mapping[str, tuple[int, int]]
    """Word in lower case → how often it occurs, and in how many documents; at least once each."""
    size: int
    """Content words of the whole collection, those that ``words`` leaves out among them."""
    documents: int
    made_from: Mapping[str, Any] = field(default_factory=dict)
    """Description of the collection, for readers of the file."""

    def counts_of(self, words: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Shapes (k,): how often each of k words occurs, and in how many documents."""
        found = [self.words.get(word, (0, 0)) for word in words]
        counts, documents = np.array(found, dtype=np.float64).reshape(-1, 2).T
        return counts, documents

    def __sub__(self, part: Reference) -> Reference:
        """What is left of the collection without some of its documents.

        Raises:
            ValuesError: if these are no part of it.
        """
        left = dict(self.words)
        for word, (count, documents) in part.words.items():
            whole = left.pop(word, (0, 0))
            if min(whole[0] - count, whole[1] - documents) < 0:
                raise ValuesError(
                    f"{word!r} occurs more often in a part of the collection than in the whole",
                    remedy="subtract only documents of the collection",
                )
            if whole[0] > count:
                left[word] = whole[0] - count, whole[1] - documents
        return Reference(left, self.size - part.size, self.documents - part.documents)

    @classmethod
    def of(cls, occurrences: Occurrences, rows: Sequence[int] | None = None) -> Reference:
        """The counts of some documents, by default of all."""
        chosen = range(occurrences.documents) if rows is None else set(rows)
        counts = occurrences.at(Position.ANYWHERE)[sorted(chosen)]
        total = np.asarray(counts.sum(axis=0)).tolist()
        documents = np.bincount(counts.indices, minlength=len(total)).tolist()
        entries = zip(occurrences.words, total, documents, strict=True)
        words = {word: (times, holders) for word, times, holders in entries if times}
        return cls(words, int(sum(total)), counts.shape[0])

    @classmethod
    def combine(cls, collections: Iterable[Reference], fewest: int = 1) -> Reference:
        """Collections that share no document, taken as one.

        Args:
            collections: any number of them, none is an empty collection.
            fewest: a word is kept if it occurs in at least so many of the collections; those left
                out still count in the size.
        """
        parts = list(collections)
        holders = Counter(word for part in parts for word in part.words)
        words = {word: (0, 0) for word in sorted(holders) if holders[word] >= fewest}
        for part in parts:
            for word, (count, documents) in part.words.items():
                if word in words:
                    known = words[word]
                    words[word] = known[0] + count, known[1] + documents
        return cls(words, sum(part.size for part in parts), sum(part.documents for part in parts))

    @classmethod
    @cache
    def builtin(cls) -> Reference:
        """The words of English Web pages, included in weps; read once."""
        return cls.read(resource_path(_BUILTIN_FILE))

    @classmethod
    def read(cls, path: Path) -> Reference:
        """Read what :meth:`write` wrote.

        Raises:
            SourceError: if the file cannot be read, or is no such file.
        """
        raw = read_bytes(path, _MAX_BYTES, SourceError)
        try:
            data = json.loads(raw)
            entries = data["words"].items()
            words = {word: (int(count), int(documents)) for word, (count, documents) in entries}
            return cls(words, int(data["size"]), int(data["documents"]), data["made_from"])
        except _DAMAGE as error:
            raise SourceError(
                f"this is not a reference collection ({type(error).__name__}: {error})",
                where=path,
                remedy="make one with `weps train-reference`",
            ) from error

    def write(self, path: Path) -> None:
        """Write the counts as JSON.

        Raises:
            OutputError: if the file cannot be written.
        """
        data = {name: getattr(self, name) for name in _PARTS}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        atomic_write({path: f"{text}\n".encode()})


Vector: TypeAlias = NDArray[np.float64]

_SATURATION = 1.2
"""k1: saturation of the term frequency."""
_NORMALISATION = 0.75
"""b: normalisation by the length of the set, from 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often k words occur in a set of documents and in a reference collection.

    Every field has shape (k,), or is one number for all k.
    """

    inside: Vector
    """How often the word occurs in the set."""
    size: Vector | float
    """Words of the set."""
    outside: Vector
    """How often it occurs in the reference collection."""
    reference_size: Vector | float
    """Words of the collection."""
    frequency: Vector
    """In how many documents of the collection it occurs."""
    documents: Vector | float
    """Documents of the collection."""
    share: Vector | float = 1.0
    """Share of the documents of the set in which it occurs."""


def term_frequency(counts: Counts) -> Vector:
    """How often the word occurs in the set: 0 or more."""
    return counts.inside


def likelihood_ratio(counts: Counts) -> Vector:
    """The log-likelihood ratio of two frequency profiles (Rayson and Garside 2000, section 3).

    For a word that occurs a times in the set of c words and b times in the reference collection
    of d words, E1 = c(a + b)/(c + d) and E2 = d(a + b)/(c + d) occurrences are expected:

        LL = 2 (a ln(a/E1) + b ln(b/E2)),    0 ln 0 = 0

    LL is 0 if the word is as frequent in both, a/c = b/d, or occurs in neither, and positive
    otherwise; here a word that is rarer in the set has -LL, so that it ranks below all that are
    more frequent. Against an empty collection all words have 0.
    """
    a, c, b, d = counts.inside, counts.size, counts.outside, counts.reference_size
    per_word = _safe_divide(a + b, np.add(c, d))
    expected, expected_outside = c * per_word, d * per_word
    ratio = 2 * (
        xlogy(a, _safe_divide(a, expected, empty=1))
        + xlogy(b, _safe_divide(b, expected_outside, empty=1))
    )
    return np.asarray(np.sign(a * d - b * c) * ratio.clip(min=0))


def okapi_weight(counts: Counts) -> Vector:
    """Okapi's weight with the set taken as one document (COLING 2004, section 5.1).

    For a word that occurs a times in the set of c words, and in n of the N documents of the
    reference collection, whose documents have d/N words each:

        a (k1 + 1) / (a + k1 (1 - b + b·cN/d)) · ln((N - n + 1/2) / (n + 1/2))

    with k1 = 1.2 and b = 0.75 (Robertson et al. 1994; the paper names Robertson et al. 1992 and
    gives no formula). Negative for words of more than half of the documents, 0 for a word that
    the set does not have. It grows with a to at most k1 + 1 times the logarithm. Without a
    reference collection it is 0.
    """
    a, n, total = counts.inside, counts.frequency, counts.documents
    length = _safe_divide(np.multiply(counts.size, total), counts.reference_size, empty=1)
    saturation = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * length)
    rarity = np.log(np.divide(total - n + 0.5, n + 0.5))
    return np.asarray(a * (_SATURATION + 1) / (a + saturation) * rarity)


def _safe_divide(above: Vector | float, below: Vector | float, empty: float = 0) -> Vector:
    """The quotient, ``empty`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(np.asarray(above, np.float64), below)
    quotient: Vector = np.full(numerator.shape, float(empty))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


_PAPER = "COLING 2004, section 5.1"
_CONCLUSION = "COLING 2004, section 6"


@dataclass(frozen=True, slots=True)
class Weighting:
    """A statistic of the words of a set of documents, and which words are considered at all."""

    name: str
    description: str
    source: str
    statistic: Callable[[Counts], Vector]
    counted: Position = Position.ANYWHERE
    """Which occurrences in the set count; a word that has none there is no candidate.

    The reference collection knows no positions, so only tf is fit for any but anywhere.
    """
    among: Position = Position.ANYWHERE
    """Where a word must stand at least once in the set to be a candidate."""
    spread: bool = False
    """Whether to multiply by the share of the documents of the set that have the word."""

    @property
    def needs_tags(self) -> bool:
        """Whether the documents must have been read with their parts of speech."""
        return {self.counted, self.among} != {Position.ANYWHERE}

    def weigh(self, counts: Counts) -> Vector:
        """Shape (k,): the weights of k candidates."""
        weights = self.statistic(counts)
        return weights * counts.share if self.spread else weights


_STATISTICS = (
    ("tf", "occurrences", _PAPER, term_frequency),
    (
        "likelihood_ratio",
        "log-likelihood ratio against the reference collection",
        f"{_PAPER}; Rayson and Garside 2000",
        likelihood_ratio,
    ),
    (
        "okapi",
        "Okapi's weight, the set taken as one document",
        f"{_PAPER}; Robertson et al. 1994",
        okapi_weight,
    ),
)
_SYNTACTIC = (
    ("tfsyntax", "occurrences immediately before a verb", _PAPER, Position.VERB),
    ("subject", "occurrences in subjects", _CONCLUSION, Position.SUBJECT),
    (
        "modifier",
        "occurrences in modifiers of subjects, their heads left out",
        _CONCLUSION,
        Position.MODIFIER,
    ),
)


def _all_weightings() -> Iterator[Weighting]:
    for row in _STATISTICS:
        yield Weighting(*row)
    for name, description, source, counted in _SYNTACTIC:
        yield Weighting(name, description, source, term_frequency, counted)
    for name, plain, _, statistic in _STATISTICS:
        description = f"{plain}, of words that precede a verb in some sentence"
        yield Weighting(f"{name}+verb", description, _CONCLUSION, statistic, among=Position.VERB)
    for name, plain, _, statistic in _STATISTICS:
        description = f"{plain}, times the share of the documents that have the word"
        yield Weighting(f"{name}+spread", description, "our own", statistic, spread=True)


WEIGHTINGS = {each.name: each for each in _all_weightings()}
"""Name → weighting: those of the paper, what its conclusion suggests, our own."""


def weighting_by_name(name: str) -> Weighting:
    """The weighting of that name.

    Raises:
        FeatureError: if there is none.
    """
    if name not in WEIGHTINGS:
        near = get_close_matches(name, WEIGHTINGS, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else ""
        remedy = hint or f"there are: {', '.join(WEIGHTINGS)}"
        raise FeatureError(f"there is no weighting {name!r}", remedy=remedy)
    return WEIGHTINGS[name]
