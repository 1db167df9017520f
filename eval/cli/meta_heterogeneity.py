"""``weps meta heterogeneity``: how far measures differ, and how reliable they are together."""

from __future__ import annotations

import argparse

from eval.cli.meta_options import add_grouping, grouped_of, write_results
from eval.report.claims import brief_claims_table, judge_claims, rough_intervals
from eval.studies.base import check_outputs, study_signature
from eval.studies.heterogeneity.claims import CLAIMS
from eval.studies.heterogeneity.findings import Findings, Plan, compute_findings
from eval.studies.heterogeneity.report import (
    HeterogeneityStudy,
    build_document,
    choices_table,
    pairs_table,
    sizes_table,
    study_data,
    summary_table,
)
from eval.studies.heterogeneity.sets import choose_features
from eval.studies.measures import GroupedInstances
from eval.studies.options import add_options
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import parse_whole_number
from weps.errors import ValuesError

__all__ = ["arguments", "run"]

_SETS, _SAMPLES, _MOST = 50, 10_000, 200


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(
        parser,
        "a testbed (.jsonl), a measure matrix (.csv), or labelled instances that `weps study "
        "features --instances` wrote",
    )
    add_grouping(parser)
    parser.add_argument(
        "--sets",
        type=parse_whole_number,
        default=_SETS,
        metavar="N",
        help=f"random sets of each size (default: {_SETS})",
    )
    parser.add_argument(
        "--samples",
        type=parse_whole_number,
        default=_SAMPLES,
        metavar="N",
        help="pairs that the heterogeneity of what confirms an increase is computed over, 0: all "
        f"(default: {_SAMPLES:,})",
    )
    parser.add_argument(
        "--most",
        type=parse_whole_number,
        default=_MOST,
        metavar="N",
        help="instances of one topic that are looked at, drawn at random if there are more, "
        f"0: all (default: {_MOST})",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Study sets of measures, print the tables, write what is asked for."""
    check_outputs(options)
    whole, _ = grouped_of(options, console)
    if len(whole.measures) < 2:
        remedy = "give two at least"
        what = "a single measure contradicts nothing"
        raise ValuesError(what, where=whole.title, remedy=remedy)
    source = whole.at_most(options.most, options.seed) if options.most else whole
    plan = Plan(max(options.sets, 1), options.samples, options.seed)
    findings = compute_findings(source, plan, jobs=options.jobs, progress=console.show_progress)
    study = _study(options, findings, source)
    tables = [summary_table(findings)] if findings.human_agreement else []
    if len(findings.human_agreement) < 2:
        tables.append(sizes_table(findings))
    tables.append(pairs_table(findings))
    if study.choices:
        tables.append(choices_table(study.choices))
    tables.append(brief_claims_table(study.judged))
    return write_results(
        options, console, study, tables, document=build_document(study), data=study_data(study)
    )


def _study(
    options: argparse.Namespace, findings: Findings, source: GroupedInstances
) -> HeterogeneityStudy:
    plan = findings.plan
    told = study_signature(
        measures=len(source.measures),
        sets=plan.each,
        samples=plan.samples or "all",
        most=options.most or "all",
        seed=plan.seed,
        weps=VERSION,
    )
    remarks = [
        *source.remarks,
        f"{source.description}; every two of one {source.called[0]} are compared, for score "
        "thresholds at "
        "most 20,000 pairs.",
        *rough_intervals(len(source.groups)),
    ]
    return HeterogeneityStudy(
        source.title,
        findings,
        judge_claims(CLAIMS, findings),
        remarks,
        f"{source.digest}|{told}",
        options.line,
        source.called[1],
        choose_features(source),
    )
