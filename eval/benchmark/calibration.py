"""The calibration of systems in a benchmark, as tables and a figure of a document."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan

from eval.calibration.reliability import Reliability
from eval.report.document import Figure
from eval.report.figures.canvas import available
from eval.report.figures.reliability import plot_reliability
from eval.report.tables import Table
from eval.stats.estimate import Estimate
from weps._formatting import format_number

__all__ = ["measures_table", "reliability_figure", "reliability_table"]

_DIAGRAM_NOTE = (
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
    picture = plot_reliability(systems, title, remarks) if available() else None
    return Figure(key, title, picture, _DIAGRAM_NOTE)


_SHOWN_MEASURES = {
    "brier": ("Brier score", 4),
    "log_loss": ("log loss", 4),
    "ece": ("ECE, bins of equal count", 4),
    "ece_equal_width": ("ECE, bins of equal width", 4),
    "mce": ("MCE", 3),
    "reliability": ("reliability", 4),
    "resolution": ("resolution", 4),
    "uncertainty": ("uncertainty", 4),
    "slope": ("calibration slope", 2),
    "intercept": ("calibration intercept", 2),
}
"""Measures in the order of the table, with their names and decimals."""


def measures_table(
    systems: Mapping[str, Mapping[str, Estimate]], key: str = "calibration"
) -> Table:
    """One row for each measure, one column for each system.

    Args:
        systems: system → what :func:`eval.calibration.scores.calibration_measures` has found.
        key: of the table.
    """
    rows = [
        [name, *(_with_interval(found[measure], decimals) for found in systems.values())]
        for measure, (name, decimals) in _SHOWN_MEASURES.items()
    ]
    return Table.of_text(
        key,
        "How good the probabilities are",
        [["", *systems], *rows],
        "Brier score, log loss, ECE, MCE and reliability: the lower the better; resolution: the "
        "higher; slope and intercept of calibrated forecasts are 1 and 0, and a slope below 1 is "
        "overconfident. In brackets: 95 % interval, bootstrapped over names.",
    )


def reliability_table(found: Reliability, title: str, key: str = "reliability") -> Table:
    """One row for each bin."""
    rows = [
        [
            f"{each.low:.3f} to {each.high:.3f}",
            f"{each.number:,}",
            f"{each.names:,}",
            f"{each.forecast:.3f}",
            _with_interval(each.happened, 3),
        ]
        for each in found.bins
    ]
    return Table.of_text(
        key,
        title,
        [["forecasts", "number", "names", "mean", "happened"], *rows],
        "Bins of about equally many forecasts; equal ones are never divided. In brackets: 95 % "
        "interval, bootstrapped over names.",
    )


def _with_interval(figure: Estimate, decimals: int) -> str:
    """The figure and its interval, a dash for either if it is not known."""
    value, low, high = (format_number(each, decimals) for each in figure)
    if isnan(figure.low):
        return value if isnan(figure.value) else f"{value} ({low})"
    return f"{value} ({low} to {high})"
