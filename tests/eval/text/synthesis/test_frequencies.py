from collections import Counter
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.synthesis.frequencies import (
    most_frequent,
    relative_frequencies,
    truncated,
    vector_similarity,
)
from weps.errors import ValuesError

WORDS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("output", "reference", "distance"),
    [
        ("a b b c", "a b d d", sqrt((1 + 1 + 4) / 16)),  # (1 2 1 0) / 4 and (1 1 0 2) / 4
        ("a", "b", sqrt(2)),
        ("a a b b", "b a", 0),
        ("a", "a b", sqrt(1 / 2)),
    ],
)
def test_worked_examples(output: str, reference: str, distance: float) -> None:
    similarity = vector_similarity(output.split(), reference.split())
    assert similarity == pytest.approx(1 / (1 + distance), rel=1e-15)


@pytest.mark.parametrize(
    ("terms", "distance"),
    [
        ("b", 1 / 4),
        ("c b", sqrt(2) / 4),
        ("d c b a", sqrt(6) / 4),
        ("a", 0),
        ("x", 0),
        ("b b", 1 / 4),
    ],
)
def test_only_the_terms_count(terms: str, distance: float) -> None:
    similarity = truncated("a b b c".split(), "a b d d".split(), terms.split())
    assert similarity == pytest.approx(1 / (1 + distance), rel=1e-15)


@given(WORDS, WORDS)
def test_all_units_as_terms_leave_nothing_out(output: list[str], reference: list[str]) -> None:
    terms = most_frequent([*output, *reference], 6)
    assert truncated(output, reference, terms) == vector_similarity(output, reference)


@given(WORDS, WORDS)
def test_more_terms_bring_no_text_closer(output: list[str], reference: list[str]) -> None:
    similarities = [truncated(output, reference, most_frequent(output, n)) for n in range(1, 7)]
    assert similarities == sorted(similarities, reverse=True)


def inverse(output: list[str], reference: list[str]) -> float:
    """1 / d of the papers."""
    shares = [
        {word: words.count(word) / len(words) for word in words} for words in (output, reference)
    ]
    squares = [(shares[0].get(word, 0) - shares[1].get(word, 0)) ** 2 for word in "abcdef"]
    return 1 / sqrt(sum(squares))


@given(st.lists(WORDS.filter(lambda words: set(words) != {"a"}), min_size=2, max_size=5))
def test_texts_are_ranked_as_by_the_papers(outputs: list[list[str]]) -> None:
    reference = ["a"]
    for pair in combinations(outputs, 2):
        ours = [vector_similarity(output, reference) for output in pair]
        theirs = [inverse(output, reference) for output in pair]
        if theirs != pytest.approx(theirs[::-1], rel=1e-12):
            assert np.argmax(ours) == np.argmax(theirs)


@given(WORDS, st.integers(2, 4))
def test_a_repeated_text_is_the_same_text(words: list[str], times: int) -> None:
    assert vector_similarity(words * times, words) == 1


@pytest.mark.parametrize(
    ("n", "expected"), [(1, "b"), (2, "ba"), (3, "bac"), (4, "bacd"), (512, "bacd")]
)
def test_the_most_frequent_with_ties_in_order_of_the_alphabet(n: int, expected: str) -> None:
    assert most_frequent("dcabab" + "b", n) == tuple(expected)


@given(WORDS, st.integers(1, 8))
def test_the_most_frequent_are_so(words: list[str], n: int) -> None:
    counts = Counter(words)
    assert (
        list(most_frequent(words, n)) == sorted(counts, key=lambda word: (-counts[word], word))[:n]
    )
    assert most_frequent(words[::-1], n) == most_frequent(words, n)


def test_frequencies_are_relative_to_all_units() -> None:
    assert relative_frequencies("abbc", "bxa").tolist() == [0.5, 0, 0.25]
    assert relative_frequencies("", "ab").tolist() == [0, 0]
    assert relative_frequencies("a", "").shape == (0,)


@pytest.mark.parametrize("words", [[], ["a"]])
def test_without_terms_there_is_nothing_to_compare(words: list[str]) -> None:
    with pytest.raises(ValuesError, match="no terms"):
        truncated(words, words, [])


@pytest.mark.parametrize("n", [0, -1])
def test_there_is_a_most_frequent_one(n: int) -> None:
    with pytest.raises(ValuesError, match="most frequent"):
        most_frequent("ab", n)
