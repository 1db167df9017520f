from collections.abc import Callable

import pytest

from eval.text.overlap import Overlap, Text
from eval.text.rouge.ngrams import rouge_n
from weps.errors import ValuesError

Read = Callable[[str], Text]


@pytest.mark.parametrize(
    ("n", "output", "reference", "expected"),
    [
        (1, "the cat", "the cat sat on the mat", Overlap(2, 2, 6)),
        (1, "the the the", "the cat sat on the mat", Overlap(2, 3, 6)),
        (2, "police kill the gunman", "police killed the gunman", Overlap(1, 3, 3)),
        (2, "the gunman kill police", "police killed the gunman", Overlap(1, 3, 3)),
        (2, "a b / c d", "b c", Overlap(1, 3, 1)),
        (2, "a", "a", Overlap(1, 1, 1)),
        (2, "a", "b", Overlap(0, 1, 1)),
        (2, "a", "a b", Overlap(0, 0, 1)),
        (3, "a b a b a", "a b a", Overlap(1, 3, 1)),
    ],
)
def test_n_grams_match_as_often_as_in_both(
    text: Read, n: int, output: str, reference: str, expected: Overlap
) -> None:
    assert rouge_n(text(output), text(reference), n) == expected


def test_n_grams_have_words() -> None:
    with pytest.raises(ValuesError, match="0-grams"):
        rouge_n((), (), 0)
