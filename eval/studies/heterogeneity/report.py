"""Sets of measures, as tables.

The papers' plots of sets of measures.

The study of heterogeneity as a document.

The study of heterogeneity as JSON knows it (docs/schema/meta-heterogeneity.schema.json).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.meta.heterogeneity.pairs import pairs_of_measures, set_members
from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import Picture, available
from eval.report.figures.lines import GuideLine, Series, plot_trends
from eval.report.figures.points import Point, plot_scatter
from eval.report.tables import Table, measure_cell
from eval.studies.base import Result, by_measure, estimate_data, json_number
from eval.studies.heterogeneity.findings import CriterionReliability, Findings, sizes_of
from eval.studies.heterogeneity.sets import LEVEL_SIZES, FeatureChoice, mean_heterogeneity
from eval.studies.several import known_measures
from weps._formatting import (
    format_interval,
    format_number,
    format_percentage_interval,
    format_signed,
)

__all__ = [
    "HeterogeneityStudy",
    "build_document",
    "build_figures",
    "choices_table",
    "levels_figure",
    "pairs_table",
    "singles_table",
    "sizes_table",
    "study_data",
    "summary_table",
]

Floats = NDArray[np.float64]
_LINES = 3
_FAINT = 20
_SHOWN = 0.02
"""Sensitivity below which reliability leaps about."""


def build_figures(found: CriterionReliability, findings: Findings, prefix: str) -> Iterator[Figure]:
    """Figures 1 to 3 and 5 to 6 of 2011, and figure 1 of the workshop of 2012."""
    yield _added(found, prefix)
    sizes = findings.sets.sum(axis=1)
    heterogeneity = found.random.heterogeneity.value
    yield _sets_figure(
        f"{prefix}-reliability",
        f"Reliability against heterogeneity of random sets: {found.criterion}",
        values=(heterogeneity, found.random.reliability.value),
        sizes=sizes,
        axis="reliability",
        note=f"As figures 2 and 3 of the paper. r = {format_interval(found.reliability_rises)}.",
    )
    yield _sets_figure(
        f"{prefix}-gain",
        f"Reliability gain against heterogeneity: {found.criterion}",
        values=(heterogeneity, found.gains.value),
        sizes=sizes,
        axis="reliability gain",
        note="As figures 5 and 6 of the paper: reliability of a set less the highest of its "
        "members at the threshold of equal sensitivity; not negative for "
        f"{format_percentage_interval(found.gaining)} of the sets.",
    )
    yield _thresholds(found, findings, f"{prefix}-thresholds")
    yield _increase(found, f"{prefix}-increase")


def levels_figure(findings: Findings) -> Iterator[Figure]:
    """Figure 4 of 2011, if the names of measures tell what they know."""
    means = mean_heterogeneity(findings.source, findings.plan.seed)
    if means is None:
        return
    names = ("words alone", "words and language")
    title = "Heterogeneity of measures of words, and with linguistic ones"
    lines = [
        Series(
            name,
            np.array(LEVEL_SIZES[: len(each.value)], dtype=np.float64),
            each.value,
            _band(each.samples),
        )
        for name, each in zip(names, means, strict=True)
    ]
    yield _figure(
        "levels",
        title,
        lambda: plot_trends(lines, title, x="measures in a set", y="heterogeneity"),
        "As figure 4 of the paper: means over random sets. Measures that need parts of speech or "
        "WordNet stand in for linguistic ones.",
    )


def _added(found: CriterionReliability, prefix: str) -> Figure:
    """All pairs of measures by what they gain over the better one."""
    gains = np.sort(found.added.value[~np.isnan(found.added.value)])
    title = f"Additive reliability of all pairs of measures: {found.criterion}"
    shares = np.linspace(0, 1, len(gains)) if len(gains) > 1 else np.zeros(len(gains))
    line = Series("pairs of measures", shares, gains, reference=True)
    return _figure(
        f"{prefix}-additive",
        title,
        lambda: plot_trends(
            [line],
            title,
            x="share of pairs",
            y="R of both − R of the better one",
            guides=[GuideLine("no gain", 0.0)],
        ),
        "As figure 1 of the paper. Not negative for "
        f"{format_percentage_interval(found.additive)} of the pairs.",
    )


def _sets_figure(  # noqa: PLR0913 - a figure and what stands in it
    key: str,
    title: str,
    *,
    values: tuple[Floats, Floats],
    sizes: NDArray[np.int64],
    axis: str,
    note: str,
) -> Figure:
    points = [
        Point(f"set {number + 1}", x, y, family=f"{size} measures")
        for number, (x, y, size) in enumerate(
            zip(*(each.tolist() for each in (*values, sizes)), strict=True)
        )
        if not np.isnan(x + y)
    ]
    return _figure(
        key,
        title,
        lambda: plot_scatter(points, title, x="heterogeneity", y=axis, alike=False),
        note,
    )


def _thresholds(found: CriterionReliability, findings: Findings, key: str) -> Figure:
    """Reliability by sensitivity: measures at rising thresholds, and sets of rising size."""
    title = f"Sets of measures and score thresholds: {found.criterion}"
    order = known_measures(found.single.reliability)
    lines = [
        _of_measure(found, findings, row, at < _LINES) for at, row in enumerate(order[:_FAINT])
    ]
    size_of = findings.sets.sum(axis=1)
    means = [
        (float(np.nanmean(sensitivity[rows])), float(np.nanmean(reliability[rows])))
        for sensitivity, reliability in [
            (
                found.random.sensitivity.value,
                found.random.reliability.value,
            )
        ]
        for rows in (size_of == size for size in sizes_of(findings.sets))
        if not np.isnan(reliability[rows]).all()
    ]
    x, y = np.array(sorted(means)).T
    lines.append(Series("random sets", x, y, reference=True))
    return _figure(
        key,
        title,
        lambda: plot_trends(lines, title, x="sensitivity", y="reliability"),
        "Random sets: means by size, the largest sets at the left. Thin: the measures that are "
        f"most reliable alone, by threshold; up to {_FAINT}, the first {_LINES} with names.",
    )


def _of_measure(found: CriterionReliability, findings: Findings, row: int, named: bool) -> Series:
    curve = found.curve(row)
    kept = curve.recall >= min(_SHOWN, float(curve.recall[-1]))
    label = findings.source.measures[row] if named else ""
    return Series(label, curve.recall[kept], curve.precision[kept])


def _increase(found: CriterionReliability, key: str) -> Figure:
    title = f"Real increases against heterogeneity: {found.criterion}"
    points = [
        Point(f"part {number + 1}", x, y)
        for number, (x, y) in enumerate(
            zip(*(each.tolist() for each in found.increase), strict=True)
        )
    ]
    return _figure(
        key,
        title,
        lambda: plot_scatter(
            points,
            title,
            x="heterogeneity of what confirms",
            y="share that people confirm",
            correlation=f"r = {found.increase_rises.value:.2f}",
            alike=False,
        ),
        "As figure 1 of the workshop paper of 2012: a hundred equal parts of all comparisons. "
        f"r = {format_interval(found.increase_rises)}; with topics drawn anew comparisons repeat, "
        "which lowers it.",
    )


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str) -> Figure:
    return Figure(key, title, draw() if available() else None, note)


def _band(samples: Floats) -> tuple[Floats, Floats] | None:
    if np.isnan(samples).any():
        return None
    low, high = np.percentile(samples, [2.5, 97.5], axis=1)
    return low, high


_FEW = 5


def summary_table(findings: Findings) -> Table:
    """The figures that the conclusions are about, a row for each criterion."""
    rows = [
        [
            each.criterion,
            format_percentage_interval(each.additive),
            format_interval(each.reliability_rises, 2),
            format_percentage_interval(each.gaining),
            format_interval(each.increase_rises, 2),
        ]
        for each in findings.human_agreement
    ]
    heading = ["judged by", "additive", "r of H and R", "gain ≥ 0", "r of increase"]
    note = (
        "Additive: pairs of measures that are together as reliable as either at least. H: how "
        "often\nmeasures of a set contradict one another; R: how often an increase that all of "
        "them confirm is\nreal. Gain: random sets more reliable than thresholds of their members "
        "at equal sensitivity.\nIncrease: H of what confirms an increase against how often it is "
        "real."
    )
    return Table.of_text("summary", "Sets of measures and people", [heading, *rows], note)


def sizes_table(findings: Findings) -> Table:
    """Means over the random sets of each size."""
    size_of = findings.sets.sum(axis=1)
    heading = ["size", "sets", "H"]
    for each in findings.human_agreement:
        told = f" {each.criterion}" if len(findings.human_agreement) > 1 else ""
        heading += [f"R{told}", f"S{told}", f"gain{told}"]
    rows = []
    for size in sizes_of(findings.sets):
        chosen = size_of == size
        cells = [
            str(size),
            str(int(chosen.sum())),
            format_number(findings.heterogeneity[chosen].mean()),
        ]
        for each in findings.human_agreement:
            cells += _means(each, chosen)
        rows.append(cells)
    measures, whole = len(findings.source.measures), format_interval(findings.whole)
    note = f"All {measures} measures together: H {whole}."
    return Table.of_text("sizes", "Random sets by size, means", [heading, *rows], note)


def singles_table(found: CriterionReliability, names: Sequence[str], key: str) -> Table:
    """Reliability and sensitivity of every measure alone."""
    reliability, sensitivity = found.single.reliability, found.single.sensitivity
    rows = [
        [
            names[row],
            format_interval(reliability.estimates[row]),
            format_interval(sensitivity.estimates[row]),
        ]
        for row in known_measures(reliability)
    ]
    title = f"Each measure alone: {found.criterion}"
    note = "Ties count as increases, as in the paper: ≥ on both sides."
    return Table.of_text(key, title, [["measure", "reliability", "sensitivity"], *rows], note)


def pairs_table(findings: Findings, most: int = _FEW, *, brief: bool = True) -> Table:
    """The measures that contradict one another most often, and least often."""
    order = np.argsort(-findings.pairs, kind="stable").tolist()
    chosen = order if len(order) <= 2 * most else [*order[:most], *order[-most:]]
    names = findings.source.measures
    two = set_members(pairs_of_measures(len(names)))
    shown = measure_cell if brief else str
    rows = [
        [*(shown(names[each]) for each in two[row]), format_number(findings.pairs[row])]
        for row in chosen
    ]
    title = "Measures that contradict one another most often, and least often"
    return Table.of_text("pairs", title, [["measure", "measure", "H"], *rows], left=2)


def choices_table(found: Sequence[FeatureChoice]) -> Table:
    """KING's choice and MaxPWA's, side by side."""
    rows = [
        [
            str(size),
            measure_cell(each.by_king),
            measure_cell(each.by_max_pwa),
            format_number(each.king),
            format_number(each.max_pwa_king),
            format_number(each.king_max_pwa),
            format_number(each.max_pwa),
        ]
        for size, each in enumerate(found, start=1)
    ]
    heading = ["", "by KING (1)", "by MaxPWA (2)", "K: 1", "2", "MaxPWA: 1", "2"]
    note = (
        "K: how often a positive passes more others in all features chosen so far than a negative "
        "of\nthe same name does, P(QUEEN > QUEEN); MaxPWA: how often some feature ranks a positive "
        "higher."
    )
    return Table.of_text(
        "choices", "Features chosen one after another", [heading, *rows], note, left=3
    )


def _means(
    found: CriterionReliability, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> list[str]:
    reliability, sensitivity = (
        each.value[chosen] for each in (found.random.reliability, found.random.sensitivity)
    )
    figures = (reliability, sensitivity, found.gains.value[chosen])
    told = zip((format_number, format_number, format_signed), figures, strict=True)
    return [
        tell(float(np.nanmean(each))) if not np.isnan(each).all() else "–" for tell, each in told
    ]


@dataclass(frozen=True)
class HeterogeneityStudy(Result[Findings]):
    """The study, and for labelled instances the features chosen from them."""

    choices: Sequence[FeatureChoice] = ()


def build_document(study: HeterogeneityStudy) -> Document:
    """All tables and figures."""
    return study.document(
        "Heterogeneity of measures",
        [
            "Amigó, Gonzalo, Giménez and Verdejo, Corroborating text evaluation results with "
            "heterogeneous measures (EMNLP 2011); the principle as both papers of 2012 put it. "
            "Heterogeneity of a set of measures, H: how often two of them contradict each other "
            "on two outputs. Reliability, R: how often the output that all of them call at least "
            "as good is so for people. Sensitivity, S: how often all of them see what people see.",
        ],
        _sections(study),
    )


def _sections(study: HeterogeneityStudy) -> Iterator[Section]:
    findings = study.findings
    source = findings.source
    people = [summary_table(findings)] if findings.human_agreement else []
    tables = [*people, sizes_table(findings), pairs_table(findings, 20, brief=False)]
    yield Section("Sets of measures", figures=tuple(levels_figure(findings)), tables=tables)
    for place, each in enumerate(findings.human_agreement, start=1):
        prefix = f"people-{place}"
        yield Section(
            f"Judged by {each.criterion}",
            figures=tuple(build_figures(each, findings, prefix)),
            tables=(singles_table(each, source.measures, prefix),),
        )
    if study.choices:
        yield Section("Which features together", tables=(choices_table(study.choices),))


def study_data(study: HeterogeneityStudy) -> dict[str, Any]:
    """Signature, figures by criterion and set, verdicts, and the features chosen."""
    findings = study.findings
    return study.data(
        heterogeneity=estimate_data(findings.whole),
        sets=_sets_data(findings),
        people={
            each.criterion: _reliability_data(each, findings.source.measures)
            for each in findings.human_agreement
        },
        choices=[asdict(each) for each in study.choices],
    )


def _sets_data(findings: Findings) -> list[dict[str, Any]]:
    """The random sets, each with its heterogeneity and what people make of it."""
    figures = {
        each.criterion: (
            each.random.reliability.value,
            each.random.sensitivity.value,
            each.gains.value,
        )
        for each in findings.human_agreement
    }
    names = findings.source.measures
    return [
        {
            "measures": [name for name, has in zip(names, row, strict=True) if has],
            "heterogeneity": json_number(float(findings.heterogeneity[place])),
            "people": {
                criterion: dict(
                    zip(
                        ("reliability", "sensitivity", "gain"),
                        (json_number(float(each[place])) for each in found),
                        strict=True,
                    )
                )
                for criterion, found in figures.items()
            },
        }
        for place, row in enumerate(findings.sets)
    ]


def _reliability_data(found: CriterionReliability, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "reliability": by_measure(names, found.single.reliability),
        "sensitivity": by_measure(names, found.single.sensitivity),
        "additive": estimate_data(found.additive),
        "heterogeneity_and_reliability": estimate_data(found.reliability_rises),
        "heterogeneity_and_sensitivity": estimate_data(found.sensitivity_rises),
        "gaining": estimate_data(found.gaining),
        "heterogeneity_and_gain": estimate_data(found.gain_rises),
        "increase": estimate_data(found.increase_rises),
    }
