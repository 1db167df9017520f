"""Statistics that tell how characteristic a word is of a set of documents.

All are functions of the same counts, work on k words at once, and are greater for the words that
say more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

__all__ = ["Counts", "likelihood_ratio", "okapi", "tf"]

Vector: TypeAlias = NDArray[np.float64]

_SATURATION = 1.2
"""k1: how soon one more occurrence says nothing new."""
_NORMALISATION = 0.75
"""b: how far the length of the set counts, from 0 to 1."""


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


def tf(counts: Counts) -> Vector:
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
    per_word = _divided(a + b, np.add(c, d))
    expected, expected_outside = c * per_word, d * per_word
    ratio = 2 * (
        xlogy(a, _divided(a, expected, empty=1)) + xlogy(b, _divided(b, expected_outside, empty=1))
    )
    return np.asarray(np.sign(a * d - b * c) * ratio.clip(min=0))


def okapi(counts: Counts) -> Vector:
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
    length = _divided(np.multiply(counts.size, total), counts.reference_size, empty=1)
    saturation = _SATURATION * (1 - _NORMALISATION + _NORMALISATION * length)
    rarity = np.log(np.divide(total - n + 0.5, n + 0.5))
    return np.asarray(a * (_SATURATION + 1) / (a + saturation) * rarity)


def _divided(above: Vector | float, below: Vector | float, empty: float = 0) -> Vector:
    """The quotient, ``empty`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(np.asarray(above, np.float64), below)
    quotient: Vector = np.full(numerator.shape, float(empty))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
