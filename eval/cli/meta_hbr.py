"""``weps meta hbr``: outputs ranked by many measures without people."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from eval.cli.meta_options import GroupedSource, add_grouping, grouped_of, write_results
from eval.report.claims import brief_claims_table, judge_claims, rough_intervals
from eval.studies.base import Result, check_outputs, study_signature
from eval.studies.hbr.claims import CLAIMS
from eval.studies.hbr.findings import Findings, Plan, compute_findings
from eval.studies.hbr.report import (
    brief_agreement_table,
    build_document,
    predicted_table,
    study_data,
    systems_table,
)
from eval.studies.measures import GroupedInstances
from eval.studies.options import add_options
from eval.tables.columns import ending_of
from eval.tables.instances import Instances
from eval.tables.writing import WRITERS, write_instances
from eval.text.testbed.matrix import write_matrix
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import check_writable, parse_whole_number
from weps.errors import OutputError, ValuesError

__all__ = ["arguments", "run"]

_COLUMN = "hbr"
_SAMPLES, _SAMPLES_OF_PAIRS = 10_000, 1_000
"""Those of the two papers; labelled instances are many."""
_RIVALS_OF_PAIRS = 300


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(
        parser,
        "a testbed (.jsonl), a measure matrix (.csv), or labelled instances that `weps study "
        "features --instances` wrote; human scores are not needed",
    )
    add_grouping(parser)
    parser.add_argument(
        "--samples",
        type=parse_whole_number,
        metavar="N",
        help=f"pairs that heterogeneity is computed over, 0: all (default: {_SAMPLES:,}; "
        f"{_SAMPLES_OF_PAIRS:,} for labelled instances)",
    )
    parser.add_argument(
        "--rivals",
        type=parse_whole_number,
        metavar="N",
        help="others of its topic that an output is compared with, 0: all (default: all; "
        f"{_RIVALS_OF_PAIRS} for labelled instances)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help=f"also write the values of the measures and of HBR, as the column {_COLUMN}",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Rank, judge, print the tables, write what is asked for."""
    check_outputs(options)
    check_writable(options.out)
    read = grouped_of(options, console)
    source = read[0]
    if options.out:
        _check_out(options.out, source)
    findings = compute_findings(source, _plan(options, source), console.show_progress)
    study = _study(options, findings)
    if options.out:
        _write(options.out, read, findings)
    people = [brief_agreement_table(each, source.called) for each in findings.human_agreement]
    judgements = [brief_claims_table(study.judged)] if study.judged else []
    unseen = [predicted_table(findings)] if not people else []
    systems = [systems_table(findings)] if findings.systems and not people else []
    tables = [*people, *judgements, *unseen, *systems]
    return write_results(
        options, console, study, tables, document=build_document(study), data=study_data(study)
    )


def _plan(options: argparse.Namespace, source: GroupedInstances) -> Plan:
    samples = _SAMPLES_OF_PAIRS if source.labelled else _SAMPLES
    rivals = _RIVALS_OF_PAIRS if source.labelled else 0
    return Plan(
        samples if options.samples is None else options.samples,
        rivals if options.rivals is None else options.rivals,
        source.labelled,
        options.seed,
    )


def _study(options: argparse.Namespace, findings: Findings) -> Result[Findings]:
    source, plan = findings.source, findings.plan
    told = study_signature(
        **{"": source.digest},
        measures=len(source.measures),
        samples=plan.samples or "all",
        rivals=plan.rivals or "all",
        seed=plan.seed,
        weps=VERSION,
    ).removeprefix(":")
    remarks = [*source.remarks, *_remarks(findings)]
    judgements = judge_claims(CLAIMS, findings) if findings.human_agreement else []
    return Result(source.title, findings, judgements, remarks, told, options.line, source.called[1])


def _remarks(findings: Findings) -> list[str]:
    source, plan = findings.source, findings.plan
    one = source.called[0]
    told = [
        f"{source.description}. Heterogeneity over "
        + (f"at most {plan.samples:,} pairs" if plan.samples else "all pairs")
        + f" of instances of one {one}."
    ]
    if plan.rivals:
        told.append(f"An instance is compared with at most {plan.rivals:,} others of its {one}.")
    if plan.trees:
        told.append(
            f"Boosted trees are grown as for people search, on the half of the {one}s that does "
            "not hold the instance."
        )
    if alone := int(np.isnan(findings.ranking).sum()):
        told.append(f"{alone:,} instances are alone in their {one} and have no rank.")
    return [*told, *rough_intervals(len(source.groups))]


def _check_out(path: Path, source: GroupedInstances) -> None:
    if _COLUMN in source.measures:
        remedy = "leave it out with --measures"
        raise ValuesError(f"there is a measure called {_COLUMN} already", remedy=remedy)
    if source.labelled:
        ending_of(path, WRITERS, OutputError)
    elif path.suffix.lower() != ".csv":
        raise OutputError("a matrix is written as .csv", where=path, remedy="end its name so")


def _write(path: Path, read: GroupedSource, findings: Findings) -> None:
    source, matrix = read
    values = np.vstack([source.values, findings.ranking])
    names = (*source.measures, _COLUMN)
    if matrix is not None:
        write_matrix(replace(matrix, measures=names, values=values), path)
        return
    (quality,) = source.quality.values()
    group = source.group.astype(np.int32)
    write_instances(Instances(names, values, quality > 0, group, source.groups), path)
