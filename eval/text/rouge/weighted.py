"""ROUGE-W: words in common in the same order, consecutive ones counting more."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from eval.text.overlap import Overlap, Text, words_of
from weps.errors import ValuesError

__all__ = ["rouge_w"]

Floats = NDArray[np.float64]
Words = tuple[str, ...]
_MOST = 10
_MOST_MATCHES = 30_000_000
"""So many equal words at any places of both texts take about a minute."""
_Run = tuple[int, np.float64]
"""How many consecutive matches, and the weighted length before the first of them."""


def rouge_w(output: Text, reference: Text, weight: float = 1.2) -> Overlap:
    """ROUGE-W of the texts as one sentence each (Lin 2004, section 4).

    A run of k consecutive matches weighs f(k), k to the power of ``weight``; with 1 it is
    ROUGE-L. The matches are f⁻¹(WLCS), in tokens, so that precision and recall are the paper's
    f⁻¹(WLCS / f(length)). WLCS is the paper's recurrence, which matches equal words wherever it
    meets them, and so need not find the heaviest subsequence.

    Raises:
        ValuesError: if the weight is not from 1 to 10, or texts of some 50,000 words are so alike
            that it would take minutes.
    """
    if not 1 <= weight <= _MOST:
        raise ValuesError(f"ROUGE-W of weight {weight}", remedy=f"weights are from 1 to {_MOST}")
    first, second = words_of(output), words_of(reference)
    _check_matches(Counter(first), Counter(second))
    shorter, longer = sorted((first, second), key=len)
    weights = np.arange(len(shorter) + 1) ** np.float64(weight)
    share = _weighted_length(shorter, longer, weights) / max(float(weights[-1]), 1.0)
    return Overlap(len(shorter) * share ** (1 / weight), len(first), len(second))


def _check_matches(first: Counter[str], second: Counter[str]) -> None:
    matches = sum(count * second[word] for word, count in first.items())
    if matches > _MOST_MATCHES:
        raise ValuesError(
            f"ROUGE-W of texts of {first.total():,} and {second.total():,} words would take too "
            "long",
            remedy="compare shorter texts, or choose rouge_l(level=text)",
        )


def _weighted_length(rows: Words, columns: Words, weights: Floats) -> float:
    """The last cell of the table c of the paper; only two rows are held."""
    places = defaultdict(list)
    for place, word in enumerate(columns):
        places[word].append(place)
    row, runs = np.zeros(len(columns) + 1), dict[int, _Run]()
    for word in rows:
        runs = {place: _run(place, row, runs) for place in places.get(word, ())}
        row = _next_row(row, runs, weights)
    return float(row[-1])


def _run(place: int, above: Floats, runs: dict[int, _Run]) -> _Run:
    """The run that the match at a place ends."""
    length, before = runs.get(place - 1, (0, above[place]))
    return length + 1, before


def _next_row(above: Floats, runs: dict[int, _Run], weights: Floats) -> Floats:
    """Between matches a cell is the larger of those above it and left of it."""
    row = above.copy()
    for place, (length, before) in runs.items():
        row[place + 1] = before + weights[length]
    for start, end in pairwise([0, *(place + 1 for place in runs), len(row)]):
        np.maximum.accumulate(row[start:end], out=row[start:end])
    return row
