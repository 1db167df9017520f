"""The overlap of an output and a reference, and scores of an output against several references.

The ways to combine references, and who uses them:

- mean: Hirao and others 2005 for ESK;
- maximum: Lin 2004, section 2.1; rouge-score's ``score_multi`` of F alone;
- jackknife: Lin 2004, section 2.1, and the Perl package up to version 1.3;
- pooled: ROUGE-1.5.5 by default and with ``-f A``.

ROUGE-1.5.5 with ``-f B`` and rouge-score's ``score_multi`` take one reference instead, the best by
recall or by F, so that precision, recall and F are of the same one.

ROUGE-1.5.5 adds up the weights of ROUGE-W, that is tokens to the power of its weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from importlib import import_module
from itertools import chain
from operator import add
from types import ModuleType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from weps.errors import LanguageError, ValuesError
from weps_eval.stats.arrays import Floats


def import_optional(module: str) -> ModuleType:
    """A module of a library that the extra ``text`` installs.

    Raises:
        LanguageError: if the library is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        what = f"{module.partition('.')[0]} is not installed"
        raise LanguageError(what, remedy="pip install 'weps[text]'") from error


Tokens: TypeAlias = tuple[tuple[str, ...], ...]
"""A tokenised text: sentences of tokens."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Units (n-grams, tokens, skip-bigrams) shared by two texts, with the totals of both.

    Nothing is divided by zero: a text without units scores 0 against one that has some, and 1
    against another without any, as two empty texts are the same. Measures that look at units longer
    than a word fall back on :func:`or_wholes`, so that two different short texts do not score 1.
    """

    matches: float
    """Numerator of precision and recall."""
    output: float
    """Denominator of precision."""
    reference: float
    """Denominator of recall."""

    @property
    def precision(self) -> float:
        """The share of the output that is in the reference, in [0, 1]."""
        return self.matches / self.output if self.output else float(not self.reference)

    @property
    def recall(self) -> float:
        """The share of the reference that is in the output, in [0, 1]."""
        return self.matches / self.reference if self.reference else float(not self.output)

    def f(self, beta: float = 1.0) -> float:
        """F_β: recall counts β times as much as precision (van Rijsbergen 1979, chapter 7).

        0 is precision and infinity recall, except that F is 0 wherever nothing is shared. What
        ROUGE-1.5.5 calls α is 1 / (1 + β²).
        """
        precision, recall = self.precision, self.recall
        alpha = 1 / (1 + beta**2)
        weighted = alpha * recall + (1 - alpha) * precision
        return precision * recall / weighted if weighted else 0.0

    def __add__(self, other: Overlap) -> Overlap:
        totals = self.output + other.output, self.reference + other.reference
        return Overlap(self.matches + other.matches, *totals)


def or_wholes(overlap: Overlap, output: Tokens, reference: Tokens) -> Overlap:
    """The overlap; where neither text has a unit, each text is one, shared if they are the same.

    Two words have no trigram, whether or not they are the same two.
    """
    if overlap.output or overlap.reference:
        return overlap
    return Overlap(float(words_of(output) == words_of(reference)), 1.0, 1.0)


def words_of(text: Tokens) -> tuple[str, ...]:
    """The tokens of all sentences, in order."""
    return tuple(chain.from_iterable(text))


def mean_over_references(scores: ArrayLike) -> Floats:
    """The mean over the references.

    Args:
        scores: shape (outputs, references); higher is better.

    Returns:
        Shape (outputs,).

    Raises:
        ValuesError: if there are no references, or scores that are not numbers.
    """
    return np.asarray(_checked(scores).mean(axis=1))


def maximum_over_references(scores: ArrayLike) -> Floats:
    """The score with the most similar reference; otherwise as :func:`mean_over_references`."""
    return np.asarray(_checked(scores).max(axis=1))


def jackknife_over_references(scores: ArrayLike) -> Floats:
    """The mean of the maxima over all references but one, each being left out in turn.

    Outputs that have one reference fewer, such as references among themselves, so compare with
    those that have all of them. Of a single reference, its score; otherwise as
    :func:`mean_over_references`.
    """
    ordered = np.sort(_checked(scores), axis=1)
    references = ordered.shape[1]
    if references == 1:
        return ordered[:, 0]
    return np.asarray((ordered[:, -1] * (references - 1) + ordered[:, -2]) / references)


def pooled_overlap(overlaps: Sequence[Overlap], power: float = 1.0) -> Overlap:
    """The references of one output as one: all matches over all totals.

    What is added up is taken to the power first, and the root of the sums.

    Raises:
        ValuesError: if there are no references.
    """
    if not overlaps:
        raise _without_references()
    if power == 1:
        return reduce(add, overlaps)
    parts = ((each.matches, each.output, each.reference) for each in overlaps)
    return Overlap(
        *(sum(x**power for x in part) ** (1 / power) for part in zip(*parts, strict=True))
    )


def _checked(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2:
        raise ValuesError(f"expected scores of shape (outputs, references), got {values.shape}")
    if not values.shape[1]:
        raise _without_references()
    if np.isnan(values).any():
        raise ValuesError("expected numbers, got NaN")
    return values


def _without_references() -> ValuesError:
    return ValuesError("no reference to compare with", remedy="give the topic one or more")
