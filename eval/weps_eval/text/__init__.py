"""Similarity measures between an output and its references."""
