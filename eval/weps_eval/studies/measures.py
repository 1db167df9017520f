"""What studies of measures are about: values of measures on outputs that people have judged.

Also instances compared within groups: such outputs, or labelled ones such as pairs of pages;
figures of several measures together, such as the highest of them, with intervals; and kinds of
measures that papers compare: those of words, and those of parts of speech, syntax and named
entities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import compress
from pathlib import Path
from typing import TypeAlias

import numpy as np
from scipy.sparse.csgraph import connected_components
from scipy.stats import rankdata

from weps._expressions import split_items
from weps._files import STANDARD, as_path, open_file
from weps._formatting import count_of, join_items, quote_text, suggest_names
from weps._options import cli_option
from weps.cli.options import JobsOption
from weps.errors import FeatureError, ValuesError
from weps_eval.meta.improvements import Scale, mean_of_measures
from weps_eval.report.tables import SampleSize
from weps_eval.stats import BootstrapSamples, Estimate, Flags, Floats, Ints, joint_estimate
from weps_eval.studies.running import StudySettings
from weps_eval.tables import (
    GROUP,
    LABEL,
    columns_of,
    file_digest,
    number_names,
    read_instances,
    report_damage,
)
from weps_eval.text import declaration, scoring
from weps_eval.text.testbed import (
    HUMAN,
    SYSTEM,
    TOPIC,
    MeasureMatrix,
    Testbed,
    read_matrix,
    read_testbed,
)
from weps_eval.text.topic import TextTools

_TESTBEDS = (".jsonl", ".jsonl.gz")
_USUAL = "usual"


@dataclass(frozen=True, kw_only=True)
class MeasureSettings(StudySettings, scoring.ToolsOptions, JobsOption):
    """Settings of studies of measures between texts."""

    measures: str = cli_option(
        "comma-separated columns of a matrix (default: all), or, for a testbed, measures and "
        "sets to compute, see `weps text measures` (default: usual); wsk(length=1|2) means two",
        "",
        metavar="LIST",
    )
    human: str = cli_option(
        "comma-separated criteria by which people judged (default: all)", "", metavar="LIST"
    )

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria asked for, each once and without ``human:``; none stand for all."""
        return tuple(dict.fromkeys(name.removeprefix(HUMAN) for name in split_items(self.human)))


@dataclass(frozen=True, kw_only=True)
class CriterionSettings(MeasureSettings):
    """Settings of studies by one criterion of people."""

    human: str = cli_option(
        "criterion by which people judged (default: first)", "", metavar="CRITERION"
    )

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criterion asked for, without ``human:``; none stands for the first.

        Raises:
            ValuesError: if several are given.
        """
        names = super().criteria
        if len(names) > 1:
            raise ValuesError(
                f"{len(names)} criteria are too many",
                where="--human",
                remedy="give one, and run it for each",
            )
        return names


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
    others: tuple[StudyInput, ...] = ()
    """Further test beds, with which figures of measures are compared."""


def is_testbed(path: Path) -> bool:
    """Whether a file, or standard input, holds texts; others hold values of measures."""
    if as_path(path, "a testbed, a table or a path") != STANDARD:
        return Path(path).name.lower().endswith(_TESTBEDS)
    with report_damage(path), open_file(path) as file:
        return file.read(100).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _holds_instances(path: Path) -> bool:
    """Whether a file holds labelled instances, not the outputs of systems."""
    columns = set(columns_of(path))
    is_labelled = LABEL in columns and not {TOPIC, SYSTEM} <= columns
    return is_labelled or path.name.lower().endswith(".parquet")  # a measure matrix is text


def load_testbed(
    source: Path | Testbed, measures: str, tools: TextTools
) -> tuple[Testbed, tuple[declaration.Measure, ...]]:
    """A testbed and the measures asked for, whose needs are met.

    Raises:
        WepsError: if it cannot be read, is faulty, or lacks what a measure needs.
    """
    testbed = source if isinstance(source, Testbed) else read_testbed(source)
    chosen = declaration.measures_of(measures or _USUAL)
    scoring.check_needs(testbed, chosen, tools)
    return testbed, chosen


Source: TypeAlias = Path | Testbed | StudyInput


def read_scores(
    source: Source | tuple[Source, ...], settings: MeasureSettings, usual: str = _USUAL
) -> StudyInput:
    """The values of measures that a table holds, or that are computed on a testbed.

    Args:
        source: which of them; of several the first is studied, and compared with the others.
        settings: what is asked for.
        usual: the measures that are computed on a testbed if none is asked for.

    Raises:
        WepsError: if the source cannot be read, is faulty, or has no such measure or criterion.
    """
    criteria = settings.criteria  # or there are too many
    if isinstance(source, StudyInput):
        return source
    if isinstance(source, tuple):
        first, *others = (read_scores(each, settings, usual) for each in source)
        if not others:
            return first
        titles = join_items(each.title for each in others)
        remark = f"Figures are of {first.title}; measures are compared with those of {titles}."
        return replace(
            first,
            others=tuple(others),
            remarks=(*first.remarks, remark),
            digest=", ".join(each.digest for each in (first, *others)),
        )
    if isinstance(source, Testbed) or is_testbed(source):
        testbed, chosen = load_testbed(source, settings.measures or usual, settings.tools)
        jobs, progress = settings.jobs, settings.progress
        empty = len(testbed.empty_outputs)
        found = StudyInput(
            testbed.name,
            scoring.score_testbed(testbed, chosen, settings.tools, jobs=jobs, progress=progress),
            (f"{empty:,} outputs are empty; every measure gives them 0.",) if empty else (),
            f"testbed:sha256-{scoring.digest_of(testbed)[:8]}",
            frozenset(testbed.equal_outputs),
            testbed.output_texts,
        )
    else:
        if _holds_instances(source):
            raise ValuesError(
                "labelled instances are not outputs of systems",
                where=source,
                remedy="give them to `weps meta hbr` or `weps meta heterogeneity`",
            )
        matrix, left_out = read_matrix(source, list(filter(None, criteria)), settings.progress)
        if settings.measures:
            names = tuple(split_items(settings.measures))
            if not names:
                raise ValuesError(
                    "no measure is named", where="--measures", remedy="name one or more"
                )
            values = _columns_of(matrix, names, matrix.measures, "measure")
            matrix = replace(matrix, measures=names, values=values)
        remarks = (
            (f"Left out, because they hold no numbers: {', '.join(left_out)}.",) if left_out else ()
        )
        found = StudyInput(source.name, matrix, remarks, f"matrix:{file_digest(source)}")
    if criteria:
        scores = _columns_of(found.matrix, criteria, found.matrix.criteria, "criterion")
        found = replace(found, matrix=replace(found.matrix, criteria=criteria, human=scores))
    return found


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
        raise ValuesError(
            f"there is no {what} {quote_text(name)}",
            where=where,
            remedy=suggest_names(name, names) if names else f"give a source with a {what}",
        )


COMBINED_MEASURES = {
    Scale.NONE: "ULC",
    Scale.MAXIMUM: "ULC (by maximum)",
    Scale.DEVIATION: "ULC (standardised)",
}
"""What the mean of all measures is called, by how these are scaled before; ULC is the paper's."""
_LARGEST = 1e100
"""Greater values overflow when they are squared and summed."""


def _is_combined(name: str) -> bool:
    """Whether a measure is called as a mean of all measures."""
    return name in COMBINED_MEASURES.values()


def other_beds(
    study_input: StudyInput, criterion: str, names: Sequence[str]
) -> Iterator[tuple[str, JudgedOutputs]]:
    """The other test beds with the measures that are in all of them, in one order.

    They are judged by the same criterion or, where it is not theirs, their first; beds without
    scores of single outputs have none.

    Args:
        study_input: the test beds.
        criterion: of the first.
        names: measures of the first that are compared.
    """
    for bed in study_input.others:
        names = [name for name in names if name in bed.matrix.measures]
    for bed in study_input.others:
        criteria = criteria_of(bed)
        judged = judged_outputs(bed, criterion if criterion in criteria else criteria[0])
        rows = [bed.matrix.measures.index(name) for name in names]
        yield bed.title, replace(judged, measures=tuple(names), values=judged.values[rows])


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
        scores = set(zip(self.system.tolist(), self.human.tolist(), strict=True))
        return len(scores) == len(self.systems) < len(self.human)

    @property
    def description(self) -> str:
        """How much there is, in words."""
        outputs, systems = (
            count_of(len(self.human), "output"),
            count_of(len(self.systems), "system"),
        )
        judged = f" have a score for {self.criterion}" if self.criterion else ""
        return f"{outputs} of {systems} on {count_of(len(self.topics), 'topic')}{judged}."

    def sample_size(self, cases: int | None = None, case: str = "outputs") -> SampleSize:
        """Topics or systems, whichever are fewer, and so many cases, by default all outputs."""
        groups = {"topics": len(self.topics), "systems": len(self.systems)}
        return SampleSize.of_fewer(groups, len(self.human) if cases is None else cases, case)

    def over_measures(self) -> tuple[SampleSize, str]:
        """The sample of a figure over the single measures, see :func:`over_measures`."""
        names = [self.measures[each] for each in self.single]
        return over_measures(self.sample_size(), names, self.values[self.single])

    @property
    def single(self) -> list[int]:
        """The numbers of the measures but ULC, however scaled."""
        return [each for each, name in enumerate(self.measures) if not _is_combined(name)]

    @property
    def combinations(self) -> list[int]:
        """The numbers of ULC, the plain mean first, and of that of scaled measures if there."""
        return [each for each, name in enumerate(self.measures) if _is_combined(name)]

    @property
    def of_paper(self) -> list[int]:
        """The numbers of what the paper compares: the single measures and the plain ULC."""
        return [*self.single, self.combinations[0]]

    def with_combined(self, scale: Scale) -> JudgedOutputs:
        """With ULC of all measures after them, and after it ULC of measures scaled before.

        Raises:
            ValuesError: if a measure is called so already, or cannot be scaled so.
        """
        for name in filter(_is_combined, self.measures):
            raise ValuesError(
                f"there is a measure called {name}, as all measures together are",
                remedy="rename it, or leave it out with --measures",
            )
        scales = dict.fromkeys((Scale.NONE, scale))
        return replace(
            self,
            measures=(*self.measures, *(COMBINED_MEASURES[each] for each in scales)),
            values=np.vstack(
                [self.values, *(mean_of_measures(self.values, scale=each) for each in scales)]
            ),
        )


def criteria_of(study_input: StudyInput) -> tuple[str, ...]:
    """Criteria by which people judged.

    Raises:
        ValuesError: if they did not.
    """
    if not study_input.matrix.criteria:
        raise ValuesError(
            "there are no human scores",
            where=study_input.title,
            remedy="name the column of human scores with --human, or call it human:SOMETHING",
        )
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
    if not len(rows) or (criterion and (human[rows] == human[rows[0]]).all()):
        many = "all outputs have the same" if len(rows) else "no output has a"
        raise ValuesError(
            f"{many} score for {quote_text(criterion)}",
            where=study_input.title,
            remedy="choose another criterion with --human",
        )
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
    for name, most in zip(measures, np.abs(values).max(axis=1).tolist(), strict=True):
        if not (most == 0 or 1 / _LARGEST <= most <= _LARGEST):
            raise ValuesError(
                f"the largest value of {quote_text(name)} is {most:g} in size",
                where=title,
                remedy=f"give it on another scale, or leave it out with {option}",
            )


def median_over_measures(values: Floats) -> Floats:
    """Shape (columns,): the median of the measures that have the figure; NaN where none has.

    Were a resample left out where one measure lacks the figure, as of improvements it has found
    one only, that measure alone would decide the median.

    Args:
        values: shape (measures, columns).
    """
    known = np.ma.masked_invalid(values)
    return np.asarray(np.ma.median(known, axis=0).filled(np.nan))  # type: ignore[no-untyped-call]


def known_measures(samples: BootstrapSamples) -> list[int]:
    """The measures that have the figure, by falling value."""
    order = np.argsort(-samples.value, kind="stable").tolist()
    return [each for each in order if not np.isnan(samples.value[each])]


_FEWEST = 3
"""Fewer measures of a kind say nothing of it."""
TOO_FEW_KINDS = f"fewer than {_FEWEST} measures are linguistic, or fewer are of words"
_ROUGE = re.compile(r"R(\d|L|W|SU?)\d*_(recall|precision|f)")
"""As tables of DUC call it."""
_LINGUISTIC = frozenset({declaration.Need.TAGS, declaration.Need.PARSES})


_SAME = 0.95
"""Spearman's coefficient, either way, of measures that say the same of outputs."""


def over_measures(size: SampleSize, names: Sequence[str], values: Floats) -> tuple[SampleSize, str]:
    """The sample of a figure over measures, and how many there are, in words.

    Measures of one text are no independent sample. Families count: measures that differ in
    parameters alone, or rank outputs alike (a correlation of .95 or more), are one, as are those
    that others link. A copy of a measure makes no difference.

    Args:
        size: of the outputs.
        names: the measures.
        values: shape (measures, instances).
    """
    called = ((name, measure_called(name)) for name in names)
    families = [
        measure.family.name if measure else "rouge" if _ROUGE.fullmatch(name) else name
        for name, measure in called
    ]
    ranks = rankdata(values, axis=1)
    apart = ranks - ranks.mean(axis=1, keepdims=True)
    apart /= np.where(np.ptp(ranks, axis=1) > 0, np.linalg.norm(apart, axis=1), np.inf)[:, None]
    alike = np.equal.outer(families, families) | (np.abs(apart @ apart.T) >= _SAME)
    count, _ = connected_components(alike)
    told = f"{count_of(len(names), 'measure')}, {count_of(count, 'family', 'families')}"
    return min(size, size._replace(groups=int(count), group="families of measures")), told


class MeasureKind(StrEnum):
    """What measures look at: the two kinds of Corroborating text evaluation (2011), section 4.2."""

    WORDS = "words"
    """Words, n-grams, stems, or senses by WordNet; there called lexical."""
    LINGUISTIC = "language"
    """Parts of speech, syntax, named entities."""
    COMBINED = "all"
    """ULC, the plain mean or of scaled measures."""
    UNKNOWN = "unknown"
    """A column of a table whose name is no measure of weps."""


@lru_cache(1024)
def measure_called(name: str) -> declaration.Measure | None:
    """The measure of weps that a column is called after."""
    try:
        return declaration.Measure.parse(name)
    except FeatureError:
        return None


def measure_kind_of(name: str) -> MeasureKind:
    """The kind of a measure, by what its family needs.

    Tags that are for lemmas or senses only do not count.
    """
    if _is_combined(name):
        return MeasureKind.COMBINED
    if _ROUGE.fullmatch(name):
        return MeasureKind.WORDS
    if (measure := measure_called(name)) is None:
        return MeasureKind.UNKNOWN
    needs = measure.family.needs
    return MeasureKind.LINGUISTIC if needs and needs <= _LINGUISTIC else MeasureKind.WORDS


def measures_of_kind(names: Sequence[str], kind: MeasureKind) -> list[int]:
    """The numbers of the measures of a kind; none if they are fewer than three."""
    found = [number for number, name in enumerate(names) if measure_kind_of(name) is kind]
    return found if len(found) >= _FEWEST else []


def linguistic_ahead(names: Sequence[str], samples: BootstrapSamples) -> Estimate | None:
    """The middle figure of linguistic measures less that of measures of words.

    Only measures that have the figure count; None if either are fewer than three.
    """
    ours, theirs = (
        [at for at in measures_of_kind(names, kind) if not np.isnan(samples.value[at])]
        for kind in (MeasureKind.LINGUISTIC, MeasureKind.WORDS)
    )
    if min(len(ours), len(theirs)) < _FEWEST:
        return None

    def ahead(values: Floats) -> Floats:
        middle, other = map(median_over_measures, np.split(values, [len(ours)]))
        return np.asarray(middle - other)

    return joint_estimate(ahead, samples.take([*ours, *theirs]))


_GROUP_NOUNS = {"topic": ("topic", "topics"), "set": ("set", "sets"), "all": ("group", "groups")}


@dataclass(frozen=True, slots=True, eq=False)
class GroupedInstances:
    """What a study of heterogeneity is about.

    Raises:
        ValuesError: if there is nothing to compare.
    """

    title: str
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), never NaN."""
    group: Ints
    """Shape (instances,): number of the group within which it is compared."""
    groups: tuple[str, ...]
    """Names of the groups: topics, test sets, or people's names that were searched."""
    system: tuple[str, ...]
    """System of each instance; empty where the source names no systems."""
    quality: Mapping[str, Floats]
    """Criterion → shape (instances,), NaN where nobody judged; empty without human scores."""
    labelled: bool
    """Whether instances are positive (1) or negative (0), such as pairs of pages of a name."""
    called: tuple[str, str]
    """What a group is called, one and several."""
    remarks: tuple[str, ...]
    digest: str
    equal: int | None = None
    """Outputs left out because they equal a reference; None if the source does not tell."""
    text: Ints | None = None
    """Shape (instances,): the same number for equal outputs of a topic; None if not known."""
    matrix: MeasureMatrix | None = None
    """The matrix with the same instances, if they are outputs of systems."""

    def __post_init__(self) -> None:
        if len(self.group) == 0 or np.bincount(self.group).max() < 2:
            raise ValuesError(
                f"no {self.called[0]} has two instances",
                where=self.title,
                remedy="compare them within sets, or all of them, with --within",
            )

    @property
    def scores(self) -> Floats:
        """Shape (instances,): the quality, where there is one criterion."""
        (scores,) = self.quality.values()
        return scores

    @property
    def sample_size(self) -> SampleSize:
        """Groups and instances; by two scores such as labels, those of the rarer one."""
        _, counts = np.unique(self.scores, return_counts=True)
        cases = counts.min() if len(counts) == 2 else counts.sum()
        return SampleSize(len(self.groups), int(cases), self.called[1], "instances")

    @property
    def equal_pairs(self) -> int | None:
        """Pairs of equal outputs of a group, which heterogeneity leaves out; None if not known."""
        if self.text is None:
            return None
        _, counts = np.unique([self.group, self.text], axis=1, return_counts=True)
        return int((counts * (counts - 1) // 2).sum())

    @property
    def description(self) -> str:
        """How much there is, in words."""
        instances = f"{count_of(len(self.group), 'instance')} in {len(self.groups):,}"
        measures = count_of(len(self.measures), "measure")
        return f"{measures}, {instances} {self.called[len(self.groups) != 1]}"

    def only(self, chosen: Flags) -> GroupedInstances:
        """Some of the instances, chosen by shape (instances,), and the groups that have any."""
        present, group = np.unique(self.group[chosen], return_inverse=True)
        return replace(
            self,
            values=self.values[:, chosen],
            group=group,
            groups=tuple(self.groups[number] for number in present),
            system=tuple(compress(self.system, chosen)),
            quality={name: each[chosen] for name, each in self.quality.items()},
            text=None if self.text is None else self.text[chosen],
        )

    def judged_instances(self, criterion: str, quality: Floats | None = None) -> GroupedInstances:
        """What a criterion alone judges, or another quality, of shape (instances,).

        Raises:
            ValuesError: if it judges no two instances of one group, or none unlike another.
        """
        given = self.quality[criterion] if quality is None else quality
        known = ~np.isnan(given)
        group, what = self.group[known], ""
        if not known.any() or np.bincount(group).max() < 2:
            what = f"no {self.called[0]} has two instances that people judged"
        elif len(np.unique([group, given[known]], axis=1).T) == len(np.unique(group)):
            what = f"people judged all instances of each {self.called[0]} alike"
        if what:
            raise ValuesError(what, where=criterion, remedy="choose another criterion with --human")
        return replace(self, quality={criterion: given}).only(known)

    def at_most(self, most: int, seed: int) -> GroupedInstances:
        """Instances with that many of every group at most, drawn at random."""
        generator = np.random.default_rng(seed)
        chosen = np.zeros(len(self.group), dtype=np.bool_)
        for number in range(len(self.groups)):
            members = np.flatnonzero(self.group == number)
            if len(members) > most:
                members = generator.choice(members, most, replace=False)
            chosen[members] = True
        if chosen.all():
            return self
        remark = (
            f"Of {len(chosen):,} instances {chosen.sum():,} were drawn at random, "
            f"at most {most:,} of each {self.called[0]}."
        )
        return replace(self.only(chosen), remarks=(*self.remarks, remark))


GROUPED = (
    "a testbed (.jsonl), a measure matrix (.csv), or labelled instances that `weps study features "
    "--instances` writes"
)
"""What the source of a study may be."""


@dataclass(frozen=True, kw_only=True)
class GroupedSettings(MeasureSettings):
    """Settings of studies of heterogeneity."""

    within: str | None = cli_option(
        "compare outputs within a topic, within a set of topics called SET.1, SET.2, …, or "
        "across all topics (default: topic, or set if every topic has one output)",
        choices=tuple(_GROUP_NOUNS),
    )
    label: str | None = cli_option(
        "for labelled instances: column that says which are positive (default: label)",
        metavar="COLUMN",
    )
    group: str | None = cli_option(
        "for labelled instances: column of the groups to compare within, such as topics (default: "
        "group, if there is such a column)",
        metavar="COLUMN",
    )


def read_grouped(
    source: Path | Testbed | GroupedInstances, settings: GroupedSettings
) -> GroupedInstances:
    """The instances that are compared.

    Raises:
        WepsError: if they cannot be read, are faulty, or there is nothing to compare.
    """
    if isinstance(source, GroupedInstances):
        return source
    # Who names a column of labels has instances.
    if (
        not isinstance(source, Testbed)
        and not is_testbed(source)
        and (settings.label is not None or _holds_instances(source))
    ):
        if settings.human or settings.within:
            raise ValuesError(
                "--human and --within have no meaning for labelled instances",
                where=source,
                remedy="leave them out",
            )
        label, group = settings.label or LABEL, settings.group
        if not group and GROUP in columns_of(source):
            group = GROUP
        read, _ = read_instances(source, label, group, split_items(settings.measures) or None)
        instances = read.without_empty_groups()
        counts = instances.counts
        return GroupedInstances(
            source.name,
            instances.measures,
            instances.values.astype(np.float64),
            instances.group.astype(np.int64),
            instances.groups,
            (),
            {label: instances.positive.astype(np.float64)},
            True,
            _GROUP_NOUNS["all"],
            (f"{counts.total:,} labelled instances, {counts.positive:,} of them positive.",),
            f"instances:{file_digest(source)}",
        )
    if settings.group or settings.label:
        raise ValuesError(
            "--label and --group have no meaning for outputs of systems",
            where=source.name if isinstance(source, Testbed) else source,
            remedy="leave them out",
        )
    return _of_matrix(_without_equal(read_scores(source, settings)), settings.within)


def _without_equal(read: StudyInput) -> StudyInput:
    """Without outputs that equal a reference: in the papers' H g ≠ s ≠ s' ≠ g."""
    matrix = read.matrix
    if read.equal is None:
        remark = (
            "The papers leave out outputs that equal a reference or one another. A table does not "
            "state which do; a testbed (.jsonl) does."
        )
        return replace(read, remarks=(*read.remarks, remark))
    if not read.equal:
        return read
    outputs = zip(matrix.topic, matrix.system, strict=True)
    kept = np.array([each not in read.equal for each in outputs], dtype=np.bool_)
    if not kept.any():
        raise ValuesError(
            "every output equals a reference, so that no two can be compared",
            where=read.title,
            remedy="give outputs that systems made",
        )
    remark = f"{count_of(len(read.equal), 'output')} left out: equal to a reference of the topic."
    rest = replace(
        matrix,
        topic=tuple(compress(matrix.topic, kept)),
        system=tuple(compress(matrix.system, kept)),
        values=matrix.values[:, kept],
        human=matrix.human[:, kept],
    )
    return replace(read, matrix=rest, remarks=(*read.remarks, remark))


def _of_matrix(read: StudyInput, within: str | None) -> GroupedInstances:
    matrix = read.matrix
    chosen = within or ("set" if len(set(matrix.topic)) == len(matrix.topic) else "topic")
    names, remarks = matrix.topic, list(read.remarks)
    if chosen == "set":
        names = tuple(topic.rpartition(".")[0] or topic for topic in names)
    elif chosen == "all":
        names = ("all",) * len(names)
        remarks.append("Outputs are compared across topics.")
    group, groups = number_names(names)
    if chosen == "set":
        remarks.append(f"Outputs are compared within sets of topics: {', '.join(groups[:10])}.")
    if not matrix.criteria:
        remarks.append(
            f"There are no human scores: no column is called {HUMAN}…, or named with --human. "
            f"Measures: {join_items(matrix.measures, most=10)}."
        )
    text = None
    if read.texts is not None:
        outputs = zip(matrix.topic, matrix.system, strict=True)
        text = np.array([read.texts[each] for each in outputs], dtype=np.int64)
    found = GroupedInstances(
        read.title,
        matrix.measures,
        matrix.values,
        group,
        groups,
        matrix.system,
        dict(zip(matrix.criteria, matrix.human, strict=True)),
        False,
        _GROUP_NOUNS[chosen],
        tuple(remarks),
        read.digest,
        None if read.equal is None else len(read.equal),
        text,
        matrix,
    )
    if not found.equal_pairs:
        return found
    pairs = count_of(found.equal_pairs, "pair")
    remark = f"{pairs} of equal outputs of a topic left out of heterogeneity."
    return replace(found, remarks=(*found.remarks, remark))
