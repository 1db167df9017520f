"""The values of measures on the texts of a topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eval.stats.arrays import Flags, Floats
from eval.text.declarations.base import REFERENCES
from eval.text.measures.overlap import (
    jackknife_over_references,
    maximum_over_references,
    mean_over_references,
)
from eval.text.measures.topic import TopicTexts
from eval.text.registry import Measure
from eval.text.testbed.records import Text, whole_text
from weps.errors import ValuesError

__all__ = ["measure_scores", "measure_similarities"]

_COMBINED: dict[str, Callable[[Floats], Floats]] = {
    "mean": mean_over_references,
    "maximum": maximum_over_references,
    "jackknife": jackknife_over_references,
}


def measure_similarities(
    measure: Measure, topic_texts: TopicTexts, outputs: Sequence[Text], references: Sequence[Text]
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
        values = dict(_plain_parameters(measure))
        pairs = [outputs[row] for row in rows], [references[column] for column in columns]
        table[np.ix_(rows, columns)] = measure.family.compare(topic_texts, *pairs, **values)
    return _finite(table, measure, topic_texts, outputs)


def measure_scores(measure: Measure, topic_texts: TopicTexts) -> Floats:
    """The outputs of the topic, each judged by all its references.

    Returns:
        Shape (outputs,); more is better. An empty output has 0.

    Raises:
        ValuesError: if the measure is not defined for one of the texts.
    """
    outputs = [each.text for each in topic_texts.topic.outputs]
    references = [each.text for each in topic_texts.topic.references]
    how = dict(measure.values)[REFERENCES]
    if how in _COMBINED:
        return _COMBINED[str(how)](measure_similarities(measure, topic_texts, outputs, references))
    values = np.zeros(len(outputs))
    rows = np.flatnonzero(~_empty(outputs)).tolist()
    if len(rows) and measure.family.together:
        pairs = [outputs[row] for row in rows]
        values[rows] = measure.family.together(
            topic_texts, pairs, references, **dict(_plain_parameters(measure))
        )
    return _finite(values, measure, topic_texts, outputs)


def _plain_parameters(measure: Measure) -> list[tuple[str, object]]:
    """The parameters that the family's function takes."""
    return [(name, value) for name, value in measure.values if name != REFERENCES]


def _empty(texts: Sequence[Text]) -> Flags:
    return np.array([not whole_text(text).strip() for text in texts], dtype=np.bool_)


def _finite(
    table: Floats, measure: Measure, topic_texts: TopicTexts, outputs: Sequence[Text]
) -> Floats:
    wrong = np.isnan(table.reshape(len(outputs), -1)).any(axis=1)
    for row in np.flatnonzero(wrong)[:1].tolist():
        what = f"{measure} gives no number"
        raise ValuesError(
            what, where=topic_texts.name(outputs[row]), remedy="choose another measure"
        )
    return table
