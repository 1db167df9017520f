"""``weps meta regression SOURCE``: scores of people estimated from measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from eval.meta.regression.learners import CANDIDATE_RANGE
from eval.meta.regression.linear import MOST_VARIABLES
from eval.report.claims import judge_claims, rough_intervals
from eval.studies.base import Result, Study, study_signature
from eval.studies.measures import (
    JudgedOutputs,
    StudyInput,
    criteria_of,
    is_testbed,
    judged_outputs,
    load_testbed,
)
from eval.studies.options import add_criterion, add_options, criterion_in, source_of, tools_of
from eval.studies.regression.claims import CLAIMS
from eval.studies.regression.findings import (
    DEFAULT_VARIABLES,
    Findings,
    LeftOut,
    Plan,
    compute_findings,
    select_variables,
)
from eval.studies.regression.outputs import OutputSimilarities, output_similarities
from eval.studies.regression.report import data, document, tables
from weps._formatting import join_items
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import choice_parser, parse_whole_number
from weps.errors import ValuesError

__all__ = ["STUDY", "add_arguments", "run_command"]

_FEWEST_FOLDS = 2


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "a testbed or a measure matrix, with human scores of single outputs")
    add_criterion(parser)
    parser.add_argument(
        "--variables",
        type=parse_whole_number,
        default=DEFAULT_VARIABLES,
        metavar="N",
        help=f"measures at most that scores are learned from, {MOST_VARIABLES} at most; of more, "
        f"those least alike are taken (default: {DEFAULT_VARIABLES})",
    )
    parser.add_argument(
        "--leave-out",
        type=choice_parser(LeftOut),
        choices=list(LeftOut),
        default=LeftOut.TOPICS,
        help="what a model has not seen of the scores that it estimates (default: topics)",
    )
    parser.add_argument(
        "--folds", type=parse_whole_number, default=10, metavar="N", help="of these (default: 10)"
    )
    parser.add_argument(
        "--within",
        type=float,
        default=CANDIDATE_RANGE,
        metavar="D",
        help="VRM takes the mean of models within this ΔAICc of the best (default: "
        f"{CANDIDATE_RANGE:g})",
    )
    parser.add_argument(
        "--svr", action="store_true", help="support vector regression too (takes long)"
    )
    parser.add_argument(
        "--similarity",
        metavar="LIST",
        default="cosine",
        help="on a testbed: measures by which outputs are compared with one another, between "
        "commas; pairs are ranked by the first (default: cosine)",
    )


def _find(options: argparse.Namespace, console: Console) -> Result[Findings]:
    _check(options)
    scored = source_of(options, console, criterion_in(options))
    outputs = _outputs(scored, options.leave_out)
    plan = Plan(
        select_variables(outputs, options.variables),
        options.leave_out,
        options.folds,
        options.within,
        options.svr,
        options.seed,
    )
    similarities, similar = _output_similarities(outputs, options, console)
    findings = compute_findings(outputs, plan, similarities, similar, console.show_progress)
    return Result(
        scored.title,
        findings,
        judge_claims(CLAIMS, findings),
        [
            outputs.description,
            *scored.remarks,
            *_remarks(findings),
            *rough_intervals(len(outputs.topics)),
        ],
        study_signature(
            source=scored.digest,
            measures=len(scored.matrix.measures),
            human=outputs.criterion,
            variables=len(plan.variables),
            folds=f"{plan.folds} of {plan.left_out}",
            within=f"{plan.within:g}",
            similarity=", ".join(similar) or "–",
            seed=plan.seed,
            weps=VERSION,
        ),
        options.line,
    )


def _check(options: argparse.Namespace) -> None:
    """Check in advance that the options can be met.

    Raises:
        ValuesError: if they cannot.
    """
    if not 1 <= options.variables <= MOST_VARIABLES:
        what = f"scores cannot be learned from {options.variables} variables"
        remedy = f"choose from 1 to {MOST_VARIABLES}"
        raise ValuesError(what, where="--variables", remedy=remedy)
    if options.folds < _FEWEST_FOLDS:
        what, remedy = f"{options.folds} folds leave nothing to learn from", "choose 2 or more"
        raise ValuesError(what, where="--folds", remedy=remedy)
    if not options.within >= 0:
        what = f"no model is within ΔAICc {options.within:g} of the best"
        raise ValuesError(what, where="--within", remedy="choose 0 or more")
    if is_testbed(options.source):
        load_testbed(options.source, options.similarity, tools_of(options))


def _outputs(study_input: StudyInput, left_out: LeftOut) -> JudgedOutputs:
    """What scores are learned of.

    Raises:
        ValuesError: if people judged whole systems, or there is one of what is left out.
    """
    outputs = judged_outputs(study_input, criteria_of(study_input)[0])
    if outputs.is_by_system:
        what = f"people judged whole systems by {outputs.criterion}, not single outputs"
        raise ValuesError(what, where=study_input.title, remedy="give scores of single outputs")
    if len(getattr(outputs, left_out)) < _FEWEST_FOLDS:
        what = f"nothing is left to learn from where {left_out} are left out: there is one only"
        other = next(each for each in LeftOut if each is not left_out)
        raise ValuesError(what, where=study_input.title, remedy=f"try --leave-out {other}")
    return outputs


def _output_similarities(
    outputs: JudgedOutputs, options: argparse.Namespace, console: Console
) -> tuple[OutputSimilarities | None, tuple[str, ...]]:
    if not is_testbed(options.source):
        return None, ()
    tools = tools_of(options)
    testbed, measures = load_testbed(options.source, options.similarity, tools)
    found = output_similarities(
        outputs, testbed, measures, tools, jobs=options.jobs, progress=console.show_progress
    )
    return found, tuple(map(str, measures))


def _remarks(found: Findings) -> Iterator[str]:
    taken, every = found.learned.variables, len(found.judged.measures)
    if len(taken) < every:
        yield (
            f"Of {every} measures {len(taken)} are variables, those least alike, whatever people "
            f"say: {join_items(taken, most=20)}."
        )
    if found.pools is None:
        yield (
            "Kazawa's method is left out: it needs similarities between outputs, and a table has "
            "no texts."
        )


STUDY = Study(_add_options, _find, tables, document, data)
add_arguments, run_command = STUDY.add_options, STUDY.run
