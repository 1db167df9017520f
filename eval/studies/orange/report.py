"""What the study found, in tables.

The study as JSON knows it (docs/schema/meta-orange.schema.json).

The figures of the study; no pictures without matplotlib.

The study as a document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isnan
from typing import Any

import numpy as np

from eval.report.document import Document, Figure, Section, Table
from eval.report.figures.intervals import Entry, groups_of_dots
from eval.report.figures.lines import Trend, trends
from eval.report.figures.points import Point, scatter
from eval.report.figures.style import Interval, Picture, available
from eval.report.numbers import share, share_between, signed_between, two_between
from eval.stats.estimate import Estimate
from eval.studies.base import Study, as_data, as_document, brief_table, estimate_data
from eval.studies.orange.findings import SHARES, Findings, Floats
from eval.studies.pairwise import short
from weps._formatting import cut

__all__ = [
    "acceptance_figures",
    "acceptance_table",
    "brief_tables",
    "document",
    "king_figure",
    "likeness_figures",
    "measures_table",
    "orange_figure",
    "stability_figure",
    "stability_table",
    "standings_tables",
    "study_data",
]


def study_data(study: Study[Findings]) -> dict[str, Any]:
    """Signature, figures of measures, likeness against acceptability, and verdicts."""
    findings = study.findings
    return as_data(
        study,
        topics=[each.topic for each in findings.compared.topics],
        listing=findings.settings.listing,
        ties=findings.settings.ties,
        measures=_measures(findings),
        orange_with_king=findings.with_king and estimate_data(findings.with_king),
        likeness=[
            {
                "likeness": way,
                "criterion": each.criterion,
                "highest": highest,
                "acceptable": estimate_data(each.acceptable.estimates[at]),
                "human_like": estimate_data(each.human_like.estimates[at]),
                "accepted": estimate_data(each.accepted.estimates[at]),
                "likened": estimate_data(each.likened.estimates[at]),
                "gap": estimate_data(each.gap(at)),
            }
            for way, some in findings.standings.items()
            for each in some
            for at, highest in enumerate(SHARES)
        ],
        stability=_stability(findings),
    )


def _measures(findings: Findings) -> dict[str, Any]:
    """Best first."""
    kings = findings.qarla.kings.estimates if findings.qarla else None
    names = findings.compared.measures
    return {
        names[each]: {
            "orange": estimate_data(findings.orange.estimates[each]),
            "average_rank": estimate_data(findings.ranks.estimates[each]),
            "rank_of_list": estimate_data(findings.ratios.estimates[each]),
            "king": kings and estimate_data(kings[each]),
            "people": {
                one.criterion: {
                    "systems": estimate_data(one.systems.estimates[each]),
                    "outputs": estimate_data(one.outputs.estimates[each]),
                }
                for one in findings.acceptances
            },
        }
        for each in findings.order
    }


def _stability(findings: Findings) -> list[dict[str, Any]]:
    found = findings.stability
    if found is None:
        return []
    pairs = zip(found.estimates(found.orange), found.estimates(found.king), strict=True)
    return [
        {"references": size, "orange": estimate_data(one), "king": estimate_data(other)}
        for size, (one, other) in zip(found.references, pairs, strict=True)
    ]


_MOST = 70
"""Rows of a figure."""
_LABELLED = 4
_SYSTEMS = 20
"""Systems that all have labels."""


def orange_figure(findings: Findings) -> Figure:
    """ORANGE of every measure."""
    names, title = findings.compared.measures, "ORANGE of measures"
    rows = [
        Entry(short(names[each]), Interval(*findings.orange.estimates[each]))
        for each in findings.order[:_MOST]
    ]
    return _figure("orange-dots", title, lambda: groups_of_dots([rows], title, "ORANGE"))


def king_figure(findings: Findings) -> Iterator[Figure]:
    """KING against ORANGE of every measure; none without KING."""
    if findings.qarla is None:
        return
    title = "KING against ORANGE"
    told = f"τ = {signed_between(findings.with_king)}" if findings.with_king else ""
    points = _measures_drawings(findings, findings.qarla.kings.value)
    axes = "ORANGE", "KING"
    yield _figure(
        "king",
        title,
        lambda: scatter(points, title, x=axes[0], y=axes[1], correlation=told, alike=False),
        "Each point is a measure.",
    )


def acceptance_figures(findings: Findings) -> Iterator[Figure]:
    """Measures: likeness against acceptability, criterion by criterion."""
    for number, each in enumerate(findings.acceptances, start=1):
        title = f"ORANGE against agreement with people: {each.criterion}"
        points = _measures_drawings(findings, each.systems.value)
        if points:
            axes = "ORANGE", "Pearson's r with people, systems"
            note = "Each point is a measure."
            yield _scatter(f"acceptance-{number}", title, points, axes, note)


def likeness_figures(findings: Findings) -> Iterator[Figure]:
    """Systems: likeness against acceptability, criterion by criterion."""
    way, likeness = next(iter(findings.likenesses.items()))
    instances, systems = findings.compared.instances, findings.compared.systems
    for number, criterion in enumerate(findings.compared.criteria, start=1):
        human = instances.human[number - 1]
        held = ~np.isnan(human)
        times = np.bincount(instances.system[held], minlength=len(systems))
        known = np.flatnonzero(times)
        if not len(known):
            continue
        like, accepted = (
            np.bincount(instances.system[held], some[held], minlength=len(systems))[known]
            / times[known]
            for some in (likeness, human)
        )
        points = [
            Point(systems[each], float(x), float(y), marked=len(known) <= _SYSTEMS)
            for each, x, y in zip(known.tolist(), like, accepted, strict=True)
        ]
        title = f"Likeness of systems to people against acceptability: {criterion}"
        note = f"Each point is a system. Likeness: {way}."
        yield _scatter(f"likeness-{number}", title, points, ("likeness", criterion), note)


def stability_figure(findings: Findings) -> Iterator[Figure]:
    """How few references will do."""
    found = findings.stability
    if found is None or len(found.references) < 2:
        return
    title = "Measures ranked by some references, and by all"
    x = np.array(found.references, dtype=np.float64)
    lines = [
        Trend(name, x, values[:, 0], _band(values[:, 1:]))
        for name, values in (("ORANGE", found.orange), ("KING", found.king))
    ]
    yield _figure(
        "stability-curve",
        title,
        lambda: trends(lines, title, x="references of each topic", y="Kendall's τ with all"),
        "Shaded: 95 % intervals over topics.",
    )


def _measures_drawings(findings: Findings, values: Floats) -> list[Point]:
    """Measures by ORANGE and something else; the best by either have labels."""
    names, oranges = findings.compared.measures, findings.orange.value
    known = [each for each in range(len(names)) if np.isfinite(values[each])]
    highest = sorted(known, key=lambda each: -float(values[each]))
    marked = {*findings.order[: _LABELLED // 2], *highest[: _LABELLED // 2]}
    return [
        Point(short(names[each]), float(oranges[each]), float(values[each]), each in marked)
        for each in known
    ]


def _scatter(
    key: str, title: str, points: Sequence[Point], axes: tuple[str, str], note: str
) -> Figure:
    x, y = axes
    return _figure(key, title, lambda: scatter(points, title, x=x, y=y, alike=False), note)


def _band(drawn: Floats) -> tuple[Floats, Floats] | None:
    if np.isnan(drawn).any():
        return None
    low, high = np.percentile(drawn, [2.5, 97.5], axis=1)
    return low, high


def _figure(key: str, title: str, draw: Callable[[], Picture], note: str = "") -> Figure:
    return Figure(key, title, draw() if available() else None, note)


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


_MOST_DOCUMENT = 12
"""Measures in a table on the terminal."""


def document(study: Study[Findings]) -> Document:
    """The study as a document."""
    findings = study.findings
    return as_document(
        study,
        "ORANGE",
        [
            "Lin and Och, ORANGE: a method for evaluating automatic evaluation metrics for machine "
            "translation (COLING 2004), and Amigó, Giménez, Gonzalo and Màrquez, MT evaluation: "
            "human-like vs. human acceptable (COLING/ACL 2006), of which the opening is at hand.",
            "ORANGE asks whether a measure ranks what people wrote (references) above what systems "
            "made (outputs), all judged by the other references; KING asks for a reference ahead "
            "of all outputs. Likeness to people is put beside acceptability: what people say.",
        ],
        [
            Section(
                "Measures that tell people from systems",
                figures=(orange_figure(findings), *king_figure(findings)),
                tables=(measures_table(findings),),
            ),
            *_accepted(findings),
            *_stable(findings),
        ],
    )


def brief_tables(study: Study[Findings]) -> Iterator[Table]:
    """What the terminal shows."""
    findings = study.findings
    yield measures_table(findings, _MOST_DOCUMENT)
    yield from standings_tables(findings, 1)
    if table := stability_table(findings):
        yield table
    yield brief_table(study.judgements)


def _accepted(findings: Findings) -> Iterator[Section]:
    if findings.acceptances:
        yield Section(
            "Likeness and acceptability: measures",
            figures=tuple(acceptance_figures(findings)),
            tables=(acceptance_table(findings),),
        )
    if tables := tuple(standings_tables(findings)):
        yield Section(
            "Likeness and acceptability: outputs",
            figures=tuple(likeness_figures(findings)),
            tables=tables,
        )


def _stable(findings: Findings) -> Iterator[Section]:
    if table := stability_table(findings):
        yield Section(
            "How many references it takes",
            figures=tuple(stability_figure(findings)),
            tables=(table,),
        )
