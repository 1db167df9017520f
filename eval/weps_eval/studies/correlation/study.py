"""``weps meta correlation``: agreement of measures with human scores, by systems and outputs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from weps.cli.console import Console
from weps.cli.pace import TimedProgress
from weps_eval.meta.correlation_levels import Sample
from weps_eval.report.claims import judge_by_criterion
from weps_eval.studies.base import Result, Study
from weps_eval.studies.correlation.claims import CLAIMS, sample_size
from weps_eval.studies.correlation.findings import Findings, compute_findings
from weps_eval.studies.correlation.report import data, document, tables
from weps_eval.studies.measures import StudyInput, criteria_of, judged_outputs
from weps_eval.studies.options import (
    add_combined,
    add_criteria,
    add_options,
    criteria_in,
    source_of,
)

_SECONDS = 4e-5
"""For one measure, output and criterion, measured on 300 measures of 50,000 outputs."""
_BY_SYSTEM = (
    "People judged whole systems by {}, not single outputs: only means of systems are compared."
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "a testbed or a measure matrix, with human scores")
    add_criteria(parser)
    add_combined(parser)


def _find(options: argparse.Namespace, console: Console) -> Result[Sequence[Findings]]:
    scored = source_of(options, console, criteria_in(options))
    if notice := _duration_notice(scored):
        console.write_status(notice)
    findings = {
        criterion: compute_findings(
            judged_outputs(scored, criterion).with_combined(options.ulc),
            seed=options.seed,
            progress=TimedProgress(console),
        )
        for criterion in criteria_of(scored)
    }
    by_system = (name for name, each in findings.items() if each.judged.is_by_system)
    return Result.of(
        options,
        tuple(findings.values()),
        judge_by_criterion(CLAIMS, findings, sample_size),
        [*scored.remarks, *map(_BY_SYSTEM.format, by_system)],
        title=scored.title,
        digest=f"source:{scored.digest}",
        sample=Sample.BOTH,
        measures=len(scored.matrix.measures),
        ulc=options.ulc,
    )


def _duration_notice(study_input: StudyInput) -> str:
    """How long it will take, if that is minutes."""
    (measures, outputs), criteria = study_input.matrix.values.shape, len(criteria_of(study_input))
    minutes = round(_SECONDS * measures * outputs * criteria / 60)
    if minutes < 2:
        return ""
    size = f"{measures:,} measures of {outputs:,} outputs, criteria: {criteria}"
    return f"{size}: about {minutes} minutes; --measures and --human choose fewer"


STUDY = Study(_add_options, _find, tables, document, data)
add_arguments, run_command = STUDY.add_options, STUDY.run
