"""The study of regression as JSON knows it."""

from __future__ import annotations

from typing import Any

from eval.meta.drawn import Drawn
from eval.meta_study.figures_data import by_measure, estimate_data, number
from eval.meta_study.regression.findings import Findings
from eval.meta_study.regression.learned import Learned
from eval.meta_study.regression.pools import Pools
from eval.meta_study.regression.relative import Relative
from eval.meta_study.study import Study, as_data

__all__ = ["study_data"]


def study_data(study: Study[Findings]) -> dict[str, Any]:
    """docs/schema/meta-regression.schema.json."""
    findings = study.findings
    return as_data(
        study,
        criterion=findings.judged.criterion,
        learners=_learners(findings.learned),
        vrm=_model(findings.learned),
        relative=_relative(findings.relative) if findings.relative else None,
        pools=_pools(findings.pools) if findings.pools else None,
    )


def _learners(found: Learned) -> dict[str, Any]:
    accuracy = found.accuracy
    columns = {
        "absolute": by_measure(found.names, accuracy.absolute),
        "squared": by_measure(found.names, accuracy.squared),
        **{
            f"{what}_{kind}": by_measure(found.names, each)
            for what, drawn in (
                ("per_system", accuracy.per_system),
                ("per_summary", accuracy.per_summary),
            )
            for kind, each in drawn.items()
        },
    }
    return {name: {what: each[name] for what, each in columns.items()} for name in found.names}


def _model(found: Learned) -> dict[str, Any]:
    model = found.model
    return {
        "intercept": model.model.intercept,
        "models": len(model.subsets),
        "variables": {
            name: {"weight": weight, "effect": effect, "support": support}
            for name, weight, effect, support in zip(
                found.variables,
                model.model.weights.tolist(),
                found.effects.tolist(),
                model.support.tolist(),
                strict=True,
            )
        },
    }


def _relative(found: Relative) -> dict[str, Any]:
    parts = {
        name: by_measure(found.measures, getattr(found, name))
        for name in ("gap", "precision", "plain")
    }
    return {name: {part: each[name] for part, each in parts.items()} for name in found.measures}


def _pools(found: Pools) -> dict[str, Any]:
    return {
        "thresholds": found.thresholds.tolist(),
        "best": found.best,
        "best_precision": estimate_data(found.best_precision.estimates[0]),
        "similarities": {
            pool.measure: {
                "gap": _rows(pool.gap),
                "coverage": list(map(number, pool.coverage.tolist())),
                "precision": _rows(pool.precision),
                "best_same_pairs": _rows(pool.rival),
            }
            for pool in found.pools
        },
    }


def _rows(drawn: Drawn) -> list[dict[str, float | None]]:
    return [estimate_data(each) for each in drawn.estimates]
