"""Can probabilities be taken at their word? Scores, errors of calibration, reliability diagrams.

forecasts = as_forecasts(probability, happened, name)  # names are what intervals are drawn from
measures(forecasts)["brier"], reliability(forecasts).bins
"""

from eval.calibration.forecasts import Forecasts, as_forecasts, by_name
from eval.calibration.measures import measures
from eval.calibration.reliability import Bin, Reliability, reliability

__all__ = [
    "Bin",
    "Forecasts",
    "Reliability",
    "as_forecasts",
    "by_name",
    "measures",
    "reliability",
]
