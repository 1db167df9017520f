"""Published sets as testbeds and measure matrices."""

from collections.abc import Callable, Mapping
from pathlib import Path

from eval.text.convert.sentences import convert_sts, convert_sts_scores, convert_wmt
from eval.text.convert.summaries import convert_duc, convert_summeval
from eval.text.matrix import MeasureMatrix
from eval.text.testbed import Testbed

__all__ = ["CONVERTERS", "TABLES"]

CONVERTERS: Mapping[str, Callable[[Path], Testbed]] = {
    "summeval": convert_summeval,
    "wmt": convert_wmt,
    "sts": convert_sts,
}
"""Those that give testbeds, by name."""
TABLES: Mapping[str, Callable[[Path], Mapping[str, MeasureMatrix]]] = {
    "duc": convert_duc,
    "sts-scores": convert_sts_scores,
}
"""Those that give several measure matrices, by name."""
