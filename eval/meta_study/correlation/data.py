"""The study of correlation as JSON knows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.meta_study.correlation.findings import Findings, Rivals
from eval.meta_study.figures_data import by_measure, estimate_data, number
from eval.meta_study.study import Study, as_data

__all__ = ["study_data"]


def study_data(study: Study[Sequence[Findings]]) -> dict[str, Any]:
    """docs/schema/meta-correlation.schema.json."""
    return as_data(
        study,
        criteria={each.judged.criterion: _criterion(each) for each in study.findings},
    )


def _criterion(findings: Findings) -> dict[str, Any]:
    judged = findings.judged
    levels: dict[str, dict[str, Any]] = {level: {} for level in findings.levels}
    for (level, kind), drawn in findings.found.items():
        levels[level][kind] = by_measure(judged.measures, drawn)
    halves = findings.halves
    return {
        "outputs": len(judged.human),
        "topics": len(judged.topics),
        "systems": len(judged.systems),
        "levels": levels,
        "williams": {
            level: _rivals(judged.measures, each) for level, each in findings.rivals.items()
        },
        "halves": {level: estimate_data(halves.range(level)) for level in halves.found}
        if halves
        else None,
    }


def _rivals(names: Sequence[str], found: Rivals) -> dict[str, Any]:
    chances = zip(names, map(number, found.chance.tolist()), strict=True)
    return {
        "best": names[found.best],
        "p": {name: p for name, p in chances if name != names[found.best]},
    }
