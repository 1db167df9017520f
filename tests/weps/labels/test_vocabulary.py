import numpy as np
import pytest

from tests.weps.builders import analysis_of, document
from weps.key_terms import Position, weighting
from weps.labels.vocabulary import Vocabulary

PAGE = "Thomas Baker is a conductor. Elsewhere add kelp to kelp."


def of(*documents) -> Vocabulary:
    return Vocabulary.of(analysis_of(*documents))


def test_words_are_sorted_and_counted():
    found = of(PAGE, "conductor")
    assert found.occurrences.words == tuple(sorted(found.occurrences.words))
    counts = found.occurrences.at(Position.ANYWHERE).toarray()
    told = dict(zip(found.occurrences.words, counts.T.tolist(), strict=True))
    assert told["kelp"] == [2, 0]
    assert told["conductor"] == [1, 1]
    assert not {"thomas", "baker", "is", "to"} & set(told)


def test_near_is_the_sentence_of_the_name():
    found = of(PAGE)
    near = dict(zip(found.occurrences.words, found.near.toarray()[0].tolist(), strict=True))
    assert (near["conductor"], near["kelp"]) == (1, 0)


def test_what_words_are_worth():
    found = of(PAGE, "the house of Merrow")
    worth = dict(zip(found.occurrences.words, found.standing.tolist(), strict=True))
    assert "add" not in worth
    assert worth["conductor"] > worth["merrow"] > worth["kelp"] > 0


@pytest.mark.parametrize("text", ["see www.merrow.example/dulse", "dulse@merrow.example"])
def test_parts_of_addresses_count_for_nothing(text):
    found = of(text)
    assert found.occurrences.at(Position.ANYWHERE).sum() == 0


def test_terms_are_positive_and_best_first():
    (terms,) = of(PAGE, document(PAGE, rank=2)).terms([[0, 1]], weighting("likelihood_ratio"))
    weights = [weight for _, weight in terms]
    assert terms[0][0] == "conductor"
    assert weights == sorted(weights, reverse=True)
    assert np.min(weights) > 0
    assert "add" not in dict(terms)
