"""What holds for every measure of the room."""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.overlap import Text, words_of
from eval.text.synthesis.concepts import nicos
from eval.text.synthesis.frequencies import truncated, vector_similarity
from eval.text.synthesis.perplexity import perplexity_similarity
from eval.text.synthesis.selection import document_overlap, holders, sentence_overlap
from eval.text.synthesis.style import gramsim, sentence_length_similarity

Measure = Callable[[Text, Text], float]


def of_words(measure: Callable[..., float], *also: object) -> Measure:
    return lambda output, reference: measure(words_of(output), words_of(reference), *also)


def by_documents(output: Text, reference: Text) -> float:
    return document_overlap(output, reference, holders([output, reference])).f()


CLOSE = {
    "VectModelSim": of_words(vector_similarity),
    "TVM": of_words(truncated, ["a", "c"]),
    "NICOS": of_words(nicos, [("a",), ("a", "b")]),
    "AVLS": sentence_length_similarity,
    "GRAMSIM": of_words(gramsim),
}
OVERLAPPING: dict[str, Measure] = {
    "SentenceSim": lambda output, reference: sentence_overlap(output, reference).f(),
    "DocSim": by_documents,
}
SURPRISE = {f"perplexity{n}": partial(perplexity_similarity, n=n) for n in (1, 2, 3)}
MEASURES = {**CLOSE, **OVERLAPPING, **SURPRISE}

SENTENCES = st.lists(st.sampled_from("abcd"), max_size=6).map(tuple)
TEXTS = st.lists(SENTENCES, max_size=4).map(tuple)


@given(output=TEXTS, reference=TEXTS)
def test_similarities_are_from_0_to_1(output: Text, reference: Text) -> None:
    for name, measure in MEASURES.items():
        assert 0 <= measure(output, reference) <= 1, name


@given(same=TEXTS)
def test_a_text_is_as_like_itself_as_can_be(same: Text) -> None:
    for name, measure in {**CLOSE, **OVERLAPPING}.items():
        assert measure(same, same) == 1, name


@given(output=TEXTS, reference=TEXTS)
def test_only_the_perplexity_has_a_direction(output: Text, reference: Text) -> None:
    for name, measure in {**CLOSE, **OVERLAPPING}.items():
        assert measure(output, reference) == measure(reference, output), name


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
@pytest.mark.parametrize("empty", [(), ((),)])
def test_a_text_without_words_is_like_no_other_but_empty_ones(
    measure: Measure, empty: Text
) -> None:
    words = (("b", "d"),)
    assert (measure(empty, words), measure(words, empty)) == (0, 0)
    assert (measure(empty, empty), measure(empty, ()), measure((), empty)) == (1, 1, 1)


@given(output=TEXTS, reference=TEXTS, order=st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(
    output: Text, reference: Text, order: Random
) -> None:
    shuffled = tuple(order.sample(output, len(output)))
    within = {name: each for name, each in MEASURES.items() if name != "NICOS"}
    for name, measure in within.items():
        expected = pytest.approx(measure(output, reference), rel=1e-12)
        assert measure(shuffled, reference) == expected, name


@given(output=TEXTS, reference=TEXTS, order=st.randoms(use_true_random=False))
def test_the_order_of_words_does_not_matter_to_frequencies(
    output: Text, reference: Text, order: Random
) -> None:
    words = words_of(output)
    shuffled = (tuple(order.sample(words, len(words))),)
    for name in ("VectModelSim", "TVM", "GRAMSIM"):
        assert CLOSE[name](shuffled, reference) == CLOSE[name](output, reference), name
