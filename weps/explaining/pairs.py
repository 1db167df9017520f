"""Why two pages are, or are not, together: what they share, and what the classifier makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps.clustering import pair_position
from weps.coreference import DecisionTree
from weps.coreference.reasons import Effect, Step, effects, path
from weps.explaining.evidence import Evidence, shared_evidence
from weps.model import Model
from weps.similarity import PairTable, Similarity

__all__ = ["PROFILE", "ExplainedPair", "explained"]

PROFILE = "profile"
"""Kind of all evidence at second hand: that two pages resemble the same other pages."""
_LEAST_EFFECT = 0.05
"""On the log odds; less is not told."""
_EFFECTS_SHOWN = 6
_DIGITS = 6
"""Significant ones of what a tree compares: they tell a value from a threshold that it misses."""


@dataclass(frozen=True, slots=True)
class ExplainedPair:
    """Why two pages are, or are not, together."""

    pages: tuple[int, int]
    """Ranks, ascending."""
    probability: float
    """Calibrated; 1 or 0 where a user has said so."""
    evidence: tuple[Evidence, ...] = ()
    """What they share, strongest first."""
    effects: tuple[Effect, ...] = ()
    """What each kind of evidence adds to the log odds, largest first."""
    steps: tuple[Step, ...] = ()
    """The path through the decision tree; none if many trees have decided."""
    said: str = ""
    """``same`` or ``different`` where a user has said so."""


def explained(
    pairs: Sequence[tuple[int, int]],
    table: PairTable,
    model: Model,
    probability: NDArray[np.float64],
    said: Mapping[tuple[int, int], str] | None = None,
) -> list[ExplainedPair]:
    """Explain pairs of one name's n pages, whether they are together or not.

    A single tree is told by the pair's path through it, any other classifier by what each kind of
    evidence adds to the log odds.

    Args:
        pairs: rows of two pages each, ascending.
        table: the similarities of all pairs, for the model.
        model: what judged the pairs.
        probability: shape (n(n-1)/2,), what is shown as the probability of each pair.
        said: what a user has said, ``same`` or ``different``, of those of the pairs where one has.
    """
    documents = table.analysis.documents
    first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    positions = pair_position(first, second, len(documents))
    values = table.values[positions]
    reasons = (
        shared_evidence(pairs, table),
        _effects(model, table.similarities, values),
        [_steps(model, row) for row in values],
        probability[positions].tolist(),
    )
    return [
        ExplainedPair(
            pages=(documents[pair[0]].rank, documents[pair[1]].rank),
            probability=round(probable, 4),
            evidence=evidence,
            effects=added,
            steps=steps,
            said=(said or {}).get(pair, ""),
        )
        for pair, evidence, added, steps, probable in zip(pairs, *reasons, strict=True)
    ]


def _effects(
    model: Model, similarities: Sequence[Similarity], values: NDArray[np.float32]
) -> list[tuple[Effect, ...]]:
    """For each pair what moves its log odds most."""
    if isinstance(model.classifier, DecisionTree):
        return [()] * len(values)
    kinds = _kinds(similarities)
    found = effects(model.classifier, values, list(kinds.values()))
    return [_largest(tuple(kinds), row) for row in found]


def _kinds(similarities: Sequence[Similarity]) -> dict[str, list[int]]:
    """The columns of each kind of evidence, see :class:`weps.coreference.reasons.Effect`."""
    kinds: dict[str, list[int]] = {}
    for column, each in enumerate(similarities):
        kinds.setdefault(each.feature.function if each.order == 1 else PROFILE, []).append(column)
    return kinds


def _largest(kinds: Sequence[str], added: NDArray[np.float64]) -> tuple[Effect, ...]:
    """The largest effects, in either direction, of those worth telling."""
    told = added.round(2)
    ordered = np.argsort(-np.abs(told), kind="stable")[:_EFFECTS_SHOWN].tolist()
    return tuple(
        Effect(kinds[at], float(told[at])) for at in ordered if abs(told[at]) >= _LEAST_EFFECT
    )


def _steps(model: Model, row: NDArray[np.float32]) -> tuple[Step, ...]:
    """The path of a pair, in figures that can be read."""
    return tuple(
        Step(step.column, *map(_significant, (step.value, step.threshold, step.probability)))
        for step in path(model.classifier, row)
    )


def _significant(figure: float) -> float:
    return float(f"{figure:.{_DIGITS}g}")
