"""What measures need besides texts, with a small WordNet."""

import pytest

from tests.eval.text.made_up_wordnet import write
from weps_eval.text.topic import TextTools


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> TextTools:
    return TextTools(wordnet=write(tmp_path_factory.mktemp("wordnet")))
