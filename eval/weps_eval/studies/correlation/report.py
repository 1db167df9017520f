"""Tables, figures, sections and JSON of the study (docs/schema/meta-correlation.schema.json)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from weps._formatting import format_interval
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.correlation_levels import DRAWN, Level, Sample
from weps_eval.report.document import Document, Figure, Section
from weps_eval.report.figures.intervals import IntervalPair
from weps_eval.report.figures.lines import Series
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    P_VALUE,
    TEXT,
    TWO,
    Column,
    Table,
    as_json,
    by_column,
    name_kind,
)
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.base import (
    SYSTEM_INTERVALS,
    TOPIC_INTERVALS,
    Result,
    by_measure,
    draw_pairs,
    draw_scatter,
    draw_trends,
    first_and,
)
from weps_eval.studies.correlation.findings import Findings
from weps_eval.studies.several import (
    correlation_over_measures,
    joint_estimate,
    known_measures,
    leading_measures,
    measure_called,
    measure_kind_of,
    measure_points,
    select_measures,
)
from weps_eval.text.registry import Measure

_FIRST = 12
"""Measures in the figure of the best."""
_LEVELS = {
    Level.SYSTEM: "by systems",
    Level.SEGMENT: "by segments",
    Level.WITHIN_TOPIC: "within a topic",
    Level.WITHIN_SYSTEM: "within a system",
}
_ABOUT = {
    Level.SYSTEM: "Of the systems' means over the topics that all of them have answered.",
    Level.SEGMENT: "Of all outputs together.",
    Level.WITHIN_TOPIC: "Of the outputs of each topic, the mean over topics.",
    Level.WITHIN_SYSTEM: "Of the outputs of each system, the mean over systems.",
}
_INTERVALS = {Sample.TOPICS: TOPIC_INTERVALS, Sample.BOTH: SYSTEM_INTERVALS}
_EXCHANGED = dict.fromkeys(Level, "values of whole topics") | {Level.SYSTEM: "means of systems"}


def tables(findings: Sequence[Findings]) -> Iterator[Table]:
    """What the terminal shows."""
    for each in findings:
        yield _best_table(each)
        if _sweeps(each.judged.measures):
            yield _values_table(each, f"{each.judged.criterion}-values").brief()


def document(result: Result[Sequence[Findings]]) -> Document:
    """Conclusions over all criteria, then a section for each."""
    return result.document(
        "Agreement of measures with people",
        [
            "How far measures agree with people: Pearson's, Spearman's and Kendall's coefficients "
            "by systems, by segments, within topics and within systems, with a permutation test "
            "between the best measure and the others (Amigó, Giménez, Gonzalo and Verdejo, ACL "
            "2009, section 4). ULC is the plain mean of all measures, as in the paper; conclusions "
            "are judged by it. With --ulc, the mean of scaled measures is shown as well."
        ],
        (_section(each, f"c{number}") for number, each in enumerate(result.findings, 1)),
    )


def data(result: Result[Sequence[Findings]]) -> dict[str, Any]:
    """Coefficients, permutation tests and the comparison of halves, criterion by criterion."""
    return result.data(
        criteria={each.judged.criterion: _criterion_data(each) for each in result.findings}
    )


def _section(findings: Findings, prefix: str) -> Section:
    tables = [
        _level_table(findings, level, f"{prefix}-{re.sub('[^a-z]+', '-', level)}")
        for level in findings.levels
    ]
    if findings.halves:
        columns: list[Column[Level]] = [
            Column("measures compared", _LEVELS.__getitem__),
            Column("Spearman's ρ of halves: median (middle 95 %)", findings.halves.range, ESTIMATE),
        ]
        title = "Would other systems give the same ranking of measures?"
        note = (
            "Systems are split into halves at random, 200 times, and measures ranked by Pearson's "
            "coefficient in each half. In brackets the range of 95 % of the splits, which is not a "
            "confidence interval, because all splits are of the same systems."
        )
        rows = list(findings.halves.found)
        tables.append(Table(f"{prefix}-halves", title, columns, rows, note))
    if _sweeps(findings.judged.measures):
        tables.insert(0, _values_table(findings, f"{prefix}-values"))
    return Section(
        findings.judged.criterion,
        paragraphs=(findings.judged.description,),
        figures=(*_figures(findings, prefix), *_sweep_figures(findings, prefix)),
        tables=tables,
    )


def _criterion_data(findings: Findings) -> dict[str, Any]:
    judged, halves = findings.judged, findings.halves
    measures = range(len(judged.measures))
    return {
        "outputs": len(judged.human),
        "topics": len(judged.topics),
        "systems": len(judged.systems),
        "levels": {
            level: by_column(list(_level_columns(findings, level)), measures)
            for level in findings.levels
        },
        "resampled": {level: DRAWN[level] for level in findings.levels},
        "jointly": {
            level: by_measure(judged.measures, each) for level, each in findings.jointly.items()
        },
        "permutation_test": {
            level: {
                "best": (best := judged.measures[each.best]),
                "p": {
                    name: as_json(p)
                    for name, p in zip(judged.measures, each.p, strict=True)
                    if name != best
                },
            }
            for level, each in findings.leads.items()
        },
        "halves": as_json({level: halves.range(level) for level in halves.found})
        if halves
        else None,
    }


def _best_table(findings: Findings, most: int = 10) -> Table:
    """The best measures at all levels, by segments where people judged them."""
    lead = Level.SEGMENT if Level.SEGMENT in findings.levels else findings.levels[0]
    found = {level: findings.found[level, Coefficient.PEARSON] for level in findings.levels}
    order, more = leading_measures(findings.judged, known_measures(found[lead]), most)
    others: list[Column[int]] = [
        Column(_LEVELS[level].replace("within a", "in"), samples.value.__getitem__, TWO)
        for level, samples in found.items()
        if level is not lead
    ]
    columns: list[Column[int]] = [
        Column("measure", findings.judged.measures.__getitem__, name_kind()),
        Column(_LEVELS[lead], found[lead].estimates.__getitem__, ESTIMATE),
        *others,
        Column("p", findings.leads[lead].p.__getitem__, P_VALUE),
    ]
    return Table(
        f"{findings.judged.criterion}-brief",
        f"Agreement with people: {findings.judged.criterion} (Pearson's coefficient)",
        columns,
        order,
        f"{more}{_INTERVALS[DRAWN[lead]]} p: probability, by a permutation test, that the best "
        f"measure {_LEVELS[lead]} is ahead of this one by chance ({_EXCHANGED[lead]} are "
        "exchanged); corrected for all comparisons.",
    ).brief()


def _level_columns(findings: Findings, level: Level) -> Iterator[Column[int]]:
    measures = findings.judged.measures
    yield Column("measure", measures.__getitem__)
    yield Column("looks at", lambda each: measure_kind_of(measures[each]), TEXT)
    for kind in Coefficient:
        if samples := findings.found.get((level, kind)):
            yield Column(kind, samples.estimates.__getitem__, ESTIMATE, kind)
        else:
            yield Column(kind, lambda _: None, ESTIMATE)
    if level in findings.jointly and DRAWN[level] is not Sample.BOTH:
        jointly = findings.jointly[level].estimates
        yield Column(f"pearson, {Sample.BOTH}", jointly.__getitem__, ESTIMATE)
    yield Column("p", findings.leads[level].p.__getitem__, P_VALUE)


def _level_table(findings: Findings, level: Level, key: str) -> Table:
    note = (
        f"{_ABOUT[level]} {_INTERVALS[DRAWN[level]]} p: that the best measure's Pearson "
        "coefficient is higher than this one's by chance, by a permutation test: "
        f"{_EXCHANGED[level]} exchanged at random. It is corrected for the choice of the best and "
        "for all comparisons."
    )
    return Table(
        key,
        f"Agreement with people {_LEVELS[level]}: {findings.judged.criterion}",
        list(_level_columns(findings, level)),
        known_measures(findings.found[level, Coefficient.PEARSON]),
        note,
    )


def _figures(findings: Findings, prefix: str) -> Iterator[Figure]:
    """Segments against systems (figure 1), and the best; none if people judged systems only."""
    system, segment = map(findings.pearson, (Level.SYSTEM, Level.SEGMENT))
    if system is None or segment is None:
        return
    by_segments = known_measures(segment)
    both = [each for each in known_measures(system) if each in by_segments]
    if not both:
        return
    judged = findings.judged
    points = measure_points(
        judged.measures, system, segment, {*judged.combinations, by_segments[0], both[0]}
    )
    singles = [each for each in judged.single if each in both]
    remark = joint_estimate(
        correlation_over_measures, *(select_measures(each, singles) for each in (system, segment))
    )
    yield draw_scatter(
        f"{prefix}-levels",
        f"Agreement with people by segments against by systems: {judged.criterion}",
        points,
        ("Pearson by systems", "Pearson by segments"),
        "As figure 1 of the paper. Over single measures Pearson's coefficient of the two is "
        f"{format_interval(remark)}.",
        f"r = {remark.value:.2f}" if len(singles) > 2 else "",
        alike=True,
    )
    rows = [
        IntervalPair(judged.measures[each], segment.estimates[each], system.estimates[each])
        for each in first_and(by_segments, _FIRST, judged.combinations)
        if each in both
    ]
    yield draw_pairs(
        f"{prefix}-best",
        f"The measures that agree best by segments: {judged.criterion}",
        rows,
        ("segments", "systems"),
        "Pearson's coefficient",
        "With 95 % intervals, bootstrapped over topics and systems together.",
    )


_FEWEST_VALUES = 3
"""Fewer values of a parameter are no line."""
_NAMED_LINES = 8
_Sweeps: TypeAlias = Mapping[tuple[str, str], Mapping[str, list[tuple[float, int]]]]
"""Family and parameter → how the other parameters are → values, and the numbers of the measures."""


def _sweeps(names: Sequence[str]) -> _Sweeps:
    """Numeric parameters that measures differ in, all others being the same."""
    found: defaultdict[tuple[str, str], defaultdict[str, list[tuple[float, int]]]]
    found = defaultdict(lambda: defaultdict(list))
    for number, measure in enumerate(map(measure_called, names)):
        for name, value in measure.values if measure else ():
            if measure and isinstance(value, int | float) and not isinstance(value, bool):
                rest = tuple(each for each in measure.values if each[0] != name)
                line = found[measure.family.name, name][str(Measure(measure.family, rest))]
                line.append((float(value), number))
    long = {
        key: {rest: sorted(line) for rest, line in lines.items() if len(line) >= _FEWEST_VALUES}
        for key, lines in found.items()
    }
    return {key: lines for key, lines in long.items() if lines}


def _values_table(findings: Findings, key: str) -> Table:
    """Table 6 of Hirao et al. 2005: the values of parameters that agree best with people."""
    level, swept = findings.levels[0], defaultdict[str, set[int]](set)
    for (family, _), lines in _sweeps(findings.judged.measures).items():
        swept[family].update(number for _, number in chain.from_iterable(lines.values()))
    rows = [
        (family, samples.estimates[best], kind, best, len(numbers))
        for family, numbers in swept.items()
        for kind in Coefficient
        if (samples := findings.found.get((level, kind)))
        and (best := next(filter(numbers.__contains__, known_measures(samples)), None)) is not None
    ]
    columns: list[Column[tuple[str, Estimate, Coefficient, int, int]]] = [
        Column("family", lambda row: row[0]),
        Column("coefficient", lambda row: row[2]),
        Column("best measure", lambda row: findings.judged.measures[row[3]], name_kind()),
        Column("its coefficient", lambda row: row[1], ESTIMATE),
        Column("of", lambda row: row[4], COUNT),
    ]
    title = f"Parameters that agree best {_LEVELS[level]}: {findings.judged.criterion}"
    note = (
        "The best of measures that differ in numbers; the more there are, the more chance favours "
        f"it. {_INTERVALS[DRAWN[level]]}"
    )
    return Table(key, title, columns, rows, note)


def _sweep_figures(findings: Findings, prefix: str) -> Iterator[Figure]:
    """Coefficients by the value of a parameter (Hirao 2005, figure 1; GROUGE, figure 4.4)."""
    level = findings.levels[0]
    for kind in (Coefficient.PEARSON, Coefficient.SPEARMAN):
        samples = findings.found.get((level, kind))
        for (family, parameter), lines in _sweeps(findings.judged.measures).items():
            if samples is None:
                continue
            found = {rest: samples.value[[row for _, row in line]] for rest, line in lines.items()}
            known = [rest for rest, values in found.items() if not np.isnan(values).all()]
            named = sorted(known, key=lambda rest: -np.nanmax(found[rest]))[:_NAMED_LINES]
            yield draw_trends(
                f"{prefix}-{family}-{parameter}-{kind}",
                f"{family} by {parameter}, {kind} {_LEVELS[level]}: {findings.judged.criterion}",
                [
                    Series(rest * (rest in named), np.array([x for x, _ in lines[rest]]), y)
                    for rest, y in found.items()
                ],
                (parameter, f"{kind} {_LEVELS[level]}"),
                "Agreement with people by the value of a parameter; a line for each choice of the "
                f"others, named if among the best {_NAMED_LINES}.",
            )
