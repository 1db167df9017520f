"""Words in common."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from weps_eval.text.measures.words import cosine_similarity, lexical_overlap, words_in_common
from weps_eval.text.topic import words_of

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5).map(tuple), max_size=3).map(tuple)


@given(output=TEXTS, reference=TEXTS)
def test_lexical_overlap_is_of_multisets(output, reference):
    first, second = Counter(words_of(output)), Counter(words_of(reference))
    either = (first | second).total()
    assert lexical_overlap(output, reference) == (
        (first & second).total() / either if either else 1
    )


@given(output=TEXTS, reference=TEXTS)
def test_all_are_symmetric_shares_and_a_text_is_all_in_itself(output, reference):
    for measure in (
        lexical_overlap,
        cosine_similarity,
        lambda one, other: words_in_common(one, other).f(),
    ):
        assert 0 <= measure(output, reference) == measure(reference, output) <= 1
        assert measure(output, output) == 1
