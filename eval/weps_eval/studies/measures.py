"""What studies of measures are about: values of measures on outputs, and where they come from.

Outputs that both measures and people have scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from weps._expressions import split_items
from weps._formatting import count_of, quote_text, suggest_names
from weps._parallel import Progress, no_progress
from weps.errors import ValuesError
from weps_eval.meta.judged import Scale, mean_of_measures
from weps_eval.report.claims import SampleSize
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.tables.columns import columns_of, file_digest
from weps_eval.tables.files import LABEL
from weps_eval.tables.instances import number_names
from weps_eval.text.matrix import HUMAN, SYSTEM, TOPIC, MeasureMatrix, read_matrix
from weps_eval.text.registry import Measure, measures_of
from weps_eval.text.scoring import check_needs, digest_of, score_testbed
from weps_eval.text.testbed import Testbed, read_testbed
from weps_eval.text.topic import TextTools

_TESTBEDS = (".jsonl", ".jsonl.gz")
_USUAL = "usual"
_INSTANCES_ONLY = (".npz", ".parquet")
"""A measure matrix is text."""


@dataclass(frozen=True, slots=True, eq=False)
class StudyInput:
    """Values of measures on outputs."""

    title: str
    """The testbed's name, or the table's."""
    matrix: MeasureMatrix
    remarks: tuple[str, ...]
    """What the reader must know of them."""
    digest: str
    """Digest of what they were read from, ``testbed:sha256-…`` or ``matrix:sha256-…``."""
    equal: frozenset[tuple[str, str]] | None = None
    """Topic and system of outputs equal to a reference; None if the texts are not known."""
    texts: Mapping[tuple[str, str], int] | None = None
    """Topic and system → number, the same for equal outputs of a topic; None if not known."""


def is_testbed(path: Path) -> bool:
    """Whether a file holds texts; others hold values of measures."""
    return path.name.lower().endswith(_TESTBEDS)


def holds_instances(path: Path) -> bool:
    """Whether a file holds labelled instances, not the outputs of systems."""
    columns = columns_of(path)
    is_labelled = LABEL in columns and not {TOPIC, SYSTEM} <= set(columns)
    return is_labelled or path.name.lower().endswith(_INSTANCES_ONLY)


def load_testbed(
    source: Path | Testbed, measures: str, tools: TextTools
) -> tuple[Testbed, tuple[Measure, ...]]:
    """A testbed and the measures asked for, whose needs are met.

    Raises:
        WepsError: if it cannot be read, is faulty, or lacks what a measure needs.
    """
    testbed = source if isinstance(source, Testbed) else read_testbed(source)
    chosen = measures_of(measures or _USUAL)
    check_needs(testbed, chosen, tools)
    return testbed, chosen


def load_study_input(  # noqa: PLR0913 - what the command line gives
    path: Path | Testbed,
    measures: str = "",
    human: Sequence[str] = (),
    *,
    tools: TextTools,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> StudyInput:
    """The values of measures that a table holds, or that are computed on a testbed.

    Args:
        path: a testbed or its file, or a measure matrix.
        measures: names between commas, of columns of a table, or of measures and sets; all
            columns, and the usual measures, if empty.
        human: criteria to keep; all if there are none.
        tools: what measures need besides texts.
        jobs: processes that compute.
        progress: called with how many rows are read, or topics scored.

    Raises:
        WepsError: if it cannot be read, is faulty, or has no such column or measure.
    """
    equal: frozenset[tuple[str, str]] | None = None
    texts: dict[tuple[str, str], int] | None = None
    if isinstance(path, Testbed) or is_testbed(path):
        testbed, chosen = load_testbed(path, measures, tools)
        matrix = score_testbed(testbed, chosen, tools, jobs=jobs, progress=progress)
        equal, texts = frozenset(testbed.equal_outputs), testbed.output_texts
        title, digest = testbed.name, f"testbed:sha256-{digest_of(testbed)[:8]}"
        empty = len(testbed.empty_outputs)
        remarks = (f"{empty:,} outputs are empty; every measure gives them 0.",) if empty else ()
    else:
        if holds_instances(path):
            what = "labelled instances are not outputs of systems"
            remedy = "give them to `weps meta hbr` or `weps meta heterogeneity`"
            raise ValuesError(what, where=path, remedy=remedy)
        read = read_matrix(path, [each for each in human if each], progress)
        matrix, title = read.matrix, path.name
        digest = f"matrix:{file_digest(path)}"
        left_out = ", ".join(read.left_out)
        remarks = (f"Left out, because they hold no numbers: {left_out}.",) if left_out else ()
        if measures:
            names = tuple(split_items(measures))
            if not names:
                what, remedy = "no measure is named", "name one or more"
                raise ValuesError(what, where="--measures", remedy=remedy)
            values = _columns_of(matrix, names, matrix.measures, "measure")
            matrix = replace(matrix, measures=names, values=values)
    if human:
        criteria = tuple(name.removeprefix(HUMAN) for name in human)
        scores = _columns_of(matrix, criteria, matrix.criteria, "criterion")
        matrix = replace(matrix, criteria=criteria, human=scores)
    return StudyInput(title, matrix, remarks, digest, equal, texts)


def _columns_of(
    matrix: MeasureMatrix, names: Sequence[str], known: Sequence[str], what: str
) -> Floats:
    for name in names:
        check_known(name, known, what)
    return np.array([matrix.column(name) for name in names])


def check_known(
    name: str, names: Sequence[str], what: str, where: Path | str | None = None
) -> None:
    """See that there is a measure, or a criterion, of that name.

    Raises:
        ValuesError: if not.
    """
    if name not in names:
        missing = f"there is no {what} {quote_text(name)}"
        remedy = suggest_names(name, names) if names else f"give a source with a {what}"
        raise ValuesError(missing, where=where, remedy=remedy)


COMBINED_MEASURES = {
    Scale.NONE: "ULC",
    Scale.MAXIMUM: "ULC (by maximum)",
    Scale.DEVIATION: "ULC (standardised)",
}
"""What the mean of all measures is called, by how these are scaled before; ULC is the paper's."""
_LARGEST = 1e100
"""Greater values overflow when they are squared and summed."""


def is_combined(name: str) -> bool:
    """Whether a measure is called as a mean of all measures."""
    return name in COMBINED_MEASURES.values()


@dataclass(frozen=True, slots=True, eq=False)
class JudgedOutputs:
    """Outputs with the values of measures and the scores of people by one criterion."""

    criterion: str
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), finite."""
    human: Floats
    """Shape (instances,), finite."""
    topics: tuple[str, ...]
    topic: Ints
    """Shape (instances,): the topic of each, from 0."""
    systems: tuple[str, ...]
    system: Ints
    """Shape (instances,): the system of each, from 0."""

    @property
    def is_by_system(self) -> bool:
        """Whether people judged systems as a whole: each has one score, and several outputs."""
        lowest, highest = (np.full(len(self.systems), end) for end in (np.inf, -np.inf))
        np.minimum.at(lowest, self.system, self.human)
        np.maximum.at(highest, self.system, self.human)
        several = np.bincount(self.system) > 1
        return bool(several.any() and (lowest == highest)[several].all())

    @property
    def description(self) -> str:
        """How much there is, in words."""
        size = f"{count_of(len(self.human), 'output')} of {count_of(len(self.systems), 'system')}"
        size += f" on {count_of(len(self.topics), 'topic')}"
        return f"{size} have a score for {self.criterion}." if self.criterion else f"{size}."

    def sample_size(self, cases: int | None = None, case: str = "outputs") -> SampleSize:
        """Topics or systems, whichever are fewer, and so many cases, by default all outputs."""
        groups = {"topics": len(self.topics), "systems": len(self.systems)}
        return SampleSize.of_fewer(groups, len(self.human) if cases is None else cases, case)

    @property
    def single(self) -> list[int]:
        """The numbers of the measures but ULC, however scaled."""
        return [each for each, name in enumerate(self.measures) if not is_combined(name)]

    @property
    def combined(self) -> int:
        """The number of ULC as the paper has it, the plain mean."""
        return self.measures.index(COMBINED_MEASURES[Scale.NONE])

    @property
    def combinations(self) -> list[int]:
        """The numbers of ULC, the plain mean first, and of that of scaled measures if there."""
        return [each for each, name in enumerate(self.measures) if is_combined(name)]

    @property
    def of_paper(self) -> list[int]:
        """The numbers of what the paper compares: the single measures and the plain ULC."""
        return [*self.single, self.combined]

    def with_combined(self, scale: Scale) -> JudgedOutputs:
        """With ULC of all measures after them, and after it ULC of measures scaled before.

        Raises:
            ValuesError: if a measure is called so already, or cannot be scaled so.
        """
        scales = list(dict.fromkeys((Scale.NONE, scale)))
        names = tuple(COMBINED_MEASURES[each] for each in scales)
        for name in filter(is_combined, self.measures):
            what = f"there is a measure called {name}, as all measures together are"
            raise ValuesError(what, remedy="rename it, or leave it out with --measures")
        means = [mean_of_measures(self.values, scale=each) for each in scales]
        return replace(
            self, measures=(*self.measures, *names), values=np.vstack([self.values, *means])
        )


def criteria_of(study_input: StudyInput) -> tuple[str, ...]:
    """Criteria by which people judged.

    Raises:
        ValuesError: if they did not.
    """
    if not study_input.matrix.criteria:
        remedy = "name the column of human scores with --human, or call it human:SOMETHING"
        raise ValuesError("there are no human scores", where=study_input.title, remedy=remedy)
    return study_input.matrix.criteria


def judged_outputs(study_input: StudyInput, criterion: str) -> JudgedOutputs:
    """The outputs that people have judged by a criterion; with none, all outputs, scored 0.

    Raises:
        ValuesError: if there are none, they are all scored alike, values are too large or too
            small, or there is no such criterion.
    """
    matrix = study_input.matrix
    human = matrix.column(criterion) if criterion else np.zeros(len(matrix.topic))
    rows = np.flatnonzero(~np.isnan(human))
    what = ""
    if not len(rows):
        what = f"no output has a score for {quote_text(criterion)}"
    elif criterion and (human[rows] == human[rows[0]]).all():
        what = f"all outputs have the same score for {quote_text(criterion)}"
    if what:
        remedy = "choose another criterion with --human"
        raise ValuesError(what, where=study_input.title, remedy=remedy)
    check_size(matrix.measures, matrix.values, study_input.title)
    if criterion:
        check_size([criterion], human[None, rows], study_input.title, "--human")
    topic, topics = number_names([matrix.topic[row] for row in rows.tolist()])
    system, systems = number_names([matrix.system[row] for row in rows.tolist()])
    values = matrix.values[:, rows]
    return JudgedOutputs(
        criterion, matrix.measures, values, human[rows], topics, topic, systems, system
    )


def check_size(
    measures: Sequence[str], values: Floats, title: str, option: str = "--measures"
) -> None:
    """See that values, of shape (measures, instances), can be squared and summed.

    Raises:
        ValuesError: if one is infinite or beyond 1e100, or a measure has none beyond 1e-100 but 0.
    """
    largest = np.abs(values).max(axis=1)
    for name, most in zip(measures, largest.tolist(), strict=True):
        if not (most == 0 or 1 / _LARGEST <= most <= _LARGEST):
            what = f"the largest value of {quote_text(name)} is {most:g} in size"
            remedy = f"give it on another scale, or leave it out with {option}"
            raise ValuesError(what, where=title, remedy=remedy)
