"""Tables, figures, sections and JSON of the study (docs/schema/meta-improvements.schema.json)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np

from weps._formatting import format_number
from weps_eval.report.document import Document, Figure, Section
from weps_eval.report.figures.intervals import IntervalRow
from weps_eval.report.tables import (
    ESTIMATE,
    PERCENT,
    PERCENT_ESTIMATE,
    TWO,
    Column,
    Kind,
    Table,
    as_json,
    by_column,
    name_kind,
)
from weps_eval.stats.estimate import BootstrapSamples, safe_divide
from weps_eval.studies.base import (
    TOPIC_INTERVALS,
    Result,
    draw_intervals,
    draw_scatter,
    interval_note,
)
from weps_eval.studies.improvements.findings import Findings
from weps_eval.studies.several import (
    MeasureKind,
    known_measures,
    leading_measures,
    measure_kind_of,
    measure_points,
)

_FIRST, _DRAWN = 10, 12
"""Measures on the terminal, and of a kind in a figure of rows."""
_BOUNDS = ("by chance", "the worst", "the best")
_SHORT = replace(ESTIMATE, brief=TWO.cell)
"""The interval is for the report."""


class _Question(NamedTuple):
    """One question to all measures that the data can answer."""

    title: str
    table: Table
    """Its rows are numbers of measures; the first two columns describe them."""
    explanation: str
    """Of the columns on the terminal."""
    figure: Callable[[], Figure]


def report_tables(findings: Findings) -> list[Table]:
    """What the terminal shows: the best measures, one table for all questions."""
    questions = _questions(findings)
    order, more = leading_measures(findings.judged, _best_first(findings), _FIRST)
    columns = (column for each in questions for column in each.table.columns[2:])
    criterion = findings.judged.criterion
    return [
        Table(
            "brief",
            "Improvements that measures find, and whether their scores can be trusted"
            + (f": {criterion}" if criterion else ""),
            _measure_columns(findings, *columns),
            order,
            more + " ".join(each.explanation for each in questions),
        ).brief()
    ]


def report_document(result: Result[Findings]) -> Document:
    """Conclusions, then a section for each question that the data answer."""
    return result.document(
        "Improvements that measures find",
        [
            "Do measures find significant improvements of one system over another (SIP, SIR), can "
            "their low and high scores be trusted, can they be cheated, and how good are the "
            "outputs chosen by them? After Amigó, Giménez, Gonzalo and Verdejo (ACL 2009, section "
            "5). ULC is the plain mean of all measures, as in the paper; conclusions are judged by "
            "it. With --ulc, the mean of scaled measures is shown as well."
        ],
        (
            Section(each.title, figures=(each.figure(),), tables=(each.table,))
            for each in _questions(result.findings)
        ),
    )


def report_data(result: Result[Findings]) -> dict[str, Any]:
    """Improvements, extremes, decreases and the oracle system; null where the data lack them."""
    findings = result.findings
    settings, detected, oracles = findings.settings, findings.detected, findings.oracles
    found: dict[str, Any] = dict.fromkeys(("improvements", "extremes", "decrease", "oracle"))
    if detected:
        names = detected.systems
        found["improvements"] = {
            "official": findings.is_official,
            "test": str(settings.test),
            "level": settings.level,
            "systems": list(names),
            "real": [[names[row], names[column]] for row, column in np.argwhere(detected.real)],
        }
    if findings.counter:
        found["extremes"] = {"thresholds": asdict(findings.thresholds)}
    if findings.decrease:
        found["decrease"] = {"chosen": settings.chosen}
    if oracles:
        bounds = zip(("random", "least", "most"), oracles.bounds.estimates, strict=True)
        found["oracle"] = as_json(dict(bounds))
    for each in _questions(findings):
        measures = range(len(findings.judged.measures))
        found[each.table.key] |= by_column(each.table.columns, measures)
    return result.data(criterion=findings.judged.criterion or None, **found)


def _questions(findings: Findings) -> list[_Question]:
    questions = (_improvements, _extremes, _decrease, _oracle)
    return [each for question in questions if (each := question(findings))]


def _improvements(findings: Findings) -> _Question | None:
    detected, order = findings.detected, _best_first(findings)
    if detected is None:
        return None
    precision, recall = detected.precision, detected.recall
    size, test = len(detected.systems), findings.settings.test
    whose = "as published" if findings.is_official else f"by the {test} test"
    table = Table(
        "improvements",
        "Significant improvements that measures find",
        _measure_columns(
            findings,
            Column("SIP", precision.estimates.__getitem__, _SHORT, "sip"),
            Column("SIR", recall.estimates.__getitem__, _SHORT, "sir"),
            Column("finds", detected.found.sum(axis=(1, 2)).__getitem__, Kind(str), only="report"),
        ),
        order,
        f"Of {size * (size - 1) // 2} pairs of {size} systems people find "
        f"{int(detected.real.sum())} significant improvements ({whose}). Measures: {test} test, p "
        f"at most {findings.settings.level}, one-sided. {interval_note('systems')} Topics are "
        "those of the tests.",
    )
    return _Question(
        "Do measures find improvements?",
        table,
        "SIP: share of a measure's improvements that people find too; SIR: share of people's "
        "improvements that the measure finds.",
        lambda: _scatter(
            findings,
            (recall, precision),
            order[:2],
            ("sip-sir", "Precision of significant improvements against recall", "SIR", "SIP"),
            "As figure 3 of the paper. Up and right is better.",
        ),
    )


def _extremes(findings: Findings) -> _Question | None:
    if findings.counter is None:
        return None
    low, high = findings.counter.low, findings.counter.high
    at, people = findings.thresholds, findings.judged.human
    table = Table(
        "extremes",
        "Low and high scores that people contradict",
        _measure_columns(
            findings,
            Column(
                "low, but not bad", low.estimates.__getitem__, PERCENT_ESTIMATE, "low", "report"
            ),
            Column(
                "high, but not good", high.estimates.__getitem__, PERCENT_ESTIMATE, "high", "report"
            ),
            Column("low wrong", low.value.__getitem__, PERCENT, only="terminal"),
            Column("high wrong", high.value.__getitem__, PERCENT, only="terminal"),
        ),
        _best_first(findings),
        f"A measure's score is low where the human score at the same rank is {at.low:g} or less, "
        f"and wrong if people give {at.not_low:g} or more; high from {at.high:g} on, and wrong if "
        f"people give {at.not_high:g} or less: {int((people <= at.low).sum()):,} outputs are low, "
        f"{int((people >= at.high).sum()):,} high. The limits are the paper's, on the present "
        f"scale. A dash: there is no such score. {TOPIC_INTERVALS}",
    )
    shares = "share of high scores that is wrong", "share of low scores that is wrong"
    return _Question(
        "Can low and high scores be trusted?",
        table,
        "low wrong: low scores of outputs that are not bad; high wrong: the reverse.",
        lambda: _scatter(
            findings,
            (high, low),
            [*known_measures(low)[-1:], *known_measures(high)[-1:]],
            ("low-high", "Wrong low scores against wrong high scores", *shares),
            "As figure 4 of the paper. Down and left is better.",
        ),
    )


def _decrease(findings: Findings) -> _Question | None:
    decrease, chosen = findings.decrease, findings.settings.chosen
    if decrease is None:
        return None
    title = f"Loss of quality against {chosen} that measures do not see"
    order = known_measures(decrease)
    order.reverse()
    table = Table(
        "decrease",
        title,
        _measure_columns(
            findings, Column("decrease", decrease.estimates.__getitem__, _SHORT, "measures")
        ),
        order,
        "The largest loss of a topic's outputs that the measure scores no lower, on the scale of "
        f"human scores, as a mean over topics. {TOPIC_INTERVALS}",
    )
    return _Question(
        "Can they be cheated?",
        table,
        f"decrease: loss of quality against {chosen} that the measure does not see.",
        lambda: _dots(
            findings,
            decrease,
            order,
            ("decreases", title, "decrease of quality, on the scale of people"),
            "As figure 5 of the paper, with 95 % intervals over topics; the lowest of each kind. "
            "Left is better.",
        ),
    )


def _oracle(findings: Findings) -> _Question | None:
    if findings.oracles is None:
        return None
    chosen, bounds = findings.oracles.chosen, findings.oracles.bounds
    measures, order = findings.judged.measures, known_measures(chosen)
    names, estimates = (*measures, *_BOUNDS), (*chosen.estimates, *bounds.estimates)
    size = len(measures)
    columns: list[Column[int]] = [
        Column("chosen by", names.__getitem__),
        Column("looks at", lambda each: measure_kind_of(names[each]) if each < size else ""),
        Column("quality", estimates.__getitem__, ESTIMATE, "measures", "report"),
        Column("oracle", estimates.__getitem__, TWO, only="terminal"),
    ]
    table = Table(
        "oracle",
        "The oracle system test",
        columns,
        sorted([*range(size, len(names)), *order], key=lambda row: -estimates[row].value),
        "The mean human score of the output that a measure scores highest on each topic; if "
        f"several tie, their mean counts. {TOPIC_INTERVALS}",
    )
    ends = ", ".join(
        f"{name} {format_number(value, 2)}"
        for name, value in zip(_BOUNDS, bounds.value.tolist(), strict=True)
    )
    return _Question(
        "How good are the outputs chosen by measures?",
        table,
        f"oracle: quality of the output that a measure scores highest on each topic ({ends}).",
        lambda: _dots(
            findings,
            chosen,
            order,
            ("oracle-systems", "Quality of what measures score highest", "score by people"),
            "As table 4 of the paper, with 95 % intervals over topics; the highest of each kind. "
            "Right is better.",
        ),
    )


def _measure_columns(findings: Findings, *columns: Column[int]) -> list[Column[int]]:
    """The columns after a measure's name and kind."""
    names = findings.judged.measures
    return [
        Column("measure", names.__getitem__, name_kind()),
        Column("looks at", lambda each: measure_kind_of(names[each]), only="report"),
        *columns,
    ]


def _best_first(findings: Findings) -> list[int]:
    """Measures, best first: by the harmonic mean of SIP and SIR, else by the oracle system."""
    quality = np.zeros(len(findings.judged.measures))
    if findings.detected is not None and findings.detected.real.any():
        precision, recall = findings.detected.precision.value, findings.detected.recall.value
        quality = np.nan_to_num(safe_divide(2 * precision * recall, precision + recall))
    elif findings.oracles is not None:
        quality = findings.oracles.chosen.value
    order: list[int] = np.argsort(-quality, kind="stable").tolist()
    return order


def _scatter(
    findings: Findings,
    samples: tuple[BootstrapSamples, BootstrapSamples],
    marked: Sequence[int],
    titles: tuple[str, str, str, str],
    note: str,
) -> Figure:
    """One figure of each measure against another; ``titles``: key, title and axes."""
    judged, (key, title, x, y) = findings.judged, titles
    points = measure_points(judged.measures, *samples, {*marked, *judged.combinations})
    return draw_scatter(key, title, points, (x, y), note, alike=True)


def _dots(
    findings: Findings,
    samples: BootstrapSamples,
    order: Sequence[int],
    titles: tuple[str, str, str],
    note: str,
) -> Figure:
    """The first few measures of each kind, best first; ``titles``: key, title and axis."""
    names, estimates = findings.judged.measures, samples.estimates
    groups = [
        [
            IntervalRow(names[each], estimates[each], marked=kind is MeasureKind.COMBINED)
            for each in order
            if measure_kind_of(names[each]) is kind
        ][:_DRAWN]
        for kind in MeasureKind
    ]
    key, title, axis = titles
    return draw_intervals(key, title, [group for group in groups if group], axis, note)
