from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Overlap, Text, words_of
from eval.text.words_in_common import cosine, dice, jaccard, words_in_common

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5).map(tuple), max_size=3).map(tuple)
MEASURES = (jaccard, dice, cosine)


@pytest.mark.parametrize(
    ("output", "reference", "repeated", "expected"),
    [
        ("a a b", "a c a a", True, Overlap(2, 3, 4)),
        ("a a b", "a c a a", False, Overlap(1, 2, 2)),
        ("b a", "a b", True, Overlap(2, 2, 2)),
        ("", "a a", True, Overlap(0, 0, 2)),
        ("", "", False, Overlap(0, 0, 0)),
        ("東京 é", "é A", True, Overlap(1, 2, 2)),
    ],
)
def test_words_in_common(output: str, reference: str, repeated: bool, expected: Overlap) -> None:
    texts = (tuple(output.split()),), (tuple(reference.split()),)
    assert words_in_common(*texts, repeated=repeated) == expected


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [
        (Overlap(2, 3, 4), (2 / 5, 4 / 7, 2 / sqrt(12))),
        (Overlap(0, 3, 4), (0, 0, 0)),
        (Overlap(0, 3, 0), (0, 0, 0)),
        (Overlap(0, 0, 0), (1, 1, 1)),
        (Overlap(3, 3, 3), (1, 1, 1)),
    ],
)
def test_worked_examples(overlap: Overlap, expected: tuple[float, ...]) -> None:
    assert tuple(measure(overlap) for measure in MEASURES) == pytest.approx(expected)


@given(output=TEXTS, reference=TEXTS)
def test_lexical_overlap_is_of_multisets(output: Text, reference: Text) -> None:
    first, second = Counter(words_of(output)), Counter(words_of(reference))
    either = (first | second).total()
    expected = (first & second).total() / either if either else 1
    assert jaccard(words_in_common(output, reference)) == expected


@pytest.mark.parametrize("measure", MEASURES)
@given(output=TEXTS, reference=TEXTS, repeated=st.booleans())
def test_neither_order_nor_side_matters(
    measure: Callable[[Overlap], float], output: Text, reference: Text, repeated: bool
) -> None:
    score = measure(words_in_common(output, reference, repeated=repeated))
    turned = tuple(tuple(reversed(sentence)) for sentence in output)
    assert 0 <= score <= 1
    assert measure(words_in_common(reference, turned, repeated=repeated)) == score
