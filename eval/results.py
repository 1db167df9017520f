"""Scores of several systems on the same names: the table, the summary, the JSON."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from eval.clustering import mean, standard_error, two_decimals
from eval.comparison import Difference, compare
from eval.runs.data import difference_data
from eval.runs.wording import DIFFERENCE, difference_cells
from weps.tables import aligned

__all__ = [
    "Results",
    "as_data",
    "difference_rows",
    "differences",
    "differences_data",
    "names_table",
    "system_rows",
    "systems_table",
]

_SHOWN = {
    "bcubed_precision": "BEP",
    "bcubed_recall": "BER",
    "bcubed_f05": "F0.5",
    "bcubed_f02": "F0.2",
    "purity": "P",
    "inverse_purity": "IP",
    "purity_f05": "PF0.5",
    "purity_f02": "PF0.2",
    "rand": "Rand",
    "jaccard": "Jacc",
    "fowlkes_mallows": "FM",
}
"""Measures in the order of the tables, with their headings."""

_COMPARED = "bcubed_f05"
"""The measure that systems are compared by."""

Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured, and how."""

    signature: str
    systems: Mapping[str, Scores]
    """System → name → measure → value."""


def as_data(results: Results) -> dict[str, Any]:
    """The results as JSON holds them (docs/output.md)."""
    return {
        "signature": results.signature,
        "systems": {
            system: {
                "names": {name: dict(values) for name, values in scores.items()},
                "mean": mean(scores),
                "standard_error": {
                    measure: value if len(scores) > 1 else None
                    for measure, value in standard_error(scores).items()
                },
            }
            for system, scores in results.systems.items()
        },
    }


def system_rows(results: Results, measures: Collection[str] = tuple(_SHOWN)) -> list[list[str]]:
    """Heading, then one row per system: means of the measures, and the standard error of F0.5."""
    rows = [
        [system, *(two_decimals(means[key]) for key in measures), _plus_minus(scores)]
        for system, scores in results.systems.items()
        for means in (mean(scores),)
    ]
    return [["system", *(_SHOWN[key] for key in measures), "±F0.5"], *rows]


def systems_table(results: Results) -> list[str]:
    """One line per system with all measures."""
    return aligned(system_rows(results))


def names_table(results: Results, system: str) -> list[str]:
    """One line per name: the system's B-Cubed, and F0.5 of the other systems beside it."""
    scores = results.systems[system]
    others = [other for other in results.systems if other != system]
    measures = ("bcubed_precision", "bcubed_recall", "bcubed_f05")
    rows = [
        [name, *(two_decimals(values[key]) for key in measures), *_beside(results, others, name)]
        for name, values in scores.items()
    ]
    means, errors = mean(scores), standard_error(scores)
    of_others = [results.systems[other] for other in others]
    rows += [
        [
            "mean",
            *(two_decimals(means[key]) for key in measures),
            *(two_decimals(mean(other)["bcubed_f05"]) for other in of_others),
        ],
        [
            "standard error",
            *(_decimals(errors[key]) for key in measures),
            *(_decimals(standard_error(other)["bcubed_f05"]) for other in of_others),
        ],
    ]
    heading = [system, *(_SHOWN[key] for key in measures), *(f"F0.5 {other}" for other in others)]
    return aligned([heading, *rows])


def differences(results: Results, systems: Sequence[str]) -> dict[str, Difference]:
    """Each system but the first → how its F0.5 differs from that of the first, name by name."""
    names = sorted(results.systems[systems[0]])
    first, *others = (
        [results.systems[system][name][_COMPARED] for name in names] for system in systems
    )
    return {
        system: compare(first, other) for system, other in zip(systems[1:], others, strict=True)
    }


def difference_rows(found: Mapping[str, Difference], first: str) -> list[list[str]]:
    """Heading, then one row per system: difference, interval, sign test, names better and worse."""
    rows = ([system, *difference_cells(each)] for system, each in found.items())
    return [[f"compared with {first}", "ΔF0.5", *DIFFERENCE], *rows]


def differences_data(found: Mapping[str, Difference], first: str) -> list[dict[str, Any]]:
    """The differences as JSON holds them (docs/output.md)."""
    return [
        {"first": first, "second": second, **difference_data(_COMPARED, each)}
        for second, each in found.items()
    ]


def _beside(results: Results, others: Sequence[str], name: str) -> list[str]:
    return [two_decimals(results.systems[other][name]["bcubed_f05"]) for other in others]


def _plus_minus(scores: Scores) -> str:
    return _decimals(standard_error(scores)["bcubed_f05"])


def _decimals(value: float) -> str:
    """Two decimals, or a dash for the standard error of a single name."""
    return "–" if isnan(value) else two_decimals(value)
