"""``weps meta heterogeneity``: how far measures differ, and how reliable they are together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import comb
from typing import Any

import numpy as np

from weps._formatting import format_interval, format_number, format_percentage_interval
from weps._options import cli_argument, cli_option
from weps._parallel import log_progress, report_map
from weps.errors import ValuesError
from weps_eval.meta import heterogeneity, reliability
from weps_eval.report import charts, tables
from weps_eval.stats import (
    BootstrapSamples,
    Estimate,
    Flags,
    Floats,
    Ints,
    known_mean,
    safe_divide,
)
from weps_eval.studies import measures, running
from weps_eval.studies.frames import (
    Frame,
    Frames,
    Part,
    Row,
    Scatter,
    TableOf,
    Trends,
    add_rows,
    claimed,
    holds,
    interval_note,
)

LEVEL_SIZES = range(1, 11)
"""Sizes of the random sets of figure 4."""
_SIZES = (2, 3, 5, 10, 20, 40)
"""Sizes of the other random sets, those of the paper."""
_MOST_MEASURES = 1_000
_BYTES_OF_PAIR = 10_000
"""Memory for a pair of measures: mostly the figures of 1,000 resamples."""
_BRIEF, _MOST = 5, 20
"""Pairs of measures from either end, on the terminal and in the report."""
_ALMOST_ALL = 0.95
_FEW = 3
"""Fewer random sets have no coefficient worth the name."""


@dataclass(frozen=True, kw_only=True)
class HeterogeneitySettings(measures.GroupedSettings):
    """What the study can be told."""

    sets: int = cli_option("random sets of each size", 50, least=0)
    samples: int = cli_option(
        "pairs over which the heterogeneity of the measures that confirm an increase is computed, "
        "0: all (default: 10,000)",
        10_000,
        least=0,
    )
    most: int = cli_option(
        "maximum number of instances of a topic, drawn at random if there are more, 0: all",
        200,
        least=0,
    )


def read_source(source: Any, settings: HeterogeneitySettings) -> measures.GroupedInstances:
    """The instances, of large groups those that are drawn.

    Raises:
        WepsError: if they cannot be read, or measures are too few or too many.
    """
    found = measures.read_grouped(source, settings)
    if len(found.measures) < 2:
        raise ValuesError(
            "a single measure contradicts nothing", where=found.title, remedy="give two at least"
        )
    if len(found.measures) > _MOST_MEASURES:
        pairs = comb(len(found.measures), 2)
        raise ValuesError(
            f"{len(found.measures):,} measures make {pairs:,} pairs of measures, for whose "
            f"figures some {pairs * _BYTES_OF_PAIR / 1e9:,.0f} GB of memory are needed",
            where=found.title,
            remedy=f"choose at most {_MOST_MEASURES:,} with --measures",
        )
    return found.at_most(settings.most, settings.seed) if settings.most else found


def find_frames(source: measures.GroupedInstances, settings: HeterogeneitySettings) -> Frames:
    """Heterogeneity of sets of measures, and by each criterion their reliability.

    Frames are ``sets`` (the random ones), ``sizes`` (their means), ``pairs`` of measures,
    ``levels`` and the ``linguistic`` gain (figure 4), and by criterion
    ``summary``, ``measures``, ``added`` (figure 1), ``judged_sets`` (2, 3, 5 and 6), ``increase``
    (workshop, figure 1), and ``claims``, the figures that these are judged by. Criteria may be
    judged at the same time.

    Raises:
        ValuesError: if values do not fit together.
    """
    names, seed, progress = source.measures, settings.seed, settings.progress
    sets = heterogeneity.random_sets(
        len(names), [size for size in _SIZES if size <= len(names)], max(settings.sets, 1), seed
    )
    two = heterogeneity.pairs_of_measures(len(names))
    every = np.vstack([np.ones((1, len(names)), dtype=np.bool_), two, sets])
    unjudged, within = np.zeros(len(source.group)), reliability.split_pairs(source.group)
    counts = reliability.count_sets_by_group(
        source.values, unjudged, within, every, source.text, seed, progress
    )
    whole = counts.of(slice(0, 1)).heterogeneity.estimates[0]
    # Over the pairs of all groups; resamples of all sets would be large.
    pooled = safe_divide(counts.counts[0].sum(axis=1, dtype=np.float64), counts.pairs.sum())
    of_pairs, of_sets = np.split(pooled[1:], [len(two)])
    del counts
    criteria = list(source.quality)
    inner = progress if settings.jobs == 1 or len(criteria) == 1 else log_progress
    work = partial(
        _judge_sets, source=source, sets=sets, settings=replace(settings, progress=inner)
    )
    by_people = ("summary", "claims", "measures", "added", "judged_sets", "increase")
    parts: dict[str, list[Row]] = {name: [] for name in by_people}
    found = report_map(work, criteria, settings.jobs, progress, "judging sets of measures")
    for criterion, frames in zip(criteria, found, strict=True):
        several = f"{criterion}: " if len(criteria) > 1 else ""
        add_rows(parts, frames.items(), criterion=criterion, several=several)
    return Frames(
        {
            **{
                name: Frame.of_rows(rows, "there are no human scores")
                for name, rows in parts.items()
            },
            "sets": Frame(
                {
                    "measures": [[names[at] for at in np.flatnonzero(row)] for row in sets],
                    "size": sets.sum(axis=1),
                    "heterogeneity": of_sets,
                }
            ),
            "sizes": _sizes(
                sets.sum(axis=1), of_sets, Frame.of_rows(parts["judged_sets"]), criteria
            ),
            "pairs": _pairs(names, of_pairs),
            **_levels(source, seed),
        },
        {
            "": tables.SampleSize(
                len(source.groups), len(source.group), source.called[1], "instances"
            )
        },
        remarks=[
            *source.remarks,
            f"{source.description}; every two of one {source.called[0]} are compared, for score "
            "thresholds at most 20,000 pairs.",
        ],
        signature={
            "measures": len(names),
            "sets": max(settings.sets, 1),
            "samples": settings.samples or "all",
            "most": settings.most or "all",
        },
        facts={
            "equal": source.equal,
            "equal_pairs": source.equal_pairs,
            "whole": whole,
            "of_whole": f"All {len(names)} measures together: H {format_interval(whole)}.",
            "intervals": interval_note(source.called[1]),
            "few_judges": len(criteria) < 2,
        },
        resampled=source.called[1],
    )


def _judge_sets(
    criterion: str, source: measures.GroupedInstances, sets: Flags, settings: HeterogeneitySettings
) -> dict[str, list[Row]]:
    """The rows of one criterion."""
    judged, names = source.judged_instances(criterion), source.measures
    found = reliability.judge_sets(
        judged.values,
        judged.scores,
        judged.group,
        sets,
        text=judged.text,
        samples=settings.samples,
        seed=settings.seed,
        progress=settings.progress,
    )
    size_of = sets.sum(axis=1)
    summary, random = found.summary, found.sets
    over = {
        "additive": found.added,
        "heterogeneity_and_reliability": random.reliability,
        "heterogeneity_and_sensitivity": random.sensitivity,
        "gaining": found.gains,
        "heterogeneity_and_gain": found.gains,
    }
    few_sets = "there are too few measures to make sets of" if len(sets) < _FEW else ""
    size = judged.sample_size
    of_measures, told = measures.over_measures(size, names, judged.values)
    claims = []
    for name, figure in summary.items():
        own, cases, case = size, int(found.levels.total.sum()), "comparisons"
        if name in over:
            own, case = of_measures, "sets of measures"
            cases = int((~np.isnan(over[name].value)).sum())
        claims.append(
            {
                "claim": name,
                "figure": None if few_sets else figure,
                "size": own._replace(cases=cases, case=case),
                "told": f"; {told}" * (own is of_measures),
                "reason": few_sets,
            }
        )
    gained = np.sort(found.added.value[~np.isnan(found.added.value)])
    shares = np.linspace(0, 1, len(gained)) if len(gained) > 1 else np.zeros(len(gained))
    return {
        "summary": [
            {
                **summary,
                "r": format_interval(summary["heterogeneity_and_reliability"]),
                "additive_share": format_percentage_interval(summary["additive"]),
                "gaining_share": format_percentage_interval(summary["gaining"]),
                "r_of_increase": format_interval(summary["increase"]),
                "remark": f"r = {summary['increase'].value:.2f}",
            }
        ],
        "claims": claims,
        "measures": Frame(
            {
                "measure": names,
                "reliability": found.single.reliability,
                "sensitivity": found.single.sensitivity,
            }
        ).rows,
        "added": Frame(
            dict(zip(("share", "gain"), _subsample_curve(shares, gained), strict=True))
        ).rows,
        "judged_sets": Frame(
            {
                "label": [f"set {number}" for number in range(1, len(sets) + 1)],
                "size": size_of,
                "family": [f"{size} measures" for size in size_of],
                "heterogeneity": random.heterogeneity.value,
                "reliability": random.reliability.value,
                "sensitivity": random.sensitivity.value,
                "gain": found.gains.value,
            }
        ).rows,
        "increase": [
            {"label": f"part {number}", "heterogeneity": mean, "share": share}
            for number, (mean, share) in enumerate(
                zip(*(each.tolist() for each in found.increase), strict=True), start=1
            )
        ],
    }


def _subsample_curve(x: Floats, y: Floats, most: int = 400) -> tuple[Floats, Floats]:
    """At most ``most`` points, evenly over x, which does not decrease."""
    if len(x) <= most:
        return x, y
    chosen = np.unique(np.searchsorted(x, np.linspace(x[0], x[-1], most)))
    return x[chosen], y[chosen]


def _sizes(size_of: Ints, of_sets: Floats, judged: Frame, criteria: list[str]) -> Frame:
    """Means over the random sets of each size, by criterion; without people a single row each."""

    def means(criterion: str | None, size: int) -> dict[str, float]:
        sets = judged.where(criterion=criterion, size=size)
        parts = ("reliability", "sensitivity", "gain") if criterion else ()
        return {name: known_mean(np.array(sets[name])) for name in parts}

    return Frame.of_rows(
        [
            {
                "criterion": criterion,
                "size": size,
                "sets": int((size_of == size).sum()),
                "heterogeneity": known_mean(of_sets[size_of == size]),
                **means(criterion, size),
            }
            for size in np.unique(size_of).tolist()
            for criterion in criteria or (None,)
        ]
    )


def _pairs(names: tuple[str, ...], of_pairs: Floats) -> Frame:
    """Pairs of measures that contradict one another most often, then those that do least often."""
    first, second = np.triu_indices(len(names), 1)
    order = np.argsort(-of_pairs, kind="stable").tolist()
    if len(order) > 2 * _MOST:
        order = [*order[:_MOST], *order[-_MOST:]]
    return Frame(
        {
            "measure": [names[first[at]] for at in order],
            "other": [names[second[at]] for at in order],
            "heterogeneity": of_pairs[order],
        }
    )


def _levels(source: measures.GroupedInstances, seed: int) -> dict[str, Frame]:
    """Mean H of random sets of measures of words, and of random sets of all, by size.

    Topics and sets are resampled. ``linguistic`` is by how much mean H of the largest sets is
    higher with linguistic measures. No rows if fewer than three measures are known to be of a kind.
    """
    kinds = measures.MeasureKind.WORDS, measures.MeasureKind.LINGUISTIC
    words, language = (measures.measures_of_kind(source.measures, each) for each in kinds)
    if not words or not language:
        return {"levels": Frame({}), "linguistic": Frame({}, measures.TOO_FEW_KINDS)}
    every, alone = (
        reliability.mean_by_size(source.values[rows], source.group, LEVEL_SIZES, source.text, seed)
        for rows in ([*words, *language], words)
    )
    unknown = np.full((len(every.value) - len(alone.value), every.rows.shape[1]), np.nan)
    own = BootstrapSamples(np.vstack([alone.rows, unknown]))
    largest = int((~np.isnan(own.value)).sum()) - 1
    return {
        "levels": Frame(
            {"size": list(LEVEL_SIZES)[: len(every.value)], "words": own, "every": every}
        ),
        "linguistic": Frame({"gain": [own.difference(largest, largest, every)]}),
    }


def _judge_certain(frames: Frames) -> tables.Verdict:
    most = max([frames.facts["whole"].value, *frames["sets"]["heterogeneity"].tolist()])
    if most < 1:
        return tables.cannot_judge(
            f"no set has heterogeneity 1; the most heterogeneous one has {format_number(most)}"
        )
    return tables.cannot_judge("sets of heterogeneity 1 confirm nothing")


_SHARE: dict[str, Any] = {"percent": True, "says": "{several}{figures}{told}"}
_coefficient = partial(claimed, says="{several}r = {figures}{told}")
_2011, _WORKSHOP = "EMNLP 2011", "workshop 2012"
CLAIMS: tuple[tables.Claim[Frames], ...] = (
    tables.Claim(
        "A second measure makes an improvement more reliable, whatever its quality.",
        f"{_2011}, section 5, figure 1",
        "R of both measures together is at least the higher R of the two for at least "
        f"{_ALMOST_ALL:.0%} of all pairs, with the whole interval",
        claimed("additive", "at least", _ALMOST_ALL, **_SHARE),
    ),
    tables.Claim(
        "The more heterogeneous a set of measures, the more reliable it is.",
        f"{_2011}, section 6, figures 2 and 3",
        "the correlation of H and R over random sets is above 0, with its whole interval",
        _coefficient("heterogeneity_and_reliability", "above 0"),
    ),
    tables.Claim(
        "A set of heterogeneity 1 has reliability 1.",
        f"{_2011}, section 6; both papers of 2012, section 3",
        "–",
        _judge_certain,
    ),
    tables.Claim(
        "More heterogeneous sets are less sensitive.",
        f"{_2011}, section 6",
        "the correlation of H and S over random sets is below 0, with its whole interval",
        _coefficient("heterogeneity_and_sensitivity", "at most", 0),
    ),
    tables.Claim(
        "Linguistic measures make sets more heterogeneous.",
        f"{_2011}, section 6, figure 4",
        "mean H of random sets of ten of all measures, minus that of ten measures of words, is "
        "above 0, with its whole interval; topics and sets are resampled",
        holds("linguistic.gain", "above 0"),
    ),
    tables.Claim(
        "A set is more reliable than a higher threshold on any measure in it.",
        f"{_2011}, section 7, figures 5 and 6",
        "the gain at equal sensitivity is not negative for at least "
        f"{_ALMOST_ALL:.0%} of the random sets, with the whole interval",
        claimed("gaining", "at least", _ALMOST_ALL, **_SHARE),
    ),
    tables.Claim(
        "The largest gains are those of highly heterogeneous sets.",
        f"{_2011}, section 7, figures 5 and 6",
        "the correlation of H and the gain over random sets is above 0, with its whole interval",
        _coefficient("heterogeneity_and_gain", "above 0"),
    ),
    tables.Claim(
        "The more heterogeneous the measures that confirm an increase, the surer it is.",
        f"{_WORKSHOP}, section 5.1, figure 1; *SEM 2012, section 3",
        "over 100 equal parts of all comparisons, the correlation of mean H of the measures that "
        "confirm them and the share that people confirm is above 0, with its whole interval",
        _coefficient("increase", "above 0"),
    ),
    tables.Claim(
        "Measures that agree with people by systems do not agree by segments.",
        f"{_2011}, sections 2.3 and 8",
        "not judged by this study",
        lambda _: tables.cannot_judge("see weps meta correlation"),
    ),
)


_COUNT = tables.Kind(str)
_BY: dict[str, Any] = {"by": "criterion", "facts_in": "summary"}
PARTS = (
    Part(
        "Sets of measures",
        Trends(
            key="levels",
            title="Heterogeneity of measures of words, and with linguistic ones",
            x="size",
            lines={"words alone": "words", "words and language": "every"},
            axes=("measures in a set", "heterogeneity"),
            note="As figure 4 of the paper: means over random sets. Linguistic are measures of "
            "parts of speech, syntax and named entities.",
        ),
        TableOf(
            key="summary",
            title="Sets of measures and people",
            columns={
                "criterion": "judged by",
                "additive": ("additive", tables.PERCENT_ESTIMATE),
                "heterogeneity_and_reliability": "r of H and R",
                "gaining": ("gain ≥ 0", tables.PERCENT_ESTIMATE),
                "increase": "r of increase",
            },
            note="Additive: pairs of measures that are together at least as reliable as either. H: "
            "how often\nmeasures of a set contradict one another; R: how often an increase that "
            "all of them confirm is\nreal. Gain: random sets more reliable than thresholds of "
            "their members at equal sensitivity.\nIncrease: H of the measures that confirm an "
            "increase against how often it is real. {intervals}",
        ),
        TableOf(
            key="sizes",
            title="Random sets by size, means",
            columns={
                "size": ("size", _COUNT),
                "sets": ("sets", _COUNT),
                "heterogeneity": ("H", tables.SHARE),
            },
            across="criterion",
            spread={
                "reliability": ("R {}", tables.SHARE),
                "sensitivity": ("S {}", tables.SHARE),
                "gain": ("gain {}", tables.SIGNED),
            },
            brief_given="few_judges",
            note="{of_whole}",
        ),
        TableOf(
            key="pairs",
            title="Measures that contradict one another most often, and least often",
            columns={
                "measure": ("measure", tables.name_kind()),
                "other": ("measure", tables.name_kind()),
                "heterogeneity": ("H", tables.SHARE),
            },
            most=_BRIEF,
            last=_BRIEF,
        ),
    ),
    Part(
        "Judged by {criterion}",
        Trends(
            key="people-{}-additive",
            frame="added",
            title="Additive reliability of all pairs of measures: {criterion}",
            x="share",
            lines={"pairs of measures": "gain"},
            reference="pairs of measures",
            axes=("share of pairs", "R of both − R of the better one"),
            guides=(charts.GuideLine("no gain", 0),),
            fewest=1,
            note="As figure 1 of the paper. Not negative for {additive_share} of the pairs.",
            **_BY,
        ),
        Scatter(
            key="people-{}-reliability",
            frame="judged_sets",
            title="Reliability against heterogeneity of random sets: {criterion}",
            label="label",
            marked="none",
            x="heterogeneity",
            y="reliability",
            family="family",
            axes=("heterogeneity", "reliability"),
            note="As figures 2 and 3 of the paper. r = {r}.",
            **_BY,
        ),
        Scatter(
            key="people-{}-gain",
            frame="judged_sets",
            title="Reliability gain against heterogeneity: {criterion}",
            label="label",
            marked="none",
            x="heterogeneity",
            y="gain",
            family="family",
            axes=("heterogeneity", "reliability gain"),
            note="As figures 5 and 6 of the paper: reliability of a set less the highest of its "
            "members at the threshold of equal sensitivity; not negative for {gaining_share} of "
            "the sets.",
            **_BY,
        ),
        Scatter(
            key="people-{}-increase",
            frame="increase",
            title="Real increases against heterogeneity: {criterion}",
            label="label",
            marked="none",
            x="heterogeneity",
            y="share",
            axes=("heterogeneity of what confirms", "share that people confirm"),
            remark="{remark}",
            note="As figure 1 of the workshop paper of 2012: a hundred equal parts of all "
            "comparisons. r = {r_of_increase}; in resamples of topics comparisons repeat, which "
            "lowers it.",
            **_BY,
        ),
        TableOf(
            key="people",
            frame="measures",
            by="criterion",
            title="Each measure alone: {criterion}",
            columns={
                "measure": "measure",
                "reliability": "reliability",
                "sensitivity": "sensitivity",
            },
            order="reliability",
            only="report",
            note="Ties count as increases, as in the paper: ≥ on both sides.",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Figures by criterion and set, in JSON form."""
    sets = [{**each, "people": {}} for each in frames["sets"].records(leave=("size",))]
    people = {}
    for row in frames["summary"].rows:
        criterion = row["criterion"]
        singles = frames["measures"].where(criterion=criterion)
        people[criterion] = {
            "reliability": singles.named("measure", "reliability"),
            "sensitivity": singles.named("measure", "sensitivity"),
            **{
                name: tables.as_json(value)
                for name, value in row.items()
                if isinstance(value, Estimate)
            },
        }
        judged = frames["judged_sets"].where(criterion=criterion).records()
        for each, found in zip(sets, judged, strict=True):
            each["people"][criterion] = {
                name: found[name] for name in ("reliability", "sensitivity", "gain")
            }
    return {
        "equal": frames.facts["equal"],
        "equal_pairs": frames.facts["equal_pairs"],
        "heterogeneity": tables.as_json(frames.facts["whole"]),
        "sets": sets,
        "people": people,
    }


STUDY = running.Study(
    title="Heterogeneity of measures",
    settings=HeterogeneitySettings,
    source=cli_argument(measures.GROUPED),
    read=read_source,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    opening=(
        "Amigó, Gonzalo, Giménez and Verdejo, Corroborating text evaluation results with "
        "heterogeneous measures (EMNLP 2011), and the principle of both papers of 2012. "
        "Heterogeneity of a set of measures, H: how often two of them contradict each other about "
        "two outputs. Reliability, R: how often an output that all of them score at least as high "
        "is at least as good for people. Sensitivity, S: how often all of them confirm what people "
        "find.",
    ),
)
