"""Pictures of a study: plain data in, SVG and PNG out. Needs matplotlib, but only to draw."""

from eval.figures.curves import Line, curves
from eval.figures.interval import Interval
from eval.figures.paired import Row, pairs_of_bars
from eval.figures.picture import Picture, available
from eval.figures.reliability import Forecaster, reliability_diagrams
from eval.figures.scatter import Point, scatter
from eval.figures.steps import Step, steps
from eval.figures.trends import Mark, Trend, trends

__all__ = [
    "Forecaster",
    "Interval",
    "Line",
    "Mark",
    "Picture",
    "Point",
    "Row",
    "Step",
    "Trend",
    "available",
    "curves",
    "pairs_of_bars",
    "reliability_diagrams",
    "scatter",
    "steps",
    "trends",
]
