"""What the study found, in tables."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from eval.document import Table
from eval.judging.numerals import share, share_between, signed_between
from eval.meta_study.cells import two_between
from eval.meta_study.orange.findings import Findings
from eval.meta_study.orange.standings import SHARES
from eval.ordering import Estimate
from weps.commands.fitting import cut

__all__ = ["acceptance_table", "measures_table", "stability_table", "standings_tables"]

_WIDTH = 48
"""Columns of a measure's name on the terminal."""
INTERVAL = "In brackets: 95 % interval, bootstrapped over topics."


def measures_table(findings: Findings, most: int | None = None) -> Table:
    """ORANGE in both forms, and KING, the best first."""
    names, order = findings.compared.measures, findings.order
    oranges, ranks, ratios = (
        each.estimates for each in (findings.orange, findings.ranks, findings.ratios)
    )
    kings = _kings(findings)
    rows = [
        [
            names[each] if most is None else cut(names[each], _WIDTH),
            share_between(oranges[each]),
            _rank(ranks[each]),
            share(kings[each].value) if kings else "–",
            share(ratios[each].value),
        ]
        for each in order[:most]
    ]
    rows = [["measure", "ORANGE", "average rank", "KING", "rank of list"], *rows]
    return Table(
        "orange",
        "How measures rank references among outputs",
        rows if most is None else [row[:-1] for row in rows],
        " ".join(_notes(findings, len(order) - len(rows) + 1)),
    )


def _kings(findings: Findings) -> tuple[Estimate, ...]:
    return findings.qarla.kings.estimates if findings.qarla else ()


def _notes(findings: Findings, more: int) -> Iterator[str]:
    yield (
        "ORANGE (2006): how often a reference is ahead of an output, both judged by the other "
        f"references; higher is better. Average rank (2004, {findings.settings.listing}): 1 "
        "is the first; lower is better. KING: how often a reference is ahead of all outputs."
    )
    if findings.with_king:
        yield f"Kendall's τ of ORANGE and KING: {signed_between(findings.with_king)}."
    yield INTERVAL
    if more:
        yield f"{more} more are in the report."


def acceptance_table(findings: Findings, most: int | None = None) -> Table:
    """Measures by ORANGE, with their agreement with people."""
    names = findings.compared.measures
    heading = [f"{each.criterion}, {what}" for each in findings.acceptances for what in _LEVELS]
    rows = [
        [names[each], share(float(findings.orange.value[each]))]
        + [
            _signed(float(getattr(one, what).value[each]))
            for one in findings.acceptances
            for what in _LEVELS
        ]
        for each in findings.order[:most]
    ]
    return Table(
        "acceptance",
        "Measures that tell references from outputs, and measures that agree with people",
        [["measure", "ORANGE", *heading], *rows],
        "Pearson's r of the mean similarity to the references with what people say, by systems and "
        "by outputs.",
    )


_LEVELS = ("systems", "outputs")


def standings_tables(findings: Findings, most: int | None = None) -> Iterator[Table]:
    """Likeness against acceptability, one table for each way to say likeness.

    Args:
        findings: of the study.
        most: how many shares are shown.
    """
    told = ((way, found) for way, found in findings.standings.items() if found)
    for number, (way, found) in enumerate(told, start=1):
        rows = [
            [
                each.criterion,
                f"{100 * highest:.0f} %",
                two_between(each.accepted.estimates[at]),
                two_between(each.likened.estimates[at]),
                signed_between(each.gap(at)),
            ]
            for each in found
            for at, highest in enumerate(SHARES[:most])
        ]
        yield Table(
            f"standings-{number}",
            "Likeness and acceptability of outputs",
            [["criterion", "highest", "likeness → accepted", "accepted → likeness", "gap"], *rows],
            f"Likeness: {way}. Where the outputs that are highest by the one stand by the other: 0 "
            "is in the middle, 1 where those stand that are highest by the other itself. If "
            "likeness implies acceptability and not the reverse, the first is near 1 and the gap "
            f"above 0. {INTERVAL}",
        )


def stability_table(findings: Findings) -> Table | None:
    """How many references ORANGE and KING need."""
    found = findings.stability
    if found is None:
        return None
    pairs = zip(found.estimates(found.orange), found.estimates(found.king), strict=True)
    rows = [
        [str(size), share_between(one), share_between(other), signed_between(found.ahead(size))]
        for size, (one, other) in zip(found.references, pairs, strict=True)
    ]
    return Table(
        "stability",
        "How few references rank measures as all of them do: Kendall's τ",
        [["references", "ORANGE", "KING", "ORANGE − KING"], *rows],
        f"References are drawn for each topic anew, three times. {INTERVAL}",
    )


def _rank(figure: Estimate) -> str:
    ends = "" if isnan(figure.low) else f" ({figure.low:.1f} to {figure.high:.1f})"
    return f"{figure.value:.1f}{ends}"


def _signed(value: float) -> str:
    return "–" if isnan(value) else f"{value:+.2f}".replace("-", "−")
