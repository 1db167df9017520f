"""``weps meta heterogeneity``: how far measures differ, and how reliable they are together."""

from __future__ import annotations

import argparse

from eval.commands.meta_grouped import add_grouping, grouped_of
from eval.commands.meta_options import add_options, finish, prepare
from eval.judging.remarks import rough_intervals
from eval.meta_study.claims import brief_table, judged
from eval.meta_study.grouped import Grouped
from eval.meta_study.heterogeneity.conclusions import CONCLUSIONS
from eval.meta_study.heterogeneity.data import study_data
from eval.meta_study.heterogeneity.document import HeterogeneityStudy, document
from eval.meta_study.heterogeneity.findings import Findings, Plan, find
from eval.meta_study.heterogeneity.selection import choices
from eval.meta_study.heterogeneity.tables import (
    choices_table,
    pairs_table,
    sizes_table,
    summary_table,
)
from eval.meta_study.study import signature
from weps.commands.console import Console
from weps.commands.options import whole_number
from weps.errors import ValuesError
from weps.version import VERSION

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
        type=whole_number,
        default=_SETS,
        metavar="N",
        help=f"random sets of each size (default: {_SETS})",
    )
    parser.add_argument(
        "--samples",
        type=whole_number,
        default=_SAMPLES,
        metavar="N",
        help="pairs that the heterogeneity of what confirms an increase is computed over, 0: all "
        f"(default: {_SAMPLES:,})",
    )
    parser.add_argument(
        "--most",
        type=whole_number,
        default=_MOST,
        metavar="N",
        help="instances of one topic that are looked at, drawn at random if there are more, "
        f"0: all (default: {_MOST})",
    )


def run(options: argparse.Namespace, console: Console) -> int:
    """Study sets of measures, print the tables, write what is asked for."""
    prepare(options)
    whole, _ = grouped_of(options, console)
    if len(whole.measures) < 2:
        remedy = "give two at least"
        what = "a single measure contradicts nothing"
        raise ValuesError(what, where=whole.title, remedy=remedy)
    source = whole.at_most(options.most, options.seed) if options.most else whole
    plan = Plan(max(options.sets, 1), options.samples, options.seed)
    findings = find(source, plan, jobs=options.jobs, progress=console.work)
    study = _study(options, findings, source)
    tables = [summary_table(findings)] if findings.people else []
    if len(findings.people) < 2:
        tables.append(sizes_table(findings))
    tables.append(pairs_table(findings))
    if study.choices:
        tables.append(choices_table(study.choices))
    tables.append(brief_table(study.judgements))
    return finish(options, console, study, tables, document=document(study), data=study_data(study))


def _study(options: argparse.Namespace, findings: Findings, source: Grouped) -> HeterogeneityStudy:
    plan = findings.plan
    told = signature(
        measures=len(source.measures),
        sets=plan.each,
        samples=plan.samples or "all",
        most=options.most or "all",
        seed=plan.seed,
        weps=VERSION,
    )
    remarks = [
        *source.remarks,
        f"{source.told}; every two of one {source.called[0]} are compared, for score thresholds at "
        "most 20,000 pairs.",
        *rough_intervals(len(source.groups)),
    ]
    return HeterogeneityStudy(
        source.title,
        findings,
        judged(CONCLUSIONS, findings),
        remarks,
        f"{source.digest}|{told}",
        options.line,
        source.called[1],
        choices(source),
    )
