"""``weps meta hbr``: outputs ranked by many measures without human scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from weps._formatting import format_interval
from weps._options import cli_argument, cli_option
from weps.errors import OutputError, ValuesError
from weps_eval import stats, tables
from weps_eval.meta.correlation import correlation_over_measures
from weps_eval.meta.heterogeneity import (
    PairwisePreferences,
    TopicAuc,
    ahead_of_other_groups,
    bootstrap_lowest,
    group_correlations,
    hbr,
    lowest_size,
    topic_auc,
)
from weps_eval.ranking.labelled import boosted_trees
from weps_eval.report.tables import COUNT, ESTIMATE, SHARE, TWO, Claim, as_json, name_kind
from weps_eval.studies.frames import (
    Frame,
    Frames,
    Intervals,
    Part,
    Row,
    Scatter,
    TableOf,
    add_rows,
    claimed,
    interval_note,
)
from weps_eval.studies.measures import (
    GROUPED,
    GroupedInstances,
    GroupedSettings,
    check_size,
    known_measures,
    measure_kind_of,
    over_measures,
    read_grouped,
)
from weps_eval.studies.running import Study
from weps_eval.text.testbed import write_matrix

HBR, TREES = "HBR", "boosted trees"
_COLUMN = "hbr"
_SAMPLES, _SAMPLES_OF_PAIRS = 10_000, 1_000
"""Resamples of the two papers; labelled instances are many."""
_RIVALS_OF_PAIRS = 300
_ALIKE = 0.02
"""AUC by which HBR may be below the best measure and still resemble it."""
_WORST = 10
_PREDICTED = 0.9
"""The paper's coefficient is .94."""
_FEWEST = 5
"""Fewer topics, or measures, are too few to judge by."""
_LABELLED = 3
"""Best measures with labels."""


@dataclass(frozen=True, kw_only=True)
class HbrSettings(GroupedSettings):
    """What the study can be told."""

    samples: int | None = cli_option(
        f"pairs over which heterogeneity is computed, 0: all (default: {_SAMPLES:,}; "
        f"{_SAMPLES_OF_PAIRS:,} for labelled instances)",
        least=0,
    )
    rivals: int | None = cli_option(
        "outputs of the same topic that each output is compared with, 0: all (default: all; "
        f"{_RIVALS_OF_PAIRS} for labelled instances)",
        least=0,
    )
    out: Path | None = cli_option(
        f"also write the values of the measures, and those of HBR in the column {_COLUMN}"
    )

    def for_source(self, source: GroupedInstances) -> tuple[int, int]:
        """Pairs over which heterogeneity is a share, and rivals; 0 for all."""
        usual = (_SAMPLES_OF_PAIRS, _RIVALS_OF_PAIRS) if source.labelled else (_SAMPLES, 0)
        return (
            usual[0] if self.samples is None else self.samples,
            usual[1] if self.rivals is None else self.rivals,
        )

    def ranking(self, source: GroupedInstances, measures: Sequence[int]) -> stats.Floats:
        """Shape (instances,): HBR by some of the measures; NaN for one alone in its group."""
        samples, rivals = self.for_source(source)
        values, group = source.values[measures], source.group
        return hbr(
            values,
            PairwisePreferences.sampled(values, samples, group, self.seed, source.text),
            group,
            rivals=rivals or None,
            seed=self.seed,
            progress=self.progress,
        )


def read_source(source: Any, settings: HbrSettings) -> GroupedInstances:
    """The instances; before long work it is seen that the result can be written.

    Raises:
        WepsError: if they cannot be read, or a measure is called as HBR is.
    """
    found, path = read_grouped(source, settings), settings.out
    if path is None:
        return found
    if _COLUMN in found.measures:
        raise ValuesError(
            f"there is a measure called {_COLUMN} already", remedy="leave it out with --measures"
        )
    if found.labelled:
        tables.ending_of(path, tables.WRITERS, OutputError)
    elif path.suffix.lower() != ".csv":
        raise OutputError("a matrix is written as .csv", where=path, remedy="end its name so")
    return found


def find_frames(source: GroupedInstances, settings: HbrSettings) -> Frames:
    """HBR, and by each criterion how it, all measures and boosted trees agree with people.

    Frames are ``predicted`` and ``systems``, which need no people, and by criterion ``measures``
    (the single ones, then HBR, then trees), ``predictions``, ``criteria``, and ``claims``.

    Raises:
        ValuesError: if values are too large or too small for correlations.
    """
    seed, progress = settings.seed, settings.progress
    check_size(source.measures, source.values, source.title)
    ranking = settings.ranking(source, range(len(source.measures)))
    beside = {HBR: ranking}
    if source.labelled and len(source.groups) > 1:
        progress("growing trees", 0, 0)
        beside[TREES] = boosted_trees(source.values, source.scores > 0, source.group, seed)
    parts: dict[str, list[Row]] = {"measures": [], "predictions": [], "criteria": [], "claims": []}
    sizes = {}
    for criterion, scores in source.quality.items():
        quality = np.where(np.isnan(ranking), np.nan, scores)
        judged = source.judged_instances(criterion, quality)
        check_size([criterion], judged.scores[None], source.title, "--human")
        rankings = {name: each[~np.isnan(quality)] for name, each in beside.items()}
        add_rows(parts, _by_people(judged, rankings, settings).items(), criterion=criterion)
        sizes[criterion] = judged.sample_size
        progress(f"judging by {criterion}", 0, 0)
    known = ~np.isnan(ranking)
    alone = group_correlations(source.values[:, known], ranking[known], source.group[known])
    if settings.out:
        _write(settings.out, source, ranking)
    samples, rivals = settings.for_source(source)
    one, several = source.called
    over = f"at most {samples:,} pairs" if samples else "all pairs"
    return Frames(
        {
            **{name: Frame.of_rows(rows) for name, rows in parts.items()},
            "predicted": Frame(
                {"measure": source.measures, "with_hbr": stats.bootstrap_means(alone, seed=seed)}
            ),
            "systems": _systems(source, ranking),
        },
        sizes,
        remarks=[
            *source.remarks,
            f"{source.description}. Heterogeneity over {over} of instances of one {one}.",
            f"An instance is compared with at most {rivals:,} others of its {one}."
            if rivals
            else "",
            f"Boosted trees are trained as for people search, on the half of the {one}s that does "
            "not hold the instance."
            if source.labelled
            else "",
            f"{len(known) - known.sum():,} instances are alone in their {one} and have no rank."
            if not known.all()
            else "",
        ],
        signature={
            "measures": len(source.measures),
            "samples": samples or "all",
            "rivals": rivals or "all",
        },
        facts={
            "one": one,
            "several": several,
            "alone": not source.quality,
            "intervals": interval_note(several),
            "equal": source.equal,
            "equal_pairs": source.equal_pairs,
        },
        resampled=several,
    )


def _by_people(
    judged: GroupedInstances, rankings: dict[str, stats.Floats], settings: HbrSettings
) -> dict[str, list[Row]]:
    """The rows of one criterion; of measures first the single ones, then HBR, then trees."""
    seed, single, quality = settings.seed, len(judged.measures), judged.scores
    names = (*judged.measures, *rankings)
    values = np.vstack([judged.values, *rankings.values()])
    topics = topic_auc(values, quality, judged.group)
    consistent = TopicAuc(topics.hits[:single], topics.total).consistent
    auc = topics.bootstrap(topics.ranked, seed)
    in_consistent = topics.bootstrap(consistent, seed)
    lowest = bootstrap_lowest(topics.by_topic[: single + 1, topics.ranked], seed)
    with_hbr, with_people = (
        group_correlations(values, each, judged.group) for each in (rankings[HBR], quality)
    )
    people = stats.bootstrap_means(with_people, seed=seed)
    predicted = stats.bootstrap_means(with_hbr, seed=seed)
    own = [each.take(range(single)) for each in (predicted, people)]
    predictive = stats.joint_estimate(correlation_over_measures, *own)
    elsewhere = ahead_of_other_groups(with_hbr[:single], with_people[:single], seed)
    columns = {
        "measure": names,
        "beside": [at >= single for at in range(len(names))],
        "auc": auc,
        "auc_consistent": in_consistent,
        "auc_others": topics.bootstrap(topics.ranked & ~consistent, seed),
        "worst_tenth": [*lowest.estimates, *[None] * (len(rankings) - 1)],
        "with_people": people,
        "with_hbr": predicted,
    }
    labelled = np.unique(quality).tolist() == [0, 1]
    if labelled:  # pairs of one group that are ranked right, a tie no success
        columns["pwa"] = topic_auc(values, quality, judged.group, ties=0).bootstrap(seed=seed)
    best = [at for at in known_measures(own[1]) if not np.isnan(predicted.value[at])]
    kinds = {measure_kind_of(names[at]) for at in best}
    count = int(consistent.sum())
    summary = {
        "topics": int(topics.ranked.sum()),
        "consistent": count,
        "predictive": predictive,
        "ahead_of_other_topics": elsewhere,
        "above": int((auc.value[:single] > 0.5).sum()),
        "single": single,
        "drawn": count > 1,
        "r": format_interval(predictive),
        "remark": f"r = {predictive.value:.2f}",
        "judge": "the key" if labelled else f"people: {next(iter(judged.quality))}",
    }
    size = judged.sample_size
    over, told = over_measures(size, judged.measures, judged.values)
    predictive_of = {"size": over, "told": f"{told}: "}

    def ahead(samples: stats.BootstrapSamples, measure: int, title: str = "") -> Row:
        return {
            "figure": samples.difference(measure, single),
            "told": f"{title}HBR − {names[measure]} ",
        }

    order = np.argsort(auc.value[:single], kind="stable").tolist()
    hardest = min(order[:_WORST], key=lambda at: auc.difference(at, single).low)
    rows: dict[str, Row] = {
        "best": ahead(auc, int(np.nanargmax(auc.value[:single]))),
        "worst": ahead(auc, hardest, "least certain: "),
        "robust": {
            **ahead(lowest, int(np.argmax(lowest.value[:single]))),
            "size": size._replace(
                cases=lowest_size(int(topics.ranked.sum())), case=f"worst {size.group}"
            ),
        },
        "consistent": {
            **ahead(
                in_consistent,
                int(np.nan_to_num(in_consistent.value[:single], nan=-1).argmax()),
                f"{count} topics: ",
            ),
            "size": size._replace(groups=count, cases=int(consistent[judged.group].sum())),
        },
        "half": _worse_half(judged, order[: single // 2][::-1], settings),
        "prediction": {"figure": predictive, **predictive_of},
        "elsewhere": {"figure": elsewhere, **predictive_of},
    }
    unknown = {
        "worst": single <= _WORST and f"there are no more than {_WORST} measures",
        "robust": len(topics.total) < _FEWEST and f"there are fewer than {_FEWEST} topics",
        "consistent": count < _FEWEST and f"{count} of {len(consistent)} topics are consistent",
        "prediction": single < _FEWEST and f"there are fewer than {_FEWEST} measures",
        "elsewhere": np.isnan(elsewhere.value)
        and "there is one topic, or all measures are equally good in each topic",
    }
    rows |= {claim: {"reason": reason} for claim, reason in unknown.items() if reason}
    usual: Row = {"figure": None, "told": "", "size": size, "reason": ""}
    return {
        "measures": Frame(columns).rows,
        "predictions": [
            {
                "measure": names[at],
                "with_hbr": predicted.value[at],
                "with_people": people.value[at],
                "labelled": at in {*best[:_LABELLED], best[-1]},
                "kind": measure_kind_of(names[at]) if len(kinds) > 1 else "",
            }
            for at in sorted(best)
        ],
        "criteria": [summary],
        "claims": [{"claim": claim, **usual, **row} for claim, row in rows.items()],
    }


def _worse_half(judged: GroupedInstances, rows: list[int], settings: HbrSettings) -> Row:
    """AUC of HBR of the worse half of the measures, less that of the first, the best of them."""
    if len(rows) < 2:
        return {"reason": "there are fewer than four measures"}
    ranking = settings.ranking(judged, rows)
    known = ~np.isnan(ranking)  # else no other of its group was judged
    every = np.vstack([judged.values[rows], ranking])[:, known]
    topics = topic_auc(every, judged.scores[known], judged.group[known])
    return {
        "figure": topics.bootstrap(topics.ranked, settings.seed).difference(0, len(rows)),
        "told": "HBR of them − the best of them ",
    }


def _systems(source: GroupedInstances, ranking: stats.Floats) -> Frame:
    """Systems with their mean HBR and the outputs ranked, from the best on."""
    values: dict[str, list[float]] = {}
    for name, value in zip(source.system, ranking.tolist(), strict=False):
        if not np.isnan(value):
            values.setdefault(name, []).append(value)
    rows = [
        {"system": name, "hbr": float(np.mean(each)), "outputs": len(each)}
        for name, each in values.items()
    ]
    return Frame.of_rows(sorted(rows, key=lambda row: (-row["hbr"], row["system"])))


def _write(path: Path, source: GroupedInstances, ranking: stats.Floats) -> None:
    values, names = np.vstack([source.values, ranking]), (*source.measures, _COLUMN)
    if source.matrix is not None:
        write_matrix(replace(source.matrix, measures=names, values=values), path)
        return
    tables.write_instances(
        tables.Instances(names, values, source.scores > 0, source.group, source.groups), path
    )


_WORKSHOP, _SEM = "workshop 2012", "*SEM 2012"
_ahead = partial(claimed, says="{told}{figures}")
CLAIMS: tuple[Claim[Frames], ...] = (
    Claim(
        "HBR agrees with people about as well as the best measure.",
        f"{_WORKSHOP}, section 5.2; {_SEM}, section 5.1",
        f"AUC of HBR minus that of the best measure is at least −{_ALIKE}, with its whole interval",
        _ahead("best", "at least", -_ALIKE),
    ),
    Claim(
        "HBR improves on the ten worst measures.",
        f"{_WORKSHOP}, section 5.2",
        "AUC of HBR minus that of each of them is above 0, with its whole interval",
        _ahead("worst", "above 0"),
    ),
    Claim(
        "On the topics where each ranks worst, HBR is better than any measure.",
        f"{_WORKSHOP}, section 5.3",
        "mean rank of HBR over the 10 % of topics where it is worst, minus that of the best "
        "measure over the 10 % where that is worst, is above 0, with its whole interval",
        _ahead("robust", "above 0"),
    ),
    Claim(
        "HBR is the best on consistent topics.",
        f"{_WORKSHOP}, section 5.4",
        "AUC of HBR minus that of the best measure, over topics in which no measure is below ½, "
        f"is above 0, with its whole interval; at least {_FEWEST} topics are needed",
        _ahead("consistent", "above 0"),
    ),
    Claim(
        "HBR of the less reliable measures is better than each of them.",
        f"{_SEM}, section 5.1 (its 40 worst of 88; here the worse half)",
        "AUC of HBR of the worse half, minus that of the best measure in it, is above 0, with its "
        "whole interval",
        _ahead("half", "above 0"),
    ),
    Claim(
        "Agreement with HBR predicts how good a measure is.",
        f"{_SEM}, section 6, figure 1 (.94)",
        "the correlation, over measures, of agreement with HBR and agreement with people is at "
        f"least {_PREDICTED}, with its whole interval",
        _ahead("prediction", "at least", _PREDICTED),
    ),
    Claim(
        "HBR predicts a measure's quality better than people's scores on other data do.",
        f"{_SEM}, section 6, figure 5 (other data: here other topics)",
        "over measures, the correlation of quality in a topic with agreement with HBR, minus that "
        "with mean quality over all other topics, is above 0, with its whole interval",
        _ahead("elsewhere", "above 0"),
    ),
)
"""Claims of the papers; the three properties of HBR are tests of the project."""

_BY: dict[str, Any] = {"frame": "measures", "by": "criterion", "facts_in": "criteria"}
_ROWS: dict[str, Any] = {**_BY, "marked": "beside", "always": "beside", "last": 1, "most": 30}
_SHORT = replace(ESTIMATE, brief=TWO.cell)
PARTS = (
    Part(
        "Agreement by {criterion}",
        Intervals(
            key="people-{}-auc",
            title="AUC of HBR and measures: {criterion}",
            value="auc",
            order="auc",
            axis="AUC of HBR and measures",
            note="As figure 2 of the workshop paper.",
            **_ROWS,
        ),
        Intervals(
            key="people-{}-consistent",
            title="AUC in consistent {several}: {criterion}",
            value="auc_consistent",
            order="auc_consistent",
            axis="AUC in consistent {several}",
            note="As figure 4 of the workshop paper.",
            given="drawn",
            **_ROWS,
        ),
        Intervals(
            key="people-{}-worst",
            title="Mean rank in the worst 10 % of {several}: {criterion}",
            value="worst_tenth",
            order="worst_tenth",
            axis="Mean rank in the worst 10 % of {several}",
            note="As figure 3 of the workshop paper; 1 is the best rank.",
            **_ROWS,
        ),
        Scatter(
            key="people-{}-predicted",
            frame="predictions",
            by="criterion",
            facts_in="criteria",
            title="Quality of measures as HBR predicts it: {criterion}",
            x="with_hbr",
            y="with_people",
            axes=("Pearson with HBR", "Pearson with people"),
            marked="labelled",
            family="kind",
            fewest=2,
            note="As figure 1 of the *SEM paper (r = .94). Here r = {r}.",
            remark="{remark}",
        ),
        TableOf(
            key="people",
            title="Agreement with {judge}, best first ({rows} in all)",
            columns={
                "measure": ("measure", name_kind()),
                "auc": "AUC",
                "pwa": ("PWA", ESTIMATE, "terminal"),
                "auc_consistent": ("in consistent ones", ESTIMATE, "terminal"),
                "auc_others": ("in others", ESTIMATE, "terminal"),
                "worst_tenth": ("worst 10 %", TWO),
                "with_people": ("r people", _SHORT),
                "with_hbr": ("r HBR", _SHORT),
            },
            order="auc",
            most=8,
            always="beside",
            last=1,
            note="AUC: how often the better of two in one {one} is ranked higher, ties ½; above ½ "
            "for {above} of {single} measures.\nWorst 10 %: mean rank among measures and HBR (1: "
            "best) over the {several} where it is lowest.\nr: Pearson's coefficient within a "
            "{one}, mean. Consistent, no measure below ½: {consistent} of {topics} {several}. "
            "{intervals}",
            **_BY,
        ),
    ),
    Part(
        "Without people",
        TableOf(
            key="predicted",
            title="Quality of measures as HBR predicts it, best first",
            columns={"measure": ("measure", name_kind()), "with_hbr": "r with HBR"},
            order="with_hbr",
            most=20,
            brief_given="alone",
            note="Pearson's coefficient with HBR within a {one}, mean over {several}. No human "
            "scores. {intervals}",
        ),
        TableOf(
            key="systems",
            title="Systems by HBR, without people",
            columns={"system": "system", "hbr": ("mean HBR", SHARE), "outputs": ("outputs", COUNT)},
            most=20,
            brief_given="alone",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures by criterion, and what needs no people, in JSON form."""
    people = {}
    for row in frames["criteria"].rows:
        every = frames["measures"].where(criterion=row["criterion"])
        ranked = [at for at, each in enumerate(every.rows) if each["worst_tenth"]]
        people[row["criterion"]] = {
            "auc": every.named("measure", "auc"),
            "auc_consistent": every.named("measure", "auc_consistent"),
            "pwa": every.named("measure", "pwa") if "pwa" in every.columns else None,
            "worst_tenth": every.take(ranked).named("measure", "worst_tenth"),
            "with_people": every.named("measure", "with_people"),
            "with_hbr": every.where(beside=False).named("measure", "with_hbr"),
            "topics": row["topics"],
            "consistent": row["consistent"],
            "predictive": as_json(row["predictive"]),
            "ahead_of_other_topics": as_json(row["ahead_of_other_topics"]),
        }
    return {
        "equal": frames.facts["equal"],
        "equal_pairs": frames.facts["equal_pairs"],
        "predicted": frames["predicted"].named("measure", "with_hbr"),
        "systems": frames["systems"].records(),
        "people": people,
    }


STUDY = Study(
    title="Heterogeneity based ranking",
    settings=HbrSettings,
    source=cli_argument(f"{GROUPED}; human scores are not needed"),
    read=read_source,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    opening=(
        "Amigó, Gonzalo, Giménez and Verdejo, UNED: evaluating text similarity measures without "
        "human assessments (*SEM 2012), and Amigó, Gonzalo and Verdejo, The heterogeneity "
        "principle in evaluation measures for automatic summarization (workshop on evaluation "
        "metrics, NAACL 2012). HBR ranks an output by the heterogeneity of the measures by which "
        "it is at least as good as another output, as a mean over the other outputs; it needs no "
        "human scores, weights or scales.",
    ),
)
