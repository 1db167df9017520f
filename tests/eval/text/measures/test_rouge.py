import sys
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.measures import rouge
from eval.text.measures.overlap import Overlap, Tokens
from eval.text.measures.rouge import ROUGE_OPTIONS, Preprocessing, rouge_n, rouge_s, rouge_su
from weps.errors import LanguageError, ValuesError

Read = Callable[[str], Tokens]


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


PLAIN = Preprocessing()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 2.6 million-dollar; CAFÉ!", (("it", "s", "2", "6", "million", "dollar", "caf"),)),
        ("one\ntwo three\n\n...\n", (("one",), ("two", "three"))),
        (["one\ntwo", "three"], (("one", "two"), ("three",))),
        ("snake_case", (("snake", "case"),)),
        ("", ()),
        (" - ", ()),
        ([], ()),
    ],
)
def test_tokens(text: str, expected: Tokens) -> None:
    assert PLAIN(text) == expected


def test_other_scripts_are_refused_or_read() -> None:
    with pytest.raises(ValuesError, match="unicode=true"):
        PLAIN("Привет, мир")
    assert Preprocessing(unicode=True)("Привет, мир_2 café") == (("привет", "мир", "2", "café"),)


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("a", ("the", "dogs", "were", "running", "and", "bus", "buses", "stopped")),
        ("b", ("dogs", "running", "bus", "buses", "stopped")),
        ("c", ("dog", "run", "bus", "buse", "stop")),
    ],
)
def test_the_options_of_the_paper(option: str, expected: tuple[str, ...]) -> None:
    if option == "c":
        pytest.importorskip("nltk")
    assert ROUGE_OPTIONS[option]("The dogs were running, and bus buses stopped") == (expected,)


def test_a_text_of_stop_words_is_left_empty() -> None:
    assert ROUGE_OPTIONS["b"]("To be or not to be") == ()


def test_stems_need_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.stem.porter", None)
    for cached in (rouge.porter_stem, rouge._stemmer):
        cached.cache_clear()
    with pytest.raises(LanguageError, match=r"pip install 'weps\[text\]'"):
        Preprocessing(stem=True)("stems")


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
    monkeypatch.setattr(rouge, "_CELLS", 2000)
    assert rouge_s(*texts) == at_once


def test_distances_are_not_negative() -> None:
    with pytest.raises(ValuesError, match="skip -1 tokens"):
        rouge_su((), (), -1)
