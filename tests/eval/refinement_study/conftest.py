"""Corpora of the commands' tests."""

from tests.eval.commands.conftest import saved

__all__ = ["saved"]
