"""``weps meta hbr``: outputs ranked by many measures without human scores."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from weps.cli.console import Console
from weps.cli.pace import TimedProgress
from weps.errors import OutputError, ValuesError
from weps_eval.report.claims import judge_by_criterion
from weps_eval.studies.base import Result, Study
from weps_eval.studies.grouped import GroupedInstances, add_grouped_options, load_grouped
from weps_eval.studies.hbr.claims import CLAIMS, sample_size
from weps_eval.studies.hbr.findings import Findings, Settings, compute_findings
from weps_eval.studies.hbr.report import report_data, report_document, report_tables
from weps_eval.studies.options import add_number
from weps_eval.tables.columns import ending_of
from weps_eval.tables.files import WRITERS, write_instances
from weps_eval.tables.instances import Instances
from weps_eval.text.matrix import MeasureMatrix, write_matrix

_COLUMN = "hbr"
_SAMPLES, _SAMPLES_OF_PAIRS = 10_000, 1_000
"""Those of the two papers; labelled instances are many."""
_RIVALS_OF_PAIRS = 300


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_grouped_options(parser, "; human scores are not needed")
    add_number(
        parser,
        "--samples",
        f"pairs over which heterogeneity is computed, 0: all (default: {_SAMPLES:,}; "
        f"{_SAMPLES_OF_PAIRS:,} for labelled instances)",
    )
    add_number(
        parser,
        "--rivals",
        "outputs of the same topic that each output is compared with, 0: all (default: all; "
        f"{_RIVALS_OF_PAIRS} for labelled instances)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"also write the values of the measures, and those of HBR in the column {_COLUMN}",
    )


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    source, matrix = load_grouped(options, console)
    if options.out:
        _check_out(options.out, source)
    samples, rivals = (_SAMPLES_OF_PAIRS, _RIVALS_OF_PAIRS) if source.labelled else (_SAMPLES, 0)
    settings = Settings(
        samples if options.samples is None else options.samples,
        rivals if options.rivals is None else options.rivals,
        source.labelled,
        options.seed,
    )
    findings = compute_findings(source, settings, TimedProgress(console))
    if options.out:
        _write(options.out, findings, matrix)
    people = {each.criterion: each for each in findings.human_agreement}
    return Result.of(
        options,
        findings,
        judge_by_criterion(CLAIMS, people, sample_size) if people else [],
        [*source.remarks, *_remarks(findings)],
        title=source.title,
        digest=source.digest,
        sample=source.called[1],
        measures=len(source.measures),
        samples=settings.samples or "all",
        rivals=settings.rivals or "all",
    )


def _remarks(findings: Findings) -> Iterator[str]:
    source, settings = findings.source, findings.settings
    one = source.called[0]
    over = f"at most {settings.samples:,} pairs" if settings.samples else "all pairs"
    yield f"{source.description}. Heterogeneity over {over} of instances of one {one}."
    if settings.rivals:
        yield f"An instance is compared with at most {settings.rivals:,} others of its {one}."
    if settings.trees:
        yield (
            f"Boosted trees are trained as for people search, on the half of the {one}s that does "
            "not hold the instance."
        )
    if alone := int(np.isnan(findings.ranking).sum()):
        yield f"{alone:,} instances are alone in their {one} and have no rank."


def _check_out(path: Path, source: GroupedInstances) -> None:
    if _COLUMN in source.measures:
        remedy = "leave it out with --measures"
        raise ValuesError(f"there is a measure called {_COLUMN} already", remedy=remedy)
    if source.labelled:
        ending_of(path, WRITERS, OutputError)
    elif path.suffix.lower() != ".csv":
        raise OutputError("a matrix is written as .csv", where=path, remedy="end its name so")


def _write(path: Path, findings: Findings, matrix: MeasureMatrix | None) -> None:
    source = findings.source
    values = np.vstack([source.values, findings.ranking])
    names = (*source.measures, _COLUMN)
    if matrix is not None:
        write_matrix(replace(matrix, measures=names, values=values), path)
        return
    (quality,) = source.quality.values()
    write_instances(Instances(names, values, quality > 0, source.group, source.groups), path)


STUDY = Study(_add_options, _find, report_tables, report_document, report_data)
add_arguments, run_command = STUDY.add_options, STUDY.run
