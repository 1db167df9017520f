"""Corrections by users: stored, checked, and passed to the clustering as constraints."""
