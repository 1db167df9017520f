"""Tables of SIP and SIR, of wrong extremes, of decreases and of the oracle system test.

The study of improvements as JSON knows it.

Pictures of SIP and SIR, of wrong extremes, and of what choosing by measures is worth.

The study of improvements as a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import available
from eval.report.figures.intervals import IntervalRow, plot_intervals
from eval.report.figures.points import Point, plot_scatter
from eval.report.tables import Table, measure_cell
from eval.stats.estimate import BootstrapSamples
from eval.studies.base import Result, by_measure, estimate_data, first_and
from eval.studies.improvements.findings import DetectedImprovements, Findings, Oracles
from eval.studies.several import MeasureKind, known_measures, measure_kind_of
from weps._formatting import (
    format_interval,
    format_number,
    format_percentage,
    format_percentage_interval,
)

__all__ = [
    "all_measures_tables",
    "best_first",
    "brief_measures_table",
    "build_document",
    "build_figures",
    "study_data",
]


def study_data(study: Result[Findings]) -> dict[str, Any]:
    """docs/schema/meta-improvements.schema.json."""
    findings = study.findings
    names = findings.judged.measures
    counter, decrease = findings.counter, findings.decrease
    return study.data(
        criterion=findings.judged.criterion or None,
        improvements=_detected_data(findings, findings.detected) if findings.detected else None,
        extremes={
            "thresholds": asdict(findings.thresholds),
            "low": by_measure(names, counter.low),
            "high": by_measure(names, counter.high),
        }
        if counter
        else None,
        decrease={"chosen": findings.options.chosen, "measures": by_measure(names, decrease)}
        if decrease
        else None,
        oracle=_oracles(findings, findings.oracles) if findings.oracles else None,
    )


def _detected_data(findings: Findings, detected: DetectedImprovements) -> dict[str, Any]:
    names = findings.judged.measures
    return {
        "official": findings.is_official,
        "test": str(findings.options.test),
        "level": findings.options.level,
        "systems": list(detected.systems),
        "real": [
            [detected.systems[better], detected.systems[worse]]
            for better, worse in _pairs(detected)
        ],
        "sip": by_measure(names, detected.precision),
        "sir": by_measure(names, detected.recall),
    }


def _pairs(detected: DetectedImprovements) -> list[list[int]]:
    pairs: list[list[int]] = np.argwhere(detected.real).tolist()
    return pairs


def _oracles(findings: Findings, found: Oracles) -> dict[str, Any]:
    bounds = zip(("random", "least", "most"), found.bounds.estimates, strict=True)
    return {
        **{name: estimate_data(each) for name, each in bounds},
        "measures": by_measure(findings.judged.measures, found.chosen),
    }


_BOUNDS = ("by chance", "the worst", "the best")


def best_first(findings: Findings) -> list[int]:
    """Measures, best first: by the harmonic mean of SIP and SIR, else by the oracle system."""
    if findings.detected is not None and findings.detected.real.any():
        precision, recall = findings.detected.precision.value, findings.detected.recall.value
        total = precision + recall
        mean = 2 * precision * recall / np.where(total > 0, total, np.nan)
        return _rising(-np.nan_to_num(mean))
    if findings.oracles is not None:
        return _rising(-findings.oracles.chosen.value)
    return list(range(len(findings.judged.measures)))


def brief_measures_table(findings: Findings, most: int = 10) -> Table:
    """The best measures, for the terminal."""
    columns = dict(_columns(findings))
    order = first_and(best_first(findings), most, [findings.combined])
    rows = [
        [measure_cell(findings.judged.measures[each]), *(cells[each] for cells in columns.values())]
        for each in order
    ]
    hidden = len(findings.judged.measures) - len(rows)
    more = f"{hidden} more measures: see --report. " if hidden > 0 else ""
    return Table.of_text(
        "brief",
        "What measures see of improvements, and whether they can be "
        f"trusted{_criterion_suffix(findings)}",
        [["measure", *columns], *rows],
        f"{more}{' '.join(_explanations(findings))}",
    )


def all_measures_tables(findings: Findings) -> Iterator[Table]:
    """One table for each question, all measures, best first."""
    order = best_first(findings)
    if findings.detected is not None:
        yield _detected_table(findings, order)
    if findings.counter is not None:
        low, high = findings.counter.low.estimates, findings.counter.high.estimates
        yield _by_measure(
            findings,
            "extremes",
            "Low and high scores that people contradict",
            {
                "low, but not bad": [format_percentage_interval(each) for each in low],
                "high, but not good": [format_percentage_interval(each) for each in high],
            },
            order,
            _extremes(findings),
        )
    if findings.decrease is not None:
        yield _by_measure(
            findings,
            "decrease",
            f"Quality that could be lost unseen against {findings.options.chosen}",
            {"decrease": [format_interval(each) for each in findings.decrease.estimates]},
            known_measures(findings.decrease)[::-1],
            "On each topic the largest loss to an output that the measure scores no lower, on "
            "the scale of people; the mean over topics.",
        )
    if findings.oracles is not None:
        yield _oracle_table(findings)


def _detected_table(findings: Findings, order: Sequence[int]) -> Table:
    seen = findings.detected
    assert seen is not None  # noqa: S101 - whoever calls has looked
    counts = seen.found.sum(axis=(1, 2))
    columns = {
        "SIP": [format_interval(each) for each in seen.precision.estimates],
        "SIR": [format_interval(each) for each in seen.recall.estimates],
        "finds": [str(each) for each in counts.tolist()],
    }
    size = len(seen.systems)
    whose = "as published" if findings.is_official else f"by the {findings.options.test} test"
    return _by_measure(
        findings,
        "improvements",
        "Significant improvements that measures see",
        columns,
        order,
        f"Of {size * (size - 1) // 2} pairs of {size} systems people see {int(seen.real.sum())} "
        f"significant improvements ({whose}). Measures: {findings.options.test} test, p at most "
        f"{findings.options.level}, one-sided. In brackets: 95 % interval, bootstrapped over "
        "systems.",
    )


def _oracle_table(findings: Findings) -> Table:
    oracles = findings.oracles
    assert oracles is not None  # noqa: S101 - whoever calls has looked
    bounds = zip(_BOUNDS, oracles.bounds.estimates, oracles.bounds.value.tolist(), strict=True)
    rows = [
        (value, [name, "", format_interval(found)]) for name, found, value in bounds
    ] + [
        (
            float(oracles.chosen.value[each]),
            [
                findings.judged.measures[each],
                measure_kind_of(findings.judged.measures[each]),
                format_interval(oracles.chosen.estimates[each]),
            ],
        )
        for each in known_measures(oracles.chosen)
    ]  # fmt: skip
    rows.sort(key=lambda row: -row[0])
    return Table.of_text(
        "oracle",
        "The oracle system test",
        [["chosen by", "looks at", "quality"], *(cells for _, cells in rows)],
        "The mean score by people of what a measure scores highest, topic by topic; of tied ones "
        "the mean counts.",
        left=2,
    )


def _by_measure(  # noqa: PLR0913, PLR0917 - a table has a name, a title, columns and a note
    findings: Findings,
    key: str,
    title: str,
    columns: dict[str, list[str]],
    order: Sequence[int],
    note: str,
) -> Table:
    names = findings.judged.measures
    rows = [
        [names[each], measure_kind_of(names[each]), *(cells[each] for cells in columns.values())]
        for each in order
    ]
    return Table.of_text(key, title, [["measure", "looks at", *columns], *rows], note, left=2)


def _criterion_suffix(findings: Findings) -> str:
    return f": {findings.judged.criterion}" if findings.judged.criterion else ""


def _rising(values: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(values, kind="stable").tolist()
    return order


def _columns(findings: Findings) -> Iterator[tuple[str, list[str]]]:
    if findings.detected is not None:
        yield "SIP", _twos(findings.detected.precision)
        yield "SIR", _twos(findings.detected.recall)
    if findings.counter is not None:
        yield "low wrong", [format_percentage(each) for each in findings.counter.low.value.tolist()]
        yield (
            "high wrong",
            [format_percentage(each) for each in findings.counter.high.value.tolist()],
        )
    if findings.decrease is not None:
        yield "decrease", _twos(findings.decrease)
    if findings.oracles is not None:
        yield "oracle", _twos(findings.oracles.chosen)


def _twos(samples: BootstrapSamples) -> list[str]:
    return [format_number(each, 2) for each in samples.value.tolist()]


def _explanations(findings: Findings) -> Iterator[str]:
    if findings.detected is not None:
        yield (
            "SIP: improvements that a measure finds and people see too; SIR: improvements that "
            "people see and the measure finds."
        )
    if findings.counter is not None:
        yield "low wrong: low scores of outputs that are not bad; high wrong: the reverse."
    if findings.decrease is not None:
        yield f"decrease: quality lost unseen against {findings.options.chosen}."
    if findings.oracles is not None:
        told = zip(_BOUNDS, findings.oracles.bounds.value.tolist(), strict=True)
        bounds = ", ".join(f"{name} {format_number(value, 2)}" for name, value in told)
        yield f"oracle: quality of what a measure scores highest on each topic ({bounds})."


def _extremes(findings: Findings) -> str:
    at, people = findings.thresholds, findings.judged.human
    low, high = int((people <= at.low).sum()), int((people >= at.high).sum())
    return (
        f"A measure's score is low where the human score at the same rank is {at.low:g} or less, "
        f"and wrong if people give {at.not_low:g} or more; high from {at.high:g} on, and wrong if "
        f"people give {at.not_high:g} or less: {low:,} outputs are low, {high:,} high. The places "
        "are the paper's, on the scale at hand. A dash: there is no such score."
    )


_MOST = 12
"""Measures of a kind in a figure of rows."""


def build_figures(findings: Findings) -> Iterator[Figure]:
    """As figures 3, 4 and 5 and table 4 of the paper."""
    if findings.detected is not None:
        yield _scatter(
            findings,
            ("sip-sir", "Precision of significant improvements against recall"),
            (findings.detected.recall, findings.detected.precision),
            ("SIR", "SIP"),
            best_first(findings)[:2],
            "As figure 3 of the paper. Up and right is better.",
        )
    if findings.counter is not None:
        low, high = findings.counter.low, findings.counter.high
        yield _scatter(
            findings,
            ("low-high", "Wrong low scores against wrong high scores"),
            (high, low),
            ("share of high scores that is wrong", "share of low scores that is wrong"),
            [*known_measures(low)[-1:], *known_measures(high)[-1:]],
            "As figure 4 of the paper. Down and left is better.",
        )
    if findings.decrease is not None:
        yield _dots(
            findings,
            ("decreases", f"Quality that could be lost unseen against {findings.options.chosen}"),
            findings.decrease,
            known_measures(findings.decrease)[::-1],
            "decrease of quality, on the scale of people",
            "As figure 5 of the paper, with 95 % intervals over topics; the lowest of each kind. "
            "Left is better.",
        )
    if findings.oracles is not None:
        yield _dots(
            findings,
            ("oracle-systems", "Quality of what measures score highest"),
            findings.oracles.chosen,
            known_measures(findings.oracles.chosen),
            "score by people",
            "As table 4 of the paper, with 95 % intervals over topics; the highest of each kind. "
            "Right is better.",
        )


def _dots(  # noqa: PLR0913, PLR0917 - a figure has a name, a title, values, an axis and a note
    findings: Findings,
    name: tuple[str, str],
    samples: BootstrapSamples,
    order: Sequence[int],
    axis: str,
    note: str,
) -> Figure:
    """The first few measures of each kind, best first."""
    names, estimates = findings.judged.measures, samples.estimates
    groups = [
        [
            IntervalRow(names[each], estimates[each], marked=kind is MeasureKind.COMBINED)
            for each in order
            if measure_kind_of(names[each]) is kind
        ][:_MOST]
        for kind in MeasureKind
    ]
    shown = [group for group in groups if group]
    key, title = name
    picture = plot_intervals(shown, title, axis) if shown and available() else None
    return Figure(key, title, picture, note)


def _scatter(  # noqa: PLR0913, PLR0917 - a figure has a name, a title, axes, marks and a note
    findings: Findings,
    name: tuple[str, str],
    samples: tuple[BootstrapSamples, BootstrapSamples],
    axes: tuple[str, str],
    marked: Sequence[int],
    note: str,
) -> Figure:
    names = findings.judged.measures
    across, up = (set(known_measures(each)) for each in samples)
    marks = {*marked, findings.combined}
    points = [
        Point(
            names[each],
            float(samples[0].value[each]),
            float(samples[1].value[each]),
            each in marks,
            measure_kind_of(names[each]),
        )
        for each in sorted(across & up)
    ]
    key, title = name
    can = bool(points) and available()
    picture = plot_scatter(points, title, x=axes[0], y=axes[1]) if can else None
    return Figure(key, title, picture, note)


_SUMMARY = (
    "Do measures see where one system significantly improves another (SIP and SIR), can their low "
    "and high scores be trusted, can they be cheated, and what is choosing by them worth? After "
    "Amigó, Giménez, Gonzalo and Verdejo (ACL 2009, section 5). ULC is the mean of all measures."
)
_SECTIONS = {
    "improvements": "Do they see improvements?",
    "extremes": "Can low and high scores be trusted?",
    "decrease": "Can they be cheated?",
    "oracle": "What is choosing by them worth?",
}
_FIGURES = {
    "improvements": "sip-sir",
    "extremes": "low-high",
    "decrease": "decreases",
    "oracle": "oracle-systems",
}


def build_document(study: Result[Findings]) -> Document:
    """Conclusions, then a section for each question that the data answer."""
    findings = study.findings
    figures = {figure.key: figure for figure in build_figures(findings)}
    tables = {table.key: table for table in all_measures_tables(findings)}
    return study.document(
        "What measures see of improvements",
        [_SUMMARY],
        (
            Section(_SECTIONS[key], figures=(figures[_FIGURES[key]],), tables=(table,))
            for key, table in tables.items()
        ),
    )
