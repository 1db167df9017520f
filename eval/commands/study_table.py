"""The feature study of anyone's table: read, analyse."""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator, Sequence

from eval.document import Document
from eval.feature_study.findings import Plan, analyse
from eval.feature_study.of_tables import TableStudy, document
from eval.feature_study.remarks import BOUND
from eval.feature_study.trees import (
    Judged,
    comparable_by_trees,
    cross_validated,
    study_settings,
)
from eval.instances import Instances, TableRead, read_instances
from eval.judging.remarks import rough_intervals
from weps.commands.console import Console
from weps.errors import ValuesError
from weps.expressions import split
from weps.version import VERSION

__all__ = ["study_table"]

_MOST_GROUPS = 1_000
"""More are no groups but names of instances; a tally has groups² cells."""
_LEAF = 100
"""A leaf holds a hundredth of the instances, at most as many as in a system's tree."""


def study_table(options: argparse.Namespace, console: Console) -> Document:
    """Study the measures of a table."""
    measures = split(options.measures) if options.measures else None
    read = read_instances(options.table, options.label, options.group, measures)
    instances = read.instances.inhabited()
    _check_groups(instances, options.group)
    base = options.base or instances.measures[0]
    instances.column(base)  # or there is no such base
    for remark in (remarks := list(_remarks(read, base))):
        console.progress(remark)
    leaf = max(1, min(_LEAF, instances.counts.total // 100))
    settings = study_settings(options.seed, leaf)
    ranked = comparable_by_trees(instances)
    plan = Plan(base, (), options.combinations, options.exhaustive, options.seed)

    def unseen(measures: Sequence[str]) -> list[Judged]:
        return cross_validated(ranked.only(measures), settings)

    findings = analyse(instances, instances, unseen, plan, console.progress)
    study = TableStudy(
        options.table.name,
        findings,
        tuple(remarks),
        _signature(instances, options, base),
        options.line,
    )
    return document(study)


def _check_groups(instances: Instances, column: str | None) -> None:
    if len(instances.groups) > _MOST_GROUPS:
        raise ValuesError(
            f"the column {column!r} makes {len(instances.groups):,} groups of "
            f"{instances.counts.total:,} instances",
            remedy=f"choose one that makes at most {_MOST_GROUPS:,}, or leave out --group",
        )


def _remarks(read: TableRead, base: str) -> Iterator[str]:
    """What the reader must know of the table."""
    instances = read.instances
    counts = instances.counts
    yield (
        f"{counts.total:,} instances, {counts.positive:,} of them positive; "
        f"{_several(len(instances.measures), 'measure')}, compared with {base}."
    )
    if read.left_out:
        yield f"Left out, because they hold no numbers: {', '.join(read.left_out)}."
    if len(instances.groups) > 1:
        yield f"{len(instances.groups)} groups are resampled, and held out together from trees."
        yield from rough_intervals(len(instances.groups))
    else:
        yield "Without groups there are no intervals; trees are judged on instances held out."
    yield BOUND


def _several(number: int, what: str) -> str:
    """``1 measure``, ``2 measures``."""
    return f"{number} {what}{'s' * (number != 1)}"


def _signature(instances: Instances, options: argparse.Namespace, base: str) -> str:
    """All that decides the figures, in one line."""
    parts = {
        "table": f"sha256-{_digest(instances)}",
        "base": base,
        "combinations": options.combinations,
        "exhaustive": options.exhaustive,
        "seed": options.seed,
        "weps": VERSION,
    }
    return "|".join(f"{part}:{value}" for part, value in parts.items())


def _digest(instances: Instances) -> str:
    """Eight hexadecimal digits of what is studied."""
    digest = hashlib.sha256(repr((instances.measures, instances.groups)).encode())
    for array in (instances.values, instances.positive, instances.group):
        digest.update(array.tobytes())
    return digest.hexdigest()[:8]
