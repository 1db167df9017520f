"""What holds for every ROUGE."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Overlap, Text, words_of
from eval.text.rouge.ngrams import rouge_n
from eval.text.rouge.skips import rouge_s, rouge_su
from eval.text.rouge.subsequences import rouge_l, rouge_l_summary
from eval.text.rouge.weighted import rouge_w

Measure = Callable[[Text, Text], Overlap]

SYMMETRIC = {
    **{f"{n}": partial(rouge_n, n=n) for n in (1, 2, 3, 4)},
    **{f"S{skip}": partial(rouge_s, skip=skip) for skip in (0, 1, 4, None)},
    **{f"SU{skip}": partial(rouge_su, skip=skip) for skip in (0, 1, 4, None)},
    "L": rouge_l,
    "W": rouge_w,
    "W2": partial(rouge_w, weight=2),
}
MEASURES = {**SYMMETRIC, "Lsum": rouge_l_summary}

SENTENCES = st.lists(st.sampled_from("abc"), max_size=6).map(tuple)
TEXTS = st.lists(SENTENCES, max_size=3).map(tuple)


@given(output=TEXTS, reference=TEXTS)
def test_shares_are_shares(output: Text, reference: Text) -> None:
    for name, measure in MEASURES.items():
        overlap = measure(output, reference)
        assert 0 <= overlap.matches <= min(overlap.output, overlap.reference), name


@given(same=TEXTS)
def test_a_text_is_all_in_itself(same: Text) -> None:
    for name, measure in MEASURES.items():
        assert measure(same, same).f() == 1, name


@given(output=TEXTS, reference=TEXTS)
def test_precision_is_the_recall_of_the_texts_swapped(output: Text, reference: Text) -> None:
    for name, measure in SYMMETRIC.items():
        overlap, swapped = measure(output, reference), measure(reference, output)
        assert overlap == Overlap(swapped.matches, swapped.reference, swapped.output), name


@given(output=TEXTS, reference=TEXTS)
def test_words_are_only_names(output: Text, reference: Text) -> None:
    names = {"a": "z", "b": "a", "c": "é"}
    renamed = [
        tuple(tuple(names[word] for word in sentence) for sentence in each)
        for each in (output, reference)
    ]
    for name, measure in MEASURES.items():
        assert measure(*renamed) == measure(output, reference), name


@given(output=TEXTS)
def test_texts_without_a_word_in_common_score_nothing(output: Text) -> None:
    for name, measure in MEASURES.items():
        overlap = measure(output, (("x",), ("y",)))
        assert (overlap.precision, overlap.recall) == (0, 0), name


@given(output=TEXTS, reference=TEXTS)
def test_sentences_bound_nothing_but_the_union(output: Text, reference: Text) -> None:
    for name, measure in SYMMETRIC.items():
        joined = measure((words_of(output),), (words_of(reference),))
        assert measure(output, reference) == joined, name


@given(output=TEXTS, reference=TEXTS)
def test_skipping_nothing_is_bigrams(output: Text, reference: Text) -> None:
    assert rouge_s(output, reference, 0) == rouge_n(output, reference, 2)


@given(output=TEXTS, reference=TEXTS)
def test_no_weight_is_the_longest_subsequence(output: Text, reference: Text) -> None:
    matches = rouge_w(output, reference, 1).matches
    assert matches == pytest.approx(rouge_l(output, reference).matches)


@given(output=SENTENCES, reference=SENTENCES)
def test_the_union_of_one_sentence_is_its_subsequence(
    output: tuple[str, ...], reference: tuple[str, ...]
) -> None:
    texts = (output,), (reference,)
    assert rouge_l_summary(*texts) == rouge_l(*texts)
