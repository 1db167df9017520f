import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, contents, unhurried
from tests.weps.key_terms.builders import tagged
from weps._text import singular_form
from weps.key_terms.clauses import word_positions
from weps.key_terms.occurrences import Occurrences, Position
from weps.key_terms.phrases import PhraseBrowser, Phrases, extend_all_to_phrases, extend_to_phrases

HAITI = "the/DET president/NOUN of/ADP Haiti/PROPN left/VERB"
CODE = "source/NOUN code/NOUN fell/VERB"
sentences = st.lists(
    st.sampled_from(["York/PROPN", "rock/NOUN", "rocks/NOUN", "old/ADJ", "of/ADP", "fell/VERB"]),
    min_size=1,
    max_size=8,
).map(" ".join)
weights = st.lists(
    st.tuples(st.sampled_from(["york", "rock", "rocks", "old", "fell"]), st.integers(-1, 4)),
    unique_by=lambda term: term[0],
)


def browser(*documents):
    analysis = tagged(*documents)
    return PhraseBrowser.of(
        Occurrences.of(word_positions(analysis), len(documents)), Phrases.of(analysis)
    )


def labelled(terms, *documents, rows=None, most=None):
    chosen = range(len(documents)) if rows is None else rows
    return extend_to_phrases(list(terms.items()), browser(*documents), chosen, most)


def test_haiti_grows_to_its_president():
    documents = [[HAITI, HAITI], [HAITI, "Haiti/PROPN fell/VERB"]]
    assert labelled({"haiti": 2.0, "president": 1.0}, *documents) == ["president of Haiti"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        # half of the documents, words of weight 2: a gain of 1 is not enough, more is
        (1.0, ["source", "code"]),
        (1.1, ["source code"]),
        (0.0, ["source"]),
    ],
)
def test_a_term_grows_if_the_phrase_weighs_more_than_it_loses(code, expected):
    loose = ["source/NOUN fell/VERB", "source/NOUN fell/VERB", "source/NOUN fell/VERB"]
    terms = {"source": 1.0, "code": code}
    assert labelled(terms, [CODE, CODE, *loose], loose, [CODE], loose) == expected


def test_a_term_that_never_stands_alone_takes_along_words_without_weight():
    york = ["New/ADJ York/PROPN fell/VERB"] * 4
    assert labelled({"york": 1.0}, york) == ["New York"]
    assert labelled({"york": 1.0}, [*york, "York/PROPN left/VERB"]) == ["New York"]
    assert labelled({"york": 1.0}, [*york, *["York/PROPN left/VERB"] * 2]) == ["York"]


def test_words_side_by_side_once_are_no_phrase_of_a_term_found_twice():
    terms = {"code": 2.0, "source": 1.0}
    assert labelled(terms, [CODE, "code/NOUN fell/VERB"]) == ["code", "source"]
    assert labelled(terms, [CODE]) == ["source code"]
    documents = [["code/NOUN fell/VERB"], [CODE], [CODE]]
    assert labelled(terms, *documents, rows=[1, 2]) == ["source code"]
    assert labelled({"code": 2.0}, *documents, rows=[0]) == ["code"]


def test_nothing_is_shown_twice():
    terms = {"rocks": 3.0, "rock": 2.0, "band": 1.0}
    rocks, band = "Rocks/NOUN fell/VERB", "rock/NOUN band/NOUN fell/VERB"
    assert labelled(terms, [rocks, rocks, band, band]) == ["Rocks", "band"]
    sentence = "fine/ADJ source/NOUN code/NOUN fell/VERB"  # of equal phrases the shortest
    assert labelled({"code": 1.0, "source": 0.5}, [sentence, sentence]) == ["source code"]


def test_terms_without_weight_are_left_out_and_no_more_than_asked_for_are_shown():
    documents = [["rock/NOUN fell/VERB", "coal/NOUN left/VERB"]]
    terms = {"rock": 2.0, "coal": 1.0, "fell": 0.0, "left": -1.0}
    assert labelled(terms, *documents) == ["rock", "coal"]
    assert labelled(terms, *documents, most=1) == ["rock"]
    assert labelled(terms, *documents, most=0) == []
    assert labelled({}, *documents) == []


@unhurried
@given(st.lists(st.lists(sentences, max_size=3), min_size=1, max_size=3), weights)
def test_every_term_of_weight_is_shown_once(documents, word_weights):
    pages = browser(*documents)
    terms = [(word, float(n)) for word, n in word_weights if word in pages.occurrences.words]
    shown = extend_to_phrases(terms, pages, range(len(documents)))
    words = [{*map(singular_form, phrase.lower().split())} - {"of"} for phrase in shown]
    covered = set().union(*words)
    assert {singular_form(word) for word, weight in terms if weight > 0} <= covered
    assert sum(map(len, words)) == len(covered)


@given(st.lists(sentences, min_size=1, max_size=4), weights)
@unhurried
def test_several_sets_at_once(texts, terms):
    found = browser(*([text] for text in texts))
    sets = [[0], [*range(len(texts))], [len(texts) - 1, 0]]
    counts = found.occurrences.at(Position.ANYWHERE)
    own = [
        [term for term in terms if found.place.get(term[0]) in counts[rows].indices]
        for rows in sets
    ]
    several = extend_all_to_phrases(own, found, sets)
    assert [list(each) for each in several] == [
        extend_to_phrases(*each) for each in zip(own, [found] * len(sets), sets, strict=True)
    ]


WORDS = ["York/PROPN", "york/NOUN", "old/ADJ", "of/ADP", "the/DET", "fell/VERB", "J./PROPN"]
phrase_sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


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
    times = {len(phrase.split()): count for phrase, count in phrases.items()}
    assert times == {2: 7, 3: 6, 4: 5, 5: 4, 6: 3}


def test_spellings_that_differ_in_case_are_one_phrase():
    analysis = tagged(
        ["MARINE/NOUN Band/NOUN"], ["Marine/NOUN band/NOUN"], ["marine/ADJ band/NOUN"] * 2
    )
    assert found(analysis) == [{"marine band": 1}, {"marine band": 1}, {"marine band": 2}]
    spelled = Phrases.of(tagged(["CLEF/PROPN Books/NOUN books/NOUN books/VERB"])).spelled
    assert (spelled["clef"], spelled["books"]) == ("CLEF", "books")


def test_without_tags_phrases_are_runs_of_content_words():
    analysis = analysis_of("The bishop of Durham, a mild man, met Thomas Baker", "a Mild Man")
    assert found(analysis) == [{"bishop of Durham": 1, "Mild Man": 1}, {"Mild Man": 1}]
    assert found(analysis_of("He is bishop of the Isles")) == [{"bishop of the Isles": 1}]


@unhurried
@given(st.lists(st.lists(phrase_sentences, max_size=3), min_size=1, max_size=3))
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
