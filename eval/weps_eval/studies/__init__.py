"""The studies of measures of measures: what they find, and how they show it."""

NAMES = (
    "correlation",
    "features",
    "hbr",
    "heterogeneity",
    "improvements",
    "key-terms",
    "orange",
    "qarla",
    "refinements",
    "regression",
)
"""Names of the studies that are modules of frames, as of their commands."""
