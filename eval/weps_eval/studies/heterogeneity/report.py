"""Tables, figures, sections and JSON of the study (docs/schema/meta-heterogeneity.schema.json)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from weps._formatting import format_interval, format_percentage_interval
from weps_eval.meta.reliability import threshold_curve
from weps_eval.report.document import Document, Figure
from weps_eval.report.figures.lines import GuideLine, Series
from weps_eval.report.figures.points import Point
from weps_eval.report.tables import (
    ESTIMATE,
    PERCENT_ESTIMATE,
    SHARE,
    SIGNED,
    TEXT,
    Column,
    Kind,
    Table,
    as_json,
    measure_cell,
    name_kind,
)
from weps_eval.stats.arrays import Flags, Floats
from weps_eval.studies.base import (
    Result,
    by_measure,
    draw_scatter,
    draw_trends,
    interval_band,
    interval_note,
    section_of,
)
from weps_eval.studies.heterogeneity.findings import (
    LEVEL_SIZES,
    CriterionReliability,
    FeatureChoice,
    Findings,
)
from weps_eval.studies.several import known_mean, known_measures

_SizeRow: TypeAlias = tuple[int, Flags]
"""A size, and which of the random sets have it."""

_BRIEF, _MOST = 5, 20
"""Pairs of measures from either end, on the terminal and in the report."""
_NAMED, _DRAWN = 3, 20
"""Measures whose thresholds are drawn, with names and in all."""
_SHOWN = 0.02
"""Sensitivity below which reliability leaps about."""
_COUNT = Kind(str)
_RISES = [f"heterogeneity_and_{each}" for each in ("reliability", "sensitivity", "gain")]


def report_tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield _summary_table(findings)
    if len(findings.human_agreement) < 2:
        yield _sizes_table(findings)
    yield _pairs_table(findings, _BRIEF).brief()
    yield _choices_table(findings)


def report_document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    pairs = _pairs_table(findings, _MOST)
    return result.document(
        "Heterogeneity of measures",
        [
            "Amigó, Gonzalo, Giménez and Verdejo, Corroborating text evaluation results with "
            "heterogeneous measures (EMNLP 2011), and the principle of both papers of 2012. "
            "Heterogeneity of a set of measures, H: how often two of them contradict each other "
            "about two outputs. Reliability, R: how often an output that all of them score at "
            "least as high is at least as good for people. Sensitivity, S: how often all of them "
            "confirm what people find.",
        ],
        [
            section_of(
                "Sets of measures",
                [_summary_table(findings), _sizes_table(findings), pairs],
                _levels_figures(findings),
            ),
            *(
                section_of(
                    f"Judged by {each.criterion}",
                    [_singles_table(each, findings.source.measures, f"people-{number}")],
                    _figures(each, findings, f"people-{number}"),
                )
                for number, each in enumerate(findings.human_agreement, start=1)
            ),
            section_of("Which features to combine", [_choices_table(findings)], []),
        ],
    )


def report_data(result: Result[Findings]) -> dict[str, Any]:
    """Figures by criterion and set, and the features chosen."""
    findings = result.findings
    return result.data(
        equal=findings.source.equal,
        equal_pairs=findings.source.equal_pairs,
        heterogeneity=as_json(findings.whole),
        sets=as_json([_set_data(findings, number) for number in range(len(findings.sets))]),
        people=_summary_table(findings).as_names,
        choices=as_json([asdict(each) for each in findings.choices]),
    )


def _set_data(findings: Findings, number: int) -> dict[str, Any]:
    members = np.flatnonzero(findings.sets[number])
    return {
        "measures": [findings.source.measures[each] for each in members],
        "heterogeneity": findings.heterogeneity[number],
        "people": {
            each.criterion: {
                "reliability": each.random.reliability.value[number],
                "sensitivity": each.random.sensitivity.value[number],
                "gain": each.gains.value[number],
            }
            for each in findings.human_agreement
        },
    }


def _summary_table(findings: Findings) -> Table:
    """The figures that the conclusions are about; no rows without human scores."""
    names = findings.source.measures
    shown: tuple[tuple[str, str, Callable[[CriterionReliability], Any]], ...] = (
        ("", "reliability", lambda each: by_measure(names, each.single.reliability)),
        ("", "sensitivity", lambda each: by_measure(names, each.single.sensitivity)),
        ("additive", "additive", lambda each: each.additive),
        ("r of H and R", _RISES[0], lambda each: each.correlation(each.random.reliability)),
        ("", _RISES[1], lambda each: each.correlation(each.random.sensitivity)),
        ("gain ≥ 0", "gaining", lambda each: each.gaining),
        ("", _RISES[2], lambda each: each.correlation(each.gains)),
        ("r of increase", "increase", lambda each: each.increase_correlation),
    )
    columns: list[Column[CriterionReliability]] = [Column("judged by", lambda each: each.criterion)]
    for header, key, value in shown:
        kind = ESTIMATE if header.startswith("r of") else PERCENT_ESTIMATE
        columns.append(Column(header, value, kind, key, "" if header else "json"))
    return Table(
        "summary",
        "Sets of measures and people",
        columns,
        findings.human_agreement,
        "Additive: pairs of measures that are together at least as reliable as either. H: how "
        "often\nmeasures of a set contradict one another; R: how often an increase that all of "
        "them confirm is\nreal. Gain: random sets more reliable than thresholds of their members "
        "at equal sensitivity.\nIncrease: H of the measures that confirm an increase against how "
        f"often it is real. {interval_note(findings.source.called[1])}",
    )


def _sizes_table(findings: Findings) -> Table:

    def mean_of(values: Floats) -> Callable[[_SizeRow], float]:
        return lambda row: known_mean(values[row[1]])

    columns: list[Column[_SizeRow]] = [
        Column("size", itemgetter(0), _COUNT),
        Column("sets", lambda row: row[1].sum(), _COUNT),
        Column("H", mean_of(findings.heterogeneity), SHARE),
    ]
    for each in findings.human_agreement:
        judge = f" {each.criterion}" if len(findings.human_agreement) > 1 else ""
        columns += [
            Column(f"R{judge}", mean_of(each.random.reliability.value), SHARE),
            Column(f"S{judge}", mean_of(each.random.sensitivity.value), SHARE),
            Column(f"gain{judge}", mean_of(each.gains.value), SIGNED),
        ]
    whole = format_interval(findings.whole)
    note = f"All {len(findings.source.measures)} measures together: H {whole}."
    rows = list(findings.sizes.items())
    return Table("sizes", "Random sets by size, means", columns, rows, note)


def _pairs_table(findings: Findings, most: int) -> Table:
    names = findings.source.measures
    first, second = np.triu_indices(len(names), 1)
    columns: list[Column[int]] = [
        Column("measure", lambda pair: names[first[pair]], name_kind()),
        Column("measure", lambda pair: names[second[pair]], name_kind()),
        Column("H", findings.pairs.__getitem__, SHARE),
    ]
    order = np.argsort(-findings.pairs, kind="stable").tolist()
    rows = order if len(order) <= 2 * most else [*order[:most], *order[-most:]]
    title = "Measures that contradict one another most often, and least often"
    return Table("pairs", title, columns, rows)


def _singles_table(found: CriterionReliability, names: tuple[str, ...], key: str) -> Table:
    reliability, sensitivity = found.single.reliability, found.single.sensitivity
    columns: list[Column[int]] = [
        Column("measure", names.__getitem__, TEXT),
        Column("reliability", reliability.estimates.__getitem__, ESTIMATE),
        Column("sensitivity", sensitivity.estimates.__getitem__, ESTIMATE),
    ]
    title = f"Each measure alone: {found.criterion}"
    note = "Ties count as increases, as in the paper: ≥ on both sides."
    return Table(key, title, columns, known_measures(reliability), note)


def _choices_table(findings: Findings) -> Table:
    """KING's choice and MaxPWA's, side by side; no rows if nothing was chosen."""

    def figure(header: str, part: str, kind: Kind = SHARE) -> Column[tuple[int, FeatureChoice]]:
        return Column(header, lambda row: getattr(row[1], part), kind)

    cut_name = Kind(measure_cell, left=True)
    columns: list[Column[tuple[int, FeatureChoice]]] = [
        Column("", itemgetter(0), _COUNT),
        figure("by KING (1)", "by_king", cut_name),
        figure("by MaxPWA (2)", "by_max_pwa", cut_name),
        figure("K: 1", "king"),
        figure("2", "max_pwa_king"),
        figure("MaxPWA: 1", "king_max_pwa"),
        figure("2", "max_pwa"),
    ]
    note = (
        "K: how often a positive is ahead of more others in all features chosen so far than a "
        "negative of\nthe same name is, P(QUEEN > QUEEN); MaxPWA: how often some feature ranks a "
        "positive higher."
    )
    rows = list(enumerate(findings.choices, start=1))
    return Table("choices", "Features chosen one after another", columns, rows, note)


def _levels_figures(findings: Findings) -> Iterator[Figure]:
    """Figure 4 of 2011, if the kinds of the measures are known."""
    if findings.levels is None:
        return
    sizes, labels = np.array(LEVEL_SIZES, dtype=np.float64), ("words alone", "words and language")
    yield draw_trends(
        "levels",
        "Heterogeneity of measures of words, and with linguistic ones",
        [
            Series(label, sizes[: len(each.value)], each.value, interval_band(each.samples))
            for label, each in zip(labels, findings.levels, strict=True)
        ],
        ("measures in a set", "heterogeneity"),
        "As figure 4 of the paper: means over random sets. Linguistic are measures of parts of "
        "speech, syntax and named entities.",
    )


def _figures(found: CriterionReliability, findings: Findings, prefix: str) -> Iterator[Figure]:
    """Figures 1 to 3 and 5 to 6 of 2011, and figure 1 of the workshop of 2012."""
    yield _additive_figure(found, f"{prefix}-additive")
    reliability = found.random.reliability
    yield _sets_figure(
        found,
        (f"{prefix}-reliability", "Reliability against heterogeneity of random sets"),
        reliability.value,
        "reliability",
        f"As figures 2 and 3 of the paper. r = {format_interval(found.correlation(reliability))}.",
    )
    yield _sets_figure(
        found,
        (f"{prefix}-gain", "Reliability gain against heterogeneity"),
        found.gains.value,
        "reliability gain",
        "As figures 5 and 6 of the paper: reliability of a set less the highest of its members at "
        "the threshold of equal sensitivity; not negative for "
        f"{format_percentage_interval(found.gaining)} of the sets.",
    )
    yield _thresholds_figure(found, findings, f"{prefix}-thresholds")
    yield _increase_figure(found, f"{prefix}-increase")


def _additive_figure(found: CriterionReliability, key: str) -> Figure:
    """All pairs of measures by what they gain over the better one."""
    gains = np.sort(found.added.value[~np.isnan(found.added.value)])
    shares = np.linspace(0, 1, len(gains)) if len(gains) > 1 else np.zeros(len(gains))
    return draw_trends(
        key,
        f"Additive reliability of all pairs of measures: {found.criterion}",
        [Series("pairs of measures", shares, gains, reference=True)],
        ("share of pairs", "R of both − R of the better one"),
        "As figure 1 of the paper. Not negative for "
        f"{format_percentage_interval(found.additive)} of the pairs.",
        [GuideLine("no gain", 0)],
    )


def _sets_figure(
    found: CriterionReliability, names: tuple[str, str], figures: Floats, axis: str, note: str
) -> Figure:
    key, title = names
    values = (found.random.heterogeneity.value, figures, found.sets.sum(axis=1))
    points = [
        Point(f"set {number}", x, y, family=f"{size:.0f} measures")
        for number, (x, y, size) in enumerate(np.column_stack(values).tolist(), start=1)
        if not np.isnan(y)
    ]
    axes = ("heterogeneity", axis)
    return draw_scatter(key, f"{title}: {found.criterion}", points, axes, note)


def _thresholds_figure(found: CriterionReliability, findings: Findings, key: str) -> Figure:
    """Reliability by sensitivity: measures at rising thresholds, and sets of rising size."""
    judged, lines = found.judged, []
    for number, row in enumerate(known_measures(found.single.reliability)[:_DRAWN]):
        curve = threshold_curve(judged.values[row], judged.quality, found.pairs)
        kept = curve.recall >= min(_SHOWN, float(curve.recall[-1]))
        label = findings.source.measures[row] if number < _NAMED else ""
        lines.append(Series(label, curve.recall[kept], curve.precision[kept]))
    sensitivity, reliability = found.random.sensitivity.value, found.random.reliability.value
    means = [
        (known_mean(sensitivity[rows]), known_mean(reliability[rows]))
        for rows in findings.sizes.values()
        if not np.isnan(reliability[rows]).all()
    ]
    x, y = np.array(sorted(means)).T
    lines.append(Series("random sets", x, y, reference=True))
    return draw_trends(
        key,
        f"Sets of measures and score thresholds: {found.criterion}",
        lines,
        ("sensitivity", "reliability"),
        "Random sets: means by size, the largest sets at the left. Thin: the measures that are "
        f"most reliable alone, by threshold; up to {_DRAWN}, the first {_NAMED} with names.",
    )


def _increase_figure(found: CriterionReliability, key: str) -> Figure:
    rows = zip(*(each.tolist() for each in found.increase), strict=True)
    points = [Point(f"part {number}", *values) for number, values in enumerate(rows, start=1)]
    return draw_scatter(
        key,
        f"Real increases against heterogeneity: {found.criterion}",
        points,
        ("heterogeneity of what confirms", "share that people confirm"),
        "As figure 1 of the workshop paper of 2012: a hundred equal parts of all comparisons. "
        f"r = {format_interval(found.increase_correlation)}; in resamples of topics comparisons "
        "repeat, which lowers it.",
        f"r = {found.increase_correlation.value:.2f}",
    )
