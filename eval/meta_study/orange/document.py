"""The study as a document."""

from __future__ import annotations

from collections.abc import Iterator

from eval.document import Document, Section, Table
from eval.meta_study.claims import brief_table
from eval.meta_study.orange.drawings import (
    acceptance_figures,
    king_figure,
    likeness_figures,
    orange_figure,
    stability_figure,
)
from eval.meta_study.orange.findings import Findings
from eval.meta_study.orange.tables import (
    acceptance_table,
    measures_table,
    stability_table,
    standings_tables,
)
from eval.meta_study.study import Study, as_document

__all__ = ["brief_tables", "document"]

_MOST = 12
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
    yield measures_table(findings, _MOST)
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
