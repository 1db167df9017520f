"""The values of measures on one topic, and for which of its texts there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from eval.text.desk import Desk, Tools
from eval.text.measures import Measure, scores
from eval.text.running.faults import Fault
from eval.text.testbed import Topic
from weps.errors import ValuesError

__all__ = ["Scored", "Values", "score_topic"]

Values: TypeAlias = tuple[tuple[float, ...], ...]
"""For each measure a value of each output."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What measures said of a topic."""

    values: Values
    """Of the measures that are defined for all its texts."""
    faults: tuple[Fault, ...]
    """Of the others."""


def score_topic(topic: Topic, measures: Sequence[str], tools: Tools) -> Scored:
    """The values of all measures; one that is not defined for a text does not stop the others.

    Args:
        topic: whose outputs are judged.
        measures: as they print, which all processes understand.
        tools: what measures need besides texts.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is missing.
        SourceError: if WordNet is missing.
    """
    desk = Desk(topic, tools)
    values: list[tuple[float, ...]] = []
    faults: list[Fault] = []
    for measure in map(_parsed, measures):
        try:
            values.append(tuple(scores(measure, desk).tolist()))
        except ValuesError as error:
            whose = str(error.where or "its texts")
            faults.append(Fault(str(measure), topic.topic, whose, error.what, error.remedy))
    return Scored(tuple(values), tuple(faults))


@lru_cache(1024)
def _parsed(measure: str) -> Measure:
    return Measure.parse(measure)
