"""Pictures of a study: plain data in, SVG and PNG out. Needs matplotlib, but only to draw."""

from eval.feature_study.figures.curves import Line, curves
from eval.feature_study.figures.interval import Interval
from eval.feature_study.figures.paired import Row, pairs_of_bars
from eval.feature_study.figures.picture import Picture, available
from eval.feature_study.figures.scatter import Point, scatter
from eval.feature_study.figures.shares import Bar, shares
from eval.feature_study.figures.steps import Step, steps

__all__ = [
    "Bar",
    "Interval",
    "Line",
    "Picture",
    "Point",
    "Row",
    "Step",
    "available",
    "curves",
    "pairs_of_bars",
    "scatter",
    "shares",
    "steps",
]
