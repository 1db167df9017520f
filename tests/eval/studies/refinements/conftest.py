"""Corpora of the commands' tests."""

from tests.eval.cli.conftest import saved

__all__ = ["saved"]
