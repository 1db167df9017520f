from collections import Counter
from collections.abc import Callable
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.declarations.words import (
    cosine_similarity,
    dice_similarity,
    jaccard_similarity,
    words_in_common,
)
from eval.text.measures.overlap import Overlap, Tokens, words_of
from eval.text.measures.synthesis import gramsim, sentence_length_similarity
from eval.text.measures.topic import TopicTexts
from eval.text.registry import Measure
from eval.text.scoring import measure_similarities
from tests.eval.text.declarations.made_up import topic

OUTPUTS, REFERENCES = ["The boss lost, and the job was lost."], [("Guns fired!", "It rained.")]


def value(measure: str) -> float:
    desk = TopicTexts(topic(OUTPUTS, REFERENCES))
    return float(measure_similarities(Measure.parse(measure), desk, OUTPUTS, REFERENCES).item())


def test_sentence_lengths_are_of_words() -> None:
    eight, twice_two = (("w",) * 8,), (("w",) * 2, ("w",) * 2)
    assert value("avls") == sentence_length_similarity(eight, twice_two) == 1 / 7


def test_tags_are_those_of_the_pipeline() -> None:
    output = "DET NOUN VERB PUNCT CCONJ DET NOUN AUX VERB PUNCT".split()
    reference = "NOUN VERB PUNCT PRON VERB PUNCT".split()
    assert value("gramsim") == pytest.approx(gramsim(output, reference))


OUTPUT, REFERENCE = "The job, the boss and the gun.", "The boss? The gun."


@pytest.mark.parametrize(
    ("measure", "wanted"),
    [
        ("overlap", 4 / 7),
        ("overlap(distinct=true)", 3 / 5),
        ("overlap(tokens=blanks)", 2 / 9),
        ("dice", 8 / 11),
        ("dice(distinct=true)", 6 / 8),
        ("cosine", 3 / sqrt(15)),
        ("cosine(tokens=blanks)", 2 / sqrt(6 * 3)),
    ],
)
def test_words_in_common(measure: str, wanted: float) -> None:
    desk = TopicTexts(topic([OUTPUT], [REFERENCE]))
    [[found]] = measure_similarities(Measure.parse(measure), desk, [OUTPUT], [REFERENCE])
    assert found == pytest.approx(wanted)


TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=5).map(tuple), max_size=3).map(tuple)
MEASURES = (jaccard_similarity, dice_similarity, cosine_similarity)


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
def test_words_in_common_words_in_common(
    output: str, reference: str, repeated: bool, expected: Overlap
) -> None:
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
def test_lexical_overlap_is_of_multisets(output: Tokens, reference: Tokens) -> None:
    first, second = Counter(words_of(output)), Counter(words_of(reference))
    either = (first | second).total()
    expected = (first & second).total() / either if either else 1
    assert jaccard_similarity(words_in_common(output, reference)) == expected


@pytest.mark.parametrize("measure", MEASURES)
@given(output=TEXTS, reference=TEXTS, repeated=st.booleans())
def test_neither_order_nor_side_matters(
    measure: Callable[[Overlap], float], output: Tokens, reference: Tokens, repeated: bool
) -> None:
    score = measure(words_in_common(output, reference, repeated=repeated))
    turned = tuple(tuple(reversed(sentence)) for sentence in output)
    assert 0 <= score <= 1
    assert measure(words_in_common(reference, turned, repeated=repeated)) == score
