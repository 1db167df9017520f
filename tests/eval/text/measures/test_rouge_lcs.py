from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.measures import rouge_lcs
from eval.text.measures.overlap import Overlap, Tokens
from eval.text.measures.rouge_lcs import rouge_l, rouge_l_summary, rouge_w
from weps.errors import ValuesError

Read = Callable[[str], Tokens]
Words = tuple[str, ...]

WORDS = st.lists(st.sampled_from("abc"), max_size=7).map(tuple)


@pytest.mark.parametrize(
    ("output", "matches"),
    [
        ("police kill the gunman", 3),
        ("the gunman kill police", 2),
        ("the gunman police killed", 2),
    ],
)
def test_worked_examples_of_lin(text: Read, output: str, matches: int) -> None:
    assert rouge_l(text(output), text("police killed the gunman")) == Overlap(matches, 4, 4)


def test_a_union_takes_what_any_sentence_has(text: Read) -> None:
    output = text("w1 w2 w6 w7 w8 / w1 w3 w8 w9 w5")
    assert rouge_l_summary(output, text("w1 w2 w3 w4 w5")) == Overlap(4, 10, 5)


def test_a_word_is_matched_no_oftener_than_it_is_there(text: Read) -> None:
    assert rouge_l_summary(text("a"), text("a / a b / a")) == Overlap(1, 1, 4)


def subsequences_of(words: Words) -> set[Words]:
    return {chosen for size in range(len(words) + 1) for chosen in combinations(words, size)}


@given(WORDS, WORDS)
def test_as_long_as_the_longest_of_all_subsequences(output: Words, reference: Words) -> None:
    common = subsequences_of(output) & subsequences_of(reference)
    longest = max(map(len, common))
    assert rouge_l((output,), (reference,)) == Overlap(longest, len(output), len(reference))


def matched(reference: Words, output: Words) -> set[int]:
    """Places in the reference of the subsequence that the published scorers take."""
    if not reference or not output:
        return set()
    if reference[-1] == output[-1]:
        return matched(reference[:-1], output[:-1]) | {len(reference) - 1}
    without = matched(reference[:-1], output), matched(reference, output[:-1])
    return max(without, key=len)


@given(st.lists(WORDS, max_size=3), WORDS)
def test_the_union_is_of_the_subsequences_that_scorers_take(
    output: list[Words], reference: Words
) -> None:
    united = set().union(*(matched(reference, sentence) for sentence in output))
    words = Counter(word for sentence in output for word in sentence)
    expected = (words & Counter(reference[place] for place in united)).total()
    assert rouge_l_summary(tuple(output), (reference,)).matches == expected


@pytest.mark.parametrize("summary", [False, True])
def test_long_texts_are_computed_in_blocks(summary: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    measure = rouge_l_summary if summary else rouge_l
    words = np.random.default_rng(0).integers(9, size=(2, 6, 50)).astype(str).tolist()
    output, reference = (tuple(map(tuple, sentences)) for sentences in words)
    at_once = measure(output, reference)
    monkeypatch.setattr(rouge_lcs, "_BLOCK", 7)
    assert measure(output, reference) == at_once


def test_what_would_take_minutes_is_refused() -> None:
    many = (("a", "b"),) * 3_000
    with pytest.raises(ValuesError, match=r"3,000 and 3,000 sentences.*level=text"):
        rouge_l_summary(many, many)
    assert rouge_l(many, many).recall == 1


WORDS_WEIGHTED = st.lists(st.sampled_from("abc"), min_size=1, max_size=10).map(tuple)


@pytest.mark.parametrize(("output", "recall"), [("a b c d h i k", 0.571), ("a h b k c i d", 0.286)])
def test_worked_examples_of_lin_weighted(text: Read, output: str, recall: float) -> None:
    overlap = rouge_w(text(output), text("a b c d e f g"), 2)
    assert (overlap.precision, overlap.recall) == pytest.approx((recall, recall), abs=5e-4)


def of_the_paper(first: Words, second: Words, weight: float) -> float:
    """The program of Lin 2004, section 4, with f⁻¹ at its end."""
    c = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    w = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, left in enumerate(first, 1):
        for j, right in enumerate(second, 1):
            if left == right:
                k = w[i - 1][j - 1]
                c[i][j] = c[i - 1][j - 1] + (k + 1) ** weight - k**weight
                w[i][j] = k + 1
            else:
                c[i][j] = max(c[i - 1][j], c[i][j - 1])
    return c[-1][-1] ** (1 / weight)


@given(WORDS_WEIGHTED, WORDS_WEIGHTED, st.sampled_from([1, 1.2, 2, 3.5]))
def test_as_the_program_of_the_paper(output: Words, reference: Words, weight: float) -> None:
    overlap = rouge_w((output,), (reference,), weight)
    assert overlap.matches == pytest.approx(of_the_paper(output, reference, weight), abs=1e-9)
    assert (overlap.output, overlap.reference) == (len(output), len(reference))


@pytest.mark.parametrize("weight", [0.5, -1, 10.5, float("inf"), float("nan")])
def test_weights_grow(weight: float) -> None:
    with pytest.raises(ValuesError, match="ROUGE-W of weight"):
        rouge_w((), (), weight)


def test_what_would_take_minutes_is_refused_weighted() -> None:
    with pytest.raises(ValuesError, match=r"of 8,000 and 4,000 words would take too long"):
        rouge_w((("the",) * 8_000,), (("the",) * 4_000,))
    assert rouge_w((("a",) * 8_000,), (("the",) * 8_000,)).matches == 0
