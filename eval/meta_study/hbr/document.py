"""The study of HBR as a document."""

from __future__ import annotations

from collections.abc import Iterator

from eval.document import Document, Section
from eval.meta_study.hbr.drawings import drawings
from eval.meta_study.hbr.findings import Findings
from eval.meta_study.hbr.tables import people_table, predicted_table, systems_table
from eval.meta_study.study import Study, as_document

__all__ = ["document"]


def document(study: Study[Findings]) -> Document:
    """All tables and figures."""
    return as_document(
        study,
        "Heterogeneity based ranking",
        [
            "Amigó, Gonzalo, Giménez and Verdejo, UNED: evaluating text similarity measures "
            "without human assessments (*SEM 2012), and Amigó, Gonzalo and Verdejo, The "
            "heterogeneity principle in evaluation measures for automatic summarization (workshop "
            "on evaluation metrics, NAACL 2012). HBR ranks an output by how heterogeneous the "
            "measures are that say it is at least as good as another, mean over the others; no "
            "human scores, weights or scales.",
        ],
        _sections(study),
    )


def _sections(study: Study[Findings]) -> Iterator[Section]:
    findings = study.findings
    source = findings.source
    for number, each in enumerate(findings.people, start=1):
        prefix = f"people-{number}"
        yield Section(
            f"Agreement by {each.criterion}",
            figures=tuple(drawings(each, prefix, source.called[1])),
            tables=(people_table(each, prefix, source.called),),
        )
    tables = [predicted_table(findings, None)]
    if findings.systems:
        tables.append(systems_table(findings, None))
    yield Section("Without people", tables=tables)
