"""What measures need besides texts, with a small WordNet and few vectors, and texts to compare."""

from collections.abc import Callable

import pytest

from tests.eval.text.made_up_wordnet import packed
from weps_eval.text.topic import TextTools, Tokens, WordVectors


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> TextTools:
    folder = tmp_path_factory.mktemp("tools")
    (folder / "vectors.txt").write_text("officer .6 .8\npolicemen .8 .6\ngun 1 0\njob -1 0\n")
    vectors = WordVectors(folder / "vectors.txt").holding({"officer", "policemen", "gun", "job"})
    return TextTools(wordnet=packed(folder), vectors=vectors)


@pytest.fixture(scope="session")
def text() -> Callable[[str], Tokens]:
    """Words with blanks between, sentences with ``/``."""
    return lambda written: tuple(tuple(sentence.split()) for sentence in written.split("/"))
