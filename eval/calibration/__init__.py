"""Are probabilities calibrated? Scores, errors of calibration, reliability diagrams.

forecasts = as_forecasts(probability, happened, name)  # intervals resample names
measures(forecasts)["brier"], reliability(forecasts).bins
"""
