import numpy as np
import pytest

from tests.weps.builders import analysis_of
from weps.candidates.addresses import in_addresses


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see www.york.edu for tides", {"www", "york"}),
        ("maths.york.edu helps", {"maths", "york"}),
        ("tom@york writes", {"tom", "york"}),
        ("http://tides", {"http", "tides"}),
        ("www.york rises", {"www", "york"}),
        ("York. Tides rise.", set()),
        ("", set()),
    ],
)
def test_words_within_addresses(text, words):
    """The last part, such as ``edu``, is a stop word anyway."""
    table = analysis_of(text).tokens
    flagged = table.token[in_addresses(table)]
    found = {table.surface[at] for at in flagged.tolist() if table.surface[at].isalpha()}
    assert found == words


def test_one_flag_for_each_token():
    table = analysis_of("a / b", "c").tokens
    assert in_addresses(table).dtype == np.bool_
    assert in_addresses(table).tolist() == [True, True, True, False]
