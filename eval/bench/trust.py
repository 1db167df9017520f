"""Whether the probabilities of a system can be taken at their word, on names it had not seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.bench.outcomes import pages_right
from eval.benchmark import Answers
from eval.calibration import (
    Forecasts,
    Reliability,
    as_forecasts,
    by_name,
    measures,
    reliability,
)
from eval.ordering import Estimate
from weps.training import Example

__all__ = ["SUBJECTS", "Trust", "trust", "trust_data", "trust_rows"]

SUBJECTS = {
    "pairs": "that two pages are about one person",
    "pages": "that a page stands with the right pages",
}
"""What is forecast of what."""
_SHOWN = {"brier": ("Brier", 4), "ece": ("ECE", 4), "slope": ("slope", 2)}
"""Measures of the table, with heading and decimals."""
Drawn = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Forecasts and what came of them, both of shape (forecasts,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Trust:
    """How good the forecasts of one system about one subject are; every name counts the same."""

    forecasts: int
    names: int
    measures: Mapping[str, Estimate]
    """See :func:`eval.calibration.measures`."""
    reliability: Reliability


def trust(examples: Mapping[str, Example], answers: Answers) -> dict[str, Trust]:
    """Subject → how good the forecasts of the answers are; none of which the keys judge nothing.

    Args:
        examples: by name, what is answered for.
        answers: of one system, for these names.
    """
    names = sorted(answers)
    drawn = {
        "pairs": [_of_pairs(examples[name], answers) for name in names],
        "pages": [_of_pages(examples[name], answers) for name in names],
    }
    return {
        subject: _trust(each)
        for subject, each in drawn.items()
        if any(len(forecast) for forecast, _ in each)
    }


def trust_rows(systems: Mapping[str, Mapping[str, Trust]]) -> list[list[str]]:
    """Heading, then one row for each system, with Brier score, ECE and slope of each subject."""
    headings = [heading for heading, _ in _SHOWN.values()]
    heading = [cell for subject in SUBJECTS for cell in (subject, *headings)]
    return [
        ["calibration", *heading],
        *(
            [system, *(cell for subject in SUBJECTS for cell in _cells(of_system.get(subject)))]
            for system, of_system in systems.items()
        ),
    ]


def trust_data(of_system: Mapping[str, Trust]) -> dict[str, Any]:
    """The figures of one system as JSON holds them (docs/output.md)."""
    return {
        subject: {
            "forecasts": found.forecasts,
            "names": found.names,
            **{measure: _figure(each) for measure, each in found.measures.items()},
        }
        for subject, found in of_system.items()
    }


def _of_pairs(example: Example, answers: Answers) -> Drawn:
    judged, coreferent = example.judged()
    return answers[example.name].probability[judged], coreferent[judged]


def _of_pages(example: Example, answers: Answers) -> Drawn:
    given = answers[example.name]
    judged, right = pages_right(example, given.clustering)
    return given.belief[judged], right[judged]


def _trust(by_example: Sequence[Drawn]) -> Trust:
    sizes = [len(forecast) for forecast, _ in by_example]
    name = np.repeat(np.arange(len(sizes)), sizes)
    forecast, happened = (np.concatenate(each) for each in zip(*by_example, strict=True))
    found: Forecasts = as_forecasts(forecast, happened, name, by_name(name))
    return Trust(len(forecast), found.names, measures(found), reliability(found))


def _cells(found: Trust | None) -> list[str]:
    if found is None:
        return ["–"] * (1 + len(_SHOWN))
    figures = [
        "–" if isnan(value := found.measures[measure].value) else f"{value:.{decimals}f}"
        for measure, (_, decimals) in _SHOWN.items()
    ]
    return [f"{found.forecasts:,}", *figures]


def _figure(found: Estimate) -> dict[str, Any]:
    value, low, high = found
    return {
        "value": None if isnan(value) else value,
        "interval": None if isnan(low) else [low, high],
    }
