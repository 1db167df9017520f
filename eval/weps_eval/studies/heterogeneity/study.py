"""``weps meta heterogeneity``: how far measures differ, and how reliable they are together."""

from __future__ import annotations

import argparse
from math import comb

from weps.cli.console import Console
from weps.cli.pace import TimedProgress
from weps.errors import ValuesError
from weps_eval.report.claims import judge_claims
from weps_eval.studies.base import Result, Study
from weps_eval.studies.grouped import add_grouped_options, load_grouped
from weps_eval.studies.heterogeneity.claims import CLAIMS, sample_size
from weps_eval.studies.heterogeneity.findings import Findings, Settings, compute_findings
from weps_eval.studies.heterogeneity.report import report_data, report_document, report_tables
from weps_eval.studies.options import add_number

_SETS, _SAMPLES, _MOST = 50, 10_000, 200
_MOST_MEASURES = 1_000
_BYTES_OF_PAIR = 10_000
"""Of two measures: mostly the figures of 1,000 resamples."""


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_grouped_options(parser)
    add_number(parser, "--sets", f"random sets of each size (default: {_SETS})", _SETS)
    add_number(
        parser,
        "--samples",
        "pairs over which the heterogeneity of the measures that confirm an increase is "
        f"computed, 0: all (default: {_SAMPLES:,})",
        _SAMPLES,
    )
    add_number(
        parser,
        "--most",
        "maximum number of instances of a topic, drawn at random if there are more, 0: all "
        f"(default: {_MOST})",
        _MOST,
    )


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    source, _ = load_grouped(options, console)
    if len(source.measures) < 2:
        what, remedy = "a single measure contradicts nothing", "give two at least"
        raise ValuesError(what, where=source.title, remedy=remedy)
    if len(source.measures) > _MOST_MEASURES:
        pairs = comb(len(source.measures), 2)
        what = (
            f"{len(source.measures):,} measures make {pairs:,} pairs of measures, for whose "
            f"figures some {pairs * _BYTES_OF_PAIR / 1e9:,.0f} GB of memory are needed"
        )
        remedy = f"choose at most {_MOST_MEASURES:,} with --measures"
        raise ValuesError(what, where=source.title, remedy=remedy)
    if options.most:
        source = source.at_most(options.most, options.seed)
    settings = Settings(max(options.sets, 1), options.samples, options.seed)
    findings = compute_findings(
        source, settings, jobs=options.jobs, progress=TimedProgress(console, options.jobs)
    )
    one, several = source.called
    return Result.of(
        options,
        findings,
        judge_claims(CLAIMS, findings, sample_size),
        [
            *source.remarks,
            f"{source.description}; every two of one {one} are compared, for score thresholds at "
            "most 20,000 pairs.",
        ],
        title=source.title,
        digest=source.digest,
        sample=several,
        measures=len(source.measures),
        sets=settings.each,
        samples=settings.samples or "all",
        most=options.most or "all",
    )


STUDY = Study(_add_options, _find, report_tables, report_document, report_data)
add_arguments, run_command = STUDY.add_options, STUDY.run
