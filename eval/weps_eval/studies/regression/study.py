"""``weps meta regression SOURCE``: human scores estimated from measures."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from weps._formatting import join_items
from weps._parallel import Progress, no_progress, parallel_map
from weps.cli.console import Console
from weps.cli.pace import TimedProgress
from weps.errors import ValuesError
from weps_eval.meta.regression import CANDIDATE_RANGE, MOST_VARIABLES
from weps_eval.report.claims import judge_claims
from weps_eval.stats.arrays import Floats
from weps_eval.studies.base import SYSTEMS_TOO, Result, Study
from weps_eval.studies.measures import (
    JudgedOutputs,
    StudyInput,
    criteria_of,
    is_testbed,
    judged_outputs,
    load_testbed,
)
from weps_eval.studies.options import (
    add_choice,
    add_criterion,
    add_number,
    add_options,
    criterion_in,
    source_of,
    tools_of,
)
from weps_eval.studies.regression.claims import CLAIMS, sample_size
from weps_eval.studies.regression.findings import (
    Findings,
    LeftOut,
    OutputSimilarities,
    Plan,
    compute_findings,
)
from weps_eval.studies.regression.report import report_data, report_document, report_tables
from weps_eval.text.registry import Measure
from weps_eval.text.scoring import measure_similarities
from weps_eval.text.testbed import Testbed, Topic
from weps_eval.text.topic import TextTools, TopicTexts

_FEWEST_FOLDS = 2
_VARIABLES = 12
"""By default: 4,095 subsets for each fold."""


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "a testbed or a measure matrix, with human scores of single outputs")
    add_criterion(parser)
    add_number(
        parser,
        "--variables",
        f"maximum number of measures used as variables, up to {MOST_VARIABLES}; if there are more, "
        f"the least similar ones are chosen (default: {_VARIABLES})",
        _VARIABLES,
    )
    add_choice(
        parser,
        "--leave-out",
        LeftOut.TOPICS,
        "whether models are tested on topics or on systems that they were not trained on",
    )
    add_number(parser, "--folds", "folds of the topics or systems (default: 10)", 10)
    parser.add_argument(
        "--within",
        type=float,
        default=CANDIDATE_RANGE,
        metavar="D",
        help="VRM is the mean of the models within this ΔAICc of the best (default: "
        f"{CANDIDATE_RANGE:g})",
    )
    parser.add_argument(
        "--svr", action="store_true", help="also support vector regression, which is slow"
    )
    parser.add_argument(
        "--similarity",
        metavar="LIST",
        default="cosine",
        help="for a testbed: comma-separated measures by which outputs are compared with one "
        "another; pairs are ranked by the first (default: cosine)",
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
    similarities: OutputSimilarities | None = None
    similar: tuple[str, ...] = ()
    if is_testbed(options.source):
        tools = tools_of(options)
        testbed, measures = load_testbed(options.source, options.similarity, tools)
        similarities = output_similarities(
            outputs,
            testbed,
            measures,
            tools,
            jobs=options.jobs,
            progress=TimedProgress(console, options.jobs),
        )
        similar = tuple(map(str, measures))
    findings = compute_findings(
        outputs, plan, similarities, similar, TimedProgress(console, options.jobs)
    )
    return Result.of(
        options,
        findings,
        judge_claims(CLAIMS, findings, sample_size),
        [outputs.description, *scored.remarks, *_remarks(findings)],
        sample=SYSTEMS_TOO,
        title=scored.title,
        digest=f"source:{scored.digest}",
        measures=len(scored.matrix.measures),
        human=outputs.criterion,
        variables=len(plan.variables),
        folds=f"{plan.folds} of {plan.left_out}",
        within=f"{plan.within:g}",
        similarity=", ".join(similar) or "–",
    )


def _check(options: argparse.Namespace) -> None:
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
    outputs = judged_outputs(study_input, criteria_of(study_input)[0])
    if outputs.is_by_system:
        what = f"people judged whole systems by {outputs.criterion}, not single outputs"
        raise ValuesError(what, where=study_input.title, remedy="give scores of single outputs")
    if len(getattr(outputs, left_out)) < _FEWEST_FOLDS:
        what = f"nothing is left to learn from if {left_out} are left out: there is only one"
        other = next(each for each in LeftOut if each is not left_out)
        raise ValuesError(what, where=study_input.title, remedy=f"try --leave-out {other}")
    return outputs


def output_similarities(  # noqa: PLR0913 - whose outputs, by what, and how
    judged: JudgedOutputs,
    testbed: Testbed,
    measures: Sequence[Measure],
    tools: TextTools,
    *,
    jobs: int = 1,
    progress: Progress = no_progress,
) -> OutputSimilarities:
    """Every judged output of a topic compared with every other, by every measure.

    Rows are the compared texts, columns those that stand in for a reference. Progress is called
    with the number of topics done.

    Raises:
        ValuesError: if a measure is not defined for a text.
    """
    wanted = [
        _restrict_topic(topic, judged) for topic in testbed.topics if topic.topic in judged.topics
    ]
    work = partial(_compare_topic, measures=tuple(map(str, measures)), tools=tools)
    found: dict[int, Floats] = {}
    progress("comparing outputs", 0, len(wanted))
    for topic, table in zip(wanted, parallel_map(work, wanted, jobs), strict=True):
        found[judged.topics.index(topic.topic)] = table
        progress("comparing outputs", len(found), len(wanted))
    return found


def _restrict_topic(topic: Topic, judged: JudgedOutputs) -> Topic:
    outputs = {output.system: output for output in topic.outputs}
    rows = np.flatnonzero(judged.topic == judged.topics.index(topic.topic))
    systems = (judged.systems[each] for each in judged.system[rows].tolist())
    return replace(topic, outputs=tuple(outputs[each] for each in systems))


def _compare_topic(topic: Topic, measures: Sequence[str], tools: TextTools) -> Floats:
    texts_of_topic = TopicTexts(topic, tools)
    texts = [output.text for output in topic.outputs]
    return np.array(
        [
            measure_similarities(Measure.parse(each), texts_of_topic, texts, texts)
            for each in measures
        ]
    )


def select_variables(judged: JudgedOutputs, most: int = _VARIABLES) -> tuple[int, ...]:
    """The first measure, then again and again the one least correlated with those chosen.

    By the size of Pearson's coefficient over all outputs. People's scores are not used, so that
    they do not leak into the choice. Constant measures are left out.

    Returns:
        Numbers of measures in their own order, all if they are no more than ``most``.

    Raises:
        ValuesError: if all are constant.
    """
    varying = np.flatnonzero(np.ptp(judged.values, axis=1) > 0)
    if not len(varying):
        what = "all outputs have the same values"
        raise ValuesError(what, remedy="give measures whose values differ")
    if len(varying) <= most:
        return tuple(varying.tolist())
    alike = np.abs(np.corrcoef(judged.values[varying]))
    chosen = [0]
    while len(chosen) < most:
        nearest = alike[chosen].max(axis=0)
        nearest[chosen] = np.inf
        chosen.append(int(nearest.argmin()))
    return tuple(sorted(varying[chosen].tolist()))


def _remarks(found: Findings) -> Iterator[str]:
    taken, every = found.learned.variables, len(found.judged.measures)
    if len(taken) < every:
        yield (
            f"Of {every} measures {len(taken)} are variables, the least similar ones, chosen "
            f"without people's scores: {join_items(taken, most=20)}."
        )
    if found.pools is None:
        yield (
            "Scores are not estimated from similar outputs (Kazawa, eq. 1, and weighted means): a "
            "table has no texts to compare."
        )


STUDY = Study(_add_options, _find, report_tables, report_document, report_data)
add_arguments, run_command = STUDY.add_options, STUDY.run
