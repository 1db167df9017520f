"""Calibration of probabilities: scores, errors, and data of reliability diagrams."""
