"""Information synthesis, texts as vectors, and perplexity under language models."""

from collections import Counter
from fractions import Fraction
from math import prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import euclidean
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import precision_recall_fscore_support

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.text.measures import synthesis
from weps_eval.text.topic import Tokens, words_of

WORDS = st.lists(st.sampled_from("ab"), max_size=12)
CONCEPTS = st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), min_size=1)

HAITI = [("aristide",), ("golpe", "militar"), ("onu",)]
OUTPUT = "la onu y aristide tras el golpe militar onu".split()  # 1 1 2 of 9
REFERENCE = "el golpe militar contra aristide y golpe".split()  # 1 1 0 of 7


def nicos(output, reference, concepts):
    return synthesis.concept_similarity((output, concepts), (reference, concepts))


def test_worked_example():
    assert synthesis._count_occurrences(HAITI, OUTPUT).tolist() == [1, 1, 2]
    assert synthesis._count_occurrences(HAITI, REFERENCE).tolist() == [1, 1, 0]
    distance = sqrt(2 * (1 / 7 - 1 / 9) ** 2 + (2 / 9) ** 2)
    assert nicos(OUTPUT, REFERENCE, HAITI) == pytest.approx(1 / (1 + distance), rel=1e-15)


@given(CONCEPTS, WORDS)
def test_as_often_as_at_any_place(concepts, words):
    expected = [
        sum(tuple(words[start : start + len(each)]) == each for start in range(len(words)))
        for each in concepts
    ]
    assert synthesis._count_occurrences(concepts, words).tolist() == expected


SENTENCES = st.lists(st.sampled_from("ab"), min_size=1, max_size=2).map(tuple)
TEXTS = st.lists(SENTENCES, max_size=5).map(tuple)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_a_document_is_represented_by_any_of_its_sentences(documents, data):
    known = sorted({sentence for document in documents for sentence in document})
    text = tuple(data.draw(st.lists(st.sampled_from(known)))) if known else ()
    expected = {number for number, each in enumerate(documents) if set(each) & set(text)}
    assert synthesis._documents_of(text, list(map(frozenset, documents))) == expected


FILLED = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12)


@given(FILLED, FILLED, st.integers(1, 6))
def test_vectors_are_as_far_apart_as_by_other_libraries(output, reference, n):
    texts = [" ".join(words) for words in (output, reference)]
    frequent = sorted(set(reference), key=lambda word: (-reference.count(word), word))[:n]
    terms = synthesis._most_frequent(reference, n)
    for vocabulary, found in (
        (frequent, synthesis.truncated_similarity((output, ()), (reference, terms))),
        (sorted({*output, *reference}), synthesis.vector_similarity(output, reference)),
        (frequent, nicos(output, reference, [(word,) for word in frequent])),
    ):
        counter = CountVectorizer(analyzer=str.split, vocabulary=vocabulary)
        table = counter.transform(texts).toarray()
        apart = euclidean(table[0] / len(output), table[1] / len(reference))
        assert found == pytest.approx(1 / (1 + apart), rel=1e-12)


@given(*[st.frozensets(st.sampled_from("abcdef"), min_size=1)] * 2)
def test_shares_of_sentences_and_documents_are_those_of_scikit_learn(output, reference):
    members = [[each in side for each in "abcdef"] for side in (reference, output)]
    precision, recall, f, _ = precision_recall_fscore_support(*members, average="binary")
    overlap = synthesis.set_overlap(output, reference)
    found = overlap.precision, overlap.recall, overlap.f()
    assert found == pytest.approx((precision, recall, f), rel=1e-12)


def test_texts_that_are_no_extracts_are_refused(text):
    with pytest.raises(ValuesError, match=r"not an extract.*choose a measure"):
        synthesis._documents_of(text("new"), [frozenset(text("a"))])


@each_case(
    ("output", "reference", "expected"),
    [
        ("a b c d / e f", "a", 1 / 3),  # 3 and 1
        ("a b / c", "a b c / d e / f", 1 / 1.5),  # 1.5 and 2
        ("a b / / c d /", "x y", 1),
    ],
)
def test_average_lengths(text, output, reference, expected):
    similarity = synthesis.sentence_length_similarity(text(output), text(reference))
    assert similarity == pytest.approx(expected, rel=1e-15)


def counts(*times: int) -> list[int]:
    """So many counts of 1, of 2, …."""
    return [count for count, several in enumerate(times, 1) for _ in range(several)]


def of_katz(times: Counter[int], k: int) -> list[Fraction]:
    """The formula letter by letter; where it divides by zero, something out of range."""
    try:
        least = Fraction((k + 1) * times[k + 1], times[1])
        turing = [Fraction((r + 1) * times[r + 1], times[r]) for r in range(1, k + 1)]
        ratios = [(each / r - least) / (1 - least) for r, each in enumerate(turing, 1)]
    except ZeroDivisionError:
        return [Fraction(-1)]
    return ratios if least < 1 else [Fraction(-1)]


FALLING = st.lists(st.integers(0, 40), max_size=10).map(lambda times: sorted(times, reverse=True))


@given(FALLING.map(lambda times: counts(*times)), st.integers(0, 8))
def test_the_largest_cutoff_for_which_the_formula_makes_sense(seen, cutoff):
    times = Counter(seen)
    tried = [of_katz(times, k) for k in range(cutoff, 0, -1)]
    sensible = [ratios for ratios in tried if all(0 < ratio <= 1 for ratio in ratios)]
    expected = list(map(float, sensible[0])) if sensible else []
    assert list(synthesis._good_turing(seen, cutoff)) == pytest.approx(expected, rel=1e-12)


Context = tuple[str | None, ...]

MODEL_SENTENCES = st.lists(st.sampled_from("abcd"), max_size=8).map(tuple)
MODEL_TEXTS = st.lists(MODEL_SENTENCES, max_size=4).map(tuple)
LENGTHS = st.integers(1, 4)
UNKNOWN = "?"


def test_perplexity_of_a_worked_example(text):
    reference = text("a a b / a")
    chances = [2 / 3, 1 / 2, 1 / 2, 2 / 3]  # those of its four words
    expected = prod(chances) ** (1 / 4)
    assert synthesis.perplexity_similarity(reference, reference) == pytest.approx(
        expected, rel=1e-14
    )


@each_case(
    ("output", "expected"),
    [("x x", 3 / 20), ("x y z", 1 / 10), ("a b", 3 / 20), ("z y x z", 1 / 10)],
)
def test_the_vocabulary_is_that_of_both_texts(text, output, expected):
    similarity = synthesis.perplexity_similarity(text(output), text("a b c d d"), 1)
    assert similarity == pytest.approx(expected, rel=1e-14)


class Katz:
    """The definitions, one by one, in exact arithmetic but for the ratios."""

    def __init__(self, text: Tokens, n: int, unknown: int) -> None:
        self.sentences = [(None, *sentence) for sentence in text]
        self.words, self.n = sorted(set(words_of(text))), n
        self.unknown = unknown
        self.ratios = [
            dict(enumerate(map(Fraction, synthesis._good_turing(self.counted(length))), 1))
            for length in range(n)
        ]
        once = self.counted(0).count(1)
        self.ratios[0] = {1: Fraction(once, once + unknown)}

    def counted(self, length: int) -> list[int]:
        """Occurrences of all n-grams with a context of that length."""
        contexts = {
            sentence[start : start + length]
            for sentence in self.sentences
            for start in range(len(sentence) - length + 1)
        }
        counts = [self.count(context, word) for context in contexts for word in self.words]
        return [count for count in counts if count]

    def count(self, context: Context, word: str) -> int:
        gram = (*context, word)
        return sum(
            sentence[start : start + len(gram)] == gram
            for sentence in self.sentences
            for start in range(len(sentence))
        )

    def probability(self, word: str, context: Context) -> Fraction:
        context = context[-(self.n - 1) :] if self.n > 1 else ()
        counts = {each: self.count(context, each) for each in self.words}
        seen = {each: count for each, count in counts.items() if count}
        if context and not seen:
            return self.probability(word, context[1:])
        total, ratios = sum(seen.values()), self.ratios[len(context)]
        kept = {each: count * ratios.get(count, Fraction(1)) for each, count in seen.items()}
        if sum(kept.values()) == total:
            total += 1
        if word in kept:
            return kept[word] / total
        rest = 1 - sum(kept.values()) / total
        if not context:
            return rest / self.unknown
        elsewhere = 1 - sum(self.probability(each, context[1:]) for each in kept)
        return rest * self.probability(word, context[1:]) / elsewhere


def contexts_of(text: Tokens) -> list[Context]:
    cued = [(None, *sentence) for sentence in text]
    return [each[:end][-3:] for each in cued for end in range(1, len(each) + 1)]


@given(MODEL_TEXTS, LENGTHS, st.integers(1, 3))
def test_as_the_definitions_have_it(text, n, unknown):
    model, slow = synthesis._language_model(text, n, unknown), Katz(text, n, unknown)
    for context in [(), (UNKNOWN, "a"), *contexts_of(text)]:
        for word in (*slow.words, UNKNOWN):
            expected = float(slow.probability(word, context))
            assert model(word, context) == pytest.approx(expected, rel=1e-9)


LONG = st.lists(st.integers(0, 60).map(lambda n: str(int(n**0.5))), min_size=20, max_size=150)


@given(st.one_of(MODEL_TEXTS, LONG.map(lambda words: (tuple(words),))), LENGTHS, st.integers(1, 9))
def test_after_every_context_the_chances_add_up_to_one(text, n, unknown):
    model = synthesis._language_model(text, n, unknown)
    words = {*words_of(text), *map("?{}".format, range(unknown))}
    for context in [(), (UNKNOWN, "a"), ("a", "b"), *contexts_of(text)]:
        chances = [model(word, context) for word in words]
        assert min(chances) > 0
        assert sum(chances) == pytest.approx(1, abs=1e-9)
