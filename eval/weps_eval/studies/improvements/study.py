"""``weps meta improvements``: which improvements between systems measures find."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

from weps._formatting import join_items
from weps.cli.console import Console
from weps.cli.options import parse_probability
from weps.cli.pace import TimedProgress
from weps.errors import ValuesError
from weps_eval.meta.improvements import SIGNIFICANCE_LEVEL, Test
from weps_eval.report.claims import judge_claims
from weps_eval.studies.base import Result, Study
from weps_eval.studies.improvements.claims import CLAIMS, sample_size
from weps_eval.studies.improvements.findings import (
    Findings,
    OfficialImprovements,
    Settings,
    compute_findings,
    read_official,
)
from weps_eval.studies.improvements.report import report_data, report_document, report_tables
from weps_eval.studies.measures import JudgedOutputs, StudyInput, criteria_of, judged_outputs
from weps_eval.studies.options import (
    add_choice,
    add_combined,
    add_criterion,
    add_options,
    criterion_in,
    source_of,
)
from weps_eval.tables.columns import file_digest


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "a testbed or a measure matrix, with human scores")
    add_criterion(parser)
    parser.add_argument(
        "--official",
        type=Path,
        metavar="TABLE",
        help="table of significant improvements by human scores, as published by WMT "
        "(ad-DA-diff-wilcoxon-rs-….csv), instead of tests computed from the scores",
    )
    parser.add_argument(
        "--stars",
        type=int,
        choices=(1, 2, 3),
        default=1,
        help="with --official: minimum stars of an improvement (1: p < .05, 2: .01, 3: .001; "
        "default: 1)",
    )
    add_choice(parser, "--test", Test.SIGNED_RANK, "Wilcoxon's test: paired by topic, or unpaired")
    parser.add_argument(
        "--level",
        type=parse_probability,
        default=SIGNIFICANCE_LEVEL,
        metavar="P",
        help=f"maximum one-sided p of an improvement (default: {SIGNIFICANCE_LEVEL})",
    )
    parser.add_argument(
        "--chosen",
        metavar="SYSTEM",
        default="",
        help="the system that others are compared with to find losses of quality that a measure "
        "does not see; in the paper the human-aided one",
    )
    parser.add_argument(
        "--scale",
        nargs=2,
        type=float,
        metavar=("LOW", "HIGH"),
        help="lowest and highest score that people can give (default: those that they gave)",
    )
    add_combined(parser)


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    scale = _scale_of(options)
    scored = source_of(options, console, criterion_in(options))
    outputs = _outputs(scored, options).with_combined(options.ulc)
    official = None
    if options.official:
        official = read_official(options.official, outputs.systems, options.stars)
    settings = Settings(options.test, options.level, options.chosen, scale, options.seed)
    findings = compute_findings(outputs, settings, official, TimedProgress(console))
    return Result.of(
        options,
        findings,
        judge_claims(CLAIMS, findings, sample_size),
        [outputs.description, *scored.remarks, *_remarks(findings, official, options)],
        sample="topics (SIP and SIR: systems)",
        title=scored.title,
        digest=f"source:{scored.digest}",
        measures=len(scored.matrix.measures),
        human=outputs.criterion or "–",
        official=_digest(options),
        chosen=options.chosen or "–",
        scale="{:g} to {:g}".format(*scale) if scale else "–",
        test=options.test,
        level=options.level,
        ulc=options.ulc,
    )


def _scale_of(options: argparse.Namespace) -> tuple[float, float] | None:
    if options.scale is None:
        return None
    low, high = options.scale
    if not -math.inf < low < high < math.inf:
        what = f"a scale cannot go from {low:g} to {high:g}"
        raise ValuesError(what, where="--scale", remedy="give two numbers, the lower first")
    return low, high


def _outputs(study_input: StudyInput, options: argparse.Namespace) -> JudgedOutputs:
    if options.official and not study_input.matrix.criteria:
        return judged_outputs(study_input, "")
    outputs = judged_outputs(study_input, criteria_of(study_input)[0])
    if outputs.is_by_system and not options.official:
        what = f"people judged whole systems by {outputs.criterion}, not single outputs"
        remedy = "give scores of single outputs, or tests of systems with --official"
        raise ValuesError(what, where=study_input.title, remedy=remedy)
    return outputs


def _digest(options: argparse.Namespace) -> str:
    return f"{file_digest(options.official)}, {options.stars}" if options.official else "–"


def _remarks(
    findings: Findings, official: OfficialImprovements | None, options: argparse.Namespace
) -> Iterator[str]:
    judged = findings.judged
    if judged.is_by_system:
        yield (
            "People judged whole systems, not single outputs: low and high scores, decreases and "
            "the oracle system are not studied."
        )
    if official:
        yield (
            f"Improvements by people are those of {options.official.name}, {options.stars} star"
            f"{'s' * (options.stars > 1)} or more."
        )
        if official.unknown:
            yield f"Systems of that table that are not available: {join_items(official.unknown)}."
        if missing := [each for each in judged.systems if each not in official.systems]:
            yield f"Systems that are not in that table: {join_items(missing)}."
    if findings.decrease is not None:
        yield (
            f"In the paper the chosen system is human-aided; {options.chosen} is used instead here."
        )


STUDY = Study(_add_options, _find, report_tables, report_document, report_data)
add_arguments, run_command = STUDY.add_options, STUDY.run
