"""Correlation of measures with people, with intervals, and Williams' test between measures."""

from eval.meta.correlation.coefficients import Coefficient
from eval.meta.correlation.levels import Level, Sample, correlations
from eval.meta.correlation.williams import williams, williams_against, williams_table

__all__ = [
    "Coefficient",
    "Level",
    "Sample",
    "correlations",
    "williams",
    "williams_against",
    "williams_table",
]
