"""Compared runs as JSON and as tables for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from eval.benchmark.compare import (
    COMPARED_MEASURES,
    SeedSpread,
    Side,
    SystemComparison,
    seed_spread,
)
from eval.clustering.scorers import mean_scores, standard_errors
from eval.stats.significance import (
    DIFFERENCE_HEADINGS,
    Difference,
    difference_cells,
    difference_interval,
)
from weps._formatting import format_number, format_p_value, format_signed

__all__ = [
    "comparisons_data",
    "difference_data",
    "measure_difference_rows",
    "name_difference_rows",
    "side_rows",
    "verdict_line",
]


def comparisons_data(sides: Sequence[Side], found: Sequence[SystemComparison], measure: str) -> Any:
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
        "mean": mean_scores(side.scores),
        "standard_error": {
            each: None if isnan(error) else error
            for each, error in standard_errors(side.scores).items()
        },
        "between_seeds": _spread_data(seed_spread(side, measure)),
    }


def _spread_data(found: SeedSpread | None) -> dict[str, Any] | None:
    return {"mean": found.mean, "names": dict(found.names)} if found else None


def _compared_data(compared: SystemComparison) -> dict[str, Any]:
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


_HEADINGS = {
    "bcubed_f05": "F0.5",
    "bcubed_f02": "F0.2",
    "bcubed_precision": "BEP",
    "bcubed_recall": "BER",
    "purity_f05": "PF0.5",
}
"""Measures with the headings that they have in other tables."""
_MOST = 10
"""Names in the table of the largest differences."""
_EQUAL = 5e-4
"""Differences that three decimals show as zero."""


def side_rows(sides: Sequence[Side], measure: str = COMPARED_MEASURES[0]) -> list[list[str]]:
    """Heading, then a row per system: seeds, mean ± standard error, spread over seeds."""
    measures = tuple(dict.fromkeys((measure, *COMPARED_MEASURES)))
    rows = [
        [
            side.label,
            str(len(side.runs)),
            *(_mean(side, each) for each in measures),
            _spread_cell(seed_spread(side, measure)),
        ]
        for side in sides
    ]
    heading = ["mean ± standard error", "seeds", *map(_heading, measures), "between seeds"]
    return [heading, *rows]


def measure_difference_rows(compared: SystemComparison) -> list[list[str]]:
    """Heading, then a row per measure: difference, interval, sign test, names better and worse."""
    rows = [
        [_heading(measure), *difference_cells(each)]
        for measure, each in compared.differences.items()
    ]
    return [[_pair(compared), "difference", *DIFFERENCE_HEADINGS], *rows]


def name_difference_rows(compared: SystemComparison, most: int = _MOST) -> list[list[str]]:
    """Heading, then one row for each of the names with the largest differences, from worst to best.

    Beside the main measure stand the differences in B-Cubed precision and recall, which show
    whether pages of several people were put together or those of one kept apart, and how far
    seeds move the name.
    """
    main = _heading(compared.measure)
    heading = [main, *_labels(compared), f"Δ{main}", "ΔBEP", "ΔBER", "between seeds"]
    return [heading, *(_name_row(compared, name) for name in _largest(compared, most))]


def verdict_line(compared: SystemComparison) -> str:
    """The verdict as a sentence."""
    each = compared.main
    return (
        f"{_pair(compared)}: {compared.verdict.word} ({_heading(compared.measure)} "
        f"{format_signed(each.mean, minus='-')}, 95 % interval {difference_interval(each)}, "
        f"sign test p {format_p_value(each.p)})"
    )


def _pair(compared: SystemComparison) -> str:
    first, second = _labels(compared)
    return f"{second} against {first}"


def _labels(compared: SystemComparison) -> tuple[str, str]:
    return compared.first.label, compared.second.label


def _name_row(compared: SystemComparison, name: str) -> list[str]:
    before, after = compared.first.scores[name], compared.second.scores[name]
    measures = (compared.measure, "bcubed_precision", "bcubed_recall")
    return [
        name,
        *(format_number(scores[compared.measure]) for scores in (before, after)),
        *(format_signed(after[measure] - before[measure], minus="-") for measure in measures),
        format_number(_between_seeds(compared, name)),
    ]


def _largest(compared: SystemComparison, most: int) -> list[str]:
    """The names with the largest differences that can be seen, from worst to best."""
    seen = [name for name, value in compared.names.items() if abs(value) >= _EQUAL]
    chosen = set(sorted(seen, key=lambda name: -abs(compared.names[name]))[:most])
    return [name for name in seen if name in chosen]


def _between_seeds(compared: SystemComparison, name: str) -> float:
    """How far seeds move the name, of the side where they move it further; nan if not known."""
    return max((each.names[name] for each in compared.spreads if each), default=float("nan"))


def _heading(measure: str) -> str:
    return _HEADINGS.get(measure, measure)


def _mean(side: Side, measure: str) -> str:
    error = standard_errors(side.scores)[measure]
    return f"{format_number(mean_scores(side.scores)[measure])} ±{format_number(error)}"


def _spread_cell(found: SeedSpread | None) -> str:
    return format_number(found.mean if found else float("nan"))
