"""The studies of measures of measures: what they find, and how they show it."""

NAMES = (
    "correlation",
    "features",
    "grouge",
    "hbr",
    "heterogeneity",
    "improvements",
    "kernels",
    "key-terms",
    "orange",
    "qarla",
    "refinements",
    "regression",
)
"""Names of the studies that are modules of frames, as of their commands."""
