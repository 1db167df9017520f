"""The tables of a study, by typed columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from eval.ranking.curves import precision_at
from eval.report.tables import (
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
)
from eval.studies.features.claims import ACCURACY, TABLE_1
from eval.studies.features.findings import Findings, Search
from eval.studies.features.rankings import Ranking, SimilarityComparison
from eval.studies.features.trees import Bound
from eval.tables.instances import Instances
from weps._formatting import format_interval, format_percentage

__all__ = [
    "additions_table",
    "bounds_table",
    "gains_table",
    "groups_table",
    "instances_table",
    "pairs_table",
    "precision_table",
    "rankings_table",
    "redundancy_table",
    "sets_table",
    "similarities_table",
]

_RECALLS = tuple(np.linspace(0.1, 1, 10).round(1).tolist())
_INTERVALS = "In brackets: 95 % interval, bootstrapped over {groups}s."


def _or_blank(kind: Kind) -> Kind:
    """The same, blank where there is nothing to be said."""
    return Kind(lambda value: "" if value == "" else kind.cell(value))


def _by_place(kinds: Mapping[str, Kind]) -> list[Column[Sequence[Any]]]:
    """Columns of rows that are sequences: header → kind, in their order."""
    return [
        Column(header, itemgetter(place), kind)
        for place, (header, kind) in enumerate(kinds.items())
    ]


def _counts(title: str, instances: Instances) -> tuple[Any, ...]:
    return (title, *instances.counts, len(instances.groups))


def instances_table(findings: Findings) -> Table:
    """How many instances and groups a table has."""
    headers = ("positive", "negative", "instances", "groups")
    columns = _by_place({"": TEXT, **dict.fromkeys(headers, COUNT)})
    return Table("instances", "Instances", columns, [_counts("all", findings.studied)])


def pairs_table(findings: Findings) -> Table:
    """How many pairs and names the corpora have, beside those of the paper's table 1."""
    ours = [_counts(title, pairs) for title, pairs in findings.corpora.items()]
    if len(ours) > 1:
        ours.append(_counts("all", findings.studied))
    headers = ("coreferent", "others", "pairs")
    kinds = {"": TEXT, **dict.fromkeys(headers, COUNT), "names": _or_blank(COUNT)}
    rows = [*ours, *((*row, "") for row in TABLE_1)]
    return Table("table-1", "Pairs of pages", _by_place(kinds), rows)


def rankings_table(findings: Findings, groups: str) -> Table:
    """Each measure by itself, best first."""
    base = findings.rankings[findings.plan.base]
    columns: list[Column[Ranking]] = [
        Column("", attrgetter("measure")),
        Column("average precision", attrgetter("average_precision"), ESTIMATE),
        Column(f"ahead of {base.measure}", lambda each: each.ahead_of(base), SIGNED_ESTIMATE),
        Column("PWA", attrgetter("pwa"), ESTIMATE),
        Column(f"PWA by {groups}", attrgetter("pwa_by_group"), ESTIMATE),
        Column("AUC", attrgetter("auc"), ESTIMATE),
        Column(f"AUC by {groups}", attrgetter("auc_by_group"), ESTIMATE),
        Column("recall", attrgetter("recall"), SHARE),
    ]
    return Table(
        "rankings",
        "Each by itself",
        columns,
        findings.ordered,
        f"PWA and AUC compare every positive with every negative instance; by {groups}, within "
        f"each and averaged. In PWA a tie is no success, in AUC half a one. Recall: what is "
        f"reached before the instances of value 0, the lowest, enter. "
        f"{_INTERVALS.format(groups=groups)}",
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
        "The best precision at that recall or any higher; a dash where a ranking ends before "
        "because all other instances have the value 0.",
    )


def redundancy_table(findings: Findings, groups: str) -> Table:
    """What each measure says of the pairs of instances that the base ranks."""
    base = findings.plan.base
    headers = ("non-redundant", "redundant", "non-informative")
    rows = [
        (each.measure, each.non_redundant, each.redundant, each.non_informative)
        for each in findings.rankings.values()
        if each.measure != base
    ]
    return Table(
        "redundancy",
        f"Pairs of instances that {base} ranks, ranked by the others",
        _by_place({"": TEXT, **dict.fromkeys(headers, PERCENT_ESTIMATE)}),
        sorted(rows, key=lambda row: (-row[1].value, row[0])),
        "Non-redundant: ranked the other way; redundant: the same way; non-informative: tied. "
        f"Every pair of instances is counted. {_INTERVALS.format(groups=groups)}",
    )


def similarities_table(comparison: SimilarityComparison) -> Table:
    """Average precision of each feature under each measure of similarity."""
    measures = comparison.measures
    rows = [
        (name, *(comparison.average_precision(name, measure) for measure in measures))
        for name in comparison.features
    ]
    columns = _by_place({"": TEXT, **dict.fromkeys(measures, ESTIMATE)})
    return Table("measures", "Average precision", columns, rows)


def bounds_table(findings: Findings, groups: str) -> Table:
    """MaxPWA of every combination, and the trees' PWA."""
    share = findings.estimate
    columns: list[Column[Bound]] = [
        Column("combination", attrgetter("combination.name")),
        Column("kind", attrgetter("combination.kind")),
        Column("members", lambda each: " + ".join(each.combination.measures)),
        Column("size", lambda each: len(each.combination.measures), Kind(str)),
        Column("MaxPWA", lambda each: share(each.max_pwa), ESTIMATE),
        Column(f"MaxPWA by {groups}", lambda each: share(each.max_pwa, per_group=True), ESTIMATE),
        Column("PWA of trees", lambda each: share(each.tree_pwa), ESTIMATE),
        Column(
            f"PWA of trees by {groups}", lambda each: share(each.tree_pwa, per_group=True), ESTIMATE
        ),
        Column("AUC of trees", lambda each: share(each.tree_auc), ESTIMATE),
        Column("accuracy of trees", attrgetter("accuracy"), ESTIMATE),
    ]
    return Table(
        "combinations",
        "MaxPWA and trees of every combination",
        columns,
        sorted(findings.bounds, key=lambda each: -each.max_pwa.pooled),
        "Of trees, only instances that the same one has judged are compared. "
        f"{_INTERVALS.format(groups=groups)}",
    )


def sets_table(findings: Findings, names: Sequence[str]) -> Table:
    """The combinations of figure 7, with the paper's accuracies."""
    columns: list[Column[Bound]] = [
        Column("", attrgetter("combination.name")),
        Column("MaxPWA", lambda each: findings.estimate(each.max_pwa), ESTIMATE),
        Column("PWA of trees", lambda each: findings.estimate(each.tree_pwa), ESTIMATE),
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


def groups_table(findings: Findings, groups: str) -> Table:
    """Each group by itself, the hardest for the base first."""
    base = findings.plan.base
    kinds = {"": TEXT, "instances": COUNT, "positive": PERCENT}
    figures = (f"AUC of {base}", "MaxPWA of all", "AUC of trees of all")
    columns = _by_place({**kinds, **dict.fromkeys(figures, SHARE)})
    note = f"The hardest for {base} first; a dash where all instances are alike."
    return Table("by-group", f"Each {groups} by itself", columns, findings.by_group(), note)


def additions_table(search: Search) -> Table:
    """Greedy search, with the best subsets of the sizes that were searched exhaustively."""
    best = {len(each.measures): (" + ".join(each.measures), each.max_pwa) for each in search.best}
    rows = [
        (size, *step, *best.get(size, ("", "")))
        for size, step in enumerate(search.additions, start=1)
    ]
    kinds = {"size": Kind(str), "added": TEXT, "MaxPWA": ESTIMATE, "gain": SHARE}
    kinds |= {"best of all subsets": TEXT, "its MaxPWA": _or_blank(ESTIMATE)}
    return Table(
        "search",
        "The best ones together",
        _by_place(kinds),
        rows,
        "Greedy search adds the one with which MaxPWA is highest. For small sizes all subsets "
        "were searched.",
    )


def gains_table(search: Search) -> Table:
    """What MaxPWA of all loses without each measure."""
    return Table(
        "gains",
        "What each adds to all others",
        _by_place({"": TEXT, "MaxPWA lost without it": PERCENT_ESTIMATE}),
        sorted(search.gains.items(), key=lambda item: (-item[1].value, item[0])),
        f"MaxPWA of all together is {format_interval(search.every)}.",
    )
