"""The study as JSON knows it."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import Any

from eval.refinement_study.document import Study
from eval.refinement_study.means import Figures
from eval.refinement_study.outcomes import SIZES

__all__ = ["study_data"]


def study_data(study: Study) -> dict[str, Any]:
    """Signature, figures by size and kind, verdicts, and every person."""
    findings = study.findings
    return {
        "signature": study.signature,
        "made": study.made,
        "corpus": study.title,
        "form": str(study.form),
        "names": list(findings.names),
        "figures": {
            size: {kind: _row(findings.figures(kind, size)) for kind in sorted(findings.kinds)}
            for size in SIZES
        },
        "conclusions": [
            {"claim": each.claim, "verdict": verdict.word, "figures": verdict.figures}
            for each, verdict in study.verdicts
        ],
        "people": [
            {
                "name": person.name,
                "label": person.label,
                "ranks": list(person.ranks),
                "found": {kind: best and asdict(best) for kind, best in person.found.items()},
            }
            for person in findings.people
        ],
    }


def _row(found: Figures) -> dict[str, Any]:
    """The figures with their intervals; null for what is not known."""
    estimates = {part: getattr(found, part) for part in ("f", "precision", "recall", "coverage")}
    return {"studied": found.studied, "covered": found.covered} | {
        part: {name: _known(value) for name, value in each._asdict().items()}
        for part, each in estimates.items()
    }


def _known(value: float) -> float | None:
    return None if isnan(value) else value
