"""One score of several: an output is compared with every reference.

Who does what:

- mean: Hirao and others 2005 for ESK;
- maximum: Lin 2004, section 2.1; rouge-score's ``score_multi`` of F alone;
- jackknife: Lin 2004, section 2.1, and the Perl package up to version 1.3;
- pooled: ROUGE-1.5.5 by default and with ``-f A``;
- best: ROUGE-1.5.5 with ``-f B``, by recall; rouge-score's ``score_multi``, by F, so that its
  precision and recall are those of the reference with the highest F.

Pooled ROUGE-W adds up weighted tokens, where ROUGE-1.5.5 adds up weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eval.text.overlap import Overlap
from weps.errors import ValuesError

__all__ = ["best", "jackknife", "maximum", "mean", "pooled"]

Floats = NDArray[np.float64]


def mean(scores: ArrayLike) -> Floats:
    """The mean over the references.

    Args:
        scores: shape (outputs, references); higher is better.

    Returns:
        Shape (outputs,).

    Raises:
        ValuesError: if there are no references, or scores that are no numbers.
    """
    return np.asarray(_checked(scores).mean(axis=1))


def maximum(scores: ArrayLike) -> Floats:
    """The score with the most similar reference; arguments and errors as of :func:`mean`."""
    return np.asarray(_checked(scores).max(axis=1))


def jackknife(scores: ArrayLike) -> Floats:
    """The mean of the maxima over all references but one, each being left out in turn.

    Outputs that have one reference fewer, such as references among themselves, so compare with
    those that have all of them. Of a single reference, its score. Arguments and errors as of
    :func:`mean`.
    """
    ordered = np.sort(_checked(scores), axis=1)
    references = ordered.shape[1]
    if references == 1:
        return ordered[:, 0]
    return np.asarray((ordered[:, -1] * (references - 1) + ordered[:, -2]) / references)


def pooled(overlaps: Sequence[Overlap]) -> Overlap:
    """The references of one output as one: all matches over all totals.

    Raises:
        ValuesError: if there are no references.
    """
    return reduce(add, _some(overlaps))


def best(overlaps: Sequence[Overlap], by: Callable[[Overlap], float] = Overlap.f) -> Overlap:
    """The overlap with the most similar reference of one output, the first of equal ones.

    Raises:
        ValuesError: if there are no references.
    """
    return max(_some(overlaps), key=by)


def _some(overlaps: Sequence[Overlap]) -> Sequence[Overlap]:
    if not overlaps:
        raise _without_references()
    return overlaps


def _checked(scores: ArrayLike) -> Floats:
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2:
        raise ValuesError(f"scores of shape {values.shape}, not outputs × references")
    if not values.shape[1]:
        raise _without_references()
    if np.isnan(values).any():
        raise ValuesError("a score is no number (NaN)")
    return values


def _without_references() -> ValuesError:
    return ValuesError("no reference to compare with", remedy="give the topic one or more")
