"""What the study found, in tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eval.report.tables import Table
from eval.stats.estimate import BootstrapSamples
from eval.studies.qarla.findings import Findings
from weps._formatting import (
    cut_columns,
    format_interval,
    format_number,
    format_percentage_interval,
    format_signed,
)

__all__ = [
    "agreement_table",
    "clusters_table",
    "first_table",
    "jack_table",
    "kings_table",
    "measures_table",
    "sets_table",
    "systems_table",
]

_WIDTH = 48
"""Columns of a measure's name on the terminal."""
INTERVAL = "In brackets: 95 % interval, bootstrapped over topics."


def kings_table(findings: Findings, most: int | None = None) -> Table:
    """Single measures, the best first."""
    order, names = findings.order, findings.compared.measures
    early = findings.early.estimates
    rows = [
        [
            names[each] if most is None else cut_columns(names[each], _WIDTH),
            format_interval(findings.king(each)),
            format_interval(early[each]),
        ]
        for each in order[:most]
    ]
    more = f" {len(order) - len(rows)} more are in the report." if len(order) > len(rows) else ""
    return Table.of_text(
        "king",
        "KING of single measures: how often a reference is ahead of all outputs",
        [["measure", "KING", "early estimate"], *rows],
        f"Early estimate: how often a reference is closer to another than an output is. {INTERVAL}"
        + more,
    )


def sets_table(findings: Findings, width: int | None = None) -> Table:
    """The best set, and how the greedy one grows; names no wider than that."""
    search, kings = findings.search, findings.kings.estimates
    best = {"best single measure": search.best_single, "best of all sets": search.best}
    rows = [
        [what, findings.describe_set(search.sets[number]), format_interval(kings[number])]
        for what, number in best.items()
    ]
    rows += [
        [f"greedy, {len(each.measures)}", _added(findings, each.measures), format_number(each.king)]
        for each in findings.greedy[1:]
    ]
    rows += _on_other_topics(findings)
    rows = [
        [what, name if width is None else cut_columns(name, width), king]
        for what, name, king in rows
    ]
    return Table.of_text(
        "sets",
        "Measures together: KING of sets",
        [["", "measures", "KING"], *rows],
        f"All sets: {search.tried:,} of the best measures of {len(search.candidates)} clusters and "
        "of single measures, and the greedy ones. On other topics: chosen on four fifths of the "
        "topics, judged on the rest, five times; only this says what a choice gains. "
        f"{INTERVAL}",
        left=2,
    )


def _added(findings: Findings, measures: tuple[int, ...]) -> str:
    return f"… + {findings.describe_set(measures[-1:])}"


def _on_other_topics(findings: Findings) -> Iterator[list[str]]:
    if found := findings.cross_validated:
        several, single = found.kings.estimates
        yield ["on other topics", "best set of several", format_interval(several)]
        yield ["on other topics", "best single measure", format_interval(single)]
        gain = found.kings.difference(1, 0)
        yield ["on other topics", "several − single", format_interval(gain, signed=True)]


def clusters_table(findings: Findings) -> Table:
    """Measures that accept the same outputs (2005, Figure 1)."""
    names = findings.compared.measures
    rows = [
        [
            str(number),
            names[each.best],
            format_number(each.king),
            ", ".join(names[one] for one in each.measures if one != each.best) or "–",
        ]
        for number, each in enumerate(findings.clusters, start=1)
    ]
    return Table.of_text(
        "clusters",
        "Measures that say the same of the outputs",
        [["cluster", "highest KING", "its KING", "with it"], *rows],
        "Two sets of measures are the closer, the more often both accept, or both reject, an "
        f"output on a triple of references. United by: {findings.settings.linkage}.",
        left=4,
    )


def systems_table(findings: Findings) -> Table:
    """Systems by QUEEN of the best set, with what people say."""
    standing, criteria = findings.system_queens, findings.compared.criteria
    human = _human(findings)
    queens = standing.queens
    order = np.argsort(-queens.value, kind="stable").tolist()
    rows = [
        [standing.systems[each], format_interval(queens.estimates[each])]
        + [format_number(value, 2) for value in human[:, each]]
        for each in order
    ]
    return Table.of_text(
        "systems",
        "Systems by QUEEN of the best set",
        [["system", "QUEEN", *criteria], *rows],
        f"How likely an output passes for a reference, mean over topics. {INTERVAL}",
    )


def _human(findings: Findings) -> np.ndarray:
    """Shape (criteria, systems): means over judged outputs; NaN where there are none."""
    instances = findings.compared.instances
    systems = len(findings.compared.systems)
    known = ~np.isnan(instances.human)
    found = np.full((len(known), systems), np.nan)
    for row, held in enumerate(known):
        places = instances.system[held]
        times = np.bincount(places, minlength=systems)
        sums = np.bincount(places, instances.human[row, held], minlength=systems)
        np.divide(sums, times, out=found[row], where=times > 0)
    return found


def agreement_table(findings: Findings) -> Table:
    """Pearson's r with people, by criterion."""
    search = findings.search
    rows = []
    for each in findings.agreements:
        queens, plain = each.queens.estimates, each.plain
        best = int(np.nanargmax(plain.value)) if not np.isnan(plain.value).all() else 0
        rows.append(
            [
                each.criterion,
                format_interval(queens[search.best], 2),
                format_interval(plain.estimates[search.sets[search.best_single][0]], 2),
                format_number(float(plain.value[best]), 2),
                format_interval(each.with_king(), 2),
            ]
        )
    single = findings.describe_set(search.sets[search.best_single])
    return Table.of_text(
        "agreement",
        "Pearson's r of systems with people",
        [["criterion", "QUEEN, best set", "by KING", "by hindsight", "KING and r"], *rows],
        f"By KING: mean similarity by the measure with the highest KING, {single}. By hindsight: "
        "by the measure that agrees best. KING and r: over all sets, whether QUEEN by sets "
        f"of higher KING agrees better with people. {INTERVAL}",
    )


def measures_table(findings: Findings) -> Table:
    """Pearson's r of each measure with people, plainly and as QUEEN."""
    found = findings.agreements
    heading = ["measure", "KING"]
    heading += [f"{each.criterion}, {how}" for each in found for how in ("mean", "QUEEN")]
    rows = [
        [findings.compared.measures[each], format_number(findings.king(each).value)]
        + [format_signed(value, 2) for one in found for value in _both(one, each)]
        for each in findings.order
    ]
    return Table.of_text(
        "people",
        "Pearson's r of systems with people, by single measures",
        [heading, *rows],
        "Mean: of the similarities to the references. QUEEN: by that measure alone; a dash where "
        "it is 0 for all outputs.",
    )


def _both(agreement: object, measure: int) -> list[float]:
    return [float(getattr(agreement, part).value[measure]) for part in ("plain", "queens")]


def jack_table(findings: Findings) -> Table:
    """JACK in both forms, as peers are added."""
    found = findings.reliability
    sizes = [each for each in (2, 5, 10, 20, 40) if each < len(found[0].by_peers.value)]
    rows = [
        [each.form.value, format_interval(each.jack)]
        + [format_number(float(each.by_peers.value[size - 1])) for size in sizes]
        for each in found
    ]
    return Table.of_text(
        "jack",
        "JACK of the best set",
        [["form", "all peers", *(f"{size} peers" for size in sizes)], *rows],
        "The share of references for which there are two outputs that are no closer to one another "
        f"than to it. {INTERVAL}",
    )


def first_table(findings: Findings, first: BootstrapSamples, most: int | None = None) -> Table:
    """How often criteria rank people first (ACL 2005, Table 1)."""
    names, estimates = findings.compared.measures, first.estimates
    size = len(names)
    rows = [["best set", "–", format_percentage_interval(estimates[2 * size])]]
    rows += [
        [
            names[each] if most is None else cut_columns(names[each], _WIDTH),
            format_percentage_interval(estimates[each]),
            format_percentage_interval(estimates[size + each]),
        ]
        for each in findings.order[:most]
    ]
    return Table.of_text(
        "first",
        "People taken for systems: how many of them are ranked first",
        [["criterion", "mean similarity", "QUEEN"], *rows],
        "Each reference in turn is judged by the others, next to all systems; people are told "
        f"apart by the names of references. {INTERVAL}",
    )
