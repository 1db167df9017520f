"""Tables of agreement with people."""

from __future__ import annotations

from collections.abc import Callable

from eval.document import Table
from eval.judging.numerals import share_between
from eval.meta.correlation import Coefficient, Level
from eval.meta_study.cells import chance, name_cell, two, two_between
from eval.meta_study.correlation.findings import Findings
from eval.meta_study.kinds import kind_of
from eval.meta_study.several import known
from eval.meta_study.study import picked

__all__ = ["LEVEL_WORDS", "brief_table", "halves_table", "leading", "level_table"]

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


def leading(findings: Findings) -> Level:
    """The level by which measures are ordered: segments, or systems if nothing else is judged."""
    return Level.SEGMENT if Level.SEGMENT in findings.levels else findings.levels[0]


def brief_table(findings: Findings, most: int = 10) -> Table:
    """The best measures at all levels, for the terminal."""
    lead = leading(findings)
    order = picked(_order(findings, lead), most, [findings.combined])
    levels = [level for level in findings.levels if level is not lead]
    others = [findings.found[level, Coefficient.PEARSON].value for level in levels]
    estimates = findings.found[lead, Coefficient.PEARSON].estimates
    test = findings.rivals[lead].chance
    rows = [
        [name_cell(findings.judged.measures[each]), two_between(estimates[each])]
        + [two(values[each]) for values in others]
        + [chance(test[each])]
        for each in order
    ]
    heading = ["measure", _BRIEF[lead], *(_BRIEF[level] for level in levels), "p"]
    return Table(
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
        [names[each], kind_of(names[each])]
        + [share_between(column[each]) if column else "–" for column in estimates]
        + [tell(each) for tell in further.values()]
        for each in _order(findings, level)
    ]
    heading = ["measure", "looks at", *map(str, Coefficient), *further]
    return Table(
        key,
        f"Agreement with people {LEVEL_WORDS[level]}: {findings.judged.criterion}",
        [heading, *rows],
        f"{_ABOUT[level]} In brackets: 95 % interval, bootstrapped over topics."
        + (f" {_P}." if level in findings.rivals else ""),
        left=2,
    )


def halves_table(findings: Findings, key: str) -> Table | None:
    """How alike two halves of the systems rank measures."""
    if findings.halves is None:
        return None
    rows = [
        [LEVEL_WORDS[level], share_between(findings.halves.range(level))]
        for level in findings.halves.found
    ]
    return Table(
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
        found["pearson, interval over systems"] = lambda each: share_between(over[each])
    if level in findings.rivals:
        test = findings.rivals[level].chance
        found["Williams' p"] = lambda each: chance(test[each])
    return found


def _order(findings: Findings, level: Level) -> list[int]:
    return known(findings.found[level, Coefficient.PEARSON])


def _more(findings: Findings, shown: int) -> str:
    hidden = len(findings.judged.measures) - shown
    return f"{hidden} more measures: see --report. " if hidden > 0 else ""
