import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, documents, sentences_of, unhurried
from weps._text import split_tokens
from weps.errors import FeatureError
from weps.language.analysis import Layer, Marks, analyse_documents, first_sentences, sentence_texts


def test_a_layer_that_was_read_is_there():
    marks = Marks.of([(0, "york", "location")])
    analysis = analyse_documents("Thomas Baker", [document("York")], {Layer.ENTITIES: marks})
    assert analysis.layer(Layer.ENTITIES) is marks


def test_a_layer_that_was_not_read_is_an_error_not_silence():
    with pytest.raises(FeatureError, match="without lemmas"):
        analyse_documents("Thomas Baker", [document("York")]).layer(Layer.LEMMAS)


MARKS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.sampled_from(["", "person"]))
).map(sorted)


@given(MARKS)
def test_marks_are_kept_in_order(marks):
    assert list(Marks.of(marks)) == marks


@given(MARKS)
def test_marks_survive_json(marks):
    data = json.loads(json.dumps(Marks.of(marks).to_data()))
    assert list(Marks.from_data(data)) == marks


@given(MARKS)
def test_equal_marks_share_an_entry(marks):
    made = Marks.of(marks)
    assert len(made.texts) == len(made.kinds) == len({mark[1:] for mark in marks})
    assert len(made) == len(marks)


@given(st.lists(MARKS, max_size=4))
def test_joined_marks_count_the_sentences_on(pages):
    first = [10 * number for number in range(len(pages))]
    joined = Marks.concatenate([Marks.of(page) for page in pages], first)
    assert list(joined) == [
        (start + at, text, kind)
        for page, start in zip(pages, first, strict=True)
        for at, text, kind in page
    ]


def test_damaged_data_is_refused():
    with pytest.raises(KeyError):
        Marks.from_data({"texts": []})


def texts_of(*documents):
    table = analyse_documents("Thomas Baker", documents).tokens
    first = first_sentences(table, len(documents))
    return [
        sentence_texts(each, (table.sentence[np.isin(table.sentence, range(a, b))] - a).tolist())
        for each, a, b in zip(documents, first, first[1:], strict=False)
    ]


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        (["A well-known man. He’s 40."], ["A well-known man.", "He’s 40."]),
        (["Home", "Contact us"], ["Home", "Contact us"]),
        (["Dr. J. Baker (York)"], ["Dr. J. Baker (York)"]),
        ([" ", "x"], ["x"]),
        ([], []),
    ],
)
def test_sentences_as_written(blocks, expected):
    assert texts_of(document(*blocks)) == [expected]


@given(st.lists(st.lists(st.text("ab. A'’-é\U0001f600", max_size=12), max_size=3), max_size=3))
def test_as_many_texts_as_sentences(pages):
    documents = [document(*blocks, rank=rank) for rank, blocks in enumerate(pages)]
    table = analyse_documents("Thomas Baker", documents).tokens
    counts = np.diff(first_sentences(table, len(documents))).tolist()
    assert [len(texts) for texts in texts_of(*documents)] == counts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two", ["One .", "Two"]),
        ("One! Two? Three… Four", ["One !", "Two ?", "Three …", "Four"]),
        ("Wait... Then go.", ["Wait . . .", "Then go ."]),
        ("wait... then go.", ["wait . . . then go ."]),
        ("Release 3.5 runs. Nobody knew.", ["Release 3.5 runs .", "Nobody knew ."]),
        ("Who am I? Nobody.", ["Who am I ?", "Nobody ."]),
        ("In 1999. 2000 came.", ["In 1999 .", "2000 came ."]),
        ("Mr. Baker met Prof. Green.", ["Mr . Baker met Prof . Green ."]),
        ("Thomas J. Baker", ["Thomas J . Baker"]),
        ("the U.S. Army", ["the U . S . Army"]),
        ("see example.com for more", ["see example . com for more"]),
        ("No end", ["No end"]),
        ("。 北京", ["。", "北京"]),
    ],
)
def test_sentences_within_a_block(text, expected):
    assert sentences_of(analysis_of(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "cats, dogs etc., and birds",
        "Green et al., 2005",
        "moons, tides etc.; winds",
        "5 p.m.: tides",
    ],
)
def test_no_sentence_begins_with_a_comma_or_its_kin(text):
    assert len(sentences_of(analysis_of(text))) == 1


def test_blocks_end_sentences():
    assert sentences_of(analysis_of(document("Home", "Contact us", "J.", "Baker"))) == [
        "Home",
        "Contact us",
        "J .",
        "Baker",
    ]


def test_every_sentence_knows_its_document():
    analysis = analysis_of("One. Two", "", document("Three", " ", "Four"), "Five")
    assert analysis.tokens.document.tolist() == [0, 0, 2, 2, 3]


@pytest.mark.parametrize("count", [0, 1, 3])
def test_documents_without_text_have_no_sentences(count):
    table = analysis_of(*[document()] * count).tokens
    assert table.surface == ()
    assert [len(column) for column in (table.token, table.sentence, table.document)] == [0, 0, 0]
    assert table.mentions.tolist() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thomas Baker teaches. He lives in York.", [True, False]),
        ("I met Thomas. Baker left.", [False, False]),
        ("Staff: Baker, Thomas J. (maths)", [True]),
        ("They met Thomas J. W. Baker there", [True]),
        ("In York lives THOMAS BAKER.", [True]),
        ("Thomas Green met William Baker and Thomas W. Baker there", [True]),
        ("Baker Street. Baker, Thomas. Baker", [False, True, False]),
    ],
)
def test_mentions(text, expected):
    assert analysis_of(text).tokens.mentions.tolist() == expected


def test_a_mention_does_not_reach_across_blocks_or_documents():
    analysis = analysis_of(document("Thomas", "Baker"), "Thomas", "Baker", "Baker ,", "Thomas")
    assert not analysis.tokens.mentions.any()


@pytest.mark.parametrize("name", ["", "?"])
def test_a_name_without_words_is_never_mentioned(name):
    assert not analysis_of("Who? Anybody.", name=name).tokens.mentions.any()


@pytest.mark.parametrize(
    ("name", "text"), [("Pat O'Brien", "Pat O’Brien sings"), ("Pat O’Brien", "Pat O'Brien sings")]
)
def test_typographic_apostrophes_are_apostrophes(name, text):
    assert analysis_of(text, name=name).tokens.mentions.all()


def test_the_analysis_keeps_name_and_documents():
    first, second = document("One"), document("Two", rank=2)
    analysis = analysis_of(first, second, name="Green, Ann")
    assert analysis.name.tokens == ("ann", "green")
    assert analysis.documents == (first, second)


@given(st.lists(documents, max_size=4))
@unhurried
def test_the_table_holds_every_token_in_reading_order(given_documents):
    table = analysis_of(*given_documents).tokens
    expected = [
        (row, token)
        for row, each in enumerate(given_documents)
        for block in each.blocks
        for token in split_tokens(block)
    ]
    rows = table.document[table.sentence].tolist()
    words = [table.surface[index] for index in table.token]
    assert list(zip(rows, words, strict=True)) == expected
    assert set(np.diff(table.sentence).tolist()) <= {0, 1}
    assert len(set(table.surface)) == len(table.surface)
