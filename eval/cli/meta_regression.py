"""``weps meta regression SOURCE``: scores of people estimated from measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from eval.cli.meta_options import write_results
from eval.meta.regression.learners import CANDIDATE_RANGE
from eval.meta.regression.linear import MOST_VARIABLES
from eval.report.claims import brief_claims_table as claims_table
from eval.report.claims import judge_claims, rough_intervals
from eval.studies.base import Result, check_outputs, study_signature
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
from eval.studies.regression.findings import Findings, compute_findings
from eval.studies.regression.learners import DEFAULT_VARIABLES, LeftOut, Plan, select_variables
from eval.studies.regression.outputs import OutputSimilarities, output_similarities
from eval.studies.regression.report import brief_tables, build_document, study_data
from weps._formatting import join_items
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import choice_parser, parse_whole_number
from weps.errors import ValuesError

__all__ = ["arguments", "run"]

_FEWEST_FOLDS = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
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


def run(options: argparse.Namespace, console: Console) -> int:
    """Learn, print, write what is asked for."""
    check_outputs(options)
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
    alike, similar = _output_similarities(outputs, options, console)
    found = compute_findings(outputs, plan, alike, similar, console.show_progress)
    told = study_signature(
        source=scored.digest,
        measures=len(scored.matrix.measures),
        human=outputs.criterion,
        variables=len(plan.variables),
        folds=f"{plan.folds} of {plan.left_out}",
        within=f"{plan.within:g}",
        similarity=", ".join(similar) or "–",
        seed=plan.seed,
        weps=VERSION,
    )
    judgements = judge_claims(CLAIMS, found)
    topics = len(outputs.topics)
    remarks = [outputs.description, *scored.remarks, *_remarks(found), *rough_intervals(topics)]
    study = Result(scored.title, found, judgements, remarks, told, options.line)
    tables = [*brief_tables(found), claims_table(judgements)]
    return write_results(
        options, console, study, tables, document=build_document(study), data=study_data(study)
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
