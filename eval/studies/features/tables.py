"""The tables of a study.

Which curves stand together in a figure: figures 1 to 4 of the paper, and what it leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eval.ranking.curves import precision_at
from eval.ranking.pwa import auc_counts
from eval.report.document import Quote
from eval.report.tables import Table
from eval.stats.estimate import estimate_share
from eval.studies.features import claims
from eval.studies.features.findings import Findings, Search
from eval.studies.features.rankings import Ranking, split_by_label
from eval.studies.features.trees import Bound
from eval.tables.instances import Instances
from weps._formatting import (
    format_count,
    format_interval,
    format_number,
    format_percentage,
    format_percentage_interval,
)
from weps.features.registry import Feature

__all__ = [
    "PANELS",
    "Panel",
    "additions_table",
    "bounds_table",
    "counts_row",
    "gains_table",
    "groups_table",
    "precision_table",
    "rankings_table",
    "redundancy_table",
]


@dataclass(frozen=True, slots=True)
class Panel:
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

_RECALLS = tuple(np.linspace(0.1, 1, 10).round(1).tolist())
_INTERVALS = "In brackets: 95 % interval, bootstrapped over {groups}s."


def counts_row(title: str, instances: Instances) -> list[str]:
    """How many instances and groups there are."""
    counts = instances.counts
    return [title, *map(format_count, (*counts, len(instances.groups)))]


def rankings_table(findings: Findings, groups: str) -> Table:
    """Each measure by itself, best first."""
    base = findings.rankings[findings.plan.base]
    columns: dict[str, Callable[[Ranking], str]] = {
        "average precision": lambda each: format_interval(each.average_precision),
        f"ahead of {base.measure}": lambda each: format_interval(each.ahead_of(base), signed=True),
        "PWA": lambda each: format_interval(each.pwa),
        f"PWA by {groups}": lambda each: format_interval(each.pwa_by_group),
        "AUC": lambda each: format_interval(each.auc),
        f"AUC by {groups}": lambda each: format_interval(each.auc_by_group),
        "recall": lambda each: format_number(_reached(each)),
    }
    rows = [[each.measure, *(cell(each) for cell in columns.values())] for each in _best(findings)]
    return Table.of_text(
        "rankings",
        "Each by itself",
        [["", *columns], *rows],
        f"PWA and AUC compare every positive with every negative instance; by {groups}, within "
        f"each and averaged. In PWA a tie is no success, in AUC half a one. Recall: what is "
        f"reached before the instances of value 0, the lowest, enter. "
        f"{_INTERVALS.format(groups=groups)}",
    )


def precision_table(findings: Findings) -> Table:
    """Interpolated precision at levels of recall."""
    rows = [
        [each.measure, *map(format_number, precision_at(each.curve, _RECALLS))]
        for each in _best(findings)
    ]
    return Table.of_text(
        "precision-at-recall",
        "Precision at levels of recall",
        [["recall", *(f"{recall:.1f}" for recall in _RECALLS)], *rows],
        "The best precision at that recall or any higher; a dash where a ranking ends before "
        "because all other instances have the value 0.",
    )


def redundancy_table(findings: Findings, groups: str) -> Table:
    """What each measure says of the pairs of instances that the base ranks."""
    base = findings.plan.base
    others = [each for each in findings.rankings.values() if each.measure != base]
    rows = [
        [
            each.measure,
            *map(
                format_percentage_interval,
                (each.non_redundant, each.redundant, each.non_informative),
            ),
        ]
        for each in sorted(others, key=lambda each: (-each.non_redundant.value, each.measure))
    ]
    return Table.of_text(
        "redundancy",
        f"Pairs of instances that {base} ranks, ranked by the others",
        [["", "non-redundant", "redundant", "non-informative"], *rows],
        "Non-redundant: ranked the other way; redundant: the same way; non-informative: tied. "
        f"Every pair of instances is counted. {_INTERVALS.format(groups=groups)}",
    )


def bounds_table(findings: Findings, groups: str) -> Table:
    """MaxPWA of every combination, and the trees' PWA."""
    heading = ["combination", "kind", "members", "size", "MaxPWA", f"MaxPWA by {groups}"]
    heading += ["PWA of trees", f"PWA of trees by {groups}", "AUC of trees"]
    heading += ["accuracy of trees"]
    found = sorted(findings.bounds, key=lambda each: -each.max_pwa.pooled)
    return Table.of_text(
        "combinations",
        "MaxPWA and trees of every combination",
        [heading, *(_bound_row(each, findings.plan.seed) for each in found)],
        "Of trees, only instances that the same one has judged are compared. "
        f"{_INTERVALS.format(groups=groups)}",
        left=3,
    )


def groups_table(findings: Findings, groups: str) -> Table:
    """Each group by itself, the hardest for the base first."""
    tested, base, every = findings.tested, findings.plan.base, findings.bound_of_all
    members = np.bincount(tested.group, minlength=len(tested.groups))
    positive = np.bincount(tested.group[tested.positive], minlength=len(members))
    (ours,), (theirs,), *units = split_by_label(tested, [base])
    alone = auc_counts(ours, theirs, *units).by_group
    figures = (alone, every.max_pwa.by_group, every.tree_auc.by_group)
    order = np.argsort(np.nan_to_num(alone, nan=2), kind="stable").tolist()
    rows = [
        [
            tested.groups[place],
            format_count(members[place]),
            format_percentage(positive[place] / members[place]),
            *(format_number(float(figure[place])) for figure in figures),
        ]
        for place in order
    ]
    heading = [
        "",
        "instances",
        "positive",
        f"AUC of {base}",
        "MaxPWA of all",
        "AUC of trees of all",
    ]
    return Table.of_text(
        "by-group",
        f"Each {groups} by itself",
        [heading, *rows],
        f"The hardest for {base} first; a dash where all instances are alike.",
    )


def additions_table(found: Search) -> Table:
    """Greedy search, with the best subsets of the sizes that were searched exhaustively."""
    best = {
        len(each.measures): [" + ".join(each.measures), format_interval(each.max_pwa)]
        for each in found.best
    }
    rows = []
    for size, each in enumerate(found.additions, start=1):
        step = [str(size), each.measure, format_interval(each.max_pwa), f"{each.gain:.3f}"]
        rows.append([*step, *best.get(size, ["", ""])])
    heading = ["size", "added", "MaxPWA", "gain", "best of all subsets", "its MaxPWA"]
    return Table.of_text(
        "search",
        "The best ones together",
        [heading, *rows],
        "Greedy search adds the one with which MaxPWA is highest. For small sizes all subsets "
        "were searched.",
        left=2,
    )


def gains_table(found: Search) -> Table:
    """What MaxPWA of all loses without each measure."""
    rows = sorted(found.gains.items(), key=lambda item: (-item[1].value, item[0]))
    return Table.of_text(
        "gains",
        "What each adds to all others",
        [
            ["", "MaxPWA lost without it"],
            *([name, format_percentage_interval(gain)] for name, gain in rows),
        ],
        f"MaxPWA of all together is {format_interval(found.every)}.",
    )


def _best(findings: Findings) -> list[Ranking]:
    """The measures in the order of their average precision."""
    return sorted(
        findings.rankings.values(),
        key=lambda each: (-each.average_precision.value, each.measure),
    )


def _reached(ranking: Ranking) -> float:
    """Recall before the instances whose value is 0 enter."""
    recall = ranking.curve.recall
    return float(recall[-1]) if len(recall) else 0.0


def _bound_row(each: Bound, seed: int) -> list[str]:
    combination = each.combination
    tallies = [(each.max_pwa, False), (each.max_pwa, True), (each.tree_pwa, False)]
    tallies += [(each.tree_pwa, True), (each.tree_auc, False)]
    return [
        combination.name,
        combination.kind,
        " + ".join(combination.measures),
        str(len(combination.measures)),
        *(
            format_interval(estimate_share(tally, per_group=per_group, seed=seed))
            for tally, per_group in tallies
        ),
        format_interval(each.accuracy),
    ]
