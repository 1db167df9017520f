"""The study of heterogeneity as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.document import Document, Section
from eval.meta_study.heterogeneity.drawings import drawings, levels_drawing
from eval.meta_study.heterogeneity.findings import Findings
from eval.meta_study.heterogeneity.selection import Choice
from eval.meta_study.heterogeneity.tables import (
    choices_table,
    pairs_table,
    singles_table,
    sizes_table,
    summary_table,
)
from eval.meta_study.study import Study, as_document

__all__ = ["HeterogeneityStudy", "document"]


@dataclass(frozen=True)
class HeterogeneityStudy(Study[Findings]):
    """The study, and for labelled instances the features chosen from them."""

    choices: Sequence[Choice] = ()


def document(study: HeterogeneityStudy) -> Document:
    """All tables and figures."""
    return as_document(
        study,
        "Heterogeneity of measures",
        [
            "Amigó, Gonzalo, Giménez and Verdejo, Corroborating text evaluation results with "
            "heterogeneous measures (EMNLP 2011); the principle as both papers of 2012 put it. "
            "Heterogeneity of a set of measures, H: how often two of them contradict each other "
            "on two outputs. Reliability, R: how often the output that all of them call at least "
            "as good is so for people. Sensitivity, S: how often all of them see what people see.",
        ],
        _sections(study),
    )


def _sections(study: HeterogeneityStudy) -> Iterator[Section]:
    findings = study.findings
    source = findings.source
    people = [summary_table(findings)] if findings.people else []
    tables = [*people, sizes_table(findings), pairs_table(findings, 20, brief=False)]
    yield Section("Sets of measures", figures=tuple(levels_drawing(findings)), tables=tables)
    for number, each in enumerate(findings.people, start=1):
        prefix = f"people-{number}"
        yield Section(
            f"Judged by {each.criterion}",
            figures=tuple(drawings(each, findings, prefix)),
            tables=(singles_table(each, source.measures, prefix),),
        )
    if study.choices:
        yield Section("Which features together", tables=(choices_table(study.choices),))
