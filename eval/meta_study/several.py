"""Figures of several measures together, such as the highest of them, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.correlation.coefficients import Coefficient, row_coefficients
from eval.meta.drawn import Drawn
from eval.ordering import Estimate

__all__ = ["NOTHING", "alike", "chosen", "joined", "known", "middle", "together"]

Floats: TypeAlias = NDArray[np.float64]

NOTHING = Estimate(np.nan, np.nan, np.nan)


def together(figure: Callable[..., Floats], *drawn: Drawn) -> Estimate:
    """A figure of all measures that every one of the arguments knows.

    All arguments are of the same measures and the same resamples.

    Args:
        figure: takes an array of shape (measures, columns) for each of ``drawn``, and gives one of
            shape (columns,).
        drawn: figures of single measures.
    """
    rows = np.logical_and.reduce([~np.isnan(each.value) for each in drawn])
    if not rows.any():
        return NOTHING
    value = figure(*(each.value[rows, None] for each in drawn))
    return Estimate.of(float(value[0]), figure(*(each.drawn[rows] for each in drawn)))


def alike(first: Floats, second: Floats) -> Floats:
    """Pearson's coefficient over measures, column by column.

    Args:
        first: shape (measures, columns).
        second: the same shape.
    """
    table = np.full(first.shape[1], np.nan)
    whole = ~(np.isnan(first) | np.isnan(second)).any(axis=0)
    if len(first) > 2 and whole.any():
        ours, theirs = (each[:, whole].T for each in (first, second))
        table[whole] = row_coefficients(ours, theirs, Coefficient.PEARSON)
    return table


def middle(values: Floats) -> Floats:
    """Shape (columns,): the median of the measures that have the figure; NaN where none has.

    Were a resample left out where one measure lacks the figure, as of improvements it has found
    one only, that measure alone would decide what is drawn.

    Args:
        values: shape (measures, columns).
    """
    found = np.full(values.shape[1], np.nan)
    some = ~np.isnan(values).all(axis=0)
    found[some] = np.nanmedian(values[:, some], axis=0)
    return found


def chosen(drawn: Drawn, rows: Sequence[int]) -> Drawn:
    """The same figure of some measures."""
    return Drawn(drawn.value[list(rows)], drawn.drawn[list(rows)])


def joined(parts: Sequence[Drawn]) -> Drawn:
    """Figures of further measures below one another; all have the same resamples."""
    return Drawn(
        np.concatenate([each.value for each in parts]),
        np.concatenate([each.drawn for each in parts]),
    )


def known(drawn: Drawn) -> list[int]:
    """The measures that have the figure, by falling value."""
    order = np.argsort(-drawn.value, kind="stable").tolist()
    return [each for each in order if not np.isnan(drawn.value[each])]
