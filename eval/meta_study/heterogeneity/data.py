"""The study of heterogeneity as JSON knows it (docs/schema/meta-heterogeneity.schema.json)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from eval.meta_study.figures_data import by_measure, estimate_data, number
from eval.meta_study.heterogeneity.document import HeterogeneityStudy
from eval.meta_study.heterogeneity.findings import Findings, Reliable
from eval.meta_study.study import as_data

__all__ = ["study_data"]


def study_data(study: HeterogeneityStudy) -> dict[str, Any]:
    """Signature, figures by criterion and set, verdicts, and the features chosen."""
    findings = study.findings
    return as_data(
        study,
        heterogeneity=estimate_data(findings.whole),
        sets=_sets(findings),
        people={
            each.criterion: _reliable(each, findings.source.measures) for each in findings.people
        },
        choices=[asdict(each) for each in study.choices],
    )


def _sets(findings: Findings) -> list[dict[str, Any]]:
    """The random sets, each with its heterogeneity and what people make of it."""
    figures = {
        each.criterion: (
            each.random.reliability.value,
            each.random.sensitivity.value,
            each.gains.value,
        )
        for each in findings.people
    }
    names = findings.source.measures
    return [
        {
            "measures": [name for name, has in zip(names, row, strict=True) if has],
            "heterogeneity": number(float(findings.heterogeneity[place])),
            "people": {
                criterion: dict(
                    zip(
                        ("reliability", "sensitivity", "gain"),
                        (number(float(each[place])) for each in found),
                        strict=True,
                    )
                )
                for criterion, found in figures.items()
            },
        }
        for place, row in enumerate(findings.sets)
    ]


def _reliable(found: Reliable, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "reliability": by_measure(names, found.single.reliability),
        "sensitivity": by_measure(names, found.single.sensitivity),
        "additive": estimate_data(found.additive),
        "heterogeneity_and_reliability": estimate_data(found.reliability_rises),
        "heterogeneity_and_sensitivity": estimate_data(found.sensitivity_rises),
        "gaining": estimate_data(found.gaining),
        "heterogeneity_and_gain": estimate_data(found.gain_rises),
        "increase": estimate_data(found.increase_rises),
    }
