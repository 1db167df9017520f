"""``weps meta correlation``: agreement of measures with human scores, by systems and outputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from weps._options import cli_argument, cli_option
from weps._parallel import partial_progress, report_work
from weps.errors import ValuesError
from weps_eval.meta.correlation import (
    DRAWN,
    FEWEST_MEASURES,
    Coefficient,
    Coefficients,
    Level,
    Sample,
    compare_with_best,
    correlate_levels,
    correlate_with_humans,
    correlation_over_measures,
    shared_means,
    split_half_agreement,
    williams_test,
)
from weps_eval.meta.improvements import Scale
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    P_VALUE,
    TWO,
    Claim,
    Kind,
    SampleSize,
    as_json,
    name_kind,
)
from weps_eval.stats import BootstrapSamples, Estimate, Floats, joint_estimate
from weps_eval.studies.frames import (
    SYSTEM_INTERVALS,
    TOPIC_INTERVALS,
    Frame,
    Frames,
    Pairs,
    Part,
    Row,
    Rule,
    Scatter,
    TableOf,
    Trends,
    add_rows,
    claimed,
    holds,
)
from weps_eval.studies.measures import (
    TOO_FEW_KINDS,
    JudgedOutputs,
    MeasureSettings,
    StudyInput,
    criteria_of,
    judged_outputs,
    known_measures,
    linguistic_ahead,
    measure_called,
    measure_kind_of,
    other_beds,
    over_measures,
    read_scores,
)
from weps_eval.studies.running import Study
from weps_eval.text.declaration import Measure

_LEVELS = {
    Level.SYSTEM: "by systems",
    Level.SEGMENT: "by segments",
    Level.WITHIN_TOPIC: "within a topic",
    Level.WITHIN_SYSTEM: "within a system",
}
_NAMED_LINES = 8
_FEWEST_VALUES = 3
"""Values of a parameter without which there is no line."""


@dataclass(frozen=True, kw_only=True)
class CorrelationSettings(MeasureSettings):
    """Settings of the study."""

    ulc: Scale = cli_option(
        "how measures are scaled for a second ULC beside the paper's, which is the plain mean; "
        "none: no second ULC",
        Scale.DEVIATION,
    )


def find_frames(scored: StudyInput, settings: CorrelationSettings) -> Frames:
    """Coefficients of all measures, ULC among them, by every criterion of people.

    Frames are one for each level, ``system``, ``segment``, ``within topic`` and ``within system``;
    ``best`` and ``best of systems``, the leading measures of criteria by which people judged single
    outputs, or whole systems; ``both``, measures by systems and by segments; ``halves`` of the
    systems, and ``beds``, how alike they, or two test beds, rank measures; ``values`` and
    ``sweeps`` of parameters; ``claims``, what verdicts rest on.

    Raises:
        ValuesError: if no measure has any coefficient.
    """
    rows: defaultdict[str, list[Row]] = defaultdict(list)
    sizes, remarks = {}, list(scored.remarks)
    for criterion in criteria_of(scored):
        judged = judged_outputs(scored, criterion).with_combined(settings.ulc)
        sizes[criterion] = judged.sample_size()
        if judged.is_by_system:
            remarks.append(
                f"People judged whole systems by {criterion}, not single outputs: only means of "
                "systems are compared."
            )
        of_outputs = judged.human, judged.topic, judged.system
        levels = [Level.SYSTEM] if judged.is_by_system else list(Level)
        part = partial_progress(settings.progress, f"correlating {criterion}", 0, 1)
        found, jointly = correlate_levels(judged.values, *of_outputs, levels, settings.seed, part)
        if not found:
            raise ValuesError(
                f"no measure can be correlated with {criterion}",
                remedy="give measures whose values differ, or more systems",
            )
        halves = None
        if not judged.is_by_system:
            halves = split_half_agreement(
                judged.values[judged.single], *of_outputs, settings.seed, settings.progress
            )
        rows["criteria"].append(
            {
                "criterion": criterion,
                "outputs": len(judged.human),
                "topics": len(judged.topics),
                "systems": len(judged.systems),
            }
        )
        add_rows(rows, _rows_of(judged, found, jointly, halves, settings), criterion=criterion)
        if scored.others:
            add_rows(rows, [("beds", _compare_beds(scored, judged, settings))], criterion=criterion)
    names = (
        *("criteria", "best", "best of systems", "both", "halves", "beds", "values", "sweeps"),
        "claims",
    )
    return Frames(
        {str(name): Frame.of_rows(rows[name]) for name in (*Level, *names)},
        sizes,
        remarks=remarks,
        signature={"measures": len(scored.matrix.measures), "ulc": settings.ulc},
        facts={"measures": judged.measures},
        resampled=Sample.BOTH,
    )


def _rows_of(
    judged: JudgedOutputs,
    found: Coefficients,
    jointly: Mapping[Level, BootstrapSamples],
    halves: Mapping[Level, Floats] | None,
    settings: CorrelationSettings,
) -> Iterator[tuple[str, list[Row]]]:
    """Rows of each frame for one criterion."""
    pearson = {level: each for (level, kind), each in found.items() if kind is Coefficient.PEARSON}
    unknown, p = [None] * len(judged.measures), {}
    for level, samples in report_work(pearson.items(), settings.progress, "comparing measures"):
        best = int(np.nanargmax(samples.value))
        p[level] = compare_with_best(
            *(judged.values, judged.human, judged.topic, judged.system, best),
            level=level,
            seed=settings.seed,
        ).tolist()
        williams = {"williams": _williams(judged, best)} if level is Level.SYSTEM else {}
        together = {"jointly": jointly[level].estimates} if level in jointly else {}
        ranked = Frame(
            {
                "measure": judged.measures,
                "looks_at": [measure_kind_of(name) for name in judged.measures],
                **{
                    kind: found[level, kind].estimates if (level, kind) in found else unknown
                    for kind in Coefficient
                },
                **({} if DRAWN[level] is Sample.BOTH else together),
                "p": p[level],
                **williams,
                "best": [at == best for at in range(len(judged.measures))],
            }
        )
        yield level, ranked.take(np.argsort(-samples.value, kind="stable").tolist()).rows
    first = next(iter(pearson))
    lead = Level.SEGMENT if Level.SEGMENT in pearson else first
    every = Frame(
        {
            "measure": judged.measures,
            **{each: pearson[each].estimates if each in pearson else unknown for each in Level},
            "p": p[lead],
            "combined": [at in judged.combinations for at in range(len(judged.measures))],
        }
    )
    leading = every.take(known_measures(pearson[lead])).rows
    yield "best" if lead is Level.SEGMENT else "best of systems", leading
    yield "both", list(_both_levels(judged, jointly))
    yield from parameter_rows(judged, found, first)
    if halves:
        about = {
            "gain": _middle(halves[Level.SEGMENT] - halves[Level.SYSTEM]),
            **dict(zip(("size", "told"), judged.over_measures(), strict=True)),
        }
        yield (
            "halves",
            [{"level": level, "agreement": _middle(of), **about} for level, of in halves.items()],
        )
    yield "claims", list(find_claims(judged, jointly))


def _compare_beds(
    scored: StudyInput, judged: JudgedOutputs, settings: CorrelationSettings
) -> Iterator[Row]:
    """How alike every two test beds rank measures (ACL 2009, section 4.2, table 2), by level.

    The ``agreement`` is Spearman's coefficient over measures, of Pearson's with people; ``gain``
    is how much higher it is than by systems. Topics and systems of either are resampled.
    """
    others = list(other_beds(scored, judged.criterion, judged.measures[: len(judged.single)]))
    common = others[0][1].measures
    if len(common) < FEWEST_MEASURES:
        return
    rows = [judged.measures.index(name) for name in common]
    first = replace(judged, measures=common, values=judged.values[rows])
    found = []
    for number, (title, bed) in enumerate([(scored.title, first), *others]):
        of_outputs = bed.values, bed.human, bed.topic, bed.system
        levels = [Level.SYSTEM] if bed.is_by_system else [Level.SYSTEM, Level.SEGMENT]
        # Two seeds each, so that beds of one size are not resampled alike.
        jointly, seed = {}, settings.seed + 2 * number
        for level in levels:
            with suppress(ValuesError):  # no topic that all systems have answered
                jointly[level] = correlate_with_humans(
                    *of_outputs, level=level, sample=Sample.BOTH, seed=seed
                )
        found.append((title, jointly, over_measures(bed.sample_size(), common, bed.values)))

    def agreement(*coefficients: Floats) -> Floats:
        one, other, *by_systems = coefficients
        alike = correlation_over_measures(one, other, Coefficient.SPEARMAN)
        return alike - agreement(*by_systems) if by_systems else alike

    for (one, ours, own), (other, theirs, their) in combinations(found, 2):
        by_systems = ours.get(Level.SYSTEM), theirs.get(Level.SYSTEM)
        size, told = min(own, their)
        for level in (each for each in ours if each in theirs):
            pair = ours[level], theirs[level]
            lead = level is Level.SEGMENT and None not in by_systems
            yield {
                "one": one,
                "other": other,
                "level": level,
                "agreement": joint_estimate(agreement, *pair),
                "gain": joint_estimate(agreement, *pair, *filter(None, by_systems))
                if lead
                else None,
                "reason": "by systems nothing can be compared",
                "size": size,
                "told": told,
            }


def _williams(judged: JudgedOutputs, best: int) -> list[float | None]:
    """P of Williams' test, by systems, that the best measure is ahead of each other by chance."""
    rows = np.vstack([judged.values, judged.human])
    *means, people = shared_means(rows, judged.topic, judged.system)
    return [
        None if at == best else williams_test(means[best], own, people)
        for at, own in enumerate(means)
    ]


def parameter_rows(
    judged: JudgedOutputs, found: Coefficients, level: Level
) -> Iterator[tuple[str, list[Row]]]:
    """Rows of the frames ``values`` and ``sweeps``, see :data:`PARAMETERS`."""
    swept = _numeric_sweeps(judged.measures)
    yield "values", list(_best_values(judged, found, level, swept))
    yield "sweeps", list(_sweep_rows(judged, found, level, swept))


def _middle(values: Floats) -> Estimate:
    """The median of all splits, and the middle 95 % of them."""
    known = values[~np.isnan(values)]
    return Estimate.from_samples(float(np.median(known)) if len(known) else float("nan"), known)


def _both_levels(judged: JudgedOutputs, jointly: Mapping[Level, BootstrapSamples]) -> Iterator[Row]:
    """Measures with a coefficient by systems and by segments, the best by segments first."""
    if not {Level.SYSTEM, Level.SEGMENT} <= jointly.keys():
        return
    system, segment = jointly[Level.SYSTEM], jointly[Level.SEGMENT]
    by_segments = known_measures(segment)
    by_systems = [each for each in known_measures(system) if each in by_segments]
    for at in by_segments:
        if at in by_systems:
            yield {
                "measure": judged.measures[at],
                "looks_at": measure_kind_of(judged.measures[at]),
                "system": system.estimates[at],
                "segment": segment.estimates[at],
                "marked": at in {*judged.combinations, by_segments[0], by_systems[0]},
                "combined": at in judged.combinations,
            }


_Sweeps: TypeAlias = dict[tuple[str, str], dict[str, list[tuple[float, int]]]]
"""Family and parameter → the other parameters → values with the numbers of measures."""


def _numeric_sweeps(names: Sequence[str]) -> _Sweeps:
    """Numeric parameters that measures differ in, all others being the same."""
    found: _Sweeps = {}
    for number, measure in enumerate(map(measure_called, names)):
        for name, value in measure.values if measure else ():
            if measure and isinstance(value, int | float) and not isinstance(value, bool):
                others = Measure(measure.family, tuple(v for v in measure.values if v[0] != name))
                lines = found.setdefault((measure.family.name, name), {})
                lines.setdefault(str(others), []).append((float(value), number))
    long = {
        key: {rest: sorted(line) for rest, line in lines.items() if len(line) >= _FEWEST_VALUES}
        for key, lines in found.items()
    }
    return {key: lines for key, lines in long.items() if lines}


def _best_values(
    judged: JudgedOutputs, found: Coefficients, level: Level, swept: _Sweeps
) -> Iterator[Row]:
    """The measures of each family with parameters that agree best with people."""
    numbers = defaultdict[str, set[int]](set)
    for (family, _), lines in swept.items():
        numbers[family].update(number for line in lines.values() for _, number in line)
    for family, own in numbers.items():
        for kind in Coefficient:
            samples = found.get((level, kind))
            known = known_measures(samples) if samples else []
            best = next(filter(own.__contains__, known), None)
            if samples and best is not None:
                yield {
                    "family": family,
                    "coefficient": kind,
                    "measure": judged.measures[best],
                    "figure": samples.estimates[best],
                    "of": len(own),
                    "where": f"{_LEVELS[level]}: {judged.criterion}",
                }


def _sweep_rows(
    judged: JudgedOutputs, found: Coefficients, level: Level, swept: _Sweeps
) -> Iterator[Row]:
    """Coefficients by the values of a parameter, a line for each choice of the others.

    Lines are labelled if among the highest.
    """
    for kind in (Coefficient.PEARSON, Coefficient.SPEARMAN):
        if samples := found.get((level, kind)):
            for (family, parameter), lines in swept.items():
                heights = {
                    rest: np.nanmax([-np.inf, *samples.value[[number for _, number in line]]])
                    for rest, line in lines.items()
                }
                highest = sorted(heights, key=lambda rest: -heights[rest])[:_NAMED_LINES]
                for rest, value, number in (
                    (name, *at) for name, line in lines.items() for at in line
                ):
                    yield {
                        "family": family,
                        "parameter": parameter,
                        "others": rest,
                        "label": rest if rest in highest else "",
                        "value": value,
                        "figure": samples.value[number],
                        "axis": f"{kind} {_LEVELS[level]}",
                        "where": f"{family} by {parameter}, {kind} {_LEVELS[level]}: "
                        f"{judged.criterion}",
                    }


# What verdicts rest on


def _share_low(values: Floats) -> Floats:
    return np.asarray(np.where(np.isnan(values), np.nan, values < _LOW).mean(axis=0))


def find_claims(judged: JudgedOutputs, jointly: Mapping[Level, BootstrapSamples]) -> Iterator[Row]:
    """The estimate of each relation that a claim is about, or why there is none."""
    over_measures, told = judged.over_measures()
    single, of_paper = judged.single, judged.of_paper

    def relation(  # noqa: PLR0913 - what is related, at which levels, of which measures
        claim: str,
        figure: Callable[..., Floats],
        *levels: Level,
        rows: Sequence[int] = single,
        needs: Sequence[Level] = (),
        fewest: int = 0,
        size: SampleSize | None = None,
    ) -> Row:
        known, reason = None, ""
        if not {*levels, *needs} <= jointly.keys():
            reason = (
                "people judged whole systems, not single outputs"
                if judged.is_by_system
                else "there are too few systems, or no topic has outputs of all of them"
            )
        elif len(single) < fewest:
            reason = "there are fewer than three measures"
        else:
            known = joint_estimate(figure, *(jointly[at].take(rows) for at in levels))
        size = size or judged.sample_size()
        about = {"claim": claim, "level": levels[-1], "size": size, "told": told}
        return {**about, "figure": known, "reason": reason}

    both = (Level.SYSTEM, Level.SEGMENT)
    yield relation("trade", correlation_over_measures, *both, fewest=3, size=over_measures)
    yield relation("low", _share_low, Level.SEGMENT, rows=of_paper, size=over_measures)
    for level in both:
        yield relation(
            "combined",
            lambda values: np.asarray(values[-1] - np.percentile(values[:-1], 75, axis=0)),
            level,
            rows=of_paper,
            needs=both,
            fewest=3,
        )
    yield relation(
        "within",
        lambda ours, theirs: np.median(ours - theirs, axis=0),
        Level.SYSTEM,
        Level.WITHIN_SYSTEM,
    )
    for level in both:
        row = relation("kinds", _share_low, level)
        if not row["reason"]:
            row["figure"] = linguistic_ahead(judged.measures, jointly[level])
            row["reason"] = "" if row["figure"] else TOO_FEW_KINDS
        yield row


_LOW = 0.5
"""The coefficient that most metrics do not reach."""
_RANDOM = 0.5
"""Halves of the systems that rank measures less alike than this; the paper's test beds had .26."""
_EQUAL = 0.02
"""A coefficient that is so much lower is about equal."""
_OVER = "{figures}; {told}"
_SPLIT: dict[str, Any] = {
    "says": _OVER,
    "size": "size",
    "reason": "this needs at least four measures, and six systems whose outputs people judged",
}


def _elsewhere(column: str, rule: str, *limit: float, level: Level) -> Rule:
    """The rule on every two test beds or, of a single one, on halves of its systems."""
    of_beds = holds(
        f"beds.{column}",
        rule,
        *limit,
        level=level,
        size="size",
        says="{one} and {other}: {figures}; {told}",
    )
    of_halves = holds(f"halves.{column}", rule, *limit, level=level, **_SPLIT)
    return lambda frames: (of_beds if len(frames["beds"]) else of_halves)(frames)


CLAIMS: tuple[Claim[Frames], ...] = (
    Claim(
        "Measures that agree better with people by systems agree less by segments.",
        "ACL 2009, section 4.1, figure 1",
        "the whole interval of Pearson's coefficient between the two, over measures, is below 0; "
        "in the paper it is −.44",
        claimed("trade", "at most", 0, says=_OVER),
    ),
    Claim(
        "Most measures correlate below .5 by segments.",
        "ACL 2009, section 4.2",
        "the whole interval of the share of such measures is at least one half",
        claimed("low", "at least", 0.5, says=_OVER),
    ),
    Claim(
        "All measures combined (ULC) agree highly with people at both levels.",
        "ACL 2009, section 4.1",
        "ULC, the plain mean, is above the third quartile of the single measures at both levels: "
        "the whole interval of each difference is above 0",
        claimed("combined", "above 0", says="{level}: {figures}"),
    ),
    Claim(
        "Other systems rank measures almost at random, compared by systems.",
        "ACL 2009, section 4.2, table 2",
        "Spearman's coefficient between the rankings of measures by two test beds is below "
        f"{_RANDOM} with its whole interval; of one test bed, by two random halves of the systems, "
        "in the middle 95 % of the splits (in brackets; not a confidence interval); in the paper, "
        "of two test beds, .26",
        _elsewhere("agreement", "at most", _RANDOM, level=Level.SYSTEM),
    ),
    Claim(
        "Compared by segments, measures are ranked more reliably.",
        "ACL 2009, section 4.2",
        "two test beds, or random halves of the systems of one, agree more on the ranking of "
        "measures by segments than by systems, with the whole interval, or in the middle 95 % of "
        "the splits (in brackets; not a confidence interval)",
        _elsewhere("gain", "above 0", level=Level.SEGMENT),
    ),
    Claim(
        "Measures agree far less with people about the outputs of one system.",
        "Hirao et al. 2007, section 2.3",
        "the median over single measures of the coefficient by systems minus that within a "
        "system is above 0, with its whole interval",
        claimed("within", "above 0"),
    ),
    Claim(
        "Linguistic measures agree better with people by systems.",
        "ACL 2009, sections 4.1 and 6",
        "the median of the measures of parts of speech, syntax and entities minus the median of "
        "the measures of words is above 0, with its whole interval",
        claimed("kinds", "above 0", level=Level.SYSTEM),
    ),
    Claim(
        "Measures of words agree as well or better with people by segments.",
        "ACL 2009, sections 4.1 and 6",
        "the median of the linguistic measures minus the median of the measures of words is below "
        f"{_EQUAL}, with its whole interval",
        claimed("kinds", "at most", _EQUAL, level=Level.SEGMENT),
    ),
)


_ABOUT = {
    Level.SYSTEM: "Of the systems' means over the topics that all of them have answered.",
    Level.SEGMENT: "Of all outputs together.",
    Level.WITHIN_TOPIC: "Of the outputs of each topic, the mean over topics.",
    Level.WITHIN_SYSTEM: "Of the outputs of each system, the mean over systems.",
}
_INTERVALS = {Sample.TOPICS: TOPIC_INTERVALS, Sample.BOTH: SYSTEM_INTERVALS}
_EXCHANGED = dict.fromkeys(Level, "values of whole topics") | {
    Level.SYSTEM: "means of systems",
    Level.SEGMENT: "values of whole topics and, in a second test, of whole systems (the greater p "
    "counts)",
}
_LIMITS = dict.fromkeys(Level, " It is about these systems; with others p may differ.") | {
    Level.SYSTEM: " Williams p: the same by Williams' test, not corrected.",
    Level.SEGMENT: "",
}


def _best_table(key: str, lead: Level, *others: Level) -> TableOf:
    """The measures that agree best at a level, and their coefficients at others."""
    return TableOf(
        key=key,
        frame=key.replace("-", " "),
        by="criterion",
        title="Agreement with people: {criterion} (Pearson's coefficient)",
        columns={
            "measure": ("measure", name_kind()),
            lead: _LEVELS[lead],
            **{level: (_LEVELS[level].replace("within a", "in"), TWO) for level in others},
            "p": ("p", P_VALUE),
        },
        most=10,
        always="combined",
        only="terminal",
        note=f"{_INTERVALS[DRAWN[lead]]} p: probability, by a permutation test, that the best "
        f"measure {_LEVELS[lead]} is ahead of this one by chance, exchanging {_EXCHANGED[lead]}; "
        "corrected for all comparisons.",
    )


PARAMETERS = Part(
    "Parameters",
    Trends(
        key="sweep",
        frame="sweeps",
        by="where",
        facts_in="sweeps",
        title="{where}",
        note="Agreement with people by the value of a parameter; a line for each choice of the "
        f"others, named if among the best {_NAMED_LINES}.",
        x="value",
        line="others",
        lines={"{label}": "figure"},
        axes=("{parameter}", "{axis}"),
    ),
    TableOf(
        key="values",
        by="where",
        title="Parameters that agree best {where}",
        columns={
            "family": "family",
            "coefficient": "coefficient",
            "measure": ("best measure", name_kind()),
            "figure": "its coefficient",
            "of": ("of", COUNT),
        },
        note="The best of measures that differ in numbers; the more there are, the more chance "
        "favours it.",
    ),
)
"""What is shown of parameters whose values measures differ in."""
PARTS = (
    Part(
        "Agreement",
        Scatter(
            key="levels",
            frame="both",
            by="criterion",
            title="Agreement with people by segments against by systems: {criterion}",
            x="system",
            y="segment",
            axes=("Pearson by systems", "Pearson by segments"),
            marked="marked",
            family="looks_at",
            alike=True,
            note="As figure 1 of the paper.",
        ),
        Pairs(
            key="best",
            frame="both",
            by="criterion",
            title="The measures that agree best by segments: {criterion}",
            note="With 95 % intervals, bootstrapped over topics and systems together.",
            values=("segment", "system"),
            names=("segments", "systems"),
            axis="Pearson's coefficient",
            most=12,
            always="combined",
        ),
        _best_table("best", Level.SEGMENT, Level.SYSTEM, Level.WITHIN_TOPIC, Level.WITHIN_SYSTEM),
        _best_table("best-of-systems", Level.SYSTEM),
        *(
            TableOf(
                key=level.replace(" ", "-"),
                frame=level,
                by="criterion",
                title=f"Agreement with people {_LEVELS[level]}: {{criterion}}",
                columns={
                    "measure": "measure",
                    "looks_at": "looks at",
                    **{kind: (kind, ESTIMATE) for kind in Coefficient},
                    "jointly": (f"pearson, {Sample.BOTH}", ESTIMATE),
                    "p": ("p", P_VALUE),
                    "williams": ("Williams p", P_VALUE),
                },
                only="report",
                note=f"{_ABOUT[level]} {_INTERVALS[DRAWN[level]]} p: that the best measure's "
                "Pearson coefficient is higher than this one's by chance, by a permutation test "
                f"that exchanges {_EXCHANGED[level]}. It is corrected for the choice of the "
                f"best and for all comparisons.{_LIMITS[level]}",
            )
            for level in Level
        ),
    ),
    PARAMETERS,
    Part(
        "Other systems",
        TableOf(
            key="beds",
            by="criterion",
            title="Do test beds give the same ranking of measures? {criterion}",
            columns={
                "one": ("test bed", name_kind(20)),
                "other": ("another", name_kind(20)),
                "level": ("measures compared", Kind(_LEVELS.__getitem__, left=True)),
                "agreement": "Spearman's ρ",
                "told": "of",
            },
            note=f"Measures ranked by Pearson's coefficient with people. {SYSTEM_INTERVALS}",
        ),
        TableOf(
            key="halves",
            by="criterion",
            title="Would other systems give the same ranking of measures? {criterion}",
            columns={
                "level": ("measures compared", Kind(_LEVELS.__getitem__, left=True)),
                "agreement": "Spearman's ρ of halves: median (middle 95 %)",
            },
            only="report",
            note="Systems are split into halves at random, 200 times, and measures ranked by "
            "Pearson's coefficient in each half. In brackets the range of 95 % of the splits, "
            "which is not a confidence interval, because all splits are of the same systems.",
        ),
    ),
)


def json_fields(frames: Frames) -> dict[str, Any]:
    """Coefficients, permutation tests and the comparison of halves, criterion by criterion."""
    names, criteria = frames.facts["measures"], {}

    def cells(rows: dict[str, Row], column: str) -> dict[str, Any]:
        return {name: as_json(rows[name][column]) for name in names}

    for criterion in frames.sizes:
        own = frames.of(criterion)
        (size,) = own["criteria"].records(leave=("criterion",))
        by_level = {
            level: {row["measure"]: row for row in own[level].rows}
            for level in Level
            if len(own[level])
        }
        jointly = {level: "pearson" for level in by_level if DRAWN[level] is Sample.BOTH}
        if Level.SEGMENT in by_level and by_level[Level.SEGMENT][names[0]].get("jointly"):
            jointly[Level.SEGMENT] = "jointly"
        tests = {}
        for level, rows in by_level.items():
            best = next(name for name in names if rows[name]["best"])
            others = {name: p for name, p in cells(rows, "p").items() if name != best}
            tests[level] = {"best": best, "p": others}
        criteria[criterion] = {
            **size,
            "levels": {
                level: {kind: cells(rows, kind) for kind in Coefficient if rows[names[0]][kind]}
                for level, rows in by_level.items()
            },
            "resampled": {level: DRAWN[level] for level in by_level},
            "jointly": {level: cells(by_level[level], each) for level, each in jointly.items()},
            "permutation_test": tests,
            "williams": own[Level.SYSTEM].named("measure", "williams")
            if Level.SYSTEM in by_level
            else None,
            "halves": own["halves"].named("level", "agreement") or None,
            "beds": own["beds"].records(leave=("criterion", "gain", "reason", "size", "told")),
        }
    return {"criteria": criteria}


STUDY = Study(
    title="Agreement of measures with people",
    settings=CorrelationSettings,
    source=cli_argument(
        "a testbed or a measure matrix, with human scores; of several the first is studied, and "
        "its ranking of measures compared with those of the others"
    ),
    several=True,
    read=read_scores,
    find=find_frames,
    claims=CLAIMS,
    shown=PARTS,
    data=json_fields,
    opening=(
        "How far measures agree with people: Pearson's, Spearman's and Kendall's coefficients by "
        "systems, by segments, within topics and within systems, with a permutation test between "
        "the best measure and the others (Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section "
        "4). ULC is the plain mean of all measures, as in the paper; conclusions are judged by it. "
        "With --ulc, the mean of scaled measures is shown as well.",
    ),
)
