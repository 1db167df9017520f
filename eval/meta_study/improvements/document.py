"""The study of improvements as a document."""

from __future__ import annotations

from eval.document import Document, Section
from eval.meta_study.improvements.drawings import drawings
from eval.meta_study.improvements.findings import Findings
from eval.meta_study.improvements.tables import full_tables
from eval.meta_study.study import Study, as_document

__all__ = ["document"]

_SUMMARY = (
    "Do measures see where one system significantly improves another (SIP and SIR), can their low "
    "and high scores be trusted, can they be cheated, and what is choosing by them worth? After "
    "Amigó, Giménez, Gonzalo and Verdejo (ACL 2009, section 5). ULC is the mean of all measures."
)
_SECTIONS = {
    "improvements": "Do they see improvements?",
    "extremes": "Can low and high scores be trusted?",
    "decrease": "Can they be cheated?",
    "oracle": "What is choosing by them worth?",
}
_FIGURES = {
    "improvements": "sip-sir",
    "extremes": "low-high",
    "decrease": "decreases",
    "oracle": "oracle-systems",
}


def document(study: Study[Findings]) -> Document:
    """Conclusions, then a section for each question that the data answer."""
    findings = study.findings
    figures = {figure.key: figure for figure in drawings(findings)}
    tables = {table.key: table for table in full_tables(findings)}
    return as_document(
        study,
        "What measures see of improvements",
        [_SUMMARY],
        (
            Section(_SECTIONS[key], figures=(figures[_FIGURES[key]],), tables=(table,))
            for key, table in tables.items()
        ),
    )
