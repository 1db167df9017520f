"""The values of measures on the texts of a topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.text.declarations.base import REFERENCES
from eval.text.measures.overlap import jackknife, maximum, mean
from eval.text.measures.topic import Desk
from eval.text.registry import Measure
from eval.text.testbed.records import Text, whole
from weps.errors import ValuesError

__all__ = ["scores", "similarities"]

Floats: TypeAlias = NDArray[np.float64]

_COMBINED: dict[str, Callable[[Floats], Floats]] = {
    "mean": mean,
    "maximum": maximum,
    "jackknife": jackknife,
}


def similarities(
    measure: Measure, desk: Desk, outputs: Sequence[Text], references: Sequence[Text]
) -> Floats:
    """Every output compared with every reference alone, whatever becomes of several references.

    An empty text, of white space at most, is like another one (1), and like nothing else (0).

    Returns:
        Shape (outputs, references); more is better.

    Raises:
        ValuesError: if the measure is not defined for one of the texts.
    """
    table = np.equal.outer(_empty(outputs), _empty(references)).astype(np.float64)
    rows, columns = (np.flatnonzero(~_empty(texts)).tolist() for texts in (outputs, references))
    if len(rows) and len(columns):
        values = dict(_plain(measure))
        said = [outputs[row] for row in rows], [references[column] for column in columns]
        table[np.ix_(rows, columns)] = measure.family.compare(desk, *said, **values)
    return _finite(table, measure, desk, outputs)


def scores(measure: Measure, desk: Desk) -> Floats:
    """The outputs of the topic, each judged by all its references.

    Returns:
        Shape (outputs,); more is better. An empty output has 0.

    Raises:
        ValuesError: if the measure is not defined for one of the texts.
    """
    outputs = [each.text for each in desk.topic.outputs]
    references = [each.text for each in desk.topic.references]
    how = dict(measure.values)[REFERENCES]
    if how in _COMBINED:
        return _COMBINED[str(how)](similarities(measure, desk, outputs, references))
    values = np.zeros(len(outputs))
    rows = np.flatnonzero(~_empty(outputs)).tolist()
    if len(rows) and measure.family.together:
        said = [outputs[row] for row in rows]
        values[rows] = measure.family.together(desk, said, references, **dict(_plain(measure)))
    return _finite(values, measure, desk, outputs)


def _plain(measure: Measure) -> list[tuple[str, object]]:
    """The parameters that the family's function takes."""
    return [(name, value) for name, value in measure.values if name != REFERENCES]


def _empty(texts: Sequence[Text]) -> NDArray[np.bool_]:
    return np.array([not whole(text).strip() for text in texts], dtype=np.bool_)


def _finite(table: Floats, measure: Measure, desk: Desk, outputs: Sequence[Text]) -> Floats:
    wrong = np.isnan(table.reshape(len(outputs), -1)).any(axis=1)
    for row in np.flatnonzero(wrong)[:1].tolist():
        what = f"{measure} gives no number"
        raise ValuesError(what, where=desk.name(outputs[row]), remedy="choose another measure")
    return table
