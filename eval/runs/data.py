"""Compared runs as JSON holds them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from eval.clustering import mean, standard_error
from eval.comparison import Difference
from eval.runs.comparing import Compared
from eval.runs.sides import Side, Spread, spread

__all__ = ["comparisons_data", "difference_data"]


def comparisons_data(sides: Sequence[Side], found: Sequence[Compared], measure: str) -> Any:
    """The sides, the first of which is the baseline, and how each other differs from it."""
    first = sides[0].runs[0]
    return {
        "signature": first.scorer,
        "corpus": first.as_data()["corpus"],
        "measure": measure,
        "systems": {side.label: _side_data(side, measure) for side in sides},
        "comparisons": [_compared_data(each) for each in found],
    }


def _side_data(side: Side, measure: str) -> dict[str, Any]:
    first = side.runs[0]
    return {
        "system": first.system,
        "configuration": dict(sorted(first.configuration.items())),
        "how": first.how,
        "weps": first.weps,
        "seeds": [run.seed for run in side.runs],
        "names": {name: dict(scores) for name, scores in side.scores.items()},
        "mean": mean(side.scores),
        "standard_error": {
            each: None if isnan(error) else error
            for each, error in standard_error(side.scores).items()
        },
        "between_seeds": _spread_data(spread(side, measure)),
    }


def _spread_data(found: Spread | None) -> dict[str, Any] | None:
    return {"mean": found.mean, "names": dict(found.names)} if found else None


def _compared_data(compared: Compared) -> dict[str, Any]:
    return {
        "first": compared.first.label,
        "second": compared.second.label,
        "verdict": str(compared.verdict.word),
        "remarks": [*compared.verdict.remarks, *compared.cautions],
        "differences": [
            difference_data(measure, each) for measure, each in compared.differences.items()
        ],
        "names": dict(compared.names),
    }


def difference_data(measure: str, difference: Difference) -> dict[str, Any]:
    """A difference on a measure; the interval is None for a single name."""
    return {
        "measure": measure,
        "difference": difference.mean,
        "interval": None if isnan(difference.low) else [difference.low, difference.high],
        "p": difference.p,
        "better": difference.better,
        "worse": difference.worse,
        "equal": difference.equal,
    }
