"""The study of correlation as a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from eval.document import Document, Section
from eval.meta_study.correlation.drawings import drawings
from eval.meta_study.correlation.findings import Findings
from eval.meta_study.correlation.tables import halves_table, level_table
from eval.meta_study.study import Study, as_document

__all__ = ["document"]

_SUMMARY = (
    "How far measures agree with people: Pearson's, Spearman's and Kendall's coefficients by "
    "systems, by segments, within topics and within systems, with Williams' test between the best "
    "measure and the others (Amigó, Giménez, Gonzalo and Verdejo, ACL 2009, section 4). ULC is the "
    "mean of all measures."
)


def document(study: Study[Sequence[Findings]]) -> Document:
    """Conclusions over all criteria, then a section for each."""
    return as_document(
        study,
        "Agreement of measures with people",
        [_SUMMARY],
        (_section(each, f"c{number}") for number, each in enumerate(study.findings, 1)),
    )


def _section(findings: Findings, prefix: str) -> Section:
    levels = [
        level_table(findings, level, f"{prefix}-{re.sub('[^a-z]+', '-', level)}")
        for level in findings.levels
    ]
    halved = halves_table(findings, f"{prefix}-halves")
    return Section(
        findings.judged.criterion,
        paragraphs=(findings.judged.told,),
        figures=tuple(drawings(findings, prefix)),
        tables=(*levels, *([halved] if halved else [])),
    )
