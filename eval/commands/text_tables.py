"""What a measure matrix says of systems and measures: rows of tables, and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import Any

import numpy as np

from eval.instances.wording import quoted
from eval.text.running import FEWEST_SYSTEMS, Agreement, Means, system_means
from eval.text.testbed import MeasureMatrix, Testbed
from weps.commands.fitting import cut
from weps.report.wording import counted
from weps.sources.messages import listed

__all__ = ["agreement_rows", "in_columns", "measure_rows", "remarks", "summary_data", "system_rows"]

_LONGEST = 24
"""Columns of a system's or a criterion's name."""

Rows = list[list[str]]


def measure_rows(measures: Sequence[str], means: Means) -> Rows:
    """Heading, then for each measure its mean, and the systems that it puts last and first.

    Of equal ones the first is named.
    """
    several = len(means.systems) > 1
    rows = [["measure", "mean", *(("lowest", "system", "highest", "system") if several else ())]]
    for measure, overall, values in zip(measures, means.overall, means.values, strict=True):
        ends = (int(values.argmin()), int(values.argmax())) if several else ()
        cells = (cell for end in ends for cell in (_figure(values[end]), _name(means.systems[end])))
        rows.append([measure, _figure(overall), *cells])
    return rows


def agreement_rows(measures: Sequence[str], agreements: Sequence[Agreement]) -> Rows:
    """Heading, then for each measure Pearson's r and Kendall's τ with every criterion."""
    heading = [cell for each in agreements for cell in (f"{_name(each.criterion)}: r", "τ")]
    coefficients = [column for each in agreements for column in (each.pearson, each.kendall)]
    return [["agreement with people", *heading]] + [
        [measure, *(_coefficient(column[number]) for column in coefficients)]
        for number, measure in enumerate(measures)
    ]


def in_columns(
    table: Callable[[Sequence[Agreement]], list[str]], agreements: Sequence[Agreement], width: int
) -> Iterator[list[str]]:
    """Tables of as many criteria as fit side by side; one at least."""
    while agreements:
        fitting = [
            number
            for number in range(1, len(agreements) + 1)
            if len(table(agreements[:number])[0]) <= width
        ]
        number = max(fitting, default=1)
        yield table(agreements[:number])
        agreements = agreements[number:]


def system_rows(measures: Sequence[str], means: Means) -> Rows:
    """Heading, then for each system its means, best first by the first measure."""
    order = np.argsort(-means.values[0], kind="stable").tolist()
    return [["system", "topics", *measures]] + [
        [
            _name(means.systems[system]),
            f"{means.topics[system]:,}",
            *(_figure(values[system]) for values in means.values),
        ]
        for system in order
    ]


def remarks(agreements: Sequence[Agreement], testbed: Testbed) -> Iterator[str]:
    """What the reader must know of the figures."""
    yield from _compared([each for each in agreements if each.is_defined])
    for each in agreements:
        if not each.is_defined:
            yield (
                f"No correlation with {_name(each.criterion)}: people judged "
                f"{counted(each.systems, 'system')}, on {counted(each.topics, 'topic')} all of "
                f"them; {FEWEST_SYSTEMS} systems and a topic are needed."
            )
    if empty := [f"{quoted(system)} on {quoted(topic)}" for topic, system in testbed.empty_outputs]:
        yield f"{counted(len(empty), 'output is', 'outputs are')} empty, with 0: {listed(empty)}."


def _compared(agreements: Sequence[Agreement]) -> Iterator[str]:
    """What correlates, told once for criteria by which the same was judged."""
    sizes: dict[tuple[int, int], list[str]] = {}
    for each in agreements:
        sizes.setdefault((each.systems, each.topics), []).append(each.criterion)
    for (systems, topics), criteria in sizes.items():
        yield (
            f"{listed(map(_name, criteria))}: Pearson's r and Kendall's τ of the means of "
            f"{systems:,} systems over {counted(topics, 'topic')}."
        )


def summary_data(
    matrix: MeasureMatrix, agreements: Sequence[Agreement], testbed: Testbed, signature: str
) -> dict[str, Any]:
    """The same as JSON holds it (docs/schema/text-scores.schema.json)."""
    means = system_means(matrix)
    return {
        "testbed": testbed.name,
        "signature": signature,
        "topics": len(testbed.topics),
        "systems": {
            system: {
                "topics": int(means.topics[number]),
                "mean": _by_measure(matrix, means.values[:, number]),
            }
            for number, system in enumerate(means.systems)
        },
        "mean": _by_measure(matrix, means.overall),
        "agreement": {
            each.criterion: {
                "systems": each.systems,
                "topics": each.topics,
                "pearson": _by_measure(matrix, each.pearson),
                "kendall": _by_measure(matrix, each.kendall),
            }
            for each in agreements
        },
        "empty": [{"topic": topic, "system": system} for topic, system in testbed.empty_outputs],
    }


def _by_measure(matrix: MeasureMatrix, values: Iterable[float]) -> dict[str, float | None]:
    numbers = map(float, values)
    return {
        measure: value if isfinite(value) else None
        for measure, value in zip(matrix.measures, numbers, strict=True)
    }


def _name(name: str) -> str:
    return cut(name, _LONGEST)


def _figure(value: float) -> str:
    return f"{value:z,.4f}"


def _coefficient(value: float) -> str:
    """A dash where there is none."""
    return f"{value:z.2f}" if isfinite(value) else "–"
