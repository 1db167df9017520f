"""Corpora of the commands' tests."""

from tests.eval.cli.conftest import mixed, results, saved

__all__ = ["mixed", "results", "saved"]
