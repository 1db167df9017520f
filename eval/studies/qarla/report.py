"""Tables, figures, sections and JSON of the study (docs/schema/meta-qarla.schema.json)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np

from eval.meta.qarla_sets import Cluster
from eval.report.document import Document
from eval.report.tables import (
    ESTIMATE,
    PERCENT_ESTIMATE,
    SHARE,
    SIGNED_TWO,
    TWO,
    TWO_ESTIMATE,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    name,
    records,
)
from eval.studies.base import Result, by_measure, section_of
from eval.studies.qarla.figures import (
    agreement_figures,
    clusters_figure,
    jack_figures,
    kings_figure,
    systems_figure,
)
from eval.studies.qarla.findings import Findings, HumanAgreement
from eval.studies.qarla.sets import JackReliability
from weps._formatting import format_interval, format_number

__all__ = ["data", "document", "tables"]

_INTERVAL = "In brackets: 95 % interval, bootstrapped over topics."
_BRIEF, _WIDTH, _SET_WIDTH = 12, 48, 52
"""Measures in a table on the terminal, and columns of names of measures and of sets."""


def tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield _kings_table(findings).brief(_BRIEF)
    yield _sets_table(findings).brief()
    yield _agreement_table(findings)
    yield _jack_table(findings)
    first = _first_table(findings)
    yield replace(first, records=first.records[: 1 + _BRIEF // 3]).brief()


def document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    return result.document(
        "QARLA",
        [
            "Amigó, Gonzalo, Peñas and Verdejo, An empirical study of information synthesis tasks "
            "(ACL 2004), QARLA: a framework for the evaluation of text summarization systems (ACL "
            "2005), and Evaluating DUC 2004 tasks with the QARLA framework (ACL workshop 2005).",
            "KING asks of measures whether they tell what people write (references) from what "
            "systems make (outputs); QUEEN asks of an output whether it passes for a reference by "
            "all measures of a set; JACK asks of the outputs whether they are various, and good, "
            "enough to say so. None needs human judgements; where there are any, they are "
            "compared.",
        ],
        [
            section_of(
                "Which measures deserve trust",
                [_kings_table(findings), _sets_table(findings)],
                [kings_figure(findings)],
            ),
            section_of(
                "Measures that say the same",
                [_clusters_table(findings)],
                [clusters_figure(findings)],
            ),
            section_of(
                "Which systems are better", [_systems_table(findings)], [systems_figure(findings)]
            ),
            section_of(
                "What people say",
                [_agreement_table(findings), _people_table(findings)],
                agreement_figures(findings),
            ),
            section_of(
                "Are the outputs enough to say so", [_jack_table(findings)], jack_figures(findings)
            ),
            section_of("People taken for systems", [_first_table(findings)], ()),
        ],
    )


def data(result: Result[Findings]) -> dict[str, Any]:
    """Figures of measures, sets, clusters and systems."""
    findings, standing = result.findings, result.findings.system_queens
    people: Column[int] = Column("", lambda _: {}, key="people", only="json")
    columns = [*_measure_columns(findings), people, *_people_columns(findings)]
    return result.data(
        topics=[each.topic for each in findings.compared.topics],
        triples=findings.settings.triples,
        measures=by_name(columns, findings.order),
        sets=_sets_data(findings),
        clusters=records(_cluster_columns(findings), list(enumerate(findings.clusters, start=1))),
        systems=by_measure(standing.systems, standing.queens),
        references=by_measure(standing.references, standing.of_references),
        jack=records(_jack_columns(findings), findings.reliability),
    )


def _sets_data(findings: Findings) -> dict[str, Any]:
    names, search = findings.compared.measures, findings.search
    crossed, first = findings.cross_validated, findings.first
    on_other_topics = crossed and {
        **dict(zip(("several", "single"), crossed.kings.estimates, strict=True)),
        "gain": crossed.kings.difference(1, 0),
    }
    return {
        "tried": search.tried,
        "candidates": [names[each] for each in search.candidates],
        "best": [names[each] for each in findings.best],
        "king": as_json(findings.kings.estimates[search.best]),
        "people_first": first and as_json(first.value[-1]),
        "people": by_name(_agreement_columns(findings), findings.agreements),
        "greedy": [
            {"measures": [names[one] for one in each.measures], "king": each.king}
            for each in findings.greedy
        ],
        "on_other_topics": as_json(on_other_topics),
    }


def _measure_columns(findings: Findings) -> list[Column[int]]:
    """Of the number of a measure."""
    first, size = findings.first, len(findings.compared.measures)
    return [
        Column("measure", findings.compared.measures.__getitem__, name(_WIDTH)),
        Column("KING", findings.kings.estimates.__getitem__, ESTIMATE, "king"),
        Column("early estimate", findings.early.estimates.__getitem__, ESTIMATE, "early"),
        Column("", lambda each: first and first.value[each], key="people_first", only="json"),
        Column(
            "",
            lambda each: first and first.value[size + each],
            key="people_first_by_queen",
            only="json",
        ),
    ]


def _kings_table(findings: Findings) -> Table:
    """Single measures, the best first."""
    return Table(
        "king",
        "KING of single measures: how often a reference is ahead of all outputs",
        _measure_columns(findings),
        findings.order,
        "Early estimate: how often a reference is closer to another than an output is. "
        + _INTERVAL,
    )


_SET_COLUMNS: tuple[Column[tuple[str, str, str]], ...] = (
    Column("", itemgetter(0)),
    Column("measures", itemgetter(1), name(_SET_WIDTH)),
    Column("KING", itemgetter(2), Kind(str)),
)


def _set_rows(findings: Findings) -> Iterator[tuple[str, str, str]]:
    """What a set is, its measures, and its KING, which is a difference in the last."""
    search, kings, crossed = findings.search, findings.kings.estimates, findings.cross_validated
    best = {"best single measure": search.best_single, "best of all sets": search.best}
    for what, number in best.items():
        members = findings.describe_set(search.sets[number])
        yield what, members, format_interval(kings[number])
    for each in findings.greedy[1:]:
        added = f"… + {findings.describe_set(each.measures[-1:])}"
        yield f"greedy, {len(each.measures)}", added, format_number(each.king)
    if crossed:
        several, single = map(format_interval, crossed.kings.estimates)
        gain = format_interval(crossed.kings.difference(1, 0), signed=True)
        yield "on other topics", "best set of several", several
        yield "on other topics", "best single measure", single
        yield "on other topics", "several − single", gain


def _sets_table(findings: Findings) -> Table:
    """The best set, and how the greedy one grows."""
    search = findings.search
    return Table(
        "sets",
        "Measures together: KING of sets",
        _SET_COLUMNS,
        list(_set_rows(findings)),
        f"All sets: {search.tried:,} of the best measures of {len(search.candidates)} clusters and "
        "of single measures, and the greedy ones. On other topics: chosen on four fifths of the "
        "topics, judged on the rest, five times; only this says what a choice gains. " + _INTERVAL,
    )


def _cluster_columns(findings: Findings) -> list[Column[tuple[int, Cluster]]]:
    """Of a cluster and its number."""

    def named(measures: Iterable[int]) -> list[str]:
        return [findings.compared.measures[each] for each in measures]

    def others(cluster: Cluster) -> str:
        return ", ".join(named(each for each in cluster.measures if each != cluster.best)) or "–"

    return [
        Column("cluster", lambda row: row[0]),
        Column("", lambda row: named(row[1].measures), key="measures", only="json"),
        Column("highest KING", lambda row: findings.compared.measures[row[1].best], key="best"),
        Column("its KING", lambda row: row[1].king, replace(SHARE, left=True), "king"),
        Column("with it", lambda row: others(row[1])),
    ]


def _clusters_table(findings: Findings) -> Table:
    """Measures that accept the same outputs (2005, Figure 1)."""
    return Table(
        "clusters",
        "Measures that say the same of the outputs",
        _cluster_columns(findings),
        list(enumerate(findings.clusters, start=1)),
        "Two sets of measures are the closer, the more often both accept, or both reject, an "
        f"output on a triple of references. United by: {findings.settings.linkage}.",
    )


def _systems_table(findings: Findings) -> Table:
    """Systems by QUEEN of the best set, with what people say."""
    standing = findings.system_queens
    columns: list[Column[int]] = [
        Column("system", standing.systems.__getitem__),
        Column("QUEEN", standing.queens.estimates.__getitem__, ESTIMATE),
        *(
            Column(criterion, human.__getitem__, TWO)
            for criterion, human in zip(findings.compared.criteria, findings.human, strict=True)
        ),
    ]
    return Table(
        "systems",
        "Systems by QUEEN of the best set",
        columns,
        np.argsort(-standing.queens.value, kind="stable").tolist(),
        f"How likely an output passes for a reference, mean over topics. {_INTERVAL}",
    )


def _agreement_columns(findings: Findings) -> list[Column[HumanAgreement]]:
    """Pearson's r with people."""
    search = findings.search
    (by_king,) = search.sets[search.best_single]

    def by_hindsight(agreement: HumanAgreement) -> float:
        value = agreement.plain.value
        return float(value[int(np.nanargmax(value)) if not np.isnan(value).all() else 0])

    return [
        Column("criterion", lambda each: each.criterion),
        Column(
            "QUEEN, best set",
            lambda each: each.queens.estimates[search.best],
            TWO_ESTIMATE,
            "queen",
        ),
        Column("by KING", lambda each: each.plain.estimates[by_king], TWO_ESTIMATE),
        Column("by hindsight", by_hindsight, TWO),
        Column("KING and r", lambda each: each.with_king(), TWO_ESTIMATE, "king_with_people"),
    ]


def _agreement_table(findings: Findings) -> Table:
    """The best set, and the best measures; no rows without human scores."""
    search = findings.search
    single = findings.describe_set(search.sets[search.best_single])
    return Table(
        "agreement",
        "Pearson's r of systems with people",
        _agreement_columns(findings),
        findings.agreements,
        f"By KING: mean similarity by the measure with the highest KING, {single}. By hindsight: "
        "by the measure that agrees best. KING and r: over all sets, whether QUEEN by sets "
        f"of higher KING agrees better with people. {_INTERVAL}",
    )


def _people_columns(findings: Findings) -> list[Column[int]]:
    """Pearson's r of a measure with people, by criterion."""
    return [
        Column(
            f"{each.criterion}, {how}",
            samples.estimates.__getitem__,
            SIGNED_TWO,
            ("people", each.criterion, how.lower()),
        )
        for each in findings.agreements
        for how, samples in (("mean", each.plain), ("QUEEN", each.queens))
    ]


def _people_table(findings: Findings) -> Table:
    """Measures by KING, with their agreement with people, plainly and as QUEEN."""
    columns: list[Column[int]] = [
        Column("measure", findings.compared.measures.__getitem__),
        Column("KING", findings.kings.estimates.__getitem__, SHARE),
        *_people_columns(findings),
    ]
    return Table(
        "people",
        "Pearson's r of systems with people, by single measures",
        columns,
        findings.order if findings.agreements else (),
        "Mean: of the similarities to the references. QUEEN: by that measure alone; a dash where "
        "it is 0 for all outputs.",
    )


def _jack_columns(findings: Findings) -> list[Column[JackReliability]]:
    """All peers, and some."""
    most = max((len(each.by_peers.value) for each in findings.reliability), default=0)
    return [
        Column("form", lambda each: each.form.value, key="form"),
        Column("all peers", lambda each: each.jack, ESTIMATE, "jack"),
        Column("", lambda each: each.by_peers.value, key="by_peers", only="json"),
        *(
            Column(f"{size} peers", lambda each, at=size - 1: each.by_peers.value[at], SHARE)  # type: ignore[misc]
            for size in (2, 5, 10, 20, 40)
            if size < most
        ),
    ]


def _jack_table(findings: Findings) -> Table:
    """JACK in both forms, as peers are added; no rows if outputs were not compared."""
    return Table(
        "jack",
        "JACK of the best set",
        _jack_columns(findings),
        findings.reliability,
        "The share of references for which there are two outputs that are no closer to one another "
        f"than to it. {_INTERVAL}",
    )


def _first_table(findings: Findings) -> Table:
    """How often criteria rank people first (ACL 2005, Table 1); no rows where none can."""
    names, size = findings.compared.measures, len(findings.compared.measures)
    estimates = findings.first.estimates if findings.first else ()
    columns: list[Column[int]] = [
        Column("criterion", (*names, "best set").__getitem__, name(_WIDTH)),
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
        "Each reference in turn is judged by the others, next to all systems; people are told "
        f"apart by the names of references. {_INTERVAL}",
    )
