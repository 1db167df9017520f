"""The study of WePS corpora as a document: Table 1 and figures 1 to 7 of the paper, and more.

The figures of a study: none of what is not there, and no pictures without matplotlib.

The study of anyone's table of measures as a document.

What a reader of the study must know to take its bounds for what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from eval.report.claims import JudgedClaim, claims_table
from eval.report.document import Document, Figure, Section
from eval.report.figures.canvas import Picture, available
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
from eval.stats.estimate import estimate_share
from eval.studies.features import claims, tables
from eval.studies.features.findings import Findings
from eval.studies.features.rankings import SimilarityComparison
from eval.studies.features.tables import PANELS
from eval.tables.instances import Instances
from weps._formatting import format_count, format_interval, format_percentage
from weps.features.registry import all_features

__all__ = [
    "BOUND_REMARK",
    "CorpusStudy",
    "TableStudy",
    "additions_figure",
    "corpus_document",
    "correlation_figure",
    "curves_figure",
    "pairs_figure",
    "redundancy_figure",
    "table_document",
]


def curves_figure(
    findings: Findings, key: str, title: str, measures: Sequence[str], note: str = ""
) -> tuple[Figure, ...]:
    """Precision/recall curves of some measures; the base is drawn as the reference."""
    base = findings.plan.base
    found = {name: findings.rankings[name].curve for name in measures}
    lines = [
        Series(name, curve.recall, curve.precision, reference=name == base)
        for name, curve in found.items()
        if len(curve.recall)
    ]
    return _figure(key, title, lines, lambda: plot_curves(lines, title), note)


def redundancy_figure(
    findings: Findings, key: str, title: str, headings: Mapping[str, str], limit: float | None
) -> tuple[Figure, ...]:
    """What each measure says of the pairs that the base ranks, under its heading.

    Args:
        findings: of the study.
        key: of the figure.
        title: of the figure.
        headings: measure → the heading that it stands under, in the order of the bars.
        limit: drawn as a line at that share of pairs ranked the other way.
    """
    rankings = findings.rankings
    bars = [
        ShareBar(
            name,
            rankings[name].redundant.value,
            rankings[name].non_redundant.value,
            rankings[name].non_informative.value,
            heading,
        )
        for name, heading in headings.items()
        if name != findings.plan.base
    ]
    return _figure(key, title, bars, lambda: plot_shares(bars, title, limit))


def correlation_figure(
    findings: Findings, key: str, title: str, marked: Collection[str], note: str = ""
) -> tuple[Figure, ...]:
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
    told = f"Pearson's r = {format_interval(findings.pearson)}"
    return _figure(
        key,
        title,
        points,
        lambda: plot_scatter(
            points, title, x="MaxPWA", y="PWA of decision trees", correlation=told
        ),
        note,
    )


def pairs_figure(
    findings: Findings, key: str, title: str, names: Sequence[str]
) -> tuple[Figure, ...]:
    """MaxPWA and the trees' PWA of a few combinations, side by side."""
    seed = findings.plan.seed
    rows = [
        IntervalPair(
            name,
            estimate_share(found.max_pwa, seed=seed),
            estimate_share(found.tree_pwa, seed=seed),
        )
        for name in names
        if (found := findings.bound_of(name)) and not isnan(found.tree_pwa.pooled)
    ]
    compared = ("MaxPWA", "decision tree")
    return _figure(
        key, title, rows, lambda: plot_paired_intervals(rows, title, compared, "pairwise accuracy")
    )


def additions_figure(findings: Findings, key: str, title: str) -> tuple[Figure, ...]:
    """Greedy search, step by step."""
    path = [IntervalRow(each.measure, each.max_pwa) for each in findings.search.additions]
    return _figure(key, title, path, lambda: plot_steps(path, title, "MaxPWA"))


def _figure(
    key: str, title: str, shown: Sequence[object], draw: Callable[[], Picture], note: str = ""
) -> tuple[Figure, ...]:
    """The figure; none if there is nothing to be shown in it."""
    return (Figure(key, title, draw() if available() else None, note),) if shown else ()


_LIMIT = 0.2
_SETS = ("all", "non-linguistic", "tokens")
_NAMES = "name"


@dataclass(frozen=True, slots=True, eq=False)
class CorpusStudy:
    """What was studied, and what was found."""

    corpora: dict[str, Instances]
    """Title → its pairs of pages."""
    findings: Findings
    comparison: SimilarityComparison
    verdicts: tuple[JudgedClaim, ...]
    remarks: tuple[str, ...]
    """What the reader must know of how it was made: pages left out, features not studied."""
    signature: str
    made: str


def corpus_document(study: CorpusStudy) -> Document:
    """The study as a document."""
    return Document(
        "Which evidence tells people apart",
        [
            "The feature study of Artiles, Amigó and Gonzalo, The role of named entities in Web "
            "People Search (EMNLP 2009), on the pages at hand: every pair of pages of a name is an "
            "instance, coreferent or not, and features are judged by how they rank them.",
            *study.remarks,
        ],
        [
            _conclusions(study),
            _pairs(study),
            *_corpus_single(study),
            *_measures(study),
            *_corpus_redundancy(study),
            _corpus_combinations(study),
            _choice(study),
            _names(study),
        ],
        study.signature,
        study.made,
    )


def conclusions_table(study: CorpusStudy) -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    return claims_table(
        study.verdicts,
        "conclusions",
        "The paper's conclusions",
        "In brackets: 95 % interval, bootstrapped over names. Undecided: the interval leaves it "
        "open.",
    )


def _conclusions(study: CorpusStudy) -> Section:
    words = [verdict.word for _, verdict in study.verdicts]
    told = ", ".join(f"{word} {words.count(word)}" for word in dict.fromkeys(words))
    return Section(
        "What holds here",
        (f"Of the paper's conclusions {len(words)} are tested here: {told}.",),
        tables=(conclusions_table(study),),
    )


def _pairs(study: CorpusStudy) -> Section:
    heading = ["", "coreferent", "others", "pairs", "names"]
    ours = [tables.counts_row(title, pairs) for title, pairs in study.corpora.items()]
    if len(ours) > 1:
        ours.append(tables.counts_row("all", study.findings.studied))
    theirs = [[title, *map(format_count, counts), ""] for title, *counts in claims.TABLE_1]
    table = Table.of_text("table-1", "Pairs of pages", [heading, *ours, *theirs])
    return Section("The pairs", tables=(table,))


def _corpus_single(study: CorpusStudy) -> list[Section]:
    """Figures 1 to 4 and those like them, then the figures of all."""
    findings = study.findings
    sections = []
    for panel in PANELS:
        chosen = [
            str(each)
            for each in all_features()
            if str(each) in findings.rankings
            and (panel.holds(each) or str(each) == findings.plan.base)
        ]
        if len(chosen) > 1:
            figure = curves_figure(findings, panel.key, panel.title, chosen, panel.note)
            sections.append(Section(panel.section, figures=figure, quotes=panel.quotes))
    every = (tables.rankings_table(findings, _NAMES), tables.precision_table(findings))
    return [*sections, Section("Every feature by itself", tables=every)]


def _measures(study: CorpusStudy) -> list[Section]:
    rivals = study.comparison
    if not rivals.features:
        return []
    first, *others = rivals.measures
    rows = [
        [name, *(format_interval(rivals.average_precision(name, each)) for each in rivals.measures)]
        for name in rivals.features
    ]
    means = [
        f"{first} − {other}, mean over features: "
        f"{format_interval(rivals.ahead(first, other), signed=True)}; "
        f"{first} is better for {rivals.count_higher(first, other)} of {len(rivals.features)}."
        for other in others
    ]
    table = Table.of_text("measures", "Average precision", [["", *rivals.measures], *rows])
    return [Section("Dice, cosine, overlap", means, tables=(table,), quotes=(claims.MEASURES,))]


def _corpus_redundancy(study: CorpusStudy) -> list[Section]:
    findings = study.findings
    if len(findings.rankings) < 2:
        return []
    headings = {str(each): each.family for each in all_features() if str(each) in findings.rankings}
    figures = redundancy_figure(
        findings, "figure-5", f"Redundancy with {findings.plan.base}", headings, _LIMIT
    )
    table = tables.redundancy_table(findings, _NAMES)
    ranked = format_percentage(findings.ranked_by_base())
    told = f"{findings.plan.base} ranks {ranked} of all pairs of pairs."
    return [Section("Redundancy", (told,), figures, (table,), (claims.REDUNDANCY,))]


def _corpus_combinations(study: CorpusStudy) -> Section:
    findings = study.findings
    figures = (
        *correlation_figure(findings, "figure-6", "MaxPWA and trees", _SETS),
        *pairs_figure(findings, "figure-7", "All, non-linguistic, tokens", _SETS),
    )
    told = (
        f"Over {len(findings.bounds)} combinations, MaxPWA and the PWA of trees correlate with "
        f"Pearson's r = {format_interval(findings.pearson)}, "
        f"Spearman's ρ = {format_interval(findings.spearman)}; "
        f"over those whose MaxPWA is not below that of {findings.plan.base}, "
        f"with r = {format_interval(findings.among_better)}."
    )
    return Section(
        "Features together",
        (told,),
        figures,
        (_sets_table(findings), tables.bounds_table(findings, _NAMES)),
        claims.BOUNDS,
    )


def _sets_table(findings: Findings) -> Table:
    """The combinations of figure 7, with the paper's accuracies."""
    seed = findings.plan.seed
    rows = [
        [
            name,
            format_interval(estimate_share(found.max_pwa, seed=seed)),
            format_interval(estimate_share(found.tree_pwa, seed=seed)),
            format_interval(found.accuracy),
            claims.ACCURACY.get(name, ""),
        ]
        for name in _SETS
        if (found := findings.bound_of(name))
    ]
    counts = findings.tested.counts
    most = max(counts.positive, counts.negative) / counts.total
    heading = ["", "MaxPWA", "PWA of trees", "accuracy of trees", "accuracy in the paper"]
    return Table.of_text(
        "figure-7-figures",
        "The combinations of figure 7",
        [heading, *rows],
        "Accuracy: the share of pairs that the tree labels right. Labelling all pairs alike is "
        f"right for {format_percentage(most)} of those here, for 50.4 % of the paper's WePS-2.",
    )


def _choice(study: CorpusStudy) -> Section:
    findings = study.findings
    return Section(
        "Which to choose",
        figures=additions_figure(findings, "greedy-search", "Greedy search by MaxPWA"),
        tables=(tables.additions_table(findings.search), tables.gains_table(findings.search)),
    )


def _names(study: CorpusStudy) -> Section:
    told = (
        "Only pairs of the same name are compared here, which one tree has judged in each division."
    )
    return Section("Name by name", (told,), tables=(tables.groups_table(study.findings, _NAMES),))


_SHOWN = 8
"""Curves in one figure, beside the base."""
_GROUPS = "group"


@dataclass(frozen=True, slots=True, eq=False)
class TableStudy:
    """What was studied, and what was found."""

    title: str
    findings: Findings
    remarks: tuple[str, ...]
    signature: str
    made: str


def table_document(study: TableStudy) -> Document:
    """The study as a document."""
    return Document(
        f"Which measures tell the instances of {study.title} apart",
        [
            "Every measure is judged by how it ranks positive instances above negative ones "
            "(PWA, MaxPWA and redundancy: Artiles, Amigó and Gonzalo, EMNLP 2009, section 4).",
            *study.remarks,
        ],
        [
            _table_single(study.findings),
            _table_redundancy(study.findings),
            *_table_combinations(study.findings),
            *_groups(study.findings),
        ],
        study.signature,
        study.made,
    )


def _best_measures(findings: Findings) -> list[str]:
    """The base, then the measures with the highest average precision."""
    ordered = sorted(
        findings.rankings.values(), key=lambda each: (-each.average_precision.value, each.measure)
    )
    others = [each.measure for each in ordered if each.measure != findings.plan.base]
    return [findings.plan.base, *others[:_SHOWN]]


def _table_single(findings: Findings) -> Section:
    heading = ["", "positive", "negative", "instances", "groups"]
    counted = Table.of_text(
        "instances", "Instances", [heading, tables.counts_row("all", findings.studied)]
    )
    figure = curves_figure(findings, "curves", "Precision and recall", _best_measures(findings))
    every = (counted, tables.rankings_table(findings, _GROUPS), tables.precision_table(findings))
    return Section("Each measure by itself", figures=figure, tables=every)


def _table_redundancy(findings: Findings) -> Section:
    base, headings = findings.plan.base, dict.fromkeys(findings.rankings, "")
    if len(headings) < 2:
        return Section("Redundancy", ("There is one measure only.",))
    figure = redundancy_figure(
        findings, "redundancy-bars", f"Redundancy with {base}", headings, None
    )
    told = f"{base} ranks {format_percentage(findings.ranked_by_base())} of all pairs of instances."
    table = tables.redundancy_table(findings, _GROUPS)
    return Section("Redundancy", (told,), figure, (table,))


def _table_combinations(findings: Findings) -> Sequence[Section]:
    told = (
        f"Over {len(findings.bounds)} combinations, MaxPWA and the PWA of decision trees, "
        f"cross-validated, correlate with Pearson's r = {format_interval(findings.pearson)}, "
        f"Spearman's ρ = {format_interval(findings.spearman)}; "
        f"over those whose MaxPWA is not below that of {findings.plan.base}, "
        f"with r = {format_interval(findings.among_better)}."
    )
    scattered = correlation_figure(findings, "bound-and-trees", "MaxPWA and trees", ["all"])
    steps = additions_figure(findings, "search-steps", "Greedy search by MaxPWA")
    search = (tables.additions_table(findings.search), tables.gains_table(findings.search))
    return [
        Section("Measures together", (told,), scattered, (tables.bounds_table(findings, _GROUPS),)),
        Section("Which to choose", figures=steps, tables=search),
    ]


def _groups(findings: Findings) -> list[Section]:
    if len(findings.tested.groups) < 2:
        return []
    told = (
        "Only instances of the same group are compared here, which one tree has judged in each "
        "division."
    )
    return [Section("Group by group", (told,), tables=(tables.groups_table(findings, _GROUPS),))]


BOUND_REMARK = (
    "MaxPWA bounds the PWA of everything that rises with each of the measures; what may fall with "
    "one of them, as a tree may, can do better, but seldom does if high values speak for positives."
)
