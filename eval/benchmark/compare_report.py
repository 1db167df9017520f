"""Compared runs as JSON holds them.

Compared runs as tables for the terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from eval.benchmark.compare import COMPARED, Compared, Side, Spread, spread
from eval.clustering.scorers import mean, standard_error
from eval.report.numbers import (
    DIFFERENCE,
    difference_cells,
    interval,
    probability,
    share_wording,
    signed_wording,
)
from eval.stats.significance import Difference
from weps._formatting import aligned

__all__ = [
    "comparisons_data",
    "difference_data",
    "differences_table",
    "names_table",
    "sides_table",
    "verdict_line",
]


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


_SHOWN = {
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


def sides_table(sides: Sequence[Side], measure: str = COMPARED[0]) -> list[str]:
    """One line per system: seeds, mean ± standard error over names, spread over seeds."""
    measures = tuple(dict.fromkeys((measure, *COMPARED)))
    rows = [
        [
            side.label,
            str(len(side.runs)),
            *(_mean(side, each) for each in measures),
            _spread(spread(side, measure)),
        ]
        for side in sides
    ]
    heading = ["mean ± standard error", "seeds", *map(_heading, measures), "between seeds"]
    return aligned([heading, *rows])


def differences_table(compared: Compared) -> list[str]:
    """One line per measure: difference, interval, sign test, names better and worse."""
    rows = [
        [_heading(measure), *difference_cells(each)]
        for measure, each in compared.differences.items()
    ]
    return aligned([[_pair(compared), "difference", *DIFFERENCE], *rows])


def names_table(compared: Compared, most: int = _MOST) -> list[str]:
    """One line for each of the names with the largest differences, from worst to best.

    Beside the main measure stand the differences in B-Cubed precision and recall, which say
    whether pages of several people were put together or those of one kept apart, and how far
    seeds move the name.
    """
    main = _heading(compared.measure)
    heading = [main, *_labels(compared), f"Δ{main}", "ΔBEP", "ΔBER", "between seeds"]
    return aligned([heading, *(_name_row(compared, name) for name in _largest(compared, most))])


def verdict_line(compared: Compared) -> str:
    """The verdict as a sentence."""
    each = compared.main
    return (
        f"{_pair(compared)}: {compared.verdict.word} ({_heading(compared.measure)} "
        f"{signed_wording(each.mean)}, 95 % interval {interval(each)}, "
        f"sign test p {probability(each.p)})"
    )


def _pair(compared: Compared) -> str:
    first, second = _labels(compared)
    return f"{second} against {first}"


def _labels(compared: Compared) -> tuple[str, str]:
    return compared.first.label, compared.second.label


def _name_row(compared: Compared, name: str) -> list[str]:
    before, after = compared.first.scores[name], compared.second.scores[name]
    measures = (compared.measure, "bcubed_precision", "bcubed_recall")
    return [
        name,
        *(share_wording(scores[compared.measure]) for scores in (before, after)),
        *(signed_wording(after[measure] - before[measure]) for measure in measures),
        share_wording(_between_seeds(compared, name)),
    ]


def _largest(compared: Compared, most: int) -> list[str]:
    """The names with the largest differences that can be seen, from worst to best."""
    seen = [name for name, value in compared.names.items() if abs(value) >= _EQUAL]
    chosen = set(sorted(seen, key=lambda name: -abs(compared.names[name]))[:most])
    return [name for name in seen if name in chosen]


def _between_seeds(compared: Compared, name: str) -> float:
    """How far seeds move the name, of the side where they move it further; nan if not known."""
    return max((each.names[name] for each in compared.spreads if each), default=float("nan"))


def _heading(measure: str) -> str:
    return _SHOWN.get(measure, measure)


def _mean(side: Side, measure: str) -> str:
    error = standard_error(side.scores)[measure]
    return f"{share_wording(mean(side.scores)[measure])} ±{share_wording(error)}"


def _spread(found: Spread | None) -> str:
    return share_wording(found.mean if found else float("nan"))
