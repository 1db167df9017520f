"""Sets of measures, as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.document import Table
from eval.judging.numerals import percent_between, share, share_between, signed
from eval.meta.heterogeneity import members, two_by_two
from eval.meta_study.cells import name_cell, two_between
from eval.meta_study.heterogeneity.findings import Findings, Reliable, sizes_of
from eval.meta_study.heterogeneity.selection import Choice
from eval.meta_study.several import known

__all__ = ["choices_table", "pairs_table", "singles_table", "sizes_table", "summary_table"]

_FEW = 5


def summary_table(findings: Findings) -> Table:
    """The figures that the conclusions are about, a row for each criterion."""
    rows = [
        [
            each.criterion,
            percent_between(each.additive),
            two_between(each.reliability_rises),
            percent_between(each.gaining),
            two_between(each.increase_rises),
        ]
        for each in findings.people
    ]
    heading = ["judged by", "additive", "r of H and R", "gain ≥ 0", "r of increase"]
    note = (
        "Additive: pairs of measures that are together as reliable as either at least. H: how "
        "often\nmeasures of a set contradict one another; R: how often an increase that all of "
        "them confirm is\nreal. Gain: random sets more reliable than thresholds of their members "
        "at equal sensitivity.\nIncrease: H of what confirms an increase against how often it is "
        "real."
    )
    return Table("summary", "Sets of measures and people", [heading, *rows], note)


def sizes_table(findings: Findings) -> Table:
    """Means over the random sets of each size."""
    size_of = findings.sets.sum(axis=1)
    heading = ["size", "sets", "H"]
    for each in findings.people:
        told = f" {each.criterion}" if len(findings.people) > 1 else ""
        heading += [f"R{told}", f"S{told}", f"gain{told}"]
    rows = []
    for size in sizes_of(findings.sets):
        chosen = size_of == size
        cells = [str(size), str(int(chosen.sum())), share(findings.heterogeneity[chosen].mean())]
        for each in findings.people:
            cells += _means(each, chosen)
        rows.append(cells)
    note = (
        f"All {len(findings.source.measures)} measures together: H {share_between(findings.whole)}."
    )
    return Table("sizes", "Random sets by size, means", [heading, *rows], note)


def singles_table(found: Reliable, names: Sequence[str], key: str) -> Table:
    """Reliability and sensitivity of every measure alone."""
    reliability, sensitivity = found.single.reliability, found.single.sensitivity
    rows = [
        [
            names[row],
            share_between(reliability.estimates[row]),
            share_between(sensitivity.estimates[row]),
        ]
        for row in known(reliability)
    ]
    title = f"Each measure alone: {found.criterion}"
    note = "Ties count as increases, as in the paper: ≥ on both sides."
    return Table(key, title, [["measure", "reliability", "sensitivity"], *rows], note)


def pairs_table(findings: Findings, most: int = _FEW, *, brief: bool = True) -> Table:
    """The measures that contradict one another most often, and least often."""
    order = np.argsort(-findings.pairs, kind="stable").tolist()
    chosen = order if len(order) <= 2 * most else [*order[:most], *order[-most:]]
    names = findings.source.measures
    two = members(two_by_two(len(names)))
    shown = name_cell if brief else str
    rows = [
        [*(shown(names[each]) for each in two[row]), share(findings.pairs[row])] for row in chosen
    ]
    title = "Measures that contradict one another most often, and least often"
    return Table("pairs", title, [["measure", "measure", "H"], *rows], left=2)


def choices_table(found: Sequence[Choice]) -> Table:
    """KING's choice and MaxPWA's, side by side."""
    rows = [
        [
            str(size),
            name_cell(each.by_king),
            name_cell(each.by_max_pwa),
            share(each.king),
            share(each.max_pwa_king),
            share(each.king_max_pwa),
            share(each.max_pwa),
        ]
        for size, each in enumerate(found, start=1)
    ]
    heading = ["", "by KING (1)", "by MaxPWA (2)", "K: 1", "2", "MaxPWA: 1", "2"]
    note = (
        "K: how often a positive passes more others in all features chosen so far than a negative "
        "of\nthe same name does, P(QUEEN > QUEEN); MaxPWA: how often some feature ranks a positive "
        "higher."
    )
    return Table("choices", "Features chosen one after another", [heading, *rows], note, left=3)


def _means(found: Reliable, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[str]:
    reliability, sensitivity = (
        each.value[chosen] for each in (found.random.reliability, found.random.sensitivity)
    )
    figures = (reliability, sensitivity, found.gains.value[chosen])
    told = zip((share, share, signed), figures, strict=True)
    return [
        tell(float(np.nanmean(each))) if not np.isnan(each).all() else "–" for tell, each in told
    ]
