from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Overlap, Text
from eval.text.rouge import skips
from eval.text.rouge.skips import rouge_s, rouge_su
from weps.errors import ValuesError

Read = Callable[[str], Text]

LIN = "police killed the gunman"
DREAM = "becoming a cosmonaut is my great dream"
AMBITION = "becoming an astronaut is my ambition"
WORDS = st.lists(st.sampled_from("abcd"), min_size=2, max_size=12).map(tuple)


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("police kill the gunman", LIN, Overlap(3, 6, 6)),
        ("the gunman kill police", LIN, Overlap(1, 6, 6)),
        ("the gunman police killed", LIN, Overlap(2, 6, 6)),
        ("gunman the killed police", LIN, Overlap(0, 6, 6)),
        (DREAM, AMBITION, Overlap(3, 21, 15)),
    ],
)
def test_worked_examples_of_lin_and_hirao(
    text: Read, output: str, reference: str, expected: Overlap
) -> None:
    assert rouge_s(text(output), text(reference)) == expected


def test_single_words_count_too(text: Read) -> None:
    assert rouge_su(text("gunman the killed police"), text(LIN)) == Overlap(4, 10, 10)
    assert rouge_su(text("a"), text("a b")) == Overlap(1, 1, 3)


def listed(words: tuple[str, ...], skip: int) -> Counter[tuple[str, str]]:
    pairs = combinations(enumerate(words), 2)
    return Counter((first, second) for (i, first), (j, second) in pairs if j - i - 1 <= skip)


@given(WORDS, WORDS, st.integers(0, 12))
def test_as_many_as_a_list_of_all_pairs_has(
    output: tuple[str, ...], reference: tuple[str, ...], skip: int
) -> None:
    lists = listed(output, skip), listed(reference, skip)
    expected = Overlap((lists[0] & lists[1]).total(), lists[0].total(), lists[1].total())
    assert rouge_s((output,), (reference,), skip) == expected


@given(WORDS, WORDS)
def test_no_limit_is_a_limit_that_binds_nothing(
    output: tuple[str, ...], reference: tuple[str, ...]
) -> None:
    texts = (output,), (reference,)
    assert rouge_s(*texts) == rouge_s(*texts, skip=10) == rouge_s(*texts, skip=10**9)


def test_long_texts_are_counted_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    words = np.random.default_rng(0).integers(40, size=(2, 300)).astype(str).tolist()
    texts = tuple((tuple(each),) for each in words)
    at_once = rouge_s(*texts)
    monkeypatch.setattr(skips, "_CELLS", 2000)
    assert rouge_s(*texts) == at_once


def test_distances_are_not_negative() -> None:
    with pytest.raises(ValuesError, match="skip -1 tokens"):
        rouge_su((), (), -1)
