"""Are probabilities calibrated? Scores, errors of calibration, reliability diagrams.

forecasts = as_forecasts(probability, happened, name)  # names are what intervals are drawn from
measures(forecasts)["brier"], reliability(forecasts).bins
"""
