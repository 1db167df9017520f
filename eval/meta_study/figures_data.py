"""Figures with intervals as JSON knows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any

from eval.meta.drawn import Drawn
from eval.meta_study.claims import Judgement
from eval.ordering import Estimate

__all__ = ["by_measure", "conclusions_data", "estimate_data", "number"]


def number(value: float) -> float | None:
    """The value; null if there is none."""
    return value if isfinite(value) else None


def estimate_data(figure: Estimate) -> dict[str, float | None]:
    """``value``, ``low`` and ``high``; null for what is not known."""
    return {name: number(value) for name, value in figure._asdict().items()}


def by_measure(names: Sequence[str], drawn: Drawn) -> dict[str, dict[str, float | None]]:
    """Measure → its figure with the interval."""
    return {
        name: estimate_data(figure) for name, figure in zip(names, drawn.estimates, strict=True)
    }


def conclusions_data(judgements: Iterable[Judgement[Any]]) -> list[dict[str, str]]:
    """Claims with their verdicts, and the figures that speak for them."""
    return [
        {
            "claim": each.claim,
            "source": each.source,
            "verdict": verdict.word,
            "figures": verdict.figures,
        }
        for each, verdict in judgements
    ]
