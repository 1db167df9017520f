import pytest

from eval.key_term_study.concepts import concept_words, concepts_of


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("restore the democracy", {"restore", "democracy"}),
        ("UN and USA troops", {"un", "usa", "troop"}),
        ("Room 226, Regent Court", {"room", "regent", "court"}),
        ("University of Baker", {"university"}),
    ],
)
def test_the_words_of_a_concept(phrase, expected):
    assert concepts_of([phrase], ["thomas", "baker"]) == {frozenset(expected)}


@pytest.mark.parametrize("phrase", ["", "the", "1987", "Thomas Baker", "…"])
def test_what_is_no_concept(phrase):
    assert concepts_of([phrase], ["thomas", "baker"]) == frozenset()


def test_phrases_of_the_same_words_are_one_concept():
    assert len(concepts_of(["coup attempts", "attempt of a coup", "coup"])) == 2


def test_all_words():
    assert concept_words(concepts_of(["coup attempt", "a coup"])) == {"coup", "attempt"}
