"""``weps meta correlation SOURCE``: how far measures agree with people, level by level."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from eval.cli.meta_options import write_results
from eval.report.claims import brief_claims_table as claims_table
from eval.report.claims import judge_by_criterion, rough_intervals
from eval.studies.base import Result, check_outputs, study_signature
from eval.studies.correlation.claims import CLAIMS
from eval.studies.correlation.findings import Findings, compute_findings
from eval.studies.correlation.report import brief_level_table, build_document, study_data
from eval.studies.measures import StudyInput, criteria_of, judged_outputs
from eval.studies.options import add_combined, add_criteria, add_options, criteria_in, source_of
from weps._version import VERSION
from weps.cli.console import Console

__all__ = ["arguments", "run"]

_SECONDS = 4e-5
"""For one measure, output and criterion, measured on 300 measures of 50,000 outputs."""
_BY_SYSTEM = (
    "People judged whole systems by {}, not single outputs: only means of systems are compared."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(parser, "a testbed or a measure matrix, with human scores")
    add_criteria(parser)
    add_combined(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Correlate, print, write what is asked for."""
    check_outputs(options)
    scored = source_of(options, console, criteria_in(options))
    if told := _duration_notice(scored):
        console.write_status(told)
    found = tuple(
        compute_findings(
            judged_outputs(scored, criterion).with_combined(options.ulc),
            seed=options.seed,
            progress=console.show_progress,
        )
        for criterion in criteria_of(scored)
    )
    study = _study(scored, found, options)
    tables = [*map(brief_level_table, found), claims_table(study.judged)]
    return write_results(
        options, console, study, tables, document=build_document(study), data=study_data(study)
    )


def _duration_notice(study_input: StudyInput) -> str:
    """How long it will take, if that is minutes."""
    (measures, outputs), criteria = study_input.matrix.values.shape, len(criteria_of(study_input))
    minutes = round(_SECONDS * measures * outputs * criteria / 60)
    if minutes < 2:
        return ""
    size = f"{measures:,} measures of {outputs:,} outputs, criteria: {criteria}"
    return f"{size}: about {minutes} minutes; --measures and --human choose fewer"


def _study(
    study_input: StudyInput, found: Sequence[Findings], options: argparse.Namespace
) -> Result[Sequence[Findings]]:
    whole = (each.judged.criterion for each in found if each.judged.is_by_system)
    topics = min(len(each.judged.topics) for each in found)
    remarks = [*study_input.remarks, *map(_BY_SYSTEM.format, whole), *rough_intervals(topics)]
    told = study_signature(
        source=study_input.digest, measures=len(study_input.matrix.measures), ulc=options.ulc,
        seed=options.seed, weps=VERSION,
    )  # fmt: skip
    judgements = judge_by_criterion(CLAIMS, {each.judged.criterion: each for each in found})
    return Result(study_input.title, found, judgements, remarks, told, options.line)
