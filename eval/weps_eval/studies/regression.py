"""``weps meta regression``: human scores estimated from measures and from scored outputs.

Estimates come from several measures by the voted regression model (VRM; Hirao, Okumura, Yasuda and
Isozaki 2007), from similar outputs (Kazawa's equation 1, and means weighted by similarity), and
from other systems (Yasuda's regression), both as described by Nanba and Okumura 2006.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import product
from math import comb
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weps._formatting import format_interval, join_items
from weps._options import cli_argument, cli_option
from weps._parallel import report_work
from weps.errors import ValuesError
from weps_eval.meta import heterogeneity, regression
from weps_eval.report.tables import (
    ESTIMATE,
    PERCENT,
    SHARE,
    SIGNED,
    TWO,
    as_json,
    name_kind,
)
from weps_eval.stats import Estimate, Floats, Ints
from weps_eval.studies import pairwise, running
from weps_eval.studies.frames import (
    SYSTEM_INTERVALS,
    SYSTEMS_TOO,
    TOPIC_INTERVALS,
    Frame,
    Frames,
    Heading,
    Intervals,
    Part,
    Row,
    TableOf,
    Trends,
)
from weps_eval.studies.measures import (
    CriterionSettings,
    JudgedOutputs,
    StudyInput,
    criteria_of,
    is_testbed,
    judged_outputs,
    load_testbed,
    read_scores,
)
from weps_eval.studies.regression_claims import BASELINES, BEST, CLAIMS, VRM, last_covering
from weps_eval.text.declaration import Measure
from weps_eval.text.testbed import Testbed

OutputSimilarities: TypeAlias = Mapping[int, Floats]
"""Topic → shape (measures, outputs, outputs), outputs as they are judged."""

KAZAWA, MEAN = "Kazawa, eq. 1", "weighted mean"
_STEPS = 51
"""Thresholds of similarity."""
_LEVELS = 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2
"""Coverages of tables 1 and 2 of Nanba and Okumura."""
_NO_TEXTS = "this needs similarities between outputs, and a table has no texts"


class LeftOut(StrEnum):
    """What a fold is made of."""

    TOPICS = "topics"
    SYSTEMS = "systems"


@dataclass(frozen=True, kw_only=True)
class RegressionSettings(CriterionSettings):
    """Settings of the study."""

    variables: int = cli_option(
        f"maximum number of measures used as variables, up to {regression.MOST_VARIABLES}; if "
        "there are more, the least similar ones are chosen",
        12,  # 4,095 subsets for each fold
        least=1,
        most=regression.MOST_VARIABLES,
    )
    leave_out: LeftOut = cli_option(
        "whether models are tested on topics or on systems that they were not trained on",
        LeftOut.TOPICS,
    )
    folds: int = cli_option("folds of the topics or systems", 10, least=2)
    within: float = cli_option(
        "VRM is the mean of the models within this ΔAICc of the best",
        regression.CANDIDATE_RANGE,
        least=0,
        metavar="D",
    )
    similarity: str = cli_option(
        "for a testbed: comma-separated measures by which outputs are compared with one another; "
        "pairs are ranked by the first",
        "cosine",
        metavar="LIST",
    )


@dataclass(frozen=True, slots=True, eq=False)
class ComparedOutputs:
    """Scores of outputs by measures and people, and similarities between outputs of a topic."""

    scored: StudyInput
    outputs: JudgedOutputs
    similar: tuple[str, ...] = ()
    """Measures of the similarities."""
    similarities: OutputSimilarities | None = None
    """None if the texts are not known."""

    @property
    def title(self) -> str:
        """Name of the data."""
        return self.scored.title

    @property
    def digest(self) -> str:
        """Digest of what they were read from."""
        return f"source:{self.scored.digest}"


def read_source(source: Path | Testbed, settings: RegressionSettings) -> ComparedOutputs:
    """The outputs that people have judged, compared with one another if their texts are known.

    Raises:
        ValuesError: if whole systems were judged, or nothing is left to learn from.
    """
    measures: Sequence[Measure] = ()
    if isinstance(source, Testbed) or is_testbed(source):
        source, measures = load_testbed(source, settings.similarity, settings.tools)
    scored = read_scores(source, settings)
    outputs = judged_outputs(scored, criteria_of(scored)[0])
    if outputs.is_by_system:
        raise ValuesError(
            f"people judged whole systems by {outputs.criterion}, not single outputs",
            where=scored.title,
            remedy="give scores of single outputs",
        )
    if len(getattr(outputs, settings.leave_out)) < 2:
        left_out, other = settings.leave_out, *(set(LeftOut) - {settings.leave_out})
        raise ValuesError(
            f"nothing is left to learn from if {left_out} are left out: there is only one",
            where=scored.title,
            remedy=f"try --leave-out {other}",
        )
    if not isinstance(source, Testbed):
        return ComparedOutputs(scored, outputs)
    compared = _output_similarities(outputs, source, measures, settings)
    return ComparedOutputs(scored, outputs, tuple(map(str, measures)), compared)


def _output_similarities(
    judged: JudgedOutputs,
    testbed: Testbed,
    measures: Sequence[Measure],
    settings: RegressionSettings,
) -> OutputSimilarities:
    """Every judged output of a topic compared with every other, by every measure.

    Rows are the compared texts, columns those that stand in for a reference.
    """
    wanted = {}
    for topic in testbed.topics:
        if topic.topic in judged.topics:
            number = judged.topics.index(topic.topic)
            outputs = {output.system: output for output in topic.outputs}
            systems = judged.system[judged.topic == number].tolist()
            wanted[number] = replace(
                topic, outputs=tuple(outputs[judged.systems[system]] for system in systems)
            )
    topics, kinds = list(wanted.values()), ["output-output"]
    tables = pairwise.compare_texts(topics, measures, settings, testbed.name, kinds)
    return {number: table for number, (table,) in zip(wanted, tables, strict=True)}


def find_frames(compared: ComparedOutputs, settings: RegressionSettings) -> Frames:
    """Estimates by all learners, from similar outputs, and from other systems.

    Frames are ``learners``; ``ahead``, how far VRM is ahead of each; the ``variables`` of VRM;
    ``pools``, estimates from similar outputs by threshold, ``means`` the weighted means among them,
    ``first`` those by the first similarity, ``levels`` and ``pairs`` those that reach a coverage;
    ``relative``, estimates of systems by measure, and ``of_systems`` the Gap of weighted means of
    their outputs.
    """
    outputs, seed = compared.outputs, settings.seed
    chosen = _select_variables(outputs, settings.variables)
    unit = outputs.topic if settings.leave_out is LeftOut.TOPICS else outputs.system
    fold = regression.assign_folds(unit, min(settings.folds, int(unit.max()) + 1), seed)
    learners = _evaluate_learners(outputs, chosen, fold, settings)
    names = [outputs.measures[each] for each in chosen]
    values = outputs.values[list(chosen)]
    voted = regression.vrm(values, outputs.human, within=settings.within)
    weights = voted.model.weights
    votes = np.array(
        [voted.support]
        + [
            regression.vrm(
                values[:, fold != each], outputs.human[fold != each], within=settings.within
            ).support
            for each in range(int(fold.max()) + 1)
        ]
    )
    ends = votes.min(axis=0), votes.max(axis=0)
    kept = [Estimate(*row) for row in zip(voted.support, *ends, strict=True)]
    variables = Frame(
        {
            "measure": names,
            "weight": weights,
            "effect": weights * values.std(axis=1),
            "support": voted.support,
            "kept": kept,
        }
    )
    by_error = np.argsort(learners["absolute"].value, kind="stable").tolist()
    frames = {
        "learners": learners.take(by_error),
        "ahead": Frame.of_rows(list(_rows_ahead(learners, by_error))),
        "variables": variables.take(np.argsort(-voted.support, kind="stable").tolist()),
        "relative": Frame({}, "there are fewer than three systems"),
        "pools": Frame({}, _NO_TEXTS),
        "of_systems": Frame({}, _NO_TEXTS),
    }
    remarks = [outputs.description, *compared.scored.remarks]
    if len(names) < len(outputs.measures):
        remarks.append(
            f"Of {len(outputs.measures)} measures {len(names)} are variables, the least similar "
            f"ones, chosen without people's scores: {join_items(names, most=20)}."
        )
    judged = outputs.human, outputs.topic, outputs.system
    if len(outputs.systems) > 2:
        relative = regression.relative_quality(values, *judged, seed, settings.progress)
        frames["relative"] = Frame({"measure": names, **relative}).take(
            np.argsort(relative["gap"].value, kind="stable").tolist()
        )
    facts: dict[str, Any] = {"best": "", "all_pairs": "", "similarity": ""}
    if compared.similarities is None:
        remarks.append(
            "Scores are not estimated from similar outputs (Kazawa, eq. 1, and weighted means): a "
            "table has no texts to compare."
        )
    else:
        frames["pools"], uncut = _pool_outputs(
            outputs, compared.similarities, compared.similar, fold, seed
        )
        gap = regression.system_gap(uncut, *judged, seed=seed)
        frames["of_systems"] = Frame({"similarity": list(compared.similar), "gap": gap})
        best = frames["pools"].rows[0]
        facts = {
            "best": best["best"],
            "all_pairs": format_interval(best["best_all_pairs"]),
            "similarity": compared.similar[0],
        }
    frames["means"] = frames["pools"].where(estimator=MEAN)
    frames["first"] = frames["means"].where(similarity=facts["similarity"])
    frames |= _frames_by_coverage(frames["pools"])
    return Frames(
        frames,
        {"": outputs.sample_size()},
        remarks=remarks,
        signature={
            "measures": len(compared.scored.matrix.measures),
            "human": outputs.criterion,
            "variables": len(names),
            "folds": f"{settings.folds} of {settings.leave_out}",
            "within": f"{settings.within:g}",
            "similarity": ", ".join(compared.similar) or "–",
        },
        facts={
            "criterion": outputs.criterion,
            "variables": len(names),
            "models": len(voted.subsets),
            "pairs": outputs.sample_size(comb(len(outputs.systems), 2), "pairs of systems"),
            "intercept": voted.model.intercept,
            "folds": f"{settings.folds} folds of {settings.leave_out}",
            "within": f"{settings.within:g}",
            **facts,
        },
        resampled=SYSTEMS_TOO,
    )


def _select_variables(judged: JudgedOutputs, most: int) -> tuple[int, ...]:
    """The first measure, then again and again the one least correlated with those chosen.

    Likeness is the size of Pearson's coefficient over all outputs. People's scores are not used,
    so that they do not leak into the choice. Constant measures are left out.

    Returns:
        Numbers of measures in their own order, all if they are no more than ``most``.
    """
    varying = np.flatnonzero(np.ptp(judged.values, axis=1) > 0)
    if not len(varying):
        raise ValuesError(
            "all outputs have the same values", remedy="give measures whose values differ"
        )
    if len(varying) <= most:
        return tuple(varying.tolist())
    alike = np.abs(np.corrcoef(judged.values[varying]))
    chosen = [0]
    while len(chosen) < most:
        nearest = alike[chosen].max(axis=0)
        nearest[chosen] = np.inf
        chosen.append(int(nearest.argmin()))
    return tuple(sorted(varying[chosen].tolist()))


# Scores from several measures


def _evaluate_learners(
    judged: JudgedOutputs, chosen: Sequence[int], fold: Ints, settings: RegressionSettings
) -> Frame:
    """Accuracy of scores that every learner estimates from the other folds.

    Rows are VRM, the other learners on the chosen measures, then simple regression on each of
    these and of the paper's baselines alone.
    """
    baselines: dict[int, str] = {}
    for name, begins in BASELINES.items():
        called = [at for at, each in enumerate(judged.measures) if each.startswith(begins)]
        baselines |= dict.fromkeys(called[:1], name)
    joint: dict[str, regression.Learner] = {
        VRM: lambda values, human, _: regression.vrm(values, human, within=settings.within).model,
        BEST: regression.best_aicc,
        "multiple": regression.multiple_regression,
        "ridge": regression.ridge_regression,
        "lasso": regression.lasso_regression,
        "simple": regression.simple_regression,
    }
    alone = sorted({*chosen, *baselines})
    work = [(name, learner, list(chosen)) for name, learner in joint.items()]
    work += [(f"{judged.measures[at]} alone", regression.simple_regression, [at]) for at in alone]
    scores = [
        regression.cross_validate_scores(learner, judged.values[rows], judged.human, fold)
        for _, learner, rows in report_work(work, settings.progress, "learning")
    ]
    accuracy = regression.estimate_accuracy(
        np.array(scores),
        judged.human,
        judged.topic,
        judged.system,
        seed=settings.seed,
        progress=settings.progress,
    )
    return Frame(
        {
            "learner": [name for name, _, _ in work],
            **accuracy,
            "baseline": [""] * len(joint) + [baselines.get(at, "") for at in alone],
            "together": [True] * len(joint) + [False] * len(alone),
            "is_vrm": [name == VRM for name, _, _ in work],
        }
    )


def _rows_ahead(learners: Frame, order: Sequence[int]) -> Iterator[Row]:
    """How far VRM, the first learner, is ahead of the others."""
    columns = {
        "smaller error": "absolute",
        "higher r per system": "per_system_pearson",
        "higher r per summary": "per_summary_pearson",
    }
    for row, at in ((learners.rows[at], at) for at in order if at):
        for by, column in columns.items():
            is_error = column == "absolute"
            yield {
                "of": row["learner"],
                "baseline": row["baseline"],
                "together": row["together"],
                "is_baseline": bool(row["baseline"]),
                "by": by,
                "is_error": is_error,
                "ahead": learners[column].difference(*((0, at) if is_error else (at, 0))),
            }


# Scores from similar outputs


def _pool_outputs(
    judged: JudgedOutputs,
    similarities: OutputSimilarities,
    measures: Sequence[str],
    fold: Ints,
    seed: int,
) -> tuple[Frame, Floats]:
    """Every score estimated from those of the other outputs of its topic.

    Returns:
        By similarity: a row of Kazawa's equation 1, then one of means weighted by similarity for
        each threshold, with their Gap, Coverage, and Precision: the share of pairs that are ranked
        as people rank them, neither being in the other's pool. ``best_same_pairs`` and
        ``best_all_pairs`` are of the single measure that ranks most pairs as people do.
        Also the weighted means without threshold, shape (similarities, instances).
    """
    thresholds = np.linspace(
        0, max(1.0, *(float(table.max()) for table in similarities.values())), _STEPS
    )
    human, topic = judged.human, judged.topic
    ranked = heterogeneity.topic_auc(judged.values, human, topic, ties=0).bootstrap(seed=seed)
    best = int(np.nanargmax(ranked.value))
    parts, uncut = [], []
    for number, measure in enumerate(measures):
        tables = {topic: each[number] for topic, each in similarities.items()}
        equation = regression.PooledEstimates.by_equation_1(
            tables, human, topic, judged.system, fold
        )
        means = regression.PooledEstimates.by_means(tables, human, topic, thresholds)
        uncut.append(means.estimates[0])
        for estimator, limits, pooled in (
            (KAZAWA, np.array([np.nan]), equation),
            (MEAN, thresholds, means),
        ):
            precision, same = pooled.precision(human, topic, judged.values[best], seed)
            part = {
                "estimator": [estimator] * len(limits),
                "similarity": [measure] * len(limits),
                "threshold": limits,
                "gap": pooled.gap(human, topic, seed),
                "coverage": (~np.isnan(pooled.estimates)).mean(axis=1),
                "precision": precision,
                "best_same_pairs": same,
                "best": [judged.measures[best]] * len(limits),
                "best_all_pairs": ranked.take([best] * len(limits)),
            }
            parts.append(Frame(part))
    return Frame.stack(parts), np.array(uncut)


def _frames_by_coverage(pools: Frame) -> dict[str, Frame]:
    """The Gap at each coverage of the paper's tables, and the rows of thresholds that reach one."""
    gaps, pairs = [], []
    for similarity, estimator in product(pools.values("similarity"), (KAZAWA, MEAN)):
        pool = pools.where(similarity=similarity, estimator=estimator)
        reached = {level: last_covering(pool, level) for level in _LEVELS}
        row: Row = {"estimator": estimator, "similarity": similarity}
        for level, at in reached.items():
            is_known = at is not None and (estimator == MEAN or level == 1)
            row[str(level)] = float(pool["gap"].value[at]) if is_known else np.nan
        gaps.append(row)
        pairs.append(pool.take([at for at in dict.fromkeys(reached.values()) if at is not None]))
    return {"levels": Frame.of_rows(gaps), "pairs": Frame.stack(pairs) if pairs else pools}


# What is shown


_GAP_COLUMNS: dict[str, Heading] = {
    "estimator": "estimator",
    "similarity": ("similarity", name_kind()),
}
_over_thresholds = partial(Trends, x="threshold", banded=1, fewest=1)
_gap_table = partial(
    TableOf,
    key="gap-coverage",
    frame="levels",
    title="Scores estimated from similar outputs: Gap by Coverage",
    note="Gap: mean distance from people's scores over the outputs that are estimated. Coverage: "
    "their share, at the highest threshold that reaches it; a dash if no threshold does. "
    f"{KAZAWA}: weights of systems and an offset, learned from the other folds; without a "
    "threshold it covers all. Weighted mean: weighted by similarity, nothing is learned.",
)
PARTS = (
    Part(
        "Scores from several measures",
        Intervals(
            key="errors",
            frame="learners",
            title="Error of estimated scores: {criterion}",
            note="Learners above, simple regression on each measure below, with 95 % intervals "
            "over topics. Left is better.",
            label="learner",
            value="absolute",
            axis="mean absolute error",
            marked="is_vrm",
            group="together",
            groups=(True, False),
        ),
        TableOf(
            key="learners",
            title="Learners and single measures",
            columns={
                "learner": "learner",
                "absolute": "absolute error",
                "squared": "squared error",
                "per_system_pearson": "per system, pearson",
                "per_system_spearman": "per system, spearman",
                "per_summary_pearson": "per summary, pearson",
                "per_summary_spearman": "per summary, spearman",
            },
            note="Each score is estimated by a model that has not seen its fold: {folds} at most; "
            "parameters are chosen inside the other folds. Alone: simple regression on one "
            f"measure. {TOPIC_INTERVALS[:-1]}, per system over topics and systems.",
            only="report",
        ),
        TableOf(
            key="learners-brief",
            frame="learners",
            title="Scores for {criterion} estimated from {variables} measures",
            columns={
                "learner": ("learner", name_kind()),
                "absolute": "mean error",
                "per_system_pearson": ("r per system", TWO),
                "per_summary_pearson": ("r per summary", TWO),
            },
            note="Error on the scale of people. r: Pearson's coefficient. VRM is the mean of "
            f"{{models}} regressions. {TOPIC_INTERVALS}",
            most=8,
            always="is_vrm",
            only="terminal",
        ),
    ),
    Part(
        "The voted regression model",
        TableOf(
            key="variables",
            title="Variables of VRM",
            columns={
                "measure": "measure",
                "support": ("in models", PERCENT),
                "weight": ("weight", SIGNED),
                "effect": ("effect", SIGNED),
            },
            note="Fitted to all scores: {models} models within ΔAICc {within} of the best. Weight: "
            "the mean over these models, 0 for models without the measure. Effect: of one "
            "standard deviation of the measure, on the scale of people.",
            only="report",
        ),
    ),
    Part(
        "Scores from similar outputs",
        _over_thresholds(
            key="gap",
            frame="means",
            title="Gap over thresholds of similarity",
            note="Band: 95 % interval over topics, of the first similarity. At high thresholds few "
            "outputs are left.",
            line="similarity",
            lines={"{similarity}": "gap"},
            axes=("threshold", "Gap"),
        ),
        _over_thresholds(
            key="coverage",
            frame="means",
            title="Coverage over thresholds of similarity",
            note="Share of the outputs for which another of their topic is similar enough.",
            line="similarity",
            lines={"{similarity}": "coverage"},
            axes=("threshold", "Coverage"),
        ),
        _over_thresholds(
            key="precision",
            frame="first",
            title="Precision of pairs over thresholds: {similarity}",
            note="As figures 1 and 2 of Nanba and Okumura: the straight line is the best single "
            "measure on all pairs. An output's own score is left out: with low thresholds, which "
            "make estimates means of the others' scores, the best outputs get the lowest.",
            lines={MEAN: "precision", "{best}, same pairs": "best_same_pairs"},
            levels={"{best}, all pairs": "best_all_pairs"},
            axes=("threshold", "Precision"),
        ),
        _gap_table(
            columns=_GAP_COLUMNS | {str(level): (str(level), SHARE) for level in _LEVELS},
            only="report",
        ),
        _gap_table(
            columns=_GAP_COLUMNS | {str(level): (str(level), TWO) for level in _LEVELS[::2]},
            only="terminal",
        ),
        TableOf(
            key="pair-precision",
            frame="pairs",
            title="Pairs of a topic's outputs that are ranked as people rank them",
            columns={
                "estimator": "estimator",
                "similarity": "similarity",
                "threshold": ("threshold", TWO),
                "coverage": ("Coverage", SHARE),
                "precision": "Precision",
                "best_same_pairs": "best measure, same pairs",
            },
            note="The best single measure is {best}, with {all_pairs} of all pairs. Pairs that "
            f"lack an estimate are left out. {TOPIC_INTERVALS}",
            only="report",
        ),
    ),
    Part(
        "Scores from other systems",
        TableOf(
            key="relative",
            title="Scores of systems by Yasuda's regression on how often they beat others",
            columns={
                "measure": ("measure", name_kind()),
                "gap": ("Gap", ESTIMATE),
                "precision": ("Precision", ESTIMATE),
                "plain": ("of the measure", ESTIMATE),
            },
            note="Gap: mean distance from people's mean scores. Precision: pairs of systems that "
            f"are ranked as people rank them. {SYSTEM_INTERVALS}",
            most=5,
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures of learners, of VRM, and of both other methods."""
    facts, pools, found = frames.facts, frames["pools"], None
    if len(pools):
        columns = ("gap", "coverage", "precision", "best_same_pairs")
        by = {name: pools.where(similarity=name).rows for name in pools.values("similarity")}
        first, *means = next(iter(by.values()))
        found = {
            "thresholds": [row["threshold"] for row in means],
            "best": first["best"],
            "best_precision": first["best_all_pairs"],
            "weighted_mean": {
                similarity: {name: [row[name] for row in rows[1:]] for name in columns}
                for similarity, rows in by.items()
            },
            "kazawa_equation_1": {
                similarity: {name: rows[0][name] for name in columns if name != "coverage"}
                for similarity, rows in by.items()
            },
        }
    return {
        "criterion": facts["criterion"],
        "learners": frames["learners"].nested("learner", leave=("baseline", "together", "is_vrm")),
        "vrm": {
            "intercept": facts["intercept"],
            "models": facts["models"],
            "variables": frames["variables"].nested("measure", leave=("kept",)),
        },
        "relative": frames["relative"].nested("measure") or None,
        "pools": as_json(found),
    }


STUDY = running.Study(
    title="Scores of people estimated",
    settings=RegressionSettings,
    source=cli_argument("a testbed or a measure matrix, with human scores of single outputs"),
    read=read_source,
    data_type=ComparedOutputs,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    opening=(
        "Scores of people estimated: from several measures by the voted regression model (VRM; "
        "Hirao, Okumura, Yasuda and Isozaki 2007) and other regression models, all with the same "
        "cross-validation; from the scores of similar outputs (Kazawa's equation 1, and means "
        "weighted by similarity) and of other systems (Yasuda's regression), after Nanba and "
        "Okumura (COLING/ACL 2006).",
    ),
)
