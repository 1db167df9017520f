"""Tables, figures, sections and JSON of the study (docs/schema/meta-qarla.schema.json)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np

from weps._formatting import format_interval, format_number
from weps_eval.meta.qarla import Cluster, Judges
from weps_eval.report.document import Document, Figure
from weps_eval.report.figures.intervals import IntervalRow
from weps_eval.report.figures.lines import GuideLine, Series
from weps_eval.report.figures.points import Point
from weps_eval.report.tables import (
    ESTIMATE,
    PERCENT_ESTIMATE,
    SHARE,
    SIGNED_TWO,
    TWO,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    name_kind,
)
from weps_eval.studies.base import (
    SYSTEM_INTERVALS,
    TOPIC_INTERVALS,
    Result,
    by_measure,
    draw_intervals,
    draw_scatter,
    draw_trends,
    interval_band,
    section_of,
)
from weps_eval.studies.qarla.findings import FEW_PEERS, Findings, HumanAgreement, JackReliability
from weps_eval.studies.several import known_mean, short_name

_BRIEF, _WIDTH, _SET_WIDTH = 12, 48, 52
"""Measures in a table on the terminal, and columns of names of measures and of sets."""
_DRAWN, _LABELLED = 70, 3
"""Rows of a figure, and measures with labels."""
_SET_SIZES = ("one measure", "two measures", "three or more")
_JUDGES = {Judges.LEFT_OUT: "the other references", Judges.ALL: "all references, themselves too"}


def report_tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield _kings_table(findings).brief(_BRIEF)
    yield _sets_table(findings).brief()
    yield _agreement_table(findings)
    yield _jack_table(findings)
    first = _first_table(findings)
    yield replace(first, records=first.records[: 1 + _BRIEF // 3]).brief()


def report_document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    return result.document(
        "QARLA",
        [
            "Amigó, Gonzalo, Peñas and Verdejo, An empirical study of information synthesis tasks "
            "(ACL 2004), QARLA: a framework for the evaluation of text summarization systems (ACL "
            "2005), and Evaluating DUC 2004 tasks with the QARLA framework (ACL workshop 2005).",
            "KING asks whether measures distinguish what people write (references) from what "
            "systems make (outputs); QUEEN, how well an output passes for a reference by all "
            "measures of a set; JACK, whether the outputs are varied and good enough for such a "
            "test. None needs human judgements; if there are any, they are compared.",
        ],
        [
            section_of(
                "Which measures are reliable",
                [_kings_table(findings), _sets_table(findings)],
                [_kings_figure(findings)],
            ),
            section_of(
                "Measures that agree",
                [_clusters_table(findings)],
                [_clusters_figure(findings)],
            ),
            section_of(
                "Which systems are better", [_systems_table(findings)], [_systems_figure(findings)]
            ),
            section_of(
                "Agreement with people",
                [_agreement_table(findings), _people_table(findings)],
                _agreement_figures(findings),
            ),
            section_of(
                "Are the outputs sufficient", [_jack_table(findings)], _jack_figures(findings)
            ),
            section_of("People treated as systems", [_first_table(findings)], ()),
        ],
    )


def report_data(result: Result[Findings]) -> dict[str, Any]:
    """Figures of measures, sets, clusters and systems."""
    findings, standing = result.findings, result.findings.system_queens
    columns = [*_kings_table(findings).columns, *_people_table(findings).columns[2:]]
    return result.data(
        topics=[each.topic for each in findings.compared.topics],
        triples=findings.settings.triples,
        models=findings.settings.judges,
        measures=by_name(columns, findings.order),
        sets=_sets_data(findings),
        clusters=_clusters_table(findings).as_records,
        systems=by_measure(standing.systems, standing.queens),
        references=by_measure(standing.references, standing.of_references),
        jack=_jack_table(findings).as_records,
    )


def _sets_data(findings: Findings) -> dict[str, Any]:
    names, search = findings.compared.measures, findings.search
    crossed, first = findings.cross_validated, findings.first
    on_other_topics = crossed and {
        **dict(zip(("several", "single"), crossed.estimates, strict=True)),
        "gain": crossed.difference(1, 0),
    }
    return {
        "tried": search.tried,
        "candidates": [names[each] for each in search.candidates],
        "best": [names[each] for each in findings.best],
        "king": as_json(findings.kings.estimates[search.best]),
        "people_first": first and as_json(first.value[-1]),
        "people": _agreement_table(findings).as_names,
        "greedy": [
            {"measures": [names[one] for one in each.measures], "king": each.king}
            for each in findings.greedy
        ],
        "on_other_topics": as_json(on_other_topics),
    }


def _kings_table(findings: Findings) -> Table:
    first, size = findings.first, len(findings.compared.measures)
    columns: list[Column[int]] = [
        Column("measure", findings.compared.measures.__getitem__, name_kind(_WIDTH)),
        Column("KING", findings.kings.estimates.__getitem__, ESTIMATE, "king"),
        Column("early estimate", findings.early.estimates.__getitem__, ESTIMATE, "early"),
    ]
    for key, at in (("people_first", 0), ("people_first_by_queen", size)):
        shares = first.value[at:].__getitem__ if first else lambda _: None
        columns.append(Column("", shares, key=key, only="json"))
    title = "KING of single measures: how often a reference is ahead of all outputs"
    note = (
        f"Texts are judged by {_JUDGES[findings.settings.judges]}. Early estimate: how often a "
        "reference is closer to another than an output is. "
    )
    return Table("king", title, columns, findings.order, note + TOPIC_INTERVALS)


_SET_COLUMNS: tuple[Column[tuple[str, str, str]], ...] = (
    Column("", itemgetter(0)),
    Column("measures", itemgetter(1), name_kind(_SET_WIDTH)),
    Column("KING", itemgetter(2), Kind(str)),
)


def _set_rows(findings: Findings) -> Iterator[tuple[str, str, str]]:
    """What a set is, its measures, and its KING, which is a difference in the last."""
    search, kings, crossed = findings.search, findings.kings.estimates, findings.cross_validated
    of_tried = f"best of {len(search.sets):,} tried"
    best = {"best single measure": search.best_single, of_tried: search.best}
    for what, number in best.items():
        members = findings.describe_set(search.sets[number])
        yield what, members, format_interval(kings[number])
    for each in findings.greedy[1:]:
        added = f"… + {findings.describe_set(each.measures[-1:])}"
        yield f"greedy, {len(each.measures)}", added, format_number(each.king)
    if crossed:
        several, single = map(format_interval, crossed.estimates)
        gain = format_interval(crossed.difference(1, 0), signed=True)
        yield "on other topics", "best set of several", several
        yield "on other topics", "best single measure", single
        yield "on other topics", "several − single", gain


def _sets_table(findings: Findings) -> Table:
    search = findings.search
    every = len(search.sets) == 2**search.measures - 1
    others = "there are no others" if every else "others may be better"
    return Table(
        "sets",
        "KING of sets of measures",
        _SET_COLUMNS,
        list(_set_rows(findings)),
        f"{len(search.sets):,} sets were tried: single measures, sets of the best measures of "
        f"{len(search.candidates)} clusters, and the greedy ones; {others}. On other topics: "
        "chosen on four fifths of the topics and tested on the rest, five times; only this shows "
        "what the choice gains. " + TOPIC_INTERVALS,
    )


def _clusters_table(findings: Findings) -> Table:
    names = findings.compared.measures

    def others(cluster: Cluster) -> str:
        return ", ".join(names[each] for each in cluster.measures if each != cluster.best) or "–"

    columns: list[Column[tuple[int, Cluster]]] = [
        Column("cluster", itemgetter(0)),
        Column(
            "", lambda row: [names[each] for each in row[1].measures], key="measures", only="json"
        ),
        Column("highest KING", lambda row: names[row[1].best], key="best"),
        Column("its KING", lambda row: row[1].king, replace(SHARE, left=True), "king"),
        Column("with it", lambda row: others(row[1])),
    ]
    return Table(
        "clusters",
        "Measures that accept the same outputs",
        columns,
        list(enumerate(findings.clusters, start=1)),
        "Two sets of measures are closer the more often both accept, or both reject, an output "
        f"on a triple of references. Linkage: {findings.settings.linkage}.",
    )


def _systems_table(findings: Findings) -> Table:
    standing, instances = findings.system_queens, findings.compared.instances
    columns: list[Column[int]] = [
        Column("system", standing.systems.__getitem__),
        Column("QUEEN", standing.queens.estimates.__getitem__, ESTIMATE),
    ]
    for criterion, human in zip(findings.compared.criteria, instances.human, strict=True):
        means = [
            known_mean(human[instances.system == each]) for each in range(len(standing.systems))
        ]
        columns.append(Column(criterion, means.__getitem__, TWO))
    return Table(
        "systems",
        "Systems by QUEEN of the best set",
        columns,
        np.argsort(-standing.queens.value, kind="stable").tolist(),
        f"How likely an output passes for a reference, mean over topics. {TOPIC_INTERVALS}",
    )


def _agreement_table(findings: Findings) -> Table:
    """Pearson's r of the best set, and of the best measures; no rows without human scores."""
    search = findings.search
    (by_king,) = search.sets[search.best_single]

    def by_hindsight(agreement: HumanAgreement) -> float:
        value = agreement.plain.value
        return float(value[int(np.nanargmax(value)) if not np.isnan(value).all() else 0])

    columns: list[Column[HumanAgreement]] = [
        Column("criterion", lambda each: each.criterion),
        Column(
            "QUEEN, best set",
            lambda each: each.queens.estimates[search.best],
            ESTIMATE,
            "queen",
        ),
        Column("by KING", lambda each: each.plain.estimates[by_king], ESTIMATE),
        Column("by hindsight", by_hindsight, TWO),
        Column("KING and r", lambda each: each.with_king(), ESTIMATE, "king_with_people"),
    ]
    return Table(
        "agreement",
        "Pearson's r of systems with people",
        columns,
        findings.agreements,
        "By KING: mean similarity by the measure with the highest KING, "
        f"{findings.compared.measures[by_king]}. By hindsight: by the measure that agrees best. "
        "KING and r: over all sets, whether QUEEN by sets of higher KING agrees better with "
        f"people. {SYSTEM_INTERVALS}",
    )


def people_columns(agreements: Iterable[Any], **parts: str) -> list[Column[int]]:
    """Pearson's r of a measure with people, by criterion; ``parts``: attribute → heading."""
    columns: list[Column[int]] = [Column("", lambda _: {}, key="people", only="json")]
    for each in agreements:
        for part, how in parts.items():
            key = ("people", each.criterion, how.lower())
            estimates = getattr(each, part).estimates
            title = f"{each.criterion}, {how}"
            columns.append(Column(title, estimates.__getitem__, SIGNED_TWO, key))
    return columns


def _people_table(findings: Findings) -> Table:
    columns: list[Column[int]] = [
        Column("measure", findings.compared.measures.__getitem__),
        Column("KING", findings.kings.estimates.__getitem__, SHARE),
        *people_columns(findings.agreements, plain="mean", queens="QUEEN"),
    ]
    return Table(
        "people",
        "Pearson's r of systems with people, by single measures",
        columns,
        findings.order if findings.agreements else (),
        "Mean: of the similarities to the references. QUEEN: by that measure alone; a dash where "
        "it is 0 for all outputs.",
    )


def _jack_table(findings: Findings) -> Table:
    most = max((len(each.by_peers.value) for each in findings.reliability), default=0)
    columns: list[Column[JackReliability]] = [
        Column("form", lambda each: each.form.value, key="form"),
        Column("all peers", lambda each: each.jack, ESTIMATE, "jack"),
        Column("", lambda each: each.by_peers.value, key="by_peers", only="json"),
        *(
            Column(f"{size} peers", lambda each, at=size - 1: each.by_peers.value[at], SHARE)  # type: ignore[misc]
            for size in (2, 5, 10, 20, 40)
            if size < most
        ),
    ]
    return Table(
        "jack",
        "JACK of the best set",
        columns,
        findings.reliability,
        "The share of references for which there are two outputs that are no closer to one another "
        f"than to it. {TOPIC_INTERVALS}",
    )


def _first_table(findings: Findings) -> Table:
    """How often criteria rank people first (ACL 2005, Table 1); no rows where none can."""
    names, size = findings.compared.measures, len(findings.compared.measures)
    estimates = findings.first.estimates if findings.first else ()
    columns: list[Column[int]] = [
        Column("criterion", (*names, "best set").__getitem__, name_kind(_WIDTH)),
        Column(
            "mean similarity",
            lambda each: estimates[each] if each < size else None,
            PERCENT_ESTIMATE,
        ),
        Column("QUEEN", lambda each: estimates[size + each], PERCENT_ESTIMATE),
    ]
    return Table(
        "first",
        "People taken for systems: how many of them are ranked first",
        columns,
        [size, *findings.order] if findings.first else (),
        "Each reference in turn is judged by the others, next to all systems; people are "
        f"identified by the names of references. {TOPIC_INTERVALS}",
    )


def _kings_figure(findings: Findings) -> Figure:
    names, kings = findings.compared.measures, findings.kings.estimates
    title, note = "KING of measures, and of the best set", ""
    best = f"best set: {short_name(findings.describe_set(findings.best))}"
    groups = [
        [IntervalRow(best, kings[findings.search.best], marked=True)],
        [IntervalRow(short_name(names[each]), kings[each]) for each in findings.order[:_DRAWN]],
    ]
    if len(findings.best) == 1:
        groups, note = groups[1:], "The best set is the first measure alone."
    return draw_intervals("king-dots", title, groups, "KING", note)


def _clusters_figure(findings: Findings) -> Figure:
    names, kings = findings.compared.measures, findings.kings.estimates
    groups = [
        [
            IntervalRow(short_name(names[one]), kings[one], marked=one == each.best)
            for one in sorted(each.measures, key=lambda one: (-kings[one].value, one))
        ]
        for each in sorted(findings.clusters, key=lambda each: -each.king)
    ]
    note = "In bold the measure with the highest KING of each cluster."
    if len(names) > _DRAWN:
        groups, note = [each[:1] for each in groups], "The best measure of each cluster."
    return draw_intervals("clusters-dots", "Clusters of measures", groups, "KING", note)


def _systems_figure(findings: Findings) -> Figure:
    """Figure 4 of 2005: systems and references by QUEEN of the best set."""
    standing = findings.system_queens
    references = [
        IntervalRow(f"reference {label}", queen, marked=True)
        for label, queen in zip(standing.references, standing.of_references.estimates, strict=True)
    ]
    systems = map(IntervalRow, standing.systems, standing.against.estimates)
    groups = [
        sorted(rows, key=lambda row: -row.value.value)[: _DRAWN // 2]
        for rows in (references, systems)
    ]
    return draw_intervals(
        "systems-dots",
        "Systems and references by QUEEN of the best set",
        groups,
        "QUEEN",
        "References in bold. All are judged by the references but one, so that a reference does "
        "not judge itself.",
    )


def _agreement_figures(findings: Findings) -> Iterator[Figure]:
    """Figures 5 and 7 of 2005: KING of sets against the agreement of QUEEN with people."""
    axes = "KING", "Pearson's r of QUEEN with people, systems"
    best = findings.search.best
    labelled = {*findings.order[:_LABELLED], best}
    note = "Each point is a set of measures; sets by which no output passes are left out."
    for number, each in enumerate(findings.agreements, start=1):
        title = f"KING against agreement with people: {each.criterion}"
        remark = f"r = {format_interval(each.with_king(), signed=True)}"
        points = [
            Point(
                "best set" if at == best else short_name(findings.describe_set(members)),
                float(each.kings.value[at]),
                float(each.queens.value[at]),
                at in labelled,
                _SET_SIZES[min(len(members), len(_SET_SIZES)) - 1],
            )
            for at, members in enumerate(findings.search.sets)
            if not np.isnan(each.queens.value[at])
        ]
        points.sort(key=lambda point: (_SET_SIZES.index(point.family), point.marked))
        if points:
            yield draw_scatter(f"people-{number}", title, points, axes, note, remark)


def _jack_figures(findings: Findings) -> Iterator[Figure]:
    """Figure 3 of 2005: JACK as peers are added."""
    lines = [
        Series(
            each.form.value,
            np.arange(1.0, len(each.by_peers.value) + 1),
            each.by_peers.value,
            interval_band(each.by_peers.samples),
        )
        for each in findings.reliability
    ]
    size = max(len(line.x) for line in lines)
    guides = [GuideLine(f"{FEW_PEERS} peers", FEW_PEERS, vertical=True)] if size > FEW_PEERS else []
    yield draw_trends(
        "jack-curve",
        "JACK by the number of peers",
        lines,
        ("peers", "JACK"),
        "Peers come in random order, the mean over 100 orders; shaded: 95 % intervals.",
        guides,
    )
