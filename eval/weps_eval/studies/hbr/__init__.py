"""Heterogeneity based ranking: beside all measures, and what it predicts of them (2012)."""
