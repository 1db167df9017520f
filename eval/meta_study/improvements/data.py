"""The study of improvements as JSON knows it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from eval.meta_study.figures_data import by_measure, estimate_data
from eval.meta_study.improvements.findings import Findings, Oracles, Seen
from eval.meta_study.study import Study, as_data

__all__ = ["study_data"]


def study_data(study: Study[Findings]) -> dict[str, Any]:
    """docs/schema/meta-improvements.schema.json."""
    findings = study.findings
    names = findings.judged.measures
    counter, decrease = findings.counter, findings.decrease
    return as_data(
        study,
        criterion=findings.judged.criterion or None,
        improvements=_seen(findings, findings.seen) if findings.seen else None,
        extremes={
            "thresholds": asdict(findings.thresholds),
            "low": by_measure(names, counter.low),
            "high": by_measure(names, counter.high),
        }
        if counter
        else None,
        decrease={"chosen": findings.asked.chosen, "measures": by_measure(names, decrease)}
        if decrease
        else None,
        oracle=_oracles(findings, findings.oracles) if findings.oracles else None,
    )


def _seen(findings: Findings, seen: Seen) -> dict[str, Any]:
    names = findings.judged.measures
    return {
        "official": findings.is_official,
        "test": str(findings.asked.test),
        "level": findings.asked.level,
        "systems": list(seen.systems),
        "real": [[seen.systems[better], seen.systems[worse]] for better, worse in _pairs(seen)],
        "sip": by_measure(names, seen.precision),
        "sir": by_measure(names, seen.recall),
    }


def _pairs(seen: Seen) -> list[list[int]]:
    pairs: list[list[int]] = np.argwhere(seen.real).tolist()
    return pairs


def _oracles(findings: Findings, found: Oracles) -> dict[str, Any]:
    bounds = zip(("random", "least", "most"), found.bounds.estimates, strict=True)
    return {
        **{name: estimate_data(each) for name, each in bounds},
        "measures": by_measure(findings.judged.measures, found.chosen),
    }
