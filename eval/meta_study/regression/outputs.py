"""How alike the outputs of a topic are to one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta_study.judged import Judged
from eval.text.desk import Desk, Tools
from eval.text.measures import Measure, similarities
from eval.text.testbed import Testbed, Topic
from weps.parallel import over
from weps.progress import Progress, silent

__all__ = ["Alike", "alike_outputs"]

Floats: TypeAlias = NDArray[np.float64]
Alike: TypeAlias = Mapping[int, Floats]
"""Topic → shape (measures, outputs, outputs), outputs as they are judged."""


def alike_outputs(  # noqa: PLR0913 - whose outputs, by what, and how
    judged: Judged,
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: Tools,
    *,
    jobs: int = 1,
    progress: Progress = silent,
) -> Alike:
    """Every judged output of a topic compared with every other, by every measure.

    Rows are the compared texts, columns those that stand in for a reference.

    Args:
        judged: of the testbed's outputs.
        testbed: their texts.
        measures: by which they are compared.
        tools: what measures need.
        jobs: processes.
        progress: hears how many topics are done.

    Raises:
        ValuesError: if a measure is not defined for a text.
    """
    wanted = [_only(topic, judged) for topic in testbed.topics if topic.topic in judged.topics]
    work = partial(_compared, measures=tuple(map(str, measures)), tools=tools)
    found: dict[int, Floats] = {}
    progress("comparing outputs", 0, len(wanted))
    for topic, table in zip(wanted, over(work, wanted, jobs), strict=True):
        found[judged.topics.index(topic.topic)] = table
        progress("comparing outputs", len(found), len(wanted))
    return found


def _only(topic: Topic, judged: Judged) -> Topic:
    """The topic with the outputs that were judged, in that order."""
    outputs = {output.system: output for output in topic.outputs}
    rows = np.flatnonzero(judged.topic == judged.topics.index(topic.topic))
    systems = (judged.systems[each] for each in judged.system[rows].tolist())
    return replace(topic, outputs=tuple(outputs[each] for each in systems))


def _compared(topic: Topic, measures: Sequence[str], tools: Tools) -> Floats:
    desk = Desk(topic, tools)
    texts = [output.text for output in topic.outputs]
    return np.array([similarities(Measure.parse(each), desk, texts, texts) for each in measures])
