from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.studies.key_terms.topics import (
    GivenTopic,
    WordShare,
    concept_noise,
    concept_recall,
    concept_words,
    concepts_of,
    places_of,
    read_topics,
    recall_noise_curve,
    study_topics,
)
from tests.eval.studies.key_terms.made_up import HAITI, TERMS
from tests.weps.builders import analysis_of
from tests.weps.key_terms.builders import tagged
from weps.key_terms.clauses import word_positions
from weps.key_terms.extraction import key_terms
from weps.key_terms.occurrences import Occurrences


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


SENTENCE = (
    "the/DET president/NOUN of/ADP Haiti/PROPN said/VERB that/SCONJ "
    "troops/NOUN left/VERB the/DET town/NOUN ./PUNCT"
)
TALKS = "the/DET Haiti/PROPN talks/NOUN ended/VERB ./PUNCT"


def found(key, *documents, rows=(0,)):
    analysis = tagged(*([each] for each in documents))
    return places_of(word_positions(analysis), word_positions(analysis, compounds=True), rows, key)


def test_where_the_words_of_key_concepts_stand():
    places = found({"haiti", "town"}, SENTENCE)
    assert places["-1"] == WordShare(1, 2)  # haiti, troops
    assert places["-2"] == WordShare(0, 1)  # president
    assert places["+1"] == WordShare(1, 1)  # town
    assert places["any distance"] == WordShare(2, 4)
    assert places["any word"].hits == 2
    assert places["subjects"] == WordShare(1, 2)
    assert places["other phrases"] == WordShare(1, 2)
    assert (places["heads"], places["modifiers"]) == (WordShare(0, 1), WordShare(1, 1))


def test_words_up_to_six_from_the_verb_are_told_apart():
    row = " ".join(f"{word}/NOUN" for word in ("sea", "rock", "gale", "coal", "rain", "town"))
    places = found({"sea", "town"}, f"tide/NOUN {row} fell/VERB {row} tide/NOUN")
    assert [places[each] for each in ("-6", "-1", "+1", "+6")] == [WordShare(1, 1)] * 4
    assert places.keys().isdisjoint({"-7", "+7"})
    assert places["any distance"].total == 14


def test_a_noun_before_a_noun_modifies_it_in_english_alone():
    places = found({"haiti"}, TALKS)
    assert (places["heads"], places["modifiers"]) == (WordShare(1, 2), WordShare(0, 0))
    assert (places["last nouns"], places["other words"]) == (WordShare(0, 1), WordShare(1, 1))


def test_other_documents_do_not_count():
    both, second = found({"haiti"}, SENTENCE, TALKS, rows=(0, 1)), found({"haiti"}, TALKS)
    assert found({"haiti"}, SENTENCE, TALKS, rows=(1,)) == second
    assert both["-2"] == WordShare(1, 2)


def test_plurals_are_key_words_too():
    assert found({"talk"}, TALKS)["-1"] == WordShare(1, 1)


def test_where_no_word_stands_there_is_no_probability():
    assert isnan(WordShare(0, 0).value)
    assert WordShare(1, 4).value == 0.25


words = st.sampled_from(["coup", "sea", "rain", "gale", "town", "towns", "bread"])
lists = st.lists(words, max_size=6, unique=True)
concepts = st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


def test_the_example_of_the_paper():
    key = concepts_of(HAITI)
    assert concept_recall(TERMS, key) == pytest.approx(2 / 3)
    assert concept_noise(TERMS, key) == 2


def test_the_example_term_by_term():
    found = recall_noise_curve(TERMS, concepts_of(HAITI))
    assert found.covered.tolist() == [0, 1, 1, 2, 2, 2]
    assert found.noise.tolist() == [0, 0, 1, 1, 1, 2]


def test_stop_words_reach_nothing_and_plurals_do():
    key = concepts_of(["reinstatement of the democracy", "troop"])
    assert (concept_recall(["the", "of"], key), concept_noise(["the", "of"], key)) == (0, 2)
    assert (concept_recall(["troops"], key), concept_noise(["troops"], key)) == (0.5, 0)


def test_a_list_that_ends_stays_as_it_is():
    found = recall_noise_curve(["haiti", "sea"], concepts_of(HAITI))
    assert [found.recall_at(length) for length in (0, 1, 2, 50)] == pytest.approx(
        [0, 1 / 3, 1 / 3, 1 / 3]
    )
    assert [found.noise_at(length) for length in (0, 1, 2, 50)] == [0, 0, 1, 1]
    assert found.recalls(4).tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1 / 3])
    assert found.noises(1).tolist() == [0, 0]


def test_without_concepts_there_is_no_recall():
    found = recall_noise_curve(["haiti"], [])
    assert np.isnan([found.recall_at(1), *found.recalls(2)]).all()
    assert found.noise_at(1) == 1


@given(lists, concepts)
def test_every_length_is_as_counted_by_hand(terms, phrases):
    key = concepts_of(phrases)
    found = recall_noise_curve(terms, key)
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
    assert concept_recall(shuffled, key) == concept_recall(terms, key)
    assert concept_noise(shuffled, key) == concept_noise(terms, key)


HARBOUR = "the/DET harbour/NOUN closed/VERB ./PUNCT"
SHIPS = "ships/NOUN of/ADP the/DET harbour/NOUN sank/VERB ./PUNCT"
BREAD = "bread/NOUN rose/VERB ./PUNCT"


def given_(rows, phrases=("harbour",), title="sea"):
    return GivenTopic("sections", title, tuple(rows), concepts_of(phrases))


def test_topics_without_concepts_or_words_are_left_out():
    analysis = tagged([HARBOUR], ["./PUNCT"])
    topics = [given_([0]), given_([0], ["the"]), given_([1])]
    assert read_topics(analysis, topics, tagged=True).topics == (topics[0],)


def test_what_is_told_of_a_topic():
    batch = read_topics(tagged([HARBOUR], [SHIPS], [BREAD]), [given_([0, 1])], tagged=True)
    (topic,) = study_topics([batch])
    assert (topic.documents, topic.concepts, topic.title) == (2, 1, "sea")
    assert topic.curves["tf"].recall_at(1) == 1
    assert topic.candidates["tf"] == topic.words
    assert topic.candidates["tfsyntax"] == 1
    assert topic.places["-1"].hits == 2


def test_all_other_documents_are_the_reference_collection(monkeypatch):
    seen = []

    def spy(occurrences, rows, weighting, reference):
        seen.append(reference)
        return key_terms(occurrences, rows, weighting, reference)

    monkeypatch.setattr("eval.studies.key_terms.topics.key_terms", spy)
    sea, bread = tagged([HARBOUR], [SHIPS]), tagged([BREAD], [BREAD])
    batches = [
        read_topics(sea, [given_([0])], tagged=True),
        read_topics(bread, [], tagged=True),
    ]
    told = []
    list(study_topics(batches, told.append))
    assert {each.documents for each in seen} == {3}
    words = dict(seen[0].words)
    assert words["harbour"] == (1, 1)  # in the other document of the same name
    assert words["bread"] == (2, 2)
    assert "closed" not in words
    assert len(told) == 2


def test_documents_without_tags_have_statistics_alone():
    analysis = analysis_of("harbour ships", "bread")
    (topic,) = study_topics([read_topics(analysis, [given_([0])], tagged=False)])
    assert topic.places == {}
    assert "tf" in topic.curves
    assert "tfsyntax" not in topic.curves
    with pytest.raises(KeyError):
        Occurrences.without_positions(analysis).counts["verb"]
