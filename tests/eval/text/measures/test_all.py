"""What holds for every ROUGE."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps_eval.text.declaration import Overlap
from weps_eval.text.measures import rouge, synthesis
from weps_eval.text.topic import Tokens, words_of

Measure = Callable[[Tokens, Tokens], Overlap]

SYMMETRIC = {
    **{f"{n}": partial(rouge.rouge_n, n=n) for n in (1, 2, 3, 4)},
    **{f"S{skip}": partial(rouge.rouge_s, skip=skip) for skip in (0, 1, 4, "any")},
    **{f"SU{skip}": partial(rouge.rouge_su, skip=skip) for skip in (0, 1, 4, "any")},
    "L": rouge.rouge_l,
    "W": rouge.rouge_w,
    "W2": partial(rouge.rouge_w, weight=2),
}
MEASURES = {**SYMMETRIC, "Lsum": rouge._rouge_l_summary}

SENTENCES = st.lists(st.sampled_from("abc"), max_size=6).map(tuple)
TEXTS = st.lists(SENTENCES, max_size=3).map(tuple)


@given(output=TEXTS, reference=TEXTS)
def test_shares_are_shares_and_a_text_is_all_in_itself(output, reference):
    for name, measure in MEASURES.items():
        overlap = measure(output, reference)
        assert 0 <= overlap.matches <= min(overlap.output, overlap.reference), name
        assert measure(output, output).f() == 1, name


@given(output=TEXTS, reference=TEXTS)
def test_precision_is_the_recall_of_the_texts_swapped(output, reference):
    for name, measure in SYMMETRIC.items():
        overlap, swapped = measure(output, reference), measure(reference, output)
        assert overlap == Overlap(swapped.matches, swapped.reference, swapped.output), name


@given(output=TEXTS, reference=TEXTS)
def test_sentences_bound_nothing_but_the_union(output, reference):
    for name, measure in SYMMETRIC.items():
        joined = measure((words_of(output),), (words_of(reference),))
        assert measure(output, reference) == joined, name


@given(output=TEXTS, reference=TEXTS)
def test_measures_that_are_special_cases_of_others(output, reference):
    assert rouge.rouge_s(output, reference, 0) == rouge.rouge_n(output, reference, 2)
    matches = rouge.rouge_w(output, reference, 1).matches
    assert matches == pytest.approx(rouge.rouge_l(output, reference).matches)
    sentences = output[:1], reference[:1]
    assert rouge._rouge_l_summary(*sentences) == rouge.rouge_l(*sentences)


Similarity = Callable[[Tokens, Tokens], float]


def of_words(measure: Callable[..., float], *also: object) -> Similarity:
    return lambda output, reference: measure(words_of(output), words_of(reference), *also)


def by_sentences(output: Tokens, reference: Tokens) -> float:
    return synthesis.set_overlap(*({*filter(None, text)} for text in (output, reference))).f()


def by_documents(output: Tokens, reference: Tokens) -> float:
    texts = [tuple(filter(None, text)) for text in (output, reference)]
    documents = list(map(frozenset, texts))
    return synthesis.set_overlap(*(synthesis._documents_of(text, documents) for text in texts)).f()


def by_terms(output: Tokens, reference: Tokens) -> float:
    return synthesis.truncated_similarity((words_of(output), ()), (words_of(reference), ["a", "c"]))


def by_concepts(output: Tokens, reference: Tokens) -> float:
    concepts = [("a",), ("a", "b")]
    return synthesis.concept_similarity(
        (words_of(output), concepts), (words_of(reference), concepts)
    )


CLOSE = {
    "VectModelSim": of_words(synthesis.vector_similarity),
    "TVM": by_terms,
    "NICOS": by_concepts,
    "AVLS": synthesis.sentence_length_similarity,
}
OVERLAPPING: dict[str, Similarity] = {"SentenceSim": by_sentences, "DocSim": by_documents}
SURPRISE = {f"perplexity{n}": partial(synthesis.perplexity_similarity, n=n) for n in (1, 2, 3)}
SIMILARITIES = {**CLOSE, **OVERLAPPING, **SURPRISE}

RICHER_SENTENCES = st.lists(st.sampled_from("abcd"), max_size=6).map(tuple)
RICHER_TEXTS = st.lists(RICHER_SENTENCES, max_size=4).map(tuple)


@given(output=RICHER_TEXTS, reference=RICHER_TEXTS)
def test_similarities_are_from_0_to_1_and_have_no_direction_but_perplexity(output, reference):
    for name, measure in SIMILARITIES.items():
        found = measure(output, reference)
        assert 0 <= found <= 1, name
        if name not in SURPRISE:
            assert measure(reference, output) == found, name
            assert measure(output, output) == 1, name
