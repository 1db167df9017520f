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


def test_near_counts_pages_and_no_addresses():
    found = of("Thomas Baker: kelp, kelp, dulse@merrow.example; dulse", "Dulse")
    near = dict(zip(found.occurrences.words, found.near.toarray().T.tolist(), strict=True))
    assert near["kelp"] == [1, 0]
    found = of("Thomas Baker, dulse@merrow.example. Dulse")
    near = dict(zip(found.occurrences.words, found.near.toarray()[0].tolist(), strict=True))
    assert near["dulse"] == 0


def test_occupations_are_known_by_their_last_word():
    found = of("a graphic designer")
    worth = dict(zip(found.occurrences.words, found.standing.tolist(), strict=True))
    assert worth["designer"] > worth["graphic"]


def test_nearness_is_the_share_of_the_pages():
    """A word near the name on every page weighs three times as much as elsewhere."""
    pages = ["Thomas Baker saw kelp.", "Thomas Baker saw kelp."]
    far = ["Thomas Baker left. He saw kelp."] * 2
    weight, farther = (
        dict(of(*some, "moons").terms([[0, 1]], weighting("tf"))[0])["kelp"]
        for some in (pages, far)
    )
    assert weight == 3 * farther
