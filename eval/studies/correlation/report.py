"""Tables of agreement with people.

The study of correlation as JSON knows it.

Pictures of agreement with people.

The study of correlation as a document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from eval.meta.correlation import Coefficient
from eval.meta.correlation_levels import Level
from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import available
from eval.report.figures.intervals import IntervalPair, plot_paired_intervals
from eval.report.figures.points import Point, plot_scatter
from eval.report.tables import Table, measure_cell
from eval.studies.base import Result, by_measure, estimate_data, first_and, json_number
from eval.studies.correlation.findings import Findings, WilliamsComparison
from eval.studies.several import (
    correlation_over_measures,
    joint_estimate,
    known_measures,
    measure_kind_of,
    select_measures,
)
from weps._formatting import format_interval, format_number, format_p_value

__all__ = [
    "LEVEL_WORDS",
    "brief_level_table",
    "build_document",
    "build_figures",
    "halves_table",
    "leading_level",
    "level_table",
    "study_data",
]


def study_data(study: Result[Sequence[Findings]]) -> dict[str, Any]:
    """docs/schema/meta-correlation.schema.json."""
    return study.data(
        criteria={each.judged.criterion: _criterion_data(each) for each in study.findings},
    )


def _criterion_data(findings: Findings) -> dict[str, Any]:
    judged = findings.judged
    levels: dict[str, dict[str, Any]] = {level: {} for level in findings.levels}
    for (level, kind), drawn in findings.found.items():
        levels[level][kind] = by_measure(judged.measures, drawn)
    halves = findings.halves
    return {
        "outputs": len(judged.human),
        "topics": len(judged.topics),
        "systems": len(judged.systems),
        "levels": levels,
        "williams": {
            level: _williams_data(judged.measures, each)
            for level, each in findings.williams.items()
        },
        "halves": {level: estimate_data(halves.range(level)) for level in halves.found}
        if halves
        else None,
    }


def _williams_data(names: Sequence[str], found: WilliamsComparison) -> dict[str, Any]:
    chances = zip(names, map(json_number, found.chance.tolist()), strict=True)
    return {
        "best": names[found.best],
        "p": {name: p for name, p in chances if name != names[found.best]},
    }


_ROWS = 12


def build_figures(findings: Findings, prefix: str) -> Iterator[Figure]:
    """Segments against systems, as in figure 1 of the 2009 paper, and the best with intervals.

    Nothing where people judged systems only.
    """
    system, segment = (findings.pearson(level) for level in (Level.SYSTEM, Level.SEGMENT))
    both = set(known_measures(system) if system else ()) & set(
        known_measures(segment) if segment else ()
    )
    if system is None or segment is None or not both:
        return
    names, criterion = findings.judged.measures, findings.judged.criterion
    best = known_measures(segment)
    marked = {
        findings.combined,
        best[0],
        next(each for each in known_measures(system) if each in both),
    }
    points = [
        Point(
            names[each],
            float(system.value[each]),
            float(segment.value[each]),
            each in marked,
            measure_kind_of(names[each]),
        )
        for each in sorted(both)
    ]
    singles = [each for each in findings.single if each in both]
    remark = joint_estimate(
        correlation_over_measures, *(select_measures(each, singles) for each in (system, segment))
    )
    title = f"Agreement with people by segments against by systems: {criterion}"
    told = f"r = {remark.value:.2f}" if len(singles) > 2 else ""
    yield Figure(
        f"{prefix}-levels",
        title,
        plot_scatter(
            points, title, x="Pearson by systems", y="Pearson by segments", correlation=told
        )
        if available()
        else None,
        f"As figure 1 of the paper. Over single measures Pearson's coefficient of the two is "
        f"{format_interval(remark)}.",
    )
    rows = [
        IntervalPair(names[each], segment.estimates[each], system.estimates[each])
        for each in first_and(best, _ROWS, [findings.combined])
        if each in both
    ]
    title = f"The measures that agree best by segments: {criterion}"
    yield Figure(
        f"{prefix}-best",
        title,
        plot_paired_intervals(rows, title, ("segments", "systems"), "Pearson's coefficient")
        if available()
        else None,
        "With 95 % intervals, bootstrapped over topics.",
    )


LEVEL_WORDS = {
    Level.SYSTEM: "by systems",
    Level.SEGMENT: "by segments",
    Level.WITHIN_TOPIC: "within a topic",
    Level.WITHIN_SYSTEM: "within a system",
}
_BRIEF = {
    Level.SYSTEM: "by systems",
    Level.SEGMENT: "by segments",
    Level.WITHIN_TOPIC: "in topic",
    Level.WITHIN_SYSTEM: "in system",
}
_ABOUT = {
    Level.SYSTEM: "Of the systems' means over the topics that all of them have answered.",
    Level.SEGMENT: "Of all outputs together.",
    Level.WITHIN_TOPIC: "Of the outputs of each topic, the mean over topics.",
    Level.WITHIN_SYSTEM: "Of the outputs of each system, the mean over systems.",
}
_P = "Williams' p: that the best measure's Pearson coefficient is higher than this one's by chance"


def leading_level(findings: Findings) -> Level:
    """The level by which measures are ordered: segments, or systems if nothing else is judged."""
    return Level.SEGMENT if Level.SEGMENT in findings.levels else findings.levels[0]


def brief_level_table(findings: Findings, most: int = 10) -> Table:
    """The best measures at all levels, for the terminal."""
    lead = leading_level(findings)
    order = first_and(_order(findings, lead), most, [findings.combined])
    levels = [level for level in findings.levels if level is not lead]
    others = [findings.found[level, Coefficient.PEARSON].value for level in levels]
    estimates = findings.found[lead, Coefficient.PEARSON].estimates
    test = findings.williams[lead].chance
    rows = [
        [measure_cell(findings.judged.measures[each]), format_interval(estimates[each], 2)]
        + [format_number(values[each], 2) for values in others]
        + [format_p_value(test[each], compact=True)]
        for each in order
    ]
    heading = ["measure", _BRIEF[lead], *(_BRIEF[level] for level in levels), "p"]
    return Table.of_text(
        f"{findings.judged.criterion}-brief",
        f"Agreement with people: {findings.judged.criterion} (Pearson's coefficient)",
        [heading, *rows],
        f"{_more(findings, len(rows))}In brackets: 95 % interval over topics. p: Williams' test, "
        f"the best against each, {LEVEL_WORDS[lead]}.",
    )


def level_table(findings: Findings, level: Level, key: str) -> Table:
    """All measures at one level, best first."""
    names = findings.judged.measures
    columns = [findings.found.get((level, kind)) for kind in Coefficient]
    estimates = [each.estimates if each else None for each in columns]
    further = _further(findings, level)
    rows = [
        [names[each], measure_kind_of(names[each])]
        + [format_interval(column[each]) if column else "–" for column in estimates]
        + [tell(each) for tell in further.values()]
        for each in _order(findings, level)
    ]
    heading = ["measure", "looks at", *map(str, Coefficient), *further]
    return Table.of_text(
        key,
        f"Agreement with people {LEVEL_WORDS[level]}: {findings.judged.criterion}",
        [heading, *rows],
        f"{_ABOUT[level]} In brackets: 95 % interval, bootstrapped over topics."
        + (f" {_P}." if level in findings.williams else ""),
        left=2,
    )


def halves_table(findings: Findings, key: str) -> Table | None:
    """How alike two halves of the systems rank measures."""
    if findings.halves is None:
        return None
    rows = [
        [LEVEL_WORDS[level], format_interval(findings.halves.range(level))]
        for level in findings.halves.found
    ]
    return Table.of_text(
        key,
        "Would other systems rank measures alike?",
        [["measures compared", "Spearman's coefficient between halves"], *rows],
        "Systems split in halves at random, 200 times; measures ranked by Pearson's coefficient in "
        "each half. In brackets: 95 % of the splits.",
    )


def _further(findings: Findings, level: Level) -> dict[str, Callable[[int], str]]:
    """Heading → cell of a measure, for columns that a level has of its own."""
    found: dict[str, Callable[[int], str]] = {}
    if level is Level.SYSTEM and findings.over_systems is not None:
        over = findings.over_systems.estimates
        found["pearson, interval over systems"] = lambda each: format_interval(over[each])
    if level in findings.williams:
        test = findings.williams[level].chance
        found["Williams' p"] = lambda each: format_p_value(test[each], compact=True)
    return found


def _order(findings: Findings, level: Level) -> list[int]:
    return known_measures(findings.found[level, Coefficient.PEARSON])


def _more(findings: Findings, shown: int) -> str:
    hidden = len(findings.judged.measures) - shown
    return f"{hidden} more measures: see --report. " if hidden > 0 else ""


_SUMMARY = (
    "How far measures agree with people: Pearson's, Spearman's and Kendall's coefficients by "
    "systems, by segments, within topics and within systems, with Williams' test between the best "
    "measure and the others (Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 4). ULC is the "
    "mean of all measures."
)


def build_document(study: Result[Sequence[Findings]]) -> Document:
    """Conclusions over all criteria, then a section for each."""
    return study.document(
        "Agreement of measures with people",
        [_SUMMARY],
        (_section(each, f"c{number}") for number, each in enumerate(study.findings, 1)),
    )


def _section(findings: Findings, prefix: str) -> Section:
    levels = [
        level_table(findings, level, f"{prefix}-{re.sub('[^a-z]+', '-', level)}")
        for level in findings.levels
    ]
    halved = halves_table(findings, f"{prefix}-halves")
    return Section(
        findings.judged.criterion,
        paragraphs=(findings.judged.description,),
        figures=tuple(build_figures(findings, prefix)),
        tables=(*levels, *([halved] if halved else [])),
    )
