"""HBR beside the measures, as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.document import Table
from eval.judging.numerals import share, share_between
from eval.meta_study.cells import name_cell, two
from eval.meta_study.hbr.findings import Findings
from eval.meta_study.hbr.people import Against
from eval.meta_study.several import known
from eval.meta_study.study import picked

__all__ = ["brief_people_table", "people_table", "predicted_table", "systems_table"]

_FEW = 8
_MOST = 20


def brief_people_table(against: Against, called: tuple[str, str]) -> Table:
    """The best measures, HBR and the worst one, for the terminal."""
    order = known(against.auc)
    beside = range(against.hbr, len(against.names))
    rows = picked(order, _FEW, [*beside, order[-1]])
    cells = [
        [
            name_cell(against.names[row]),
            share_between(against.auc.estimates[row]),
            _lowest(against, row),
            two(float(against.with_people.value[row])),
            two(float(against.predicted.value[row])),
        ]
        for row in rows
    ]
    heading = ["measure", "AUC", "worst 10 %", "r people", "r HBR"]
    title = f"Agreement with {_judge(against)}, best first ({len(order)} in all)"
    return Table(f"people-{against.criterion}", title, [heading, *cells], _meaning(against, called))


def people_table(against: Against, key: str, called: tuple[str, str]) -> Table:
    """All of them, for the document."""
    even, odd = (against.auc_of(each) for each in _halves(against))
    heading = [
        "measure",
        "AUC",
        f"consistent {called[1]}",
        f"inconsistent {called[1]}",
        "rank in the worst 10 %",
        "r with people",
        "r with HBR",
    ]
    if against.pwa:
        heading.insert(2, "PWA")
    rows = []
    for row in known(against.auc):
        cells = [
            against.names[row],
            share_between(against.auc.estimates[row]),
            share_between(even.estimates[row]),
            share_between(odd.estimates[row]),
            _lowest(against, row),
            share_between(against.with_people.estimates[row]),
            share_between(against.predicted.estimates[row]),
        ]
        if against.pwa:
            cells.insert(2, share_between(against.pwa.estimates[row]))
        rows.append(cells)
    title = f"HBR and all measures: {against.criterion}"
    return Table(key, title, [heading, *rows], _meaning(against, called))


def predicted_table(findings: Findings, most: int | None = _MOST) -> Table:
    """What HBR predicts of measures without people, best first."""
    rows = known(findings.predicted)
    cells = [
        [findings.source.measures[row], share_between(findings.predicted.estimates[row])]
        for row in rows[:most]
    ]
    for row in cells:
        row[0] = name_cell(row[0]) if most else row[0]
    title = "Quality of measures as HBR predicts it"
    title += f", the best {len(cells)} of {len(rows)}" if len(cells) < len(rows) else ", best first"
    one, several = findings.source.called
    note = f"Pearson's coefficient with HBR within a {one}, mean over {several}. No human scores."
    return Table("predicted", title, [["measure", "r with HBR"], *cells], note)


def systems_table(findings: Findings, most: int | None = _MOST) -> Table:
    """Systems by their mean HBR."""
    found = findings.systems
    rows = [[name, share(value), f"{count:,}"] for name, value, count in found[:most]]
    title = "Systems by HBR, without people"
    title += f", the best {len(rows)} of {len(found)}" if len(rows) < len(found) else ""
    return Table("systems", title, [["system", "mean HBR", "outputs"], *rows])


def _judge(against: Against) -> str:
    return f"people: {against.criterion}" if against.pwa is None else "the key"


def _meaning(against: Against, called: tuple[str, str]) -> str:
    one, several = called
    consistent, every = int(against.consistent.sum()), int(against.topics.ranked.sum())
    above = int((against.auc.value[: against.hbr] > 0.5).sum())
    return (
        f"AUC: how often the better of two in one {one} is ranked higher, ties ½; above ½ for "
        f"{above} of {against.hbr} measures.\nWorst 10 %: mean rank among measures and HBR (1: "
        f"best) over the {several} where it is lowest.\nr: Pearson's coefficient within a {one}, "
        f"mean. Consistent, no measure below ½: {consistent} of {every} {several}."
    )


def _halves(against: Against) -> Sequence[np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    ranked = against.topics.ranked
    return against.consistent, ranked & ~against.consistent


def _lowest(against: Against, row: int) -> str:
    return two(float(against.worst.value[row])) if row <= against.hbr else "–"
