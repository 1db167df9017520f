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
"""Names of the studies, as of their commands; each is a module of this package."""
