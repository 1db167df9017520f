"""What measures need besides texts, with a small WordNet, and texts to compare."""

from collections.abc import Callable

import pytest

from tests.eval.text.made_up_wordnet import packed
from weps_eval.text.topic import TextTools, Tokens


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> TextTools:
    return TextTools(wordnet=packed(tmp_path_factory.mktemp("wordnet")))


@pytest.fixture(scope="session")
def text() -> Callable[[str], Tokens]:
    """Words with blanks between, sentences with ``/``."""
    return lambda written: tuple(tuple(sentence.split()) for sentence in written.split("/"))
