"""Measures of every output of a testbed, topic by topic, in any number of processes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from eval.text.desk import Tools
from eval.text.measures import Measure
from eval.text.running.faults import Fault, undefined
from eval.text.running.keeping import Kept
from eval.text.running.needs import check_needs
from eval.text.running.topics import Values, score_topic
from eval.text.testbed import MeasureMatrix, Testbed
from weps.parallel import over
from weps.progress import Progress, silent

__all__ = ["score_testbed"]

_WORK = "scoring topics"


def score_testbed(  # noqa: PLR0913 - what is scored, by what, and how
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: Tools | None = None,
    *,
    jobs: int = 1,
    kept: Kept | None = None,
    progress: Progress = silent,
) -> MeasureMatrix:
    """The values of measures on all outputs, and what people thought of them.

    Args:
        testbed: topics with outputs and references.
        measures: all different.
        tools: what measures need besides texts.
        jobs: number of processes, -1 for one per core; the values do not depend on it.
        kept: the values of topics that were scored before; those of others are added.
        progress: hears how many topics are done.

    Returns:
        Instances in the order of the testbed, topic by topic.

    Raises:
        LanguageError: if the language pipeline, nltk or sacrebleu is needed and not there.
        SourceError: if WordNet is needed and not there.
        ValuesError: if topics lack what measures need, or measures are not defined for texts: one
            message tells of all, at most 20 in full, when everything else is scored.
        OutputError: if values cannot be kept.
    """
    tools = tools or Tools()
    names = tuple(map(str, measures))
    _check_names(testbed, names)
    check_needs(testbed, measures, tools)
    values = {topic.topic: kept.values(topic) if kept else None for topic in testbed.topics}
    wanted = [topic for topic in testbed.topics if values[topic.topic] is None]
    work = partial(score_topic, measures=names, tools=tools)
    faults: list[Fault] = []
    progress(_WORK, done := len(values) - len(wanted), len(values))
    for topic, scored in zip(wanted, over(work, wanted, jobs), strict=True):
        values[topic.topic] = scored.values
        faults += scored.faults
        if kept and not scored.faults:
            kept.add(topic, scored.values)
        progress(_WORK, done := done + 1, len(values))
    if faults:
        raise undefined(faults, testbed.name, kept.path if kept else None)
    return _matrix(testbed, names, [each for each in values.values() if each is not None])


def _check_names(testbed: Testbed, measures: tuple[str, ...]) -> None:
    """Refuse names that a matrix would refuse when all is done."""
    criteria = testbed.criteria
    columns = (np.empty((len(names), 0)) for names in (measures, criteria))
    MeasureMatrix((), (), measures, next(columns), criteria, next(columns))


def _matrix(testbed: Testbed, measures: tuple[str, ...], values: Sequence[Values]) -> MeasureMatrix:
    """The values of each topic, side by side."""
    instances = [(topic.topic, output) for topic in testbed.topics for output in topic.outputs]
    human = [
        [output.human.get(criterion, np.nan) for _, output in instances]
        for criterion in testbed.criteria
    ]
    return MeasureMatrix(
        tuple(topic for topic, _ in instances),
        tuple(output.system for _, output in instances),
        measures,
        np.concatenate([np.array(each, np.float64) for each in values], axis=1),
        testbed.criteria,
        np.array(human, np.float64).reshape(len(testbed.criteria), len(instances)),
    )
