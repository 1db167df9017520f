"""Tables, figures and documents: tables and figures 1 to 7 of the paper, and more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from weps._formatting import format_interval, format_percentage
from weps.features.registry import all_features
from weps_eval.ranking.curves import precision_at
from weps_eval.report.claims import NOT_STUDIED, SEVERITY
from weps_eval.report.document import Document, Section
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    PERCENT,
    PERCENT_ESTIMATE,
    SHARE,
    SIGNED_ESTIMATE,
    TEXT,
    Column,
    Kind,
    Table,
    as_json,
)
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.base import Result, or_blank
from weps_eval.studies.features.claims import (
    ACCURACY,
    BOUNDS,
    LITTLE,
    MEASURES,
    PANELS,
    REDUNDANCY,
    TABLE_1,
)
from weps_eval.studies.features.figures import (
    SETS,
    correlation_figure,
    curves_figure,
    redundancy_figure,
    sets_figure,
    steps_figure,
)
from weps_eval.studies.features.findings import Findings, Ranking, Search
from weps_eval.studies.features.trees import Bound
from weps_eval.tables.instances import Instances

"""The combinations of figure 7."""
_SHOWN = 8
"""Curves in one figure, beside the base."""
_SAME_GROUP = (
    "Only {} of the same {} are compared here, which the same tree has judged in each division."
)
_RECALLS = tuple(np.linspace(0.1, 1, 10).round(1).tolist())
_INTERVALS = "In brackets: 95 % interval, bootstrapped over {}s."


def document(result: Result[Findings]) -> Document:
    """The study as a document."""
    if result.findings.comparison:
        title, sections = "Which features distinguish people", _sections_of_corpora(result)
        opening = (
            "The feature study of Artiles, Amigó and Gonzalo, The role of named entities in Web "
            "People Search (EMNLP 2009), on the available pages: every pair of pages of a name is "
            "an instance, coreferent or not, and features are judged by how they rank them."
        )
    else:
        title = f"Which measures distinguish the instances of {result.title}"
        sections = _sections_of_table(result.findings)
        opening = (
            "Every measure is judged by how it ranks positive instances above negative ones "
            "(PWA, MaxPWA and redundancy: Artiles, Amigó and Gonzalo, EMNLP 2009, section 4)."
        )
    made = result.signature, result.made
    return Document(title, [opening, *result.remarks], list(sections), *made)


def tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows: each feature by itself, and which are best together."""
    yield rankings_table(findings)
    yield additions_table(findings.search)


def data(result: Result[Findings]) -> dict[str, Any]:
    """All figures in JSON form (docs/output.md)."""
    findings, search = result.findings, result.findings.search
    return result.data(
        base=findings.plan.base,
        rankings=rankings_table(findings).as_names,
        redundancy=_redundancy_table(findings).as_names,
        combinations=_bounds_table(findings).as_names,
        greedy_search=[as_json(each._asdict()) for each in search.additions],
        best_subsets=[as_json(each._asdict()) for each in search.best],
        pearson=as_json(findings.pearson),
        spearman=as_json(findings.spearman),
    )


def _sections_of_corpora(result: Result[Findings]) -> Iterator[Section]:
    findings, base = result.findings, result.findings.plan.base
    studied = [each for each in all_features() if str(each) in findings.rankings]
    words = [verdict.word for _, verdict in result.judged]
    tested = [word for word in words if word in SEVERITY and word != NOT_STUDIED]
    counted = ", ".join(f"{word} {tested.count(word)}" for word in dict.fromkeys(tested))
    yield Section(
        "What holds here",
        (
            f"Of {len(words)} conclusions of the paper {len(tested)} are tested here"
            f"{f': {counted}' if counted else ''}.",
        ),
        tables=(result.claims_table(),),
    )
    yield Section("The pairs", tables=(_pairs_table(findings),))
    for panel in PANELS:
        chosen = [str(each) for each in studied if panel.holds(each) or str(each) == base]
        if len(chosen) > 1:
            quotes = (panel.quote,) if panel.quote else ()
            figure = curves_figure(findings, panel.key, panel.title, chosen, panel.note)
            yield Section(panel.section, figures=figure, quotes=quotes)
    every = rankings_table(findings), precision_table(findings)
    yield Section("Every feature by itself", tables=every)
    yield from _similarities(findings)
    if len(findings.rankings) > 1:
        families = {str(each): each.family for each in studied}
        figure = redundancy_figure(findings, "figure-5", families, LITTLE)
        share = f"{base} ranks {format_percentage(findings.ranked_by_base)} of all pairs of pairs."
        table = _redundancy_table(findings)
        yield Section("Redundancy", (share,), figure, (table,), (REDUNDANCY,))
    yield Section(
        "Features together",
        (_correlations(findings, "trees"),),
        (*correlation_figure(findings, "figure-6", SETS), *sets_figure(findings)),
        (_sets_table(findings, SETS), _bounds_table(findings)),
        BOUNDS,
    )
    yield _choice(findings, "greedy-search")
    shown = (_groups_table(findings),)
    yield Section("Name by name", (_SAME_GROUP.format("pairs", "name"),), tables=shown)


def _sections_of_table(findings: Findings) -> Iterator[Section]:
    base = findings.plan.base
    best = [each.measure for each in findings.ordered if each.measure != base]
    counts = dict.fromkeys(("positive", "negative", "instances", "groups"), COUNT)
    columns, rows = _by_place({"": TEXT, **counts}), _counts({"all": findings.studied})
    instances = Table("instances", "Instances", columns, rows)
    yield Section(
        "Each measure by itself",
        figures=curves_figure(findings, "curves", "Precision and recall", [base, *best[:_SHOWN]]),
        tables=(instances, rankings_table(findings), precision_table(findings)),
    )
    if best:
        share = format_percentage(findings.ranked_by_base)
        measures = dict.fromkeys(findings.rankings, "")
        yield Section(
            "Redundancy",
            (f"{base} ranks {share} of all pairs of instances.",),
            redundancy_figure(findings, "redundancy-bars", measures, None),
            (_redundancy_table(findings),),
        )
    else:
        yield Section("Redundancy", ("There is one measure only.",))
    yield Section(
        "Measures together",
        (_correlations(findings, "decision trees, cross-validated,"),),
        correlation_figure(findings, "bound-and-trees", ["all"]),
        (_bounds_table(findings),),
    )
    yield _choice(findings, "search-steps")
    if len(findings.tested.groups) > 1:
        shown = (_groups_table(findings),)
        yield Section("Group by group", (_SAME_GROUP.format("instances", "group"),), tables=shown)


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
    rows = [
        (name, *(found.average_precision(name, measure) for measure in found.measures))
        for name in found.features
    ]
    columns = _by_place({"": TEXT, **dict.fromkeys(found.measures, ESTIMATE)})
    table = Table("measures", "Average precision", columns, rows)
    yield Section("Dice, cosine, overlap", means, tables=(table,), quotes=(MEASURES,))


def _correlations(findings: Findings, trees: str) -> str:
    return (
        f"Over {len(findings.bounds)} combinations, MaxPWA and the PWA of {trees} correlate "
        f"with Pearson's r = {format_interval(findings.pearson)}, "
        f"Spearman's ρ = {format_interval(findings.spearman)}; "
        f"over those whose MaxPWA is not below that of {findings.plan.base}, "
        f"with r = {format_interval(findings.among_better)}."
    )


def _choice(findings: Findings, key: str) -> Section:
    search = findings.search
    gains = Table(
        "gains",
        "What each adds to all others",
        _by_place({"": TEXT, "MaxPWA lost without it": PERCENT_ESTIMATE}),
        sorted(search.gains.items(), key=lambda item: (-item[1].value, item[0])),
        f"MaxPWA of all together is {format_interval(search.every)}.",
    )
    shown = additions_table(search), gains
    return Section("Which to choose", figures=steps_figure(findings, key), tables=shown)


def _by_place(kinds: Mapping[str, Kind]) -> list[Column[Sequence[Any]]]:
    """Columns of rows that are sequences: header → kind, in their order."""
    return [
        Column(header, itemgetter(place), kind)
        for place, (header, kind) in enumerate(kinds.items())
    ]


def _counts(corpora: Mapping[str, Instances]) -> list[tuple[Any, ...]]:
    return [(title, *each.counts, len(each.groups)) for title, each in corpora.items()]


def _pairs_table(findings: Findings) -> Table:
    every = {"all": findings.studied} if len(findings.corpora) > 1 else {}
    rows = [*_counts({**findings.corpora, **every}), *((*row, "") for row in TABLE_1)]
    kinds = dict.fromkeys(("coreferent", "others", "pairs"), COUNT)
    columns = _by_place({"": TEXT, **kinds, "names": or_blank(COUNT)})
    return Table("table-1", "Pairs of pages", columns, rows)


def _estimate(header: str, field: str) -> Column[Any]:
    """A column of estimates with intervals, called in JSON as the attribute."""
    return Column(header, attrgetter(field), ESTIMATE, field)


def rankings_table(findings: Findings) -> Table:
    """Each measure by itself, best first."""
    base = findings.rankings[findings.plan.base]
    columns: list[Column[Ranking]] = [
        Column("", attrgetter("measure")),
        _estimate("average precision", "average_precision"),
        Column(
            f"ahead of {base.measure}",
            lambda each: each.ahead_of(base),
            SIGNED_ESTIMATE,
            "ahead_of_base",
        ),
        _estimate("PWA", "pwa"),
        _estimate(f"PWA by {findings.unit}", "pwa_by_group"),
        _estimate("AUC", "auc"),
        _estimate(f"AUC by {findings.unit}", "auc_by_group"),
        Column("recall", attrgetter("recall"), SHARE, "recall"),
    ]
    return Table(
        "rankings",
        "Each by itself",
        columns,
        findings.ordered,
        "PWA and AUC compare every positive with every negative instance; by "
        f"{findings.unit}, within each and averaged. A tie counts 0 in PWA and ½ in AUC. Recall: "
        "share of the positive instances whose value is above 0, the lowest. "
        f"{_INTERVALS.format(findings.unit)}",
    )


def precision_table(findings: Findings) -> Table:
    """Interpolated precision at levels of recall."""
    levels = {f"{recall:.1f}": SHARE for recall in _RECALLS}
    rows = [(each.measure, *precision_at(each.curve, _RECALLS)) for each in findings.ordered]
    return Table(
        "precision-at-recall",
        "Precision at levels of recall",
        _by_place({"recall": TEXT, **levels}),
        rows,
        "The best precision at that recall or any higher; a dash where a ranking ends before that "
        "recall, because all other instances have the value 0.",
    )


def _redundancy_table(findings: Findings) -> Table:
    base, parts = findings.plan.base, ("non_redundant", "redundant", "non_informative")
    columns: list[Column[Ranking]] = [
        Column("", attrgetter("measure")),
        *(
            Column(part.replace("_", "-"), attrgetter(part), PERCENT_ESTIMATE, part)
            for part in parts
        ),
    ]
    rows = [each for each in findings.rankings.values() if each.measure != base]
    return Table(
        "redundancy",
        f"Pairs of instances that {base} ranks, ranked by the others",
        columns,
        sorted(rows, key=lambda each: (-each.non_redundant.value, each.measure)),
        "Non-redundant: ranked the other way; redundant: the same way; non-informative: tied. "
        f"Every pair of instances is counted. {_INTERVALS.format(findings.unit)}",
    )


def _share(findings: Findings, header: str, part: str, *, per_group: bool = False) -> Column[Bound]:
    def estimate(bound: Bound) -> Estimate:
        return findings.estimate(getattr(bound, part), per_group=per_group)

    return Column(header, estimate, ESTIMATE, f"{part}_by_group" if per_group else part)


def _bounds_table(findings: Findings) -> Table:
    columns: list[Column[Bound]] = [
        Column("combination", attrgetter("combination.name")),
        Column("kind", attrgetter("combination.kind"), key="kind"),
        Column("members", lambda each: " + ".join(each.combination.measures)),
        Column("members", attrgetter("combination.measures"), key="measures", only="json"),
        Column("size", lambda each: len(each.combination.measures), Kind(str)),
        _share(findings, "MaxPWA", "max_pwa"),
        _share(findings, f"MaxPWA by {findings.unit}", "max_pwa", per_group=True),
        _share(findings, "PWA of trees", "tree_pwa"),
        _share(findings, f"PWA of trees by {findings.unit}", "tree_pwa", per_group=True),
        _share(findings, "AUC of trees", "tree_auc"),
        _estimate("accuracy of trees", "accuracy"),
    ]
    return Table(
        "combinations",
        "MaxPWA and trees of every combination",
        columns,
        sorted(findings.bounds, key=lambda each: -each.max_pwa.pooled),
        "For trees, only instances judged by the same tree are compared. "
        f"{_INTERVALS.format(findings.unit)}",
    )


def _sets_table(findings: Findings, names: Sequence[str]) -> Table:
    columns: list[Column[Bound]] = [
        Column("", attrgetter("combination.name")),
        _share(findings, "MaxPWA", "max_pwa"),
        _share(findings, "PWA of trees", "tree_pwa"),
        Column("accuracy of trees", attrgetter("accuracy"), ESTIMATE),
        Column("accuracy in the paper", lambda each: ACCURACY.get(each.combination.name, "")),
    ]
    counts = findings.tested.counts
    most = max(counts.positive, counts.negative) / counts.total
    return Table(
        "figure-7-figures",
        "The combinations of figure 7",
        columns,
        [found for name in names if (found := findings.bound_of(name))],
        "Accuracy: the share of pairs that the tree labels right. Labelling all pairs alike is "
        f"right for {format_percentage(most)} of those here, for 50.4 % of the paper's WePS-2.",
    )


def _groups_table(findings: Findings) -> Table:
    base = findings.plan.base
    kinds = {"": TEXT, "instances": COUNT, "positive": PERCENT}
    figures = (f"AUC of {base}", "MaxPWA of all", "AUC of trees of all")
    columns = _by_place({**kinds, **dict.fromkeys(figures, SHARE)})
    note = f"The hardest for {base} first; a dash where all instances have the same label."
    return Table("by-group", f"Each {findings.unit} by itself", columns, findings.by_group(), note)


def additions_table(search: Search) -> Table:
    """Greedy search, with the best subsets of the sizes that were searched exhaustively."""
    best = {len(each.measures): (" + ".join(each.measures), each.max_pwa) for each in search.best}
    rows = [
        (size, *step, *best.get(size, ("", "")))
        for size, step in enumerate(search.additions, start=1)
    ]
    kinds = {"size": Kind(str), "added": TEXT, "MaxPWA": ESTIMATE, "gain": SHARE}
    kinds |= {"best of all subsets": TEXT, "its MaxPWA": or_blank(ESTIMATE)}
    return Table(
        "search",
        "The best combinations",
        _by_place(kinds),
        rows,
        "Greedy search adds the one that raises MaxPWA most. For small sizes all subsets "
        "were searched.",
    )
