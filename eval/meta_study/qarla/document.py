"""The study as a document."""

from __future__ import annotations

from collections.abc import Iterator

from eval.document import Document, Section, Table
from eval.meta_study.claims import brief_table
from eval.meta_study.qarla.drawings import (
    clusters_figure,
    jack_figure,
    kings_figure,
    people_figures,
    systems_figure,
)
from eval.meta_study.qarla.findings import Findings
from eval.meta_study.qarla.tables import (
    agreement_table,
    clusters_table,
    first_table,
    jack_table,
    kings_table,
    measures_table,
    sets_table,
    systems_table,
)
from eval.meta_study.study import Study, as_document

__all__ = ["brief_tables", "document"]

_MOST = 12
"""Measures in a table on the terminal."""
_WIDTH = 52
"""Columns of the name of a set."""


def document(study: Study[Findings]) -> Document:
    """The study as a document."""
    findings = study.findings
    return as_document(
        study,
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
            Section(
                "Which measures deserve trust",
                figures=(kings_figure(findings),),
                tables=(kings_table(findings), sets_table(findings)),
            ),
            Section(
                "Measures that say the same",
                figures=(clusters_figure(findings),),
                tables=(clusters_table(findings),),
            ),
            Section(
                "Which systems are better",
                figures=(systems_figure(findings),),
                tables=(systems_table(findings),),
            ),
            *_people(findings),
            *_reliable(findings),
            *_first(findings),
        ],
    )


def brief_tables(study: Study[Findings]) -> Iterator[Table]:
    """What the terminal shows."""
    findings = study.findings
    yield kings_table(findings, _MOST)
    yield sets_table(findings, _WIDTH)
    if findings.agreements:
        yield agreement_table(findings)
    if findings.reliability:
        yield jack_table(findings)
    if findings.first:
        yield first_table(findings, findings.first, _MOST // 3)
    yield brief_table(study.judgements)


def _people(findings: Findings) -> Iterator[Section]:
    if findings.agreements:
        yield Section(
            "What people say",
            figures=tuple(people_figures(findings)),
            tables=(agreement_table(findings), measures_table(findings)),
        )


def _reliable(findings: Findings) -> Iterator[Section]:
    if findings.reliability:
        yield Section(
            "Are the outputs enough to say so",
            figures=(jack_figure(findings),),
            tables=(jack_table(findings),),
        )


def _first(findings: Findings) -> Iterator[Section]:
    if findings.first:
        yield Section("People taken for systems", tables=(first_table(findings, findings.first),))
