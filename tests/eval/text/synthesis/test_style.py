from collections.abc import Callable

import pytest

from eval.text.overlap import Text
from eval.text.synthesis.style import gramsim, sentence_length_similarity

Read = Callable[[str], Text]


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("a b c d / e f", "a", 1 / 3),  # 3 and 1
        ("a", "a b c d / e f", 1 / 3),
        ("a b / c", "a b c / d e / f", 1 / 1.5),  # 1.5 and 2
        ("a b / c d", "x y", 1),
        ("a b / / c d /", "x y", 1),
    ],
)
def test_average_lengths(text: Read, output: str, reference: str, expected: float) -> None:
    similarity = sentence_length_similarity(text(output), text(reference))
    assert similarity == pytest.approx(expected, rel=1e-15)


def test_tags() -> None:
    output, reference = "DET NOUN VERB NOUN".split(), "NOUN VERB".split()
    assert gramsim(output, reference) == pytest.approx(1 / (1 + (2 / 16) ** 0.5), rel=1e-15)
