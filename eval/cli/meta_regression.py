"""``weps meta regression SOURCE``: scores of people estimated from measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from eval.cli.meta_options import finish
from eval.meta.regression.learners import WITHIN
from eval.meta.regression.linear import MOST as MOST_VARIABLES
from eval.report.claims import brief_claims_table as claims_table
from eval.report.claims import judge_claims, rough_intervals
from eval.studies.base import Result, check_outputs, signature
from eval.studies.measures import (
    JudgedJudged,
    Scored,
    criteria_of,
    is_testbed,
    judged_by,
    testbed_of,
)
from eval.studies.options import add_criterion, add_options, criterion_in, source_of, tools_of
from eval.studies.regression.claims import CONCLUSIONS
from eval.studies.regression.findings import Findings, studied
from eval.studies.regression.learners import MOST, LeftOut, Plan, variables
from eval.studies.regression.outputs import Alike, alike_outputs
from eval.studies.regression.report import brief_tables, document, study_data
from weps._formatting import listed
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import one_of, whole_number
from weps.errors import ValuesError

__all__ = ["arguments", "run"]

_FEWEST_FOLDS = 2


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    add_options(parser, "a testbed or a measure matrix, with human scores of single outputs")
    add_criterion(parser)
    parser.add_argument(
        "--variables",
        type=whole_number,
        default=MOST,
        metavar="N",
        help=f"measures at most that scores are learned from, {MOST_VARIABLES} at most; of more, "
        f"those least alike are taken (default: {MOST})",
    )
    parser.add_argument(
        "--leave-out",
        type=one_of(LeftOut),
        choices=list(LeftOut),
        default=LeftOut.TOPICS,
        help="what a model has not seen of the scores that it estimates (default: topics)",
    )
    parser.add_argument(
        "--folds", type=whole_number, default=10, metavar="N", help="of these (default: 10)"
    )
    parser.add_argument(
        "--within",
        type=float,
        default=WITHIN,
        metavar="D",
        help=f"VRM takes the mean of models within this ΔAICc of the best (default: {WITHIN:g})",
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
        variables(outputs, options.variables),
        options.leave_out,
        options.folds,
        options.within,
        options.svr,
        options.seed,
    )
    alike, similar = _alike(outputs, options, console)
    found = studied(outputs, plan, alike, similar, console.work)
    told = signature(
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
    judgements = judge_claims(CONCLUSIONS, found)
    topics = len(outputs.topics)
    remarks = [outputs.told, *scored.remarks, *_remarks(found), *rough_intervals(topics)]
    study = Result(scored.title, found, judgements, remarks, told, options.line)
    tables = [*brief_tables(found), claims_table(judgements)]
    return finish(options, console, study, tables, document=document(study), data=study_data(study))


def _check(options: argparse.Namespace) -> None:
    """Find out before long work that options cannot be met.

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
        testbed_of(options.source, options.similarity, tools_of(options))


def _outputs(scored: Scored, left_out: LeftOut) -> JudgedJudged:
    """What scores are learned of.

    Raises:
        ValuesError: if people judged whole systems, or there is one of what is left out.
    """
    outputs = judged_by(scored, criteria_of(scored)[0])
    if outputs.is_by_system:
        what = f"people judged whole systems by {outputs.criterion}, not single outputs"
        raise ValuesError(what, where=scored.title, remedy="give scores of single outputs")
    if len(getattr(outputs, left_out)) < _FEWEST_FOLDS:
        what = f"nothing is left to learn from where {left_out} are left out: there is one only"
        other = next(each for each in LeftOut if each is not left_out)
        raise ValuesError(what, where=scored.title, remedy=f"try --leave-out {other}")
    return outputs


def _alike(
    outputs: JudgedJudged, options: argparse.Namespace, console: Console
) -> tuple[Alike | None, tuple[str, ...]]:
    if not is_testbed(options.source):
        return None, ()
    tools = tools_of(options)
    testbed, measures = testbed_of(options.source, options.similarity, tools)
    found = alike_outputs(
        outputs, testbed, measures, tools, jobs=options.jobs, progress=console.work
    )
    return found, tuple(map(str, measures))


def _remarks(found: Findings) -> Iterator[str]:
    taken, every = found.learned.variables, len(found.judged.measures)
    if len(taken) < every:
        yield (
            f"Of {every} measures {len(taken)} are variables, those least alike, whatever people "
            f"say: {listed(taken, most=20)}."
        )
    if found.pools is None:
        yield (
            "Kazawa's method is left out: it needs similarities between outputs, and a table has "
            "no texts."
        )
