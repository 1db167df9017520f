"""Reliability diagrams of systems as a figure of a document."""

from __future__ import annotations

from collections.abc import Mapping

from eval.calibration.reliability import Reliability
from eval.document import Figure
from eval.figures import Forecaster, Interval, available, reliability_diagrams

__all__ = ["reliability_figure"]

_NOTE = (
    "On the dashed line as much happens as is forecast; below it forecasts are too high. Marks: "
    "bins of about equally many forecasts, with 95 % intervals bootstrapped over names. Beneath: "
    "how the forecasts spread."
)


def reliability_figure(
    systems: Mapping[str, Reliability],
    title: str,
    key: str = "reliability",
    remarks: Mapping[str, str] | None = None,
) -> Figure:
    """One panel for each system; no picture without matplotlib.

    Args:
        systems: system → its bins.
        title: of the figure.
        key: of the figure.
        remarks: system → what is written below its name.
    """
    drawn = [
        Forecaster(
            name,
            [each.forecast for each in found.bins],
            [Interval(*each.happened) for each in found.bins],
            found.spread,
            (remarks or {}).get(name, ""),
        )
        for name, found in systems.items()
    ]
    return Figure(key, title, reliability_diagrams(drawn, title) if available() else None, _NOTE)
