import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, contents, unhurried
from tests.weps.key_terms.builders import tagged
from weps.key_terms import Phrases

WORDS = ["York/PROPN", "york/NOUN", "old/ADJ", "of/ADP", "the/DET", "fell/VERB", "J./PROPN"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


def found(analysis):
    """The phrases of each document."""
    return [dict(bag) for bag in contents(Phrases.of(analysis).bags)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("the/DET president/NOUN of/ADP Haiti/PROPN fell/VERB", {"president of Haiti"}),
        ("bishop/NOUN of/ADP the/DET Isles/PROPN", {"bishop of the Isles"}),
        ("presidente/NOUN de/ADP la/DET República/PROPN", {"presidente de la República"}),
        (
            "source/NOUN code/NOUN plagiarism/NOUN",
            {"source code", "code plagiarism", "source code plagiarism"},
        ),
        ("fine/ADJ arts/NOUN museum/NOUN", {"fine arts", "arts museum", "fine arts museum"}),
        ("museum/NOUN fine/ADJ", set()),
        ("museum/NOUN of/ADP", set()),
        ("museum/NOUN of/ADP fine/ADJ fell/VERB", set()),
        ("of/ADP Haiti/PROPN", set()),
        ("rock/NOUN fell/VERB coal/NOUN", set()),
        ("rock/NOUN in/ADP coal/NOUN", set()),
        ("Gareth/PROPN J./PROPN Jones/PROPN", {"Gareth J. Jones"}),
        ("J./PROPN Jones/PROPN", set()),
        ("New/ADJ York/PROPN", {"New York"}),
        ("new/ADJ rock/NOUN", set()),
        ("Dr./PROPN Thomas/PROPN Baker/PROPN Library/PROPN Hall/PROPN", {"Library Hall"}),
        ("19/NUM men/NOUN", set()),
        ("19/NOUN men/NOUN", set()),
        ("19th/ADJ century/NOUN", {"19th century"}),
    ],
)
def test_phrases_of_a_sentence(sentence, expected):
    assert set(found(tagged([sentence]))[0]) == expected


def test_a_phrase_ends_with_its_sentence():
    assert found(tagged(["coal/NOUN", "Rock/NOUN"])) == [{}]
    assert found(analysis_of("coal fell. Rock")) == [{"coal fell": 1}]


def test_a_phrase_is_no_longer_than_six_words():
    (phrases,) = found(tagged([" ".join(["rock/NOUN"] * 8)]))
    assert {len(phrase.split()): times for phrase, times in phrases.items()} == {
        2: 7,
        3: 6,
        4: 5,
        5: 4,
        6: 3,
    }


def test_spellings_that_differ_in_case_are_one_phrase():
    analysis = tagged(
        ["MARINE/NOUN Band/NOUN"], ["Marine/NOUN band/NOUN"], ["marine/ADJ band/NOUN"] * 2
    )
    assert found(analysis) == [{"marine band": 1}, {"marine band": 1}, {"marine band": 2}]


def test_words_are_spelled_as_most_often():
    spelled = Phrases.of(tagged(["CLEF/PROPN Books/NOUN books/NOUN books/VERB"])).spelled
    assert (spelled["clef"], spelled["books"]) == ("CLEF", "books")


def test_without_tags_phrases_are_runs_of_content_words():
    analysis = analysis_of("The bishop of Durham, a mild man, met Thomas Baker", "a Mild Man")
    assert found(analysis) == [{"bishop of Durham": 1, "Mild Man": 1}, {"Mild Man": 1}]


def test_without_tags_an_article_may_follow_of():
    assert found(analysis_of("He is bishop of the Isles")) == [{"bishop of the Isles": 1}]


@unhurried
@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=4), st.randoms())
def test_the_order_of_documents_does_not_matter(texts, random):
    order = random.sample(range(len(texts)), len(texts))
    expected = found(tagged(*texts))
    assert found(tagged(*(texts[row] for row in order))) == [expected[row] for row in order]


@unhurried
@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3))
def test_every_phrase_occurs_and_begins_and_ends_with_a_word_of_its_own(texts):
    bags = found(tagged(*texts))
    for bag, document in zip(bags, texts, strict=True):
        plain = [" ".join(word.split("/")[0].lower() for word in each.split()) for each in document]
        for phrase, times in bag.items():
            lower = phrase.lower()
            assert any(f" {lower} " in f" {sentence} " for sentence in plain)
            assert lower.split()[0] in {"york", "old"}
            assert lower.split()[-1] == "york"
            assert times >= 1


@pytest.mark.parametrize("texts", [[], [""], ["the of"]])
def test_documents_without_phrases_keep_their_row(texts):
    assert found(analysis_of(*texts)) == [{}] * len(texts)
