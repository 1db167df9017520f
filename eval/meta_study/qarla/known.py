"""Which of the measures at hand are those that the papers speak of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eval.meta_study.qarla.findings import Findings
from eval.text.measures import Measure
from weps.errors import FeatureError
from weps.expressions import Value

__all__ = ["STYLE", "best_of", "contentful", "found"]

STYLE = ("avls", "gramsim")
"""Families that look at style, not at content (ACL workshop 2005, section 3.2)."""


def found(names: Sequence[str], families: Sequence[str], **values: Value) -> list[int]:
    """The measures of some families whose parameters have these values."""
    return [
        number
        for number, measure in _parsed(names)
        if measure.family.name in families and values.items() <= dict(measure.values).items()
    ]


def contentful(names: Sequence[str]) -> list[int]:
    """The measures that look at content; only those whose families are known."""
    return [number for number, measure in _parsed(names) if measure.family.name not in STYLE]


def best_of(findings: Findings, measures: Sequence[int]) -> int | None:
    """Of some measures that with the highest KING; None if there are none."""
    return min(measures, key=findings.order.index, default=None)


def _parsed(names: Sequence[str]) -> Iterator[tuple[int, Measure]]:
    """Columns of a table may have any names."""
    for number, name in enumerate(names):
        try:
            yield number, Measure.parse(name)
        except FeatureError:
            continue
