from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.synthesis.concepts import Concept, nicos, occurrences
from weps.errors import ValuesError

WORDS = st.lists(st.sampled_from("ab"), max_size=12)
CONCEPTS = st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map(tuple), min_size=1)

HAITI = [("aristide",), ("golpe", "militar"), ("onu",)]
OUTPUT = "la onu y aristide tras el golpe militar onu".split()  # 1 1 2 of 9
REFERENCE = "el golpe militar contra aristide y golpe".split()  # 1 1 0 of 7


def test_worked_example() -> None:
    assert occurrences(HAITI, OUTPUT).tolist() == [1, 1, 2]
    assert occurrences(HAITI, REFERENCE).tolist() == [1, 1, 0]
    distance = sqrt(2 * (1 / 7 - 1 / 9) ** 2 + (2 / 9) ** 2)
    assert nicos(OUTPUT, REFERENCE, HAITI) == pytest.approx(1 / (1 + distance), rel=1e-15)


@pytest.mark.parametrize(
    ("concepts", "words", "expected"),
    [
        (["a a"], "a a a", [2]),
        (["a", "a b", "a b c"], "a b c a b a", [3, 2, 1]),
        (["b", "a b"], "a b", [1, 1]),
        (["a b", "a b"], "a b", [1, 1]),
        (["a b c"], "a b", [0]),
        ([], "a b", []),
    ],
)
def test_overlapping_occurrences_all_count(
    concepts: list[str], words: str, expected: list[int]
) -> None:
    found = occurrences([tuple(each.split()) for each in concepts], words.split())
    assert found.tolist() == expected


@given(CONCEPTS, WORDS)
def test_as_often_as_at_any_place(concepts: list[Concept], words: list[str]) -> None:
    expected = [
        sum(tuple(words[start : start + len(each)]) == each for start in range(len(words)))
        for each in concepts
    ]
    assert occurrences(concepts, words).tolist() == expected


@given(CONCEPTS, WORDS, WORDS, st.randoms(use_true_random=False))
def test_concepts_are_a_set(
    concepts: list[Concept], output: list[str], reference: list[str], order: Random
) -> None:
    again = [*order.sample(concepts, len(concepts)), concepts[0]]
    assert nicos(output, reference, again) == nicos(output, reference, concepts)


def test_texts_without_any_concept_have_the_same_vector() -> None:
    assert nicos(["snow"], ["rain"], HAITI) == 1
    assert nicos(["snow"], ["onu"], HAITI) == 0.5


@pytest.mark.parametrize(
    ("concepts", "message"), [([], "no key concepts"), ([("a",), ()], "has no words")]
)
@pytest.mark.parametrize("words", [[], ["a"]])
def test_nothing_to_look_for(concepts: list[Concept], message: str, words: list[str]) -> None:
    with pytest.raises(ValuesError, match=message):
        nicos(words, words, concepts)
