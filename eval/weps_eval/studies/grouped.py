"""Instances compared within groups: outputs of systems, or labelled ones such as pairs of pages.

What studies of heterogeneity are about, and the options that name it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

import numpy as np

from weps._expressions import split_items
from weps._formatting import count_of, join_items
from weps._options import cli_option
from weps.errors import ValuesError
from weps_eval.report.tables import SampleSize
from weps_eval.stats import Flags, Floats, Ints
from weps_eval.studies.measures import (
    MeasureSettings,
    StudyInput,
    holds_instances,
    is_testbed,
    read_scores,
)
from weps_eval.tables import GROUP, LABEL, columns_of, file_digest, number_names, read_instances
from weps_eval.text.testbed import HUMAN, MeasureMatrix, Testbed

_GROUP_NOUNS = {
    "topic": ("topic", "topics"),
    "set": ("set", "sets"),
    "all": ("group", "groups"),
}


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
        and (settings.label is not None or holds_instances(source))
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
