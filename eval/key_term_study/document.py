"""The study as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.document import Document, Section, Table
from eval.judging.tables import claims_table
from eval.key_term_study import drawings, paper, tables
from eval.key_term_study.findings import Findings
from eval.key_term_study.tables import Judged

__all__ = ["Study", "document"]


@dataclass(frozen=True)
class Study:
    """What was studied, and what was found."""

    collections: Sequence[tuple[Findings, Judged]]
    """Topics of one kind each, with the verdicts on them."""
    remarks: Sequence[str]
    """What the reader must know of how the study was made."""
    signature: str
    made: str


def document(study: Study) -> Document:
    """The study as a document."""
    several = [findings for findings, _ in study.collections]
    verdicts = [(findings.title, judged) for findings, judged in study.collections]
    return Document(
        "Where key concepts stand, and what finds them",
        [
            "Amigó, Gonzalo, Peinado, Peñas and Verdejo, Using syntactic information to extract "
            "relevant terms for multi-document summarization (COLING 2004), on the documents at "
            "hand. A topic is a set of documents for which people have named key concepts; every "
            "figure is a mean over topics.",
            paper.MISSING,
            *study.remarks,
        ],
        [
            Section("What holds here", tables=(tables.overview_table(verdicts),)),
            Section("The topics", tables=(tables.data_table(several),)),
            *(
                section
                for number, (findings, judged) in enumerate(study.collections, start=1)
                for section in _sections(findings, judged, number)
            ),
        ],
        study.signature,
        study.made,
    )


def _claims(judged: tables.Judged, number: int) -> Table:
    return claims_table(judged, f"conclusions-{number}", "Conclusions with figures")


def _sections(findings: Findings, judged: Judged, number: int) -> Iterator[Section]:
    """Everything about one collection; the number tells its keys from those of the others."""
    title = findings.title
    yield Section(
        f"{title}: conclusions",
        tables=(_claims(judged, number),),
    )
    if findings.tagged:
        yield from _positions(findings, number)
    figures = (
        *drawings.curve_figures(findings, f"figure-4-{number}"),
        drawings.recall_figure(findings, f"recall-{number}"),
        *drawings.by_topic_figure(findings, f"figure-5-{number}"),
    )
    found = (
        tables.recall_table(findings, f"weightings-{number}"),
        *tables.topics_table(findings, f"topics-{number}"),
    )
    yield Section(f"{title}: weightings", (), figures, found, (paper.CURVES, paper.TOPICS))


def _positions(findings: Findings, number: int) -> Iterator[Section]:
    title = findings.title
    yield Section(
        f"{title}: distance from the verb",
        figures=(drawings.distance_figure(findings, f"figure-1-{number}"),),
        tables=(tables.distance_table(findings, f"distances-{number}"),),
        quotes=(paper.VERBS,),
    )
    keys = {"subjects": "figure-2", "heads": "figure-3", "noun heads": "figure-3b"}
    yield Section(
        f"{title}: subjects, heads and modifiers",
        figures=[
            drawings.pair_figure(findings, f"{key}-{number}", which) for which, key in keys.items()
        ],
        tables=(tables.pairs_table(findings, f"pairs-{number}"),),
        quotes=(paper.SUBJECTS, paper.HEADS),
    )
