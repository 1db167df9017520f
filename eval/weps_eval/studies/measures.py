"""What studies of measures are about: values of measures on outputs, and where they come from.

Outputs that both measures and people have scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from weps._formatting import count_of, quote_text, suggest_names
from weps.errors import ValuesError
from weps_eval.meta.judged import Scale, mean_of_measures
from weps_eval.report.claims import SampleSize
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.tables import LABEL, columns_of, number_names
from weps_eval.text.declaration import Measure, measures_of
from weps_eval.text.matrix import SYSTEM, TOPIC, MeasureMatrix
from weps_eval.text.scoring import check_needs
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
