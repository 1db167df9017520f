"""Texts to compare."""

from collections.abc import Callable

import pytest

from weps_eval.text.topic import Tokens


@pytest.fixture(scope="session")
def text() -> Callable[[str], Tokens]:
    """Words with blanks between, sentences with ``/``."""
    return lambda written: tuple(tuple(sentence.split()) for sentence in written.split("/"))
