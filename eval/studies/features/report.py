"""Figures, sections and documents: tables and figures 1 to 7 of the paper, and more."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import isnan
from typing import NamedTuple

from eval.report.claims import claims_table
from eval.report.document import Document, Figure, Picture, Quote, Section
from eval.report.figures.intervals import (
    IntervalPair,
    IntervalRow,
    plot_paired_intervals,
    plot_steps,
)
from eval.report.figures.lines import Series, plot_curves
from eval.report.figures.points import Point, plot_scatter
from eval.report.figures.shares import ShareBar, plot_shares
from eval.report.tables import Table
from eval.studies.base import Result, draw_figure
from eval.studies.features import claims, tables
from eval.studies.features.findings import Findings
from weps._formatting import format_interval, format_percentage
from weps.features.registry import Feature, all_features

__all__ = [
    "PANELS",
    "Panel",
    "conclusions_table",
    "correlation_figure",
    "curves_figure",
    "document",
    "redundancy_figure",
    "sets_figure",
    "steps_figure",
]

_SETS = ("all", "non-linguistic", "tokens")
"""The combinations of figure 7."""
_SHOWN = 8
"""Curves in one figure, beside the base."""


class Panel(NamedTuple):
    """One figure of curves, and the section that it stands in."""

    key: str
    section: str
    title: str
    holds: Callable[[Feature], bool]
    """Whether it shows the curve of the feature."""
    quotes: tuple[Quote, ...]
    note: str = ""


PANELS = (
    Panel(
        "figure-1",
        "Words",
        "Words: page, near the name, title, snippet, address",
        lambda each: each.family in {"token", "lemma"},
        (claims.WORDS,),
    ),
    Panel(
        "figure-2",
        "N-grams and noun phrases",
        "Word n-grams and noun phrases",
        lambda each: each.function in {"ngram", "phrase"} and not each.parameters["local"],
        (claims.NGRAMS,),
    ),
    Panel(
        "figure-3",
        "Named entities",
        "Named entities of three types, and capitalised runs",
        lambda each: each.function in {"entity", "capitalised"},
        (claims.ENTITIES,),
    ),
    Panel(
        "figure-4",
        "Fine-grained entities",
        "Fine-grained entities and capitalised runs, whole page",
        lambda each: (
            each.function in {"fine_entity", "capitalised"} and not each.parameters["local"]
        ),
        (claims.FINE_ENTITIES,),
    ),
    Panel(
        "gazetteers-and-links",
        "Gazetteers and links",
        "Gazetteers, addresses and links",
        lambda each: each.family in {"gazetteer", "link"} and not each.parameters.get("local"),
        (),
        "Not in the paper, which gives them no analysis of their own.",
    ),
)
"""Which curves stand together: figures 1 to 4 of the paper, and what it leaves out."""


def document(result: Result[Findings]) -> Document:
    """The study as a document."""
    if result.findings.comparison:
        return Document(
            "Which evidence tells people apart",
            [
                "The feature study of Artiles, Amigó and Gonzalo, The role of named entities in "
                "Web People Search (EMNLP 2009), on the pages at hand: every pair of pages of a "
                "name is an instance, coreferent or not, and features are judged by how they rank "
                "them.",
                *result.remarks,
            ],
            list(_sections_of_corpora(result)),
            result.signature,
            result.made,
        )
    return Document(
        f"Which measures tell the instances of {result.title} apart",
        [
            "Every measure is judged by how it ranks positive instances above negative ones "
            "(PWA, MaxPWA and redundancy: Artiles, Amigó and Gonzalo, EMNLP 2009, section 4).",
            *result.remarks,
        ],
        list(_sections_of_table(result.findings)),
        result.signature,
        result.made,
    )


def conclusions_table(result: Result[Findings]) -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    return claims_table(
        result.judged,
        "conclusions",
        "The paper's conclusions",
        "In brackets: 95 % interval, bootstrapped over names. Undecided: the interval leaves it "
        "open.",
    )


def _sections_of_corpora(result: Result[Findings]) -> Iterator[Section]:
    findings, group = result.findings, "name"
    base, bounds = findings.plan.base, len(findings.bounds)
    studied = [each for each in all_features() if str(each) in findings.rankings]
    words = [verdict.word for _, verdict in result.judged]
    counted = ", ".join(f"{word} {words.count(word)}" for word in dict.fromkeys(words))
    yield Section(
        "What holds here",
        (f"Of the paper's conclusions {len(words)} are tested here: {counted}.",),
        tables=(conclusions_table(result),),
    )
    yield Section("The pairs", tables=(tables.pairs_table(findings),))
    for panel in PANELS:
        chosen = [str(each) for each in studied if panel.holds(each) or str(each) == base]
        if len(chosen) > 1:
            figure = curves_figure(findings, panel.key, panel.title, chosen, panel.note)
            yield Section(panel.section, figures=figure, quotes=panel.quotes)
    every = (tables.rankings_table(findings, group), tables.precision_table(findings))
    yield Section("Every feature by itself", tables=every)
    yield from _similarities(findings)
    if len(findings.rankings) > 1:
        families = {str(each): each.family for each in studied}
        figure = redundancy_figure(findings, "figure-5", families, claims.LITTLE)
        share = f"{base} ranks {format_percentage(findings.ranked_by_base)} of all pairs of pairs."
        table = tables.redundancy_table(findings, group)
        yield Section("Redundancy", (share,), figure, (table,), (claims.REDUNDANCY,))
    correlated = "MaxPWA and the PWA of trees correlate"
    yield Section(
        "Features together",
        (f"Over {bounds} combinations, {correlated} {_correlations(findings)}",),
        (*correlation_figure(findings, "figure-6", _SETS), *sets_figure(findings)),
        (tables.sets_table(findings, _SETS), tables.bounds_table(findings, group)),
        claims.BOUNDS,
    )
    yield _choice(findings, "greedy-search")
    yield Section(
        "Name by name",
        (
            "Only pairs of the same name are compared here, which one tree has judged in each "
            "division.",
        ),
        tables=(tables.groups_table(findings, group),),
    )


def _sections_of_table(findings: Findings) -> Iterator[Section]:
    base, group = findings.plan.base, "group"
    best = [each.measure for each in findings.ordered if each.measure != base]
    yield Section(
        "Each measure by itself",
        figures=curves_figure(findings, "curves", "Precision and recall", [base, *best[:_SHOWN]]),
        tables=(
            tables.instances_table(findings),
            tables.rankings_table(findings, group),
            tables.precision_table(findings),
        ),
    )
    if best:
        share = format_percentage(findings.ranked_by_base)
        measures = dict.fromkeys(findings.rankings, "")
        yield Section(
            "Redundancy",
            (f"{base} ranks {share} of all pairs of instances.",),
            redundancy_figure(findings, "redundancy-bars", measures, None),
            (tables.redundancy_table(findings, group),),
        )
    else:
        yield Section("Redundancy", ("There is one measure only.",))
    correlated = "MaxPWA and the PWA of decision trees, cross-validated, correlate"
    yield Section(
        "Measures together",
        (f"Over {len(findings.bounds)} combinations, {correlated} {_correlations(findings)}",),
        correlation_figure(findings, "bound-and-trees", ["all"]),
        (tables.bounds_table(findings, group),),
    )
    yield _choice(findings, "search-steps")
    if len(findings.tested.groups) > 1:
        yield Section(
            "Group by group",
            (
                "Only instances of the same group are compared here, which one tree has judged in "
                "each division.",
            ),
            tables=(tables.groups_table(findings, group),),
        )


def _similarities(findings: Findings) -> Iterator[Section]:
    found = findings.comparison
    if found is None or not found.features:
        return
    first, *others = found.measures
    means = [
        f"{first} − {other}, mean over features: "
        f"{format_interval(found.ahead(first, other), signed=True)}; "
        f"{first} is better for {found.count_higher(first, other)} of {len(found.features)}."
        for other in others
    ]
    table = tables.similarities_table(found)
    yield Section("Dice, cosine, overlap", means, tables=(table,), quotes=(claims.MEASURES,))


def _correlations(findings: Findings) -> str:
    return (
        f"with Pearson's r = {format_interval(findings.pearson)}, "
        f"Spearman's ρ = {format_interval(findings.spearman)}; "
        f"over those whose MaxPWA is not below that of {findings.plan.base}, "
        f"with r = {format_interval(findings.among_better)}."
    )


def _choice(findings: Findings, key: str) -> Section:
    shown = (tables.additions_table(findings.search), tables.gains_table(findings.search))
    return Section("Which to choose", figures=steps_figure(findings, key), tables=shown)


def curves_figure(
    findings: Findings, key: str, title: str, measures: Sequence[str], note: str = ""
) -> tuple[Figure, ...]:
    """Precision/recall curves of some measures; the base is drawn as the reference."""
    base = findings.plan.base
    curves = {name: findings.rankings[name].curve for name in measures}
    lines = [
        Series(name, curve.recall, curve.precision, reference=name == base)
        for name, curve in curves.items()
        if len(curve.recall)
    ]
    return _figure(key, title, lines, lambda: plot_curves(lines, title), note)


def redundancy_figure(
    findings: Findings, key: str, headings: Mapping[str, str], limit: float | None
) -> tuple[Figure, ...]:
    """What each measure says of the pairs that the base ranks, under its heading.

    Args:
        findings: of the study.
        key: of the figure.
        headings: measure → the heading that it stands under, in the order of the bars.
        limit: drawn as a line at that share of pairs ranked the other way.
    """
    base, title = findings.plan.base, f"Redundancy with {findings.plan.base}"
    rankings = ((findings.rankings[name], heading) for name, heading in headings.items())
    bars = [
        ShareBar(
            each.measure,
            each.redundant.value,
            each.non_redundant.value,
            each.non_informative.value,
            heading,
        )
        for each, heading in rankings
        if each.measure != base
    ]
    return _figure(key, title, bars, lambda: plot_shares(bars, title, limit))


def correlation_figure(findings: Findings, key: str, marked: Collection[str]) -> tuple[Figure, ...]:
    """MaxPWA of every combination against the trees' PWA."""
    points = [
        Point(
            each.combination.name,
            each.max_pwa.pooled,
            each.tree_pwa.pooled,
            each.combination.name in marked,
            each.combination.kind,
        )
        for each in findings.bounds
        if not isnan(each.max_pwa.pooled + each.tree_pwa.pooled)
    ]
    title, y = "MaxPWA and trees", "PWA of decision trees"
    remark = f"Pearson's r = {format_interval(findings.pearson)}"
    return _figure(
        key,
        title,
        points,
        lambda: plot_scatter(points, title, x="MaxPWA", y=y, correlation=remark),
    )


def sets_figure(findings: Findings) -> tuple[Figure, ...]:
    """MaxPWA and the trees' PWA of the feature sets, side by side."""
    rows = [
        IntervalPair(name, findings.estimate(found.max_pwa), findings.estimate(found.tree_pwa))
        for name in _SETS
        if (found := findings.bound_of(name)) and not isnan(found.tree_pwa.pooled)
    ]
    title, compared = "All, non-linguistic, tokens", ("MaxPWA", "decision tree")
    return _figure(
        "figure-7",
        title,
        rows,
        lambda: plot_paired_intervals(rows, title, compared, "pairwise accuracy"),
    )


def steps_figure(findings: Findings, key: str) -> tuple[Figure, ...]:
    """Greedy search, step by step."""
    title = "Greedy search by MaxPWA"
    path = [IntervalRow(each.measure, each.max_pwa) for each in findings.search.additions]
    return _figure(key, title, path, lambda: plot_steps(path, title, "MaxPWA"))


def _figure(
    key: str, title: str, shown: Sequence[object], draw: Callable[[], Picture], note: str = ""
) -> tuple[Figure, ...]:
    """The figure; none if there is nothing to be shown in it."""
    return (draw_figure(key, title, draw, note),) if shown else ()
