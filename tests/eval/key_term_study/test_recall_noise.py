import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.key_term_study.concepts import concepts_of
from eval.key_term_study.recall_noise import curve, noise, recall
from tests.eval.key_term_study.made_up import HAITI, TERMS

words = st.sampled_from(["coup", "sea", "rain", "gale", "town", "towns", "bread"])
lists = st.lists(words, max_size=6, unique=True)
concepts = st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


def test_the_example_of_the_paper():
    key = concepts_of(HAITI)
    assert recall(TERMS, key) == pytest.approx(2 / 3)
    assert noise(TERMS, key) == 2


def test_the_example_term_by_term():
    found = curve(TERMS, concepts_of(HAITI))
    assert found.covered.tolist() == [0, 1, 1, 2, 2, 2]
    assert found.noise.tolist() == [0, 0, 1, 1, 1, 2]


def test_stop_words_reach_nothing_and_plurals_do():
    key = concepts_of(["reinstatement of the democracy", "troop"])
    assert (recall(["the", "of"], key), noise(["the", "of"], key)) == (0, 2)
    assert (recall(["troops"], key), noise(["troops"], key)) == (0.5, 0)


def test_a_list_that_ends_stays_as_it_is():
    found = curve(["haiti", "sea"], concepts_of(HAITI))
    assert [found.recall_at(length) for length in (0, 1, 2, 50)] == pytest.approx(
        [0, 1 / 3, 1 / 3, 1 / 3]
    )
    assert [found.noise_at(length) for length in (0, 1, 2, 50)] == [0, 0, 1, 1]
    assert found.recalls(4).tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1 / 3])
    assert found.noises(1).tolist() == [0, 0]


def test_without_concepts_there_is_no_recall():
    found = curve(["haiti"], [])
    assert np.isnan([found.recall_at(1), *found.recalls(2)]).all()
    assert found.noise_at(1) == 1


@given(lists, concepts)
def test_every_length_is_as_counted_by_hand(terms, phrases):
    key = concepts_of(phrases)
    found = curve(terms, key)
    for length in range(len(terms) + 1):
        seen = [term.removesuffix("s") for term in terms[:length]]
        covered = sum(any(word in seen for word in concept) for concept in key)
        stray = sum(all(term not in concept for concept in key) for term in seen)
        assert found.recall_at(length) == pytest.approx(covered / len(key))
        assert found.noise_at(length) == stray


@given(lists, concepts, st.randoms())
def test_order_matters_only_on_the_way(terms, phrases, random):
    key = concepts_of(phrases)
    shuffled = random.sample(terms, len(terms))
    assert recall(shuffled, key) == recall(terms, key)
    assert noise(shuffled, key) == noise(terms, key)
