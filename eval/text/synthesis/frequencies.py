"""VectModelSim and TruncatedVectModel: relative frequencies of words compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from eval.text.synthesis.closeness import closeness, distance, of_empty
from weps.errors import ValuesError

__all__ = ["most_frequent", "relative_frequencies", "truncated", "vector_similarity"]

Units = Sequence[str]
"""What is counted, in any order: words or lemmas without stop words, tags."""


def vector_similarity(output: Units, reference: Units) -> float:
    """VectModelSim (QARLA, section 4): closeness of the relative frequencies of all units of both.

    The paper counts "all non-empty words", without stop words; the caller leaves out what is not
    to count.

    Returns:
        In (0, 1], and 1 only for the same frequencies; of empty texts see
        :func:`eval.text.synthesis.closeness.of_empty`.
    """
    return _compared(output, reference, {*output, *reference})


def truncated(output: Units, reference: Units, terms: Collection[str]) -> float:
    """TVM-n (Evaluating DUC 2004 tasks, section 3.1): :func:`vector_similarity` by n terms only.

    The terms are the n most frequent lemmas but stop words: there those of the original
    documents, in QARLA, section 4, those of the reference. Either way :func:`most_frequent` finds
    them. The papers do not say in relation to what a frequency is; here to all units of its text.
    Texts without any of the terms have the same frequencies, and so score 1.

    Raises:
        ValuesError: if there are no terms.
    """
    if not terms:
        raise ValuesError("no terms to compare texts by", remedy="give one or more")
    return _compared(output, reference, terms)


def most_frequent(units: Iterable[str], n: int) -> tuple[str, ...]:
    """The n most frequent units, or all if there are fewer; ties in alphabetical order.

    Raises:
        ValuesError: if n is less than 1.
    """
    if n < 1:
        raise ValuesError(f"the {n} most frequent terms", remedy="take 1 or more")
    found = nsmallest(n, ((-count, unit) for unit, count in Counter(units).items()))
    return tuple(unit for _, unit in found)


def relative_frequencies(units: Units, dimensions: Iterable[str]) -> NDArray[np.float64]:
    """The share of all units that each dimension is, shape (dimensions,); of no units, zeros."""
    counts, total = Counter(units), max(len(units), 1)
    return np.array([counts[each] / total for each in dimensions], dtype=np.float64)


def _compared(output: Units, reference: Units, dimensions: Collection[str]) -> float:
    if not (output and reference):
        return of_empty(output, reference)
    once = tuple(set(dimensions))
    vectors = (relative_frequencies(units, once) for units in (output, reference))
    return closeness(distance(*vectors))
