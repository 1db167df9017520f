from math import isnan

from eval.key_term_study.places import Share, places_of
from tests.weps.key_terms.builders import tagged
from weps.syntax import positions

SENTENCE = (
    "the/DET president/NOUN of/ADP Haiti/PROPN said/VERB that/SCONJ "
    "troops/NOUN left/VERB the/DET town/NOUN ./PUNCT"
)
TALKS = "the/DET Haiti/PROPN talks/NOUN ended/VERB ./PUNCT"


def found(key, *documents, rows=(0,)):
    analysis = tagged(*([each] for each in documents))
    return places_of(positions(analysis), positions(analysis, compounds=True), rows, key)


def test_where_the_words_of_key_concepts_stand():
    places = found({"haiti", "town"}, SENTENCE)
    assert places["-1"] == Share(1, 2)  # haiti, troops
    assert places["-2"] == Share(0, 1)  # president
    assert places["+1"] == Share(1, 1)  # town
    assert places["any distance"] == Share(2, 4)
    assert places["any word"].held == 2
    assert places["subjects"] == Share(1, 2)
    assert places["other phrases"] == Share(1, 2)
    assert (places["heads"], places["modifiers"]) == (Share(0, 1), Share(1, 1))


def test_words_up_to_six_from_the_verb_are_told_apart():
    row = " ".join(f"{word}/NOUN" for word in ("sea", "rock", "gale", "coal", "rain", "town"))
    places = found({"sea", "town"}, f"tide/NOUN {row} fell/VERB {row} tide/NOUN")
    assert [places[each] for each in ("-6", "-1", "+1", "+6")] == [Share(1, 1)] * 4
    assert places.keys().isdisjoint({"-7", "+7"})
    assert places["any distance"].total == 14


def test_a_noun_before_a_noun_modifies_it_in_english_alone():
    places = found({"haiti"}, TALKS)
    assert (places["heads"], places["modifiers"]) == (Share(1, 2), Share(0, 0))
    assert (places["last nouns"], places["other words"]) == (Share(0, 1), Share(1, 1))


def test_other_documents_do_not_count():
    both, second = found({"haiti"}, SENTENCE, TALKS, rows=(0, 1)), found({"haiti"}, TALKS)
    assert found({"haiti"}, SENTENCE, TALKS, rows=(1,)) == second
    assert both["-2"] == Share(1, 2)


def test_plurals_are_key_words_too():
    assert found({"talk"}, TALKS)["-1"] == Share(1, 1)


def test_where_no_word_stands_there_is_no_probability():
    assert isnan(Share(0, 0).value)
    assert Share(1, 4).value == 0.25
