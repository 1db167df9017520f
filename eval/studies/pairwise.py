"""The texts of a testbed compared with one another, topic by topic, in any number of processes.

Names of measures in figures.

The similarities between the texts of all topics, with the names of measures and texts.

Similarities as a table: a row for every two texts that were compared.

From rows of pairs of texts to the arrays of a topic.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np

from eval.meta.judged import Similarities
from eval.stats.arrays import Floats, Ints
from eval.text.matrix import HUMAN
from eval.text.measures.topic import TextTools, TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import Fault, measure_similarities, undefined_error
from eval.text.testbed import Testbed, Text, Topic
from weps._files import atomic_write
from weps._formatting import guard_cell, quote_text
from weps._parallel import Progress, no_progress, parallel_map
from weps.errors import ValuesError

__all__ = [
    "COLUMNS",
    "PairKind",
    "PairRows",
    "PairwiseInput",
    "PairwiseInstances",
    "PairwiseTopic",
    "arrange_topic",
    "compare_testbed",
    "short_name",
    "write_pairwise",
]


def short_name(name: str) -> str:
    """The name of measures, as short as it is still understood."""
    return name.replace("part=", "").replace("=true", "")


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTopic:
    """The texts of a topic, each compared with others."""

    topic: str
    references: tuple[str, ...]
    """The models."""
    systems: tuple[str, ...]
    """That made the outputs, the peers."""
    values: Similarities
    human: Floats
    """Shape (criteria, systems); NaN where nobody judged."""


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseInstances:
    """The outputs of all topics, one after another."""

    topic: Ints
    """Shape (instances,): the number of each one's topic."""
    system: Ints
    """Shape (instances,): the number of each one's system, in :attr:`PairwiseInput.systems`."""
    human: Floats
    """Shape (criteria, instances); NaN where nobody judged."""

    def judged_singly(self, criterion: int) -> bool:
        """Whether people judged outputs; else all outputs of a system have its score."""
        known = ~np.isnan(self.human[criterion])
        scores = {
            (int(system), float(score))
            for system, score in zip(self.system[known], self.human[criterion][known], strict=True)
        }
        return len(scores) > len({system for system, _ in scores})


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseInput:
    """What studies of similarities are about."""

    title: str
    measures: tuple[str, ...]
    criteria: tuple[str, ...]
    """By which people judged."""
    topics: tuple[PairwiseTopic, ...]
    remarks: tuple[str, ...]
    """What the reader must know of them."""
    digest: str
    """Of what they were read from, ``testbed:sha256-…`` or ``table:sha256-…``."""

    @property
    def similarities(self) -> list[Similarities]:
        """By topic."""
        return [each.values for each in self.topics]

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in order of first appearance."""
        return tuple(dict.fromkeys(name for each in self.topics for name in each.systems))

    @property
    def among_peers(self) -> bool:
        """Whether outputs were compared with one another, too, on every topic."""
        return all(each.values.among_peers is not None for each in self.topics)

    @property
    def is_uniform(self) -> bool:
        """Whether references and systems have the same names, in the same order, on all topics."""
        return len({(each.references, each.systems) for each in self.topics}) == 1

    @property
    def instances(self) -> PairwiseInstances:
        """The outputs of all topics."""
        place = {name: number for number, name in enumerate(self.systems)}
        sizes = [len(each.systems) for each in self.topics]
        return PairwiseInstances(
            np.repeat(np.arange(len(sizes)), sizes),
            np.array([place[name] for each in self.topics for name in each.systems]),
            np.concatenate([each.human for each in self.topics], axis=1),
        )


_WORK = "comparing texts of topics"


@dataclass(frozen=True, slots=True, eq=False)
class _TopicSimilarities:
    """What measures say of a topic, or why they cannot."""

    values: Similarities | None
    faults: tuple[Fault, ...]


def compare_testbed(  # noqa: PLR0913 - what is compared, by what, and how
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: TextTools,
    *,
    among_peers: bool = True,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> tuple[PairwiseTopic, ...]:
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
    found: list[PairwiseTopic] = []
    faults: list[Fault] = []
    progress(_WORK, 0, len(testbed.topics))
    results = parallel_map(work, testbed.topics, jobs)
    for done, (topic, each) in enumerate(zip(testbed.topics, results, strict=True), start=1):
        faults += each.faults
        if each.values:
            found.append(_pairwise_topic(topic, each.values, testbed.criteria))
        progress(_WORK, done, len(testbed.topics))
    if faults:
        raise undefined_error(faults, testbed.name, None)
    return tuple(found)


def _of_topic(
    topic: Topic, measures: Sequence[str], tools: TextTools, among_peers: bool
) -> _TopicSimilarities:
    desk = TopicTexts(topic, tools)
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
        return _TopicSimilarities(None, tuple(faults))
    return _TopicSimilarities(Similarities(*map(np.array, zip(*tables, strict=True))), ())


def _tables(
    measure: Measure,
    topic_texts: TopicTexts,
    requested: Sequence[tuple[Sequence[Text], Sequence[Text]]],
) -> Iterator[np.ndarray]:
    return (
        measure_similarities(measure, topic_texts, rows, columns) for rows, columns in requested
    )


def _pairwise_topic(topic: Topic, values: Similarities, criteria: Sequence[str]) -> PairwiseTopic:
    human = [[each.human.get(name, np.nan) for each in topic.outputs] for name in criteria]
    return PairwiseTopic(
        topic.topic,
        tuple(each.id for each in topic.references),
        tuple(each.system for each in topic.outputs),
        values,
        np.array(human, np.float64).reshape(len(criteria), len(topic.outputs)),
    )


COLUMNS = ("topic", "output", "reference", "kind")
"""The first columns of a table that was written."""


class PairKind:
    """What is compared with what; the first is in the column ``output``."""

    PEERS = "output-reference"
    MODELS = "reference-reference"
    AMONG_PEERS = "output-output"
    ALL = (PEERS, MODELS, AMONG_PEERS)


def write_pairwise(compared: PairwiseInput, path: Path) -> None:
    """Write a table, whole or not at all, which :func:`read_compared` reads again.

    Human scores of outputs stand in their rows with references.

    Raises:
        OutputError: if it cannot be written.
    """
    text = io.StringIO(newline="")
    rows = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    criteria = [f"{HUMAN}{criterion}" for criterion in compared.criteria]
    rows.writerow([*COLUMNS, *map(guard_cell, (*criteria, *compared.measures))])
    for topic in compared.topics:
        rows.writerows(_rows(topic, len(criteria)))
    atomic_write({path: text.getvalue().encode(errors="replace")})


def _rows(topic: PairwiseTopic, criteria: int) -> Iterator[list[str | float]]:
    values, systems, references = topic.values, topic.systems, topic.references
    scores = [["" if math.isnan(each) else each for each in row] for row in topic.human.T.tolist()]
    nothing: list[list[str | float]] = [[""] * criteria] * max(len(systems), len(references))
    yield from _pairs(topic.topic, PairKind.PEERS, (systems, references), scores, values.peers)
    yield from _pairs(
        topic.topic, PairKind.MODELS, (references, references), nothing, values.models
    )
    if values.among_peers is not None:
        named = systems, systems
        yield from _pairs(topic.topic, PairKind.AMONG_PEERS, named, nothing, values.among_peers)


def _pairs(
    topic: str,
    kind: str,
    names: tuple[Sequence[str], Sequence[str]],
    scores: Sequence[Sequence[str | float]],
    values: Floats,
) -> Iterator[list[str | float]]:
    """A row for each pair of texts, measures of shape (measures, rows, columns) side by side."""
    table = np.moveaxis(values, 0, -1).tolist()
    for row, one in enumerate(names[0]):
        for column, other in enumerate(names[1]):
            told = (topic, one, other)
            yield [*map(guard_cell, told), kind, *scores[row], *table[row][column]]


Pair = tuple[str, str]


@dataclass(slots=True)
class PairRows:
    """The rows of a topic so far."""

    topic: str
    values: dict[str, dict[Pair, Floats]] = field(
        default_factory=lambda: {kind: {} for kind in PairKind.ALL}
    )
    """Kind → pair of texts → values of the measures."""
    scores: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """System → what people thought of its output."""

    def add(
        self, kind: str, pair: Pair, numbers: tuple[Sequence[float], Sequence[float]], where: str
    ) -> None:
        """Add a row with its human scores and its values.

        Raises:
            ValuesError: if there is one of these texts already, or its scores contradict another.
        """
        scores, values = numbers
        if pair in self.values[kind]:
            what = f"{' and '.join(map(quote_text, pair))} are compared twice"
            raise ValuesError(what, where=where, remedy="keep one of the rows")
        self.values[kind][pair] = np.array(values, np.float64)
        if kind == PairKind.PEERS:
            before = self.scores.setdefault(pair[0], tuple(scores))
            if not np.array_equal(before, scores, equal_nan=True):
                what = f"the output of {quote_text(pair[0])} has other human scores than before"
                raise ValuesError(what, where=where, remedy="give the same in all its rows")


def arrange_topic(pairs: PairRows, criteria: int, path: Path) -> PairwiseTopic:
    """The topic.

    Raises:
        ValuesError: if a row is missing.
    """
    where = f"{path}, topic {quote_text(pairs.topic)}"
    peers, models, among = (pairs.values[kind] for kind in PairKind.ALL)
    systems = tuple(dict.fromkeys(one for one, _ in peers))
    references = tuple(dict.fromkeys(other for _, other in (*peers, *models)))
    if not systems:
        what = f"there is no row {PairKind.PEERS!r}"
        raise ValuesError(what, where=where, remedy="compare outputs with references")
    for kind, known in ((PairKind.MODELS, references), (PairKind.AMONG_PEERS, systems)):
        _check_known(pairs.values[kind], known, kind, where)
    values = Similarities(
        _table(peers, systems, references, where),
        _table(models, references, references, where),
        _table(among, systems, systems, where) if among else None,
    )
    human = np.array([pairs.scores[each] for each in systems], np.float64)
    return PairwiseTopic(
        pairs.topic, references, systems, values, human.reshape(len(systems), criteria).T
    )


def _table(
    rows: dict[Pair, Floats], ones: Sequence[str], others: Sequence[str], where: str
) -> Floats:
    """Shape (measures, ones, others); a text is by default like itself as nothing else is."""
    size = len(next(iter(rows.values()))) if rows else 0
    table = np.empty((size, len(ones), len(others)))
    for row, one in enumerate(ones):
        for column, other in enumerate(others):
            values = rows.get((one, other))
            if values is None and (one != other or ones is not others):
                what = f"{quote_text(one)} is not compared with {quote_text(other)}"
                raise ValuesError(what, where=where, remedy="add the row, or leave out the text")
            table[:, row, column] = np.inf if values is None else values
    return table


def _check_known(rows: dict[Pair, Floats], known: Sequence[str], kind: str, where: str) -> None:
    for name in (name for pair in rows for name in pair if name not in known):
        what = f"{quote_text(name)} of a row {kind!r} is in no row {PairKind.PEERS!r}"
        raise ValuesError(what, where=where, remedy="mend the name, or add its rows")
