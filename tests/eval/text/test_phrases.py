import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of
from tests.weps.key_terms.builders import tagged
from weps.key_terms.labels import Reference
from weps_eval.text.phrases import key_phrases

sentences = st.lists(
    st.sampled_from(["York/PROPN", "rock/NOUN", "rocks/NOUN", "old/ADJ", "of/ADP", "fell/VERB"]),
    min_size=1,
    max_size=8,
).map(" ".join)


def phrases(analysis, **options):
    return [phrase for phrase, _ in key_phrases(analysis, **options)]


@each_case(
    ("sentence", "expected"),
    [
        ("the/DET president/NOUN of/ADP Haiti/PROPN fell/VERB", ["Haiti", "president"]),
        ("source/NOUN code/NOUN plagiarism/NOUN", ["source code plagiarism"]),
        ("arts/NOUN museum/NOUN fine/ADJ", ["arts museum"]),
        ("distributed/VERB systems/NOUN", ["distributed systems"]),
        ("he/PRON saw/VERB systems/NOUN", ["systems"]),
        ("user/NOUN -/PUNCT centred/VERB design/NOUN", ["user-centred design"]),
        ("New/ADJ York/PROPN", ["New York"]),
        ("new/ADJ rock/NOUN", ["rock"]),
        ("Dr./PROPN Thomas/PROPN Baker/PROPN Library/PROPN Hall/PROPN", ["Library Hall"]),
        ("19/NUM men/NOUN", ["men"]),
        ("fine/ADJ", []),
    ],
)
def test_key_phrases_of_a_sentence(sentence, expected):
    assert [each for each in phrases(tagged([sentence])) if each != "Dr."] == expected


def test_scores_are_those_of_the_formula():
    analysis = tagged(
        ["rock/NOUN fell/VERB rocks/NOUN"],
        ["it/PRON had/VERB fine/ADJ rock/NOUN band/NOUN", "Rocks/NOUN"],
    )
    known = Reference.builtin()
    _, frequency = known.counts_of(["rock", "fine", "band"])
    rock, fine, band = (known.documents + 1) / (frequency + 1)
    scores = dict(key_phrases(analysis))
    early = 1 / 3**0.15
    assert scores["rock"] == pytest.approx(rock**0.1 * (3 + 2.1 / 4**0.15))
    rarity = (fine * rock * band) ** (1 / 3)
    assert scores["fine rock band"] == pytest.approx(1.16 * rarity**0.1 * 2 * early)
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert key_phrases(analysis, most=1) == list(scores.items())[:1]


def test_parts_of_better_phrases_are_left_out_and_better_parts_are_not():
    code = "source/NOUN code/NOUN fell/VERB"
    assert phrases(tagged([code, "code/NOUN fell/VERB"])) == ["source code"]
    assert phrases(tagged([code, *["code/NOUN fell/VERB"] * 3])) == ["code", "source code"]


def test_case_and_plurals_are_one_phrase_in_its_most_frequent_spelling():
    bands = ["MARINE/NOUN Band/NOUN"], ["marine/ADJ band/NOUN"] * 2, ["marine/ADJ bands/NOUN"]
    assert phrases(tagged(*bands)) == ["marine band"]


def test_without_tags_key_phrases_are_runs_of_content_words():
    analysis = analysis_of("The bishop of Durham, a mild man, met Thomas Baker", "a Mild Man")
    assert phrases(analysis) == ["mild man", "Durham", "bishop", "met"]


@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3))
def test_every_key_phrase_occurs_and_ends_with_a_noun(texts):
    plain = [re.sub(r"/\w+", "", each) for document in texts for each in document]
    for phrase, score in key_phrases(tagged(*texts)):
        assert any(f" {phrase} " in f" {each} " for each in plain)
        assert phrase.split()[-1] in {"York", "rock", "rocks"}
        assert len(phrase.split()) <= 4
        assert score > 0


@each_case("texts", [[], [""], ["the of"]])
def test_documents_without_key_phrases(texts):
    assert key_phrases(analysis_of(*texts)) == []
