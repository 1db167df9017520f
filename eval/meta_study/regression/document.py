"""The study of regression as a document."""

from __future__ import annotations

from collections.abc import Iterator

from eval.document import Document, Section
from eval.meta_study.regression.drawings import learner_figure, pool_figures
from eval.meta_study.regression.findings import Findings
from eval.meta_study.regression.tables import (
    learner_tables,
    pool_tables,
    relative_table,
    vote_tables,
)
from eval.meta_study.study import Study, as_document

__all__ = ["document"]

_SUMMARY = (
    "Scores of people estimated: from several measures by the voted regression model (VRM; Hirao, "
    "Okumura, Yasuda and Isozaki 2007) and its rivals under one cross-validation; from the scores "
    "of similar outputs (Kazawa's method) and of other systems (Yasuda's), after Nanba and Okumura "
    "(COLING/ACL 2006)."
)


def document(study: Study[Findings]) -> Document:
    """Conclusions, then a section for each method."""
    return as_document(study, "Scores of people estimated", [_SUMMARY], _sections(study.findings))


def _sections(findings: Findings) -> Iterator[Section]:
    yield Section(
        "Scores from several measures",
        figures=(learner_figure(findings),),
        tables=tuple(learner_tables(findings)),
    )
    yield Section("The voted regression model", tables=tuple(vote_tables(findings)))
    if findings.pools is not None:
        yield Section(
            "Scores from similar outputs",
            figures=tuple(pool_figures(findings.pools)),
            tables=tuple(pool_tables(findings.pools)),
        )
    if findings.relative is not None:
        yield Section("Scores from other systems", tables=(relative_table(findings.relative),))
