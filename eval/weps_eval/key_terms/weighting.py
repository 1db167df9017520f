"""Weightings of the words of a topic: by frequency, against other documents, and by position.

All rank the candidate words of a set of documents, best first (COLING 2004, section 5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from scipy import sparse

from weps.key_terms.weighting import Counts, Reference, Vector, likelihood_ratio, safe_divide
from weps_eval.key_terms.syntax import Positions
from weps_eval.stats.arrays import Ints


class Position(StrEnum):
    """Where in a sentence a word stands (section 4)."""

    ANYWHERE = "anywhere"
    VERB = "verb"
    """Immediately before a verb, words without content not counted."""
    SUBJECT = "subject"
    HEAD = "head"
    """The noun phrase that a subject begins with."""
    MODIFIER = "modifier"
    """Words that follow the head of a subject."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Counts of the w distinct content words of documents."""

    words: Sequence[str]
    """w words in lower case, sorted."""
    counts: Mapping[Position, sparse.csr_array]
    """Position → shape (documents, w), int32: how often the word occurs there. Where documents were
    read without tags, only anywhere is known."""

    @classmethod
    def of(cls, positions: Positions, documents: int) -> Occurrences:
        """Count content words by where they stand.

        Args:
            positions: those of all words of the documents.
            documents: number of documents, those without a word among them.
        """
        content = positions.content
        words = sorted({positions.forms[form] for form in np.unique(positions.form[content])})
        place = {word: number for number, word in enumerate(words)}
        column = np.array([place.get(form, -1) for form in positions.forms], dtype=np.int64)
        standing = {
            Position.ANYWHERE: content,
            Position.VERB: content & (positions.distance == -1),
            Position.SUBJECT: content & positions.subject,
            Position.HEAD: content & positions.head,
            Position.MODIFIER: content & positions.modifier,
        }
        counts = {}
        for position, where in standing.items():
            places = positions.document[where], column[positions.form[where]]
            ones, shape = np.ones(len(places[0]), np.int32), (documents, len(words))
            counts[position] = sparse.coo_array((ones, places), shape=shape).tocsr()
        return cls(words, counts)


_SATURATION = 1.2
"""k1: saturation of the term frequency."""
_NORMALISATION = 0.75
"""b: normalisation by the length of the set, from 0 to 1."""


def term_frequency(counts: Counts) -> Vector:
    """Number of occurrences of the word in the set: 0 or more."""
    return counts.inside


def okapi_weight(counts: Counts) -> Vector:
    """Okapi's weight with the set taken as one document (section 5.1).

    For a word that occurs a times in the set of c words, and in n of the N documents of the
    reference collection, whose documents have d/N words each:

        a (k1 + 1) / (a + k1 (1 - b + b·cN/d)) · ln((N - n + 1/2) / (n + 1/2))

    with k1 = 1.2 and b = 0.75 (Robertson et al. 1994; the paper names Robertson et al. 1992 and
    gives no formula). Negative for words of more than half of the documents, 0 for a word that
    the set does not have. It grows with a to at most k1 + 1 times the logarithm. Without a
    reference collection it is 0.
    """
    a, n, total = counts.inside, counts.frequency, counts.documents
    length = safe_divide(np.multiply(counts.size, total), counts.reference_size, empty=1)
    saturation = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * length)
    rarity = np.log(np.divide(total - n + 0.5, n + 0.5))
    return np.asarray(a * (_SATURATION + 1) / (a + saturation) * rarity)


class Weighting(NamedTuple):
    """A statistic of the words of a set of documents, and which words are considered at all."""

    description: str
    statistic: Callable[[Counts], Vector]
    counted: Position = Position.ANYWHERE
    """Place of the occurrences that count; a word that has none there is no candidate.

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


_STATISTICS = {
    "tf": ("occurrences", term_frequency),
    "likelihood_ratio": ("log-likelihood ratio against the reference collection", likelihood_ratio),
    "okapi": ("Okapi's weight, the set taken as one document", okapi_weight),
}
WEIGHTINGS = {
    **{name: Weighting(*row) for name, row in _STATISTICS.items()},
    "tfsyntax": Weighting(
        "occurrences immediately before a verb", term_frequency, counted=Position.VERB
    ),
    "subject": Weighting("occurrences in subjects", term_frequency, counted=Position.SUBJECT),
    "modifier": Weighting(
        "occurrences in modifiers of subjects, their heads left out",
        term_frequency,
        counted=Position.MODIFIER,
    ),
    **{
        f"{name}+verb": Weighting(
            f"{words}, of words that precede a verb in some sentence",
            statistic,
            among=Position.VERB,
        )
        for name, (words, statistic) in _STATISTICS.items()
    },
    **{
        f"{name}+spread": Weighting(
            f"{words}, times the share of the documents that have the word", statistic, spread=True
        )
        for name, (words, statistic) in _STATISTICS.items()
    },
}
"""Name → weighting: those of the paper (section 5.1), those that its conclusion suggests (with
positions), our own (with the spread)."""


def rank_terms(
    occurrences: Occurrences,
    rows: Sequence[int],
    weighting: Weighting,
    reference: Reference,
    *,
    apart: bool = False,
) -> list[str]:
    """The candidate words of a set of documents, best first; equals in alphabetical order.

    Args:
        occurrences: the words of all documents that were read together.
        rows: the documents of the set.
        weighting: how words are weighed, and which are candidates.
        reference: what their frequency is compared with.
        apart: whether the set is part of the reference collection, and is left out of it.
    """
    parts = {place: counts[list(rows)] for place, counts in occurrences.counts.items()}
    times: dict[Position, Ints] = {place: part.sum(axis=0) for place, part in parts.items()}
    anywhere = parts[Position.ANYWHERE]
    candidates = np.flatnonzero((times[weighting.counted] > 0) & (times[weighting.among] > 0))
    words = [occurrences.words[column] for column in candidates.tolist()]
    outside, frequency = reference.counts_of(words)
    holders = np.bincount(anywhere.indices, minlength=len(occurrences.words))[candidates]
    size, documents = float(anywhere.sum()), float(len(rows))
    own = times[Position.ANYWHERE][candidates] if apart else 0
    counts = Counts(
        inside=times[weighting.counted][candidates].astype(np.float64),
        size=size,
        outside=outside - own,
        reference_size=reference.size - size * apart,
        frequency=frequency - holders * apart,
        documents=reference.documents - documents * apart,
        share=holders / documents,
    )
    weights = weighting.weigh(counts)
    return [words[place] for place in np.argsort(-weights, kind="stable").tolist()]
