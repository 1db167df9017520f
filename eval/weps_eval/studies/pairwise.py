"""Texts compared with one another, topic by topic: of a testbed, or read from a table.

A table has a row for every two texts that were compared; :func:`_write_pairwise` writes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from weps._expressions import split_items
from weps._formatting import count_of, join_items, quote_text
from weps._options import cli_option
from weps._parallel import report_progress
from weps.errors import ValuesError
from weps_eval.meta import correlation, orange
from weps_eval.report.tables import SampleSize
from weps_eval.stats import BootstrapSamples, Floats, Ints
from weps_eval.studies.measures import MeasureSettings, check_known, is_testbed, load_testbed
from weps_eval.tables import file_digest, head_in, read_columns, rows_of, write_table
from weps_eval.text import declaration, scoring
from weps_eval.text.testbed import HUMAN, SYSTEM, Testbed, Topic
from weps_eval.text.topic import TopicTexts

COMPARED = (
    "a testbed (.jsonl, .jsonl.gz) with several references per topic, or a table of similarities "
    "between its texts, written by --keep"
)
_COLUMNS = ("topic", "output", "reference", "kind")
"""The first columns of a table that was written."""
_PEERS = "output-reference"
KINDS = (_PEERS, "reference-reference", "output-output")
"""What is compared with what; the first is in the column ``output``."""


@dataclass(frozen=True, kw_only=True)
class SimilaritySettings(MeasureSettings):
    """Settings of studies of similarities."""

    keep: Path | None = cli_option(
        "write the similarities as a table (.csv), which can be used as SOURCE"
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTopic:
    """The texts of a topic, each compared with others."""

    topic: str
    references: tuple[str, ...]
    """The texts that outputs are judged by."""
    systems: tuple[str, ...]
    """That made the outputs."""
    values: orange.Similarities
    human: Floats
    """Shape (criteria, systems); NaN where nobody judged."""
    type: str = ""
    """Kind of topic, or task; empty if not known, as of a table."""


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
        systems, scores = self.system[known], self.human[criterion][known]
        return len(set(zip(systems.tolist(), scores.tolist(), strict=True))) > len(set(systems))


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseInput:
    """What studies of similarities are about."""

    title: str
    measures: tuple[str, ...]
    criteria: tuple[str, ...]
    """Criteria by which people judged."""
    topics: tuple[PairwiseTopic, ...]
    remarks: tuple[str, ...]
    """What the reader must know of them."""
    digest: str
    """Digest of what they were read from, ``testbed:sha256-…`` or ``table:sha256-…``."""
    strategies: Mapping[str, str] = field(default_factory=dict)
    """System → its strategy, if known."""

    @property
    def types(self) -> list[str]:
        """The kinds of topics, or tasks; none if they are not known of all topics."""
        found = list(dict.fromkeys(each.type for each in self.topics))
        return found if all(found) else []

    @property
    def similarities(self) -> list[orange.Similarities]:
        """Similarities by topic."""
        return [each.values for each in self.topics]

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in order of first appearance."""
        return tuple(dict.fromkeys(name for each in self.topics for name in each.systems))

    @property
    def among_outputs(self) -> bool:
        """Whether outputs were compared with one another, too, on every topic."""
        return all(each.values.among_outputs is not None for each in self.topics)

    @property
    def is_uniform(self) -> bool:
        """Whether references and systems have the same names, in the same order, on all topics."""
        return len({(each.references, each.systems) for each in self.topics}) == 1

    @property
    def sample_size(self) -> SampleSize:
        """Topics and their references."""
        return SampleSize(
            len(self.topics), sum(len(each.references) for each in self.topics), case="references"
        )

    def judged_size(self, criterion: str) -> SampleSize:
        """The outputs that people judged, and their topics or systems, whichever are fewer."""
        instances = self.instances
        rows = ~np.isnan(instances.human[self.criteria.index(criterion)])
        parts = {"topics": instances.topic, "systems": instances.system}
        groups = {name: len(np.unique(each[rows])) for name, each in parts.items()}
        return SampleSize.of_fewer(groups, int(rows.sum()))

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


def mean_similarities(compared: PairwiseInput) -> Floats:
    """Mean similarity of every output to its references, shape (measures, instances)."""
    return np.concatenate([each.values.outputs.mean(axis=2) for each in compared.topics], axis=1)


def correlate_criterion(
    compared: PairwiseInput,
    values: Floats,
    criterion: int,
    level: correlation.Level = correlation.Level.SYSTEM,
    seed: int = 0,
) -> BootstrapSamples | None:
    """Pearson's r with people by one criterion, see :func:`correlate_judged`.

    Topics and systems are resampled. Values have shape (rows, instances).
    """
    found, how = (
        compared.instances,
        {"level": level, "sample": correlation.Sample.BOTH, "seed": seed},
    )
    return correlation.correlate_judged(
        values, found.human[criterion], found.topic, found.system, **how
    )


def read_similarities(
    source: Path | Testbed,
    settings: SimilaritySettings,
    *,
    fewest: int = 2,
    remedy: str = "give topics with more references",
    among_outputs: bool = True,
) -> PairwiseInput:
    """The similarities of a testbed's texts, or those of a table, kept if asked for.

    Args:
        source: a testbed or its file, or a table.
        settings: measures, criteria, and what measures need.
        fewest: references that a topic needs; topics with fewer are left out.
        remedy: what to do if no topic has so many.
        among_outputs: whether outputs of a testbed are compared with one another.

    Raises:
        WepsError: if the source cannot be read or compared, is faulty, has no such column or too
            few references, or the table cannot be written.
    """
    if isinstance(source, Testbed) or is_testbed(source):
        testbed, measures = load_testbed(source, settings.measures, settings.tools)
        where = testbed.name if isinstance(source, Testbed) else source
        kept, remarks = _with_references(testbed.topics, fewest, remedy, where)
        part = replace(testbed, topics=kept)
        tables = compare_texts(
            kept, measures, settings, testbed.name, KINDS if among_outputs else KINDS[:2]
        )
        if empty := len(part.empty_outputs):
            many = f"{empty:,} output{' is' if empty == 1 else 's are'}"
            remarks = (f"{many} empty: similar only to empty ones.", *remarks)
        found = PairwiseInput(
            testbed.name,
            tuple(map(str, measures)),
            testbed.criteria,
            tuple(
                PairwiseTopic(
                    topic.topic,
                    tuple(each.id for each in topic.references),
                    tuple(each.system for each in topic.outputs),
                    orange.Similarities(*values),
                    np.array(
                        [
                            [each.human.get(name, np.nan) for each in topic.outputs]
                            for name in testbed.criteria
                        ],
                        np.float64,
                    ).reshape(len(testbed.criteria), len(topic.outputs)),
                    topic.type or "",
                )
                for topic, values in zip(kept, tables, strict=True)
            ),
            remarks,
            f"testbed:sha256-{scoring.digest_of(testbed)[:8]}",
            testbed.strategies,
        )
    else:
        found = _read_pairwise(source, split_items(settings.measures))
        topics, remarks = _with_references(found.topics, fewest, remedy, source)
        found = replace(found, topics=topics, remarks=remarks)
    if settings.criteria:
        for name in settings.criteria:
            check_known(name, found.criteria, "criterion")
        places = [found.criteria.index(name) for name in settings.criteria]
        topics = tuple(replace(each, human=each.human[places]) for each in found.topics)
        found = replace(found, criteria=settings.criteria, topics=topics)
    if settings.keep:
        _write_pairwise(found, settings.keep)
    return found


def input_remarks(found: PairwiseInput) -> Iterator[str]:
    """What the reader must know of the source."""
    references, outputs = (
        " to ".join(map(str, dict.fromkeys((min(sizes), max(sizes)))))
        for sizes in (
            [len(each.references) for each in found.topics],
            [len(each.systems) for each in found.topics],
        )
    )
    yield (
        f"{found.title}: {count_of(len(found.topics), 'topic')} with {references} references and "
        f"{outputs} outputs each, {count_of(len(found.measures), 'measure')}."
    )
    yield from found.remarks


AnyTopic = TypeVar("AnyTopic", Topic, PairwiseTopic)


def _with_references(
    topics: Sequence[AnyTopic], fewest: int, remedy: str, where: Path | str
) -> tuple[tuple[AnyTopic, ...], tuple[str, ...]]:
    kept = tuple(each for each in topics if len(each.references) >= fewest)
    if not kept:
        most = max(len(each.references) for each in topics)
        raise ValuesError(
            f"{fewest} references are needed, and no topic has more than {most}",
            where=where,
            remedy=remedy,
        )
    if len(kept) == len(topics):
        return kept, ()
    names = join_items(quote_text(each.topic) for each in topics if each not in kept)
    return kept, (f"Left out, because they have fewer than {fewest} references: topics {names}.",)


def compare_texts(
    topics: Sequence[Topic],
    measures: Sequence[declaration.Measure],
    settings: MeasureSettings,
    where: str,
    kinds: Sequence[str] = KINDS,
) -> list[list[Floats]]:
    """Texts of every topic compared with one another, by several measures.

    Args:
        topics: outputs and references.
        measures: the measures.
        settings: what measures need, the number of processes, and who is told of topics done.
        where: what errors name.
        kinds: what is compared with what; the first text is in the rows.

    Returns:
        For each topic tables of shape (measures, texts, texts), one of each kind.

    Raises:
        ValuesError: if measures are not defined for texts; one message names all.
    """
    judge = partial(_topic_similarities, kinds=kinds)
    compared = scoring.judge_topics(topics, judge, measures, settings.tools, settings.jobs, where)
    told = report_progress(compared, settings.progress, "comparing texts", len(topics))
    return [list(map(np.array, zip(*tables, strict=True))) for tables, _ in told]


def _topic_similarities(
    measure: declaration.Measure, own: TopicTexts, kinds: Sequence[str]
) -> list[Floats]:
    """The texts of a topic compared with one another, a table of each kind."""
    texts = {
        "output": [each.text for each in own.topic.outputs],
        "reference": [each.text for each in own.topic.references],
    }
    sides = ([texts[side] for side in kind.split("-")] for kind in kinds)
    return [scoring.measure_similarities(measure, own, *both) for both in sides]


def _write_pairwise(compared: PairwiseInput, path: Path) -> None:
    """Write a table, whole or not at all, which :func:`_read_pairwise` reads again.

    Human scores of outputs stand in their rows with references.
    """
    criteria = (f"{HUMAN}{criterion}" for criterion in compared.criteria)
    rows = (row for topic in compared.topics for row in _pairwise_rows(topic))
    write_table(path, (*_COLUMNS, *criteria, *compared.measures), rows)


def _pairwise_rows(topic: PairwiseTopic) -> Iterator[tuple[str | float, ...]]:
    texts = {"output": topic.systems, "reference": topic.references}
    tables = (topic.values.outputs, topic.values.references, topic.values.among_outputs)
    for kind, table in zip(KINDS, tables, strict=True):
        ones, others = (texts[side] for side in kind.split("-"))
        for row, own in enumerate([] if table is None else np.moveaxis(table, 0, -1).tolist()):
            judged = topic.human[:, row] if kind == _PEERS else np.full(len(topic.human), np.nan)
            for other, values in zip(others, own, strict=True):
                yield (topic.topic, ones[row], other, kind, *judged.tolist(), *values)


def _read_pairwise(path: Path, measures: Sequence[str] = ()) -> PairwiseInput:
    """Read a table with the columns ``topic``, ``output``, ``reference`` and ``kind``.

    The kind is ``output-reference``, ``reference-reference`` (the text compared is in the column
    ``output``) or ``output-output``; the last may be missing altogether, and so may rows of a text
    with itself: nothing is then more alike. Columns whose names begin with ``human:`` hold what
    people thought of the output, in rows of the first kind; all others are measures.
    """
    names = head_in(rows_of(path))
    if missing := [each for each in _COLUMNS if each not in names]:
        raise ValuesError(
            "this is a measure matrix, which has no similarities between references"
            if SYSTEM in names
            else f"columns are missing: {', '.join(missing)}",
            where=path,
            remedy="give a testbed (.jsonl), or a table written by --keep",
        )
    criteria = [each for each in names if each.startswith(HUMAN)]
    chosen = tuple(measures) or tuple(each for each in names if each not in (*_COLUMNS, *criteria))
    if not chosen:
        raise ValuesError("there is no measure", where=path, remedy="add columns with values")
    columns = read_columns(path, _COLUMNS, [*criteria, *chosen])
    numbers = np.array([columns.numbers.get(each, []) for each in (*criteria, *chosen)])
    human, values = np.split(numbers, [len(criteria)])
    for measure, at in np.argwhere(np.isnan(values))[:1].tolist():
        raise ValuesError(
            f"the value of {quote_text(chosen[measure])} is missing",
            where=columns.place(at),
            remedy="give it a value, or leave out the measure or the text",
        )
    topics: defaultdict[str, dict[str, dict[Pair, int]]]
    topics = defaultdict(lambda: {kind: {} for kind in KINDS})
    first: dict[Pair, int] = {}
    rows = zip(*columns.texts.values(), strict=True)
    for at, (topic, one, other, kind) in enumerate(rows):
        if kind not in KINDS:
            raise ValuesError(
                f"{quote_text(kind)} is no kind of row",
                where=columns.place(at),
                remedy=f"kinds are: {', '.join(KINDS)}",
            )
        if topics[topic][kind].setdefault((one, other), at) != at:
            raise ValuesError(
                f"{quote_text(one)} and {quote_text(other)} are compared twice",
                where=columns.place(at),
                remedy="keep one of the rows",
            )
        before = first.setdefault((topic, one), at) if kind == _PEERS else at
        if not np.array_equal(human[:, before], human[:, at], equal_nan=True):
            raise ValuesError(
                f"the output of {quote_text(one)} has other human scores than before",
                where=columns.place(at),
                remedy="give the same in all its rows",
            )
    if not topics:
        raise ValuesError("the table has no rows", where=path, remedy="add a row for two texts")
    read = []
    for topic, by_kind in topics.items():
        systems, references, similarities = _arrange_pairs(
            by_kind, values, f"{path}, topic {quote_text(topic)}"
        )
        judged = human[:, [first[topic, each] for each in systems]]
        read.append(PairwiseTopic(topic, references, systems, similarities, judged))
    return PairwiseInput(
        path.name,
        chosen,
        tuple(each.removeprefix(HUMAN) for each in criteria),
        tuple(read),
        (),
        f"table:{file_digest(path)}",
    )


Pair: TypeAlias = tuple[str, str]


def _arrange_pairs(
    by_kind: Mapping[str, Mapping[Pair, int]], values: Floats, where: str
) -> tuple[tuple[str, ...], tuple[str, ...], orange.Similarities]:
    """Systems, references, and similarities of a topic, by the rows that have the values."""
    of_outputs, of_references, among = (by_kind[kind] for kind in KINDS)
    systems = tuple(dict.fromkeys(one for one, _ in of_outputs))
    references = tuple(dict.fromkeys(other for _, other in (*of_outputs, *of_references)))
    if not systems:
        raise ValuesError(
            f"there is no row {_PEERS!r}", where=where, remedy="compare outputs with references"
        )
    tables = []
    for kind in KINDS if among else KINDS[:2]:
        pairs, texts = by_kind[kind], {"output": systems, "reference": references}
        ones, others = (texts[side] for side in kind.split("-"))
        for name in (name for pair in pairs for name in pair if name not in {*ones, *others}):
            raise ValuesError(
                f"{quote_text(name)} of a row {kind!r} is in no row {_PEERS!r}",
                where=where,
                remedy="correct the name, or add its rows",
            )
        # A text is by default like itself as nothing else is.
        table = np.full((len(values), len(ones), len(others)), np.inf)
        for (row, one), (column, other) in product(enumerate(ones), enumerate(others)):
            if (one, other) in pairs:
                table[:, row, column] = values[:, pairs[one, other]]
            elif one != other or kind == _PEERS:
                raise ValuesError(
                    f"{quote_text(one)} is not compared with {quote_text(other)}",
                    where=where,
                    remedy="add the row, or leave out the text",
                )
        tables.append(table)
    return systems, references, orange.Similarities(*tables)
