"""The study of HBR as JSON knows it (docs/schema/meta-hbr.schema.json)."""

from __future__ import annotations

from typing import Any

from eval.meta_study.figures_data import by_measure, estimate_data
from eval.meta_study.hbr.findings import Findings
from eval.meta_study.hbr.people import Against
from eval.meta_study.study import Study, as_data

__all__ = ["study_data"]


def study_data(study: Study[Findings]) -> dict[str, Any]:
    """Signature, figures by criterion, verdicts, and what needs no people."""
    findings = study.findings
    return as_data(
        study,
        predicted=by_measure(findings.source.measures, findings.predicted),
        systems=[
            {"system": name, "hbr": value, "outputs": count}
            for name, value, count in findings.systems
        ],
        people={each.criterion: _against(each) for each in findings.people},
    )


def _against(against: Against) -> dict[str, Any]:
    names = against.names
    return {
        "auc": by_measure(names, against.auc),
        "auc_consistent": by_measure(names, against.auc_of(against.consistent)),
        "pwa": by_measure(names, against.pwa) if against.pwa else None,
        "worst_tenth": by_measure(names[: against.hbr + 1], against.worst),
        "with_people": by_measure(names, against.with_people),
        "with_hbr": by_measure(names[: against.hbr], against.predicted_single),
        "topics": int(against.topics.ranked.sum()),
        "consistent": int(against.consistent.sum()),
        "predictive": estimate_data(against.predictive),
        "ahead_of_other_topics": estimate_data(against.elsewhere),
    }
