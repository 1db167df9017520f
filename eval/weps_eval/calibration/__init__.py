"""Are probabilities calibrated? Scores, errors of calibration, data of reliability diagrams."""
