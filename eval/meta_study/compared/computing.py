"""The texts of a testbed compared with one another, topic by topic, in any number of processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from eval.meta.similarities import Similarities
from eval.meta_study.compared.records import ComparedTopic
from eval.text.desk import Desk, Tools
from eval.text.measures import Measure, similarities
from eval.text.running.faults import Fault, undefined
from eval.text.testbed import Testbed, Text, Topic
from weps.errors import ValuesError
from weps.parallel import over
from weps.progress import Progress, silent

__all__ = ["compare_testbed"]

_WORK = "comparing texts of topics"


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What measures say of a topic, or why they cannot."""

    values: Similarities | None
    faults: tuple[Fault, ...]


def compare_testbed(  # noqa: PLR0913 - what is compared, by what, and how
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: Tools,
    *,
    among_peers: bool = True,
    jobs: int = 1,
    progress: Progress = silent,
) -> tuple[ComparedTopic, ...]:
    """Outputs and references compared with references, and outputs with one another.

    Args:
        testbed: topics with outputs and references.
        measures: whose needs are met.
        tools: what measures need besides texts.
        among_peers: whether outputs are compared with one another.
        jobs: number of processes, -1 for one per core; the values do not depend on it.
        progress: hears how many topics are done.

    Raises:
        ValuesError: if measures are not defined for texts; one message tells of all.
    """
    names = tuple(map(str, measures))
    work = partial(_of_topic, measures=names, tools=tools, among_peers=among_peers)
    found: list[ComparedTopic] = []
    faults: list[Fault] = []
    progress(_WORK, 0, len(testbed.topics))
    results = over(work, testbed.topics, jobs)
    for done, (topic, each) in enumerate(zip(testbed.topics, results, strict=True), start=1):
        faults += each.faults
        if each.values:
            found.append(_named(topic, each.values, testbed.criteria))
        progress(_WORK, done, len(testbed.topics))
    if faults:
        raise undefined(faults, testbed.name, None)
    return tuple(found)


def _of_topic(topic: Topic, measures: Sequence[str], tools: Tools, among_peers: bool) -> _Found:
    desk = Desk(topic, tools)
    peers, models = ([each.text for each in some] for some in (topic.outputs, topic.references))
    asked = [(peers, models), (models, models), *([(peers, peers)] if among_peers else [])]
    faults: list[Fault] = []
    tables = []
    for measure in measures:
        try:
            tables.append(list(_tables(Measure.parse(measure), desk, asked)))
        except ValuesError as error:
            whose = str(error.where or "its texts")
            faults.append(Fault(measure, topic.topic, whose, error.what, error.remedy))
    if faults:
        return _Found(None, tuple(faults))
    return _Found(Similarities(*map(np.array, zip(*tables, strict=True))), ())


def _tables(
    measure: Measure, desk: Desk, asked: Sequence[tuple[Sequence[Text], Sequence[Text]]]
) -> Iterator[np.ndarray]:
    return (similarities(measure, desk, rows, columns) for rows, columns in asked)


def _named(topic: Topic, values: Similarities, criteria: Sequence[str]) -> ComparedTopic:
    human = [[each.human.get(name, np.nan) for each in topic.outputs] for name in criteria]
    return ComparedTopic(
        topic.topic,
        tuple(each.id for each in topic.references),
        tuple(each.system for each in topic.outputs),
        values,
        np.array(human, np.float64).reshape(len(criteria), len(topic.outputs)),
    )
