from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.key_terms.made_up import HAITI, TERMS, documents, occurrences
from tests.weps.key_terms.builders import tagged
from weps.features.bags import Bags
from weps.key_terms.labels import Counts, Reference
from weps_eval.key_terms.concepts import (
    WEIGHTINGS,
    Position,
    Topic,
    WordShare,
    _okapi_weight,
    _places_of,
    _rank_terms,
    _recall_noise_curve,
    concepts_of,
    read_topics,
    study_topics,
)
from weps_eval.key_terms.syntax import word_positions


@each_case(
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


def test_what_is_no_concept_and_phrases_of_the_same_words_are_one():
    assert not concepts_of(["", "the", "1987", "Thomas Baker", "…"], ["thomas", "baker"])
    assert len(concepts_of(["coup attempts", "attempt of a coup", "coup"])) == 2


SENTENCE = (
    "the/DET president/NOUN of/ADP Haiti/PROPN said/VERB that/SCONJ "
    "troops/NOUN left/VERB the/DET town/NOUN ./PUNCT"
)
TALKS = "the/DET Haiti/PROPN talks/NOUN ended/VERB ./PUNCT"


def counted(key, *documents, rows=(0,)):
    analysis = tagged(*([each] for each in documents))
    return _places_of(word_positions(analysis), word_positions(analysis, compounds=True), rows, key)


def test_where_the_words_of_key_concepts_stand():
    shares = counted({"haiti", "town"}, SENTENCE)
    assert shares["-1"] == WordShare(1, 2)  # haiti, troops
    assert shares["-2"] == WordShare(0, 1)  # president
    assert shares["+1"] == WordShare(1, 1)  # town
    assert shares["any distance"] == WordShare(2, 4)
    assert shares["any word"].hits == 2
    assert shares["subjects"] == WordShare(1, 2)
    assert shares["other phrases"] == WordShare(1, 2)
    assert (shares["heads"], shares["modifiers"]) == (WordShare(0, 1), WordShare(1, 1))


def test_words_up_to_six_from_the_verb_are_distinguished():
    row = " ".join(f"{word}/NOUN" for word in ("sea", "rock", "gale", "coal", "rain", "town"))
    shares = counted({"sea", "town"}, f"tide/NOUN {row} fell/VERB {row} tide/NOUN")
    assert [shares[each] for each in ("-6", "-1", "+1", "+6")] == [WordShare(1, 1)] * 4
    assert shares.keys().isdisjoint({"-7", "+7"})
    assert shares["any distance"].total == 14


def test_a_noun_before_a_noun_modifies_it_in_english_alone():
    shares = counted({"haiti"}, TALKS)
    assert (shares["heads"], shares["modifiers"]) == (WordShare(1, 2), WordShare(0, 0))
    assert (shares["last nouns"], shares["other words"]) == (WordShare(0, 1), WordShare(1, 1))


def test_other_documents_do_not_count():
    both, second = counted({"haiti"}, SENTENCE, TALKS, rows=(0, 1)), counted({"haiti"}, TALKS)
    assert counted({"haiti"}, SENTENCE, TALKS, rows=(1,)) == second
    assert both["-2"] == WordShare(1, 2)


def test_plurals_are_key_words_too_and_no_words_have_no_probability():
    assert counted({"talk"}, TALKS)["-1"] == WordShare(1, 1)
    assert isnan(WordShare(0, 0).value)


words = st.sampled_from(["coup", "sea", "rain", "gale", "town", "towns", "bread"])
lists = st.lists(words, max_size=6, unique=True)
concepts = st.lists(st.lists(words, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=4)


def test_the_example_of_the_paper():
    found = _recall_noise_curve(TERMS, concepts_of(HAITI))
    assert (3 * found.recall).tolist() == pytest.approx([0, 1, 1, 2, 2, 2])
    assert found.noise.tolist() == [0, 0, 1, 1, 1, 2]
    assert found.recall_at(5) == pytest.approx(2 / 3)


def test_a_list_that_ends_stays_as_it_is():
    found = _recall_noise_curve(["haiti", "sea"], concepts_of(HAITI))
    assert [found.recall_at(length) for length in (0, 1, 2, 50)] == pytest.approx(
        [0, 1 / 3, 1 / 3, 1 / 3]
    )
    noise, recall = found.points(range(5))
    assert recall.tolist() == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3, 1 / 3])
    assert noise.tolist() == [0, 0, 1, 1, 1]


def test_without_concepts_there_is_no_recall():
    found = _recall_noise_curve(["haiti"], [])
    noise, recall = found.points(range(3))
    assert np.isnan([found.recall_at(1), *recall]).all()
    assert noise.tolist() == [0, 1, 1]


@given(lists, concepts, st.randoms())
def test_every_length_is_as_counted_by_hand(terms, phrases, random):
    key = concepts_of(phrases)
    found = _recall_noise_curve(terms, key)
    for length in range(len(terms) + 1):
        seen = [term.removesuffix("s") for term in terms[:length]]
        covered = sum(any(word in seen for word in concept) for concept in key)
        stray = sum(all(term not in concept for concept in key) for term in seen)
        assert found.recall_at(length) == pytest.approx(covered / len(key))
        assert found.points(length)[0] == stray
    other = _recall_noise_curve(random.sample(terms, len(terms)), key)
    assert other.points(99) == found.points(99)


HARBOUR = "the/DET harbour/NOUN closed/VERB ./PUNCT"
SHIPS = "ships/NOUN of/ADP the/DET harbour/NOUN sank/VERB ./PUNCT"
BREAD = "bread/NOUN rose/VERB ./PUNCT"


def given_(rows, phrases=("harbour",)):
    return Topic("sections", "sea", tuple(rows), concepts_of(phrases))


def test_topics_without_concepts_or_words_are_left_out():
    analysis = tagged([HARBOUR], ["./PUNCT"])
    topics = [given_([0]), given_([0], ["the"]), given_([1])]
    _, (kept,) = read_topics(analysis, topics, tagged=True)
    assert (kept.rows, kept.concepts) == (topics[0].rows, topics[0].concepts)


def test_what_is_found_of_a_topic():
    batch = read_topics(tagged([HARBOUR], [SHIPS], [BREAD]), [given_([0, 1])], tagged=True)
    (topic,) = study_topics([batch])
    assert (topic.rows, len(topic.concepts), topic.title) == ((0, 1), 1, "sea")
    assert topic.curves["tf"].recall_at(1) == 1
    assert topic.candidates["tf"] == topic.words
    assert topic.candidates["tfsyntax"] == 1
    assert topic.places["-1"].hits == 2


def test_all_other_documents_are_the_reference_collection(monkeypatch):
    seen = []

    def spy(*arguments, apart):
        seen.append((arguments[-1], apart))
        return _rank_terms(*arguments, apart=apart)

    monkeypatch.setattr("weps_eval.key_terms.concepts._rank_terms", spy)
    sea, bread = tagged([HARBOUR], [SHIPS]), tagged([BREAD], [BREAD])
    batches = [
        read_topics(sea, [given_([0])], tagged=True),
        read_topics(bread, [], tagged=True),
    ]
    progress = []
    list(study_topics(batches, lambda *step: progress.append(step)))
    everything = seen[0][0]
    assert {(each.documents, apart) for each, apart in seen} == {
        (4, True),
        (Reference.builtin().documents, False),
    }
    assert dict(everything.words) == {
        "harbour": (2, 2),
        "closed": (1, 1),
        "ships": (1, 1),
        "sank": (1, 1),
        "bread": (2, 2),
        "rose": (2, 2),
    }
    assert progress == [("weighing words", done, 2) for done in range(3)]


def counts_of(occurrences, position=Position.ANYWHERE):
    """Word → how often it occurs in each document, where it occurs at all."""
    columns = occurrences.counts[position].toarray().T.tolist()
    named = zip(occurrences.words, columns, strict=True)
    return {word: counts for word, counts in named if any(counts)}


def test_content_words_are_counted_where_they_stand():
    found = occurrences("the president/h of haiti/mv", "", "haiti/v haiti troops")
    assert tuple(found.words) == ("haiti", "president", "troops")
    assert counts_of(found) == {"haiti": [1, 0, 2], "president": [1, 0, 0], "troops": [0, 0, 1]}
    assert counts_of(found, Position.VERB) == {"haiti": [1, 0, 1]}
    assert counts_of(found, Position.SUBJECT) == {"haiti": [1, 0, 0], "president": [1, 0, 0]}
    assert counts_of(found, Position.HEAD) == {"president": [1, 0, 0]}
    assert counts_of(found, Position.MODIFIER) == {"haiti": [1, 0, 0]}
    assert {counts.dtype for counts in found.counts.values()} == {np.dtype(np.int32)}


@each_case("texts", [[], [""], ["the", "of"]])
def test_documents_without_content_words_keep_their_row(texts):
    found = occurrences(*texts)
    assert {each.shape for each in found.counts.values()} == {(len(texts), 0)}


NEWS = Reference({"president": (60, 30), "troops": (4, 3), "a": (9, 9), "c": (1, 1)}, 1000, 40)
NAMED = (
    "president/h haiti/mv",
    "haiti/v troops",
    "the president",
    "coup/hv president",
)


def ranked(name, *texts, rows=None, reference=NEWS):
    chosen = range(len(texts)) if rows is None else rows
    return _rank_terms(occurrences(*texts), chosen, WEIGHTINGS[name], reference)


@each_case(
    ("name", "expected"),
    [
        ("tf", ["president", "haiti", "coup", "troops"]),
        ("likelihood_ratio", ["haiti", "coup", "president", "troops"]),
        ("okapi", ["haiti", "coup", "troops", "president"]),
        ("tfsyntax", ["haiti", "coup"]),
        ("subject", ["coup", "haiti", "president"]),
        ("modifier", ["haiti"]),
        ("tf+verb", ["haiti", "coup"]),
        ("likelihood_ratio+verb", ["haiti", "coup"]),
        ("okapi+verb", ["haiti", "coup"]),
        ("tf+spread", ["president", "haiti", "coup", "troops"]),
    ],
)
def test_the_terms_of_haiti(name, expected):
    assert ranked(name, *NAMED) == expected


@each_case(
    ("name", "texts", "expected"),
    [
        ("tfsyntax", ["a/v b/v b/v a a c"], "b a"),
        ("tf+verb", ["a/v b/v b/v a a c"], "a b"),
        ("tf", ["b b b", "c", "c"], "b c"),
        ("tf+spread", ["b b b", "c", "c"], "c b"),
    ],
)
def test_what_is_counted(name, texts, expected):
    assert ranked(name, *texts) == expected.split()


def test_a_word_of_other_documents_is_no_candidate():
    assert ranked("tf", *NAMED, rows=[2]) == ["president"]


@given(documents, st.sampled_from(sorted(WEIGHTINGS)), st.data())
def test_a_set_apart_is_compared_with_the_rest(texts, name, data):
    found = occurrences(*texts)
    rows = data.draw(st.sets(st.integers(0, len(texts) - 1), min_size=1).map(sorted))
    anywhere = found.counts[Position.ANYWHERE]
    rest = [row for row in range(len(texts)) if row not in rows]
    everything, others = (
        Reference.of(Bags(anywhere[chosen], found.words)) for chosen in (range(len(texts)), rest)
    )
    expected = _rank_terms(found, rows, WEIGHTINGS[name], others)
    assert _rank_terms(found, rows, WEIGHTINGS[name], everything, apart=True) == expected


@given(documents, st.sampled_from(["tf", "likelihood_ratio", "okapi"]))
def test_a_restriction_leaves_words_out_and_keeps_their_order(texts, name):
    before_verbs = {
        word.partition("/")[0] for text in texts for word in text.split() if "v" in word
    }
    kept = [word for word in ranked(name, *texts) if word in before_verbs]
    assert ranked(f"{name}+verb", *texts) == kept


def counts(a=0, c=0, d=0, n=0, documents=0):
    """One word: a of c words of the set, in n of the documents of the collection of d words."""
    inside, frequency = (np.array([number], dtype=np.float64) for number in (a, n))
    return Counts(inside, float(c), np.zeros(1), float(d), frequency, float(documents))


def test_okapi_by_hand():
    # documents have 10 words, the set three times as many: 1.2 (.25 + .75·3) = 3
    found = _okapi_weight(counts(a=3, c=30, d=100, n=1, documents=10)).item()
    assert found == pytest.approx(3 * 2.2 / (3 + 3) * np.log(9.5 / 1.5))


@given(st.integers(1, 50), st.integers(1, 50), st.integers(0, 20))
def test_okapi_grows_with_occurrences_up_to_a_bound(a, more, n):
    low, high = (
        _okapi_weight(counts(a=k, c=100, d=400, n=n, documents=40)).item() for k in (a, a + more)
    )
    bound = 2.2 * np.log((40 - n + 0.5) / (n + 0.5))
    assert low < high < bound or n == 20
