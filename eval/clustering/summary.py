"""Scores of many names made one row, and the signature that says how they came about."""

import math
from collections.abc import Mapping
from statistics import fmean, stdev

from eval.clustering.scorers import Scorer
from weps.version import VERSION

__all__ = ["mean", "signature", "standard_error", "two_decimals"]

Scores = Mapping[str, Mapping[str, float]]
"""Name searched for → measure → value."""


def mean(scores: Scores) -> dict[str, float]:
    """The mean over names of every measure; F is not taken of means."""
    return {measure: fmean(values) for measure, values in _by_measure(scores).items()}


def standard_error(scores: Scores) -> dict[str, float]:
    """The standard error of every mean: s / √n, with n - 1 in s; nan for a single name."""
    return {
        measure: stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        for measure, values in _by_measure(scores).items()
    }


def two_decimals(value: float) -> str:
    """A score as the official scorers print it: hundredths, halves upwards."""
    return f"{math.floor(100 * value + 0.5) / 100:.2f}"


def signature(scorer: Scorer, *, names: int, corpus: str, version: str = VERSION) -> str:
    """How a score was made, in one line to print beside it.

    ``corpus`` is the SHA-256 digest of what was scored, in hexadecimal; its first eight digits
    are shown.
    """
    parts = {
        "bcubed": "extended",
        "scorer": scorer.name,
        "missing": scorer.missing,
        "mean": "names",
        "names": names,
        "corpus": f"sha256-{corpus.removeprefix('sha256-')[:8]}",
        "weps": version,
    }
    return "|".join(f"{part}:{value}" for part, value in parts.items())


def _by_measure(scores: Scores) -> dict[str, list[float]]:
    rows = list(scores.values())
    return {measure: [row[measure] for row in rows] for measure in (rows[0] if rows else ())}
