"""Tables of SIP and SIR, of wrong extremes, of decreases and of the oracle system test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from eval.document import Table
from eval.judging.numerals import percent, percent_between, share_between
from eval.meta.drawn import Drawn
from eval.meta_study.cells import name_cell, two
from eval.meta_study.improvements.findings import Findings
from eval.meta_study.kinds import kind_of
from eval.meta_study.several import known
from eval.meta_study.study import picked

__all__ = ["brief_table", "full_tables", "order_of"]

_BOUNDS = ("by chance", "the worst", "the best")


def order_of(findings: Findings) -> list[int]:
    """Measures, best first: by the harmonic mean of SIP and SIR, else by the oracle system."""
    if findings.seen is not None and findings.seen.real.any():
        precision, recall = findings.seen.precision.value, findings.seen.recall.value
        total = precision + recall
        mean = 2 * precision * recall / np.where(total > 0, total, np.nan)
        return _rising(-np.nan_to_num(mean))
    if findings.oracles is not None:
        return _rising(-findings.oracles.chosen.value)
    return list(range(len(findings.judged.measures)))


def brief_table(findings: Findings, most: int = 10) -> Table:
    """The best measures, for the terminal."""
    columns = dict(_columns(findings))
    order = picked(order_of(findings), most, [findings.combined])
    rows = [
        [name_cell(findings.judged.measures[each]), *(cells[each] for cells in columns.values())]
        for each in order
    ]
    hidden = len(findings.judged.measures) - len(rows)
    more = f"{hidden} more measures: see --report. " if hidden > 0 else ""
    return Table(
        "brief",
        f"What measures see of improvements, and whether they can be trusted{_whose(findings)}",
        [["measure", *columns], *rows],
        f"{more}{' '.join(_explained(findings))}",
    )


def full_tables(findings: Findings) -> Iterator[Table]:
    """One table for each question, all measures, best first."""
    order = order_of(findings)
    if findings.seen is not None:
        yield _seen_table(findings, order)
    if findings.counter is not None:
        low, high = findings.counter.low.estimates, findings.counter.high.estimates
        yield _by_measure(
            findings,
            "extremes",
            "Low and high scores that people contradict",
            {
                "low, but not bad": [percent_between(each) for each in low],
                "high, but not good": [percent_between(each) for each in high],
            },
            order,
            _extremes(findings),
        )
    if findings.decrease is not None:
        yield _by_measure(
            findings,
            "decrease",
            f"Quality that could be lost unseen against {findings.asked.chosen}",
            {"decrease": [share_between(each) for each in findings.decrease.estimates]},
            known(findings.decrease)[::-1],
            "On each topic the largest loss to an output that the measure scores no lower, on "
            "the scale of people; the mean over topics.",
        )
    if findings.oracles is not None:
        yield _oracle_table(findings)


def _seen_table(findings: Findings, order: Sequence[int]) -> Table:
    seen = findings.seen
    assert seen is not None  # noqa: S101 - whoever calls has looked
    counts = seen.found.sum(axis=(1, 2))
    columns = {
        "SIP": [share_between(each) for each in seen.precision.estimates],
        "SIR": [share_between(each) for each in seen.recall.estimates],
        "finds": [str(each) for each in counts.tolist()],
    }
    size = len(seen.systems)
    whose = "as published" if findings.is_official else f"by the {findings.asked.test} test"
    return _by_measure(
        findings,
        "improvements",
        "Significant improvements that measures see",
        columns,
        order,
        f"Of {size * (size - 1) // 2} pairs of {size} systems people see {int(seen.real.sum())} "
        f"significant improvements ({whose}). Measures: {findings.asked.test} test, p at most "
        f"{findings.asked.level}, one-sided. In brackets: 95 % interval, bootstrapped over "
        "systems.",
    )


def _oracle_table(findings: Findings) -> Table:
    oracles = findings.oracles
    assert oracles is not None  # noqa: S101 - whoever calls has looked
    bounds = zip(_BOUNDS, oracles.bounds.estimates, oracles.bounds.value.tolist(), strict=True)
    rows = [
        (value, [name, "", share_between(found)]) for name, found, value in bounds
    ] + [
        (
            float(oracles.chosen.value[each]),
            [
                findings.judged.measures[each],
                kind_of(findings.judged.measures[each]),
                share_between(oracles.chosen.estimates[each]),
            ],
        )
        for each in known(oracles.chosen)
    ]  # fmt: skip
    rows.sort(key=lambda row: -row[0])
    return Table(
        "oracle",
        "The oracle system test",
        [["chosen by", "looks at", "quality"], *(cells for _, cells in rows)],
        "The mean score by people of what a measure scores highest, topic by topic; of tied ones "
        "the mean counts.",
        left=2,
    )


def _by_measure(  # noqa: PLR0913, PLR0917 - a table has a name, a title, columns and a note
    findings: Findings,
    key: str,
    title: str,
    columns: dict[str, list[str]],
    order: Sequence[int],
    note: str,
) -> Table:
    names = findings.judged.measures
    rows = [
        [names[each], kind_of(names[each]), *(cells[each] for cells in columns.values())]
        for each in order
    ]
    return Table(key, title, [["measure", "looks at", *columns], *rows], note, left=2)


def _whose(findings: Findings) -> str:
    return f": {findings.judged.criterion}" if findings.judged.criterion else ""


def _rising(values: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(values, kind="stable").tolist()
    return order


def _columns(findings: Findings) -> Iterator[tuple[str, list[str]]]:
    if findings.seen is not None:
        yield "SIP", _twos(findings.seen.precision)
        yield "SIR", _twos(findings.seen.recall)
    if findings.counter is not None:
        yield "low wrong", [percent(each) for each in findings.counter.low.value.tolist()]
        yield "high wrong", [percent(each) for each in findings.counter.high.value.tolist()]
    if findings.decrease is not None:
        yield "decrease", _twos(findings.decrease)
    if findings.oracles is not None:
        yield "oracle", _twos(findings.oracles.chosen)


def _twos(drawn: Drawn) -> list[str]:
    return [two(each) for each in drawn.value.tolist()]


def _explained(findings: Findings) -> Iterator[str]:
    if findings.seen is not None:
        yield (
            "SIP: improvements that a measure finds and people see too; SIR: improvements that "
            "people see and the measure finds."
        )
    if findings.counter is not None:
        yield "low wrong: low scores of outputs that are not bad; high wrong: the reverse."
    if findings.decrease is not None:
        yield f"decrease: quality lost unseen against {findings.asked.chosen}."
    if findings.oracles is not None:
        told = zip(_BOUNDS, findings.oracles.bounds.value.tolist(), strict=True)
        bounds = ", ".join(f"{name} {two(value)}" for name, value in told)
        yield f"oracle: quality of what a measure scores highest on each topic ({bounds})."


def _extremes(findings: Findings) -> str:
    at, people = findings.thresholds, findings.judged.human
    low, high = int((people <= at.low).sum()), int((people >= at.high).sum())
    return (
        f"A measure's score is low where the human score at the same rank is {at.low:g} or less, "
        f"and wrong if people give {at.not_low:g} or more; high from {at.high:g} on, and wrong if "
        f"people give {at.not_high:g} or less: {low:,} outputs are low, {high:,} high. The places "
        "are the paper's, on the scale at hand. A dash: there is no such score."
    )
