"""Evaluation of clusterings: B-Cubed, purity, pair measures, official scorers, baselines."""
