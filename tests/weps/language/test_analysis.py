"""Analysed text and its quantities."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, document, documents, sentences_of, unhurried
from weps._text import split_tokens
from weps.errors import FeatureError
from weps.language.analysis import Layer, Marks, analyse_documents, first_sentences, sentence_texts
from weps.language.quantities import find_quantities


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


@pytest.mark.parametrize(
    ("kind", "sentence", "found"),
    [
        ("date", "born on 3 May 1998 in York", "3 May 1998"),
        ("date", "on Monday, May 3rd, 1998, he", "Monday, May 3rd, 1998"),
        ("date", "the 3rd of May 1998", "3rd of May 1998"),
        ("date", "May the 3rd", "May the 3rd"),
        ("date", "MAY 3, 1998", "MAY 3, 1998"),
        ("date", "since Sept. 1998", "Sept. 1998"),
        ("date", "03-May-98", "03-May-98"),
        ("date", "1998-05-03", "1998-05-03"),
        ("date", "3/5/1998 or 03.05.1998", "3/5/1998|03.05.1998"),
        ("date", "3/5/98", "3/5/98"),
        ("dates", "3-5 May 1998", "3-5 May 1998"),
        ("dates", "June 2001 - May 2003", "June 2001 - May 2003"),
        ("dates", "from May 3, 1998 to present", "May 3, 1998 to present"),
        ("dates", "May 3-5, 1998", "May 3-5, 1998"),
        ("dates", "May-June 1998", "May-June 1998"),
        ("years", "from 1998 to 2003", "1998 to 2003"),
        ("years", "1998-2003, 1998–99", "1998-2003|1998–99"),
        ("years", "between 1998 and 2003", "1998 and 2003"),
        ("years", "2001 - present", "2001 - present"),
        ("year", "in 1998", "1998"),
        ("year", "In 1998 and 1999", "1998|1999"),
        ("year", "a tide (1998)", "1998"),
        ("year", "York, 1998.", "1998"),
        ("year", "1998", "1998"),
        ("year", "Spring 2003", "Spring 2003"),
        ("decade", "the 1990s and '80s", "1990s|80s"),
        ("century", "the 19th century", "19th century"),
        ("century", "in nineteenth-century York", "nineteenth-century"),
        ("weekday", "on Mondays", "Mondays"),
        ("clock", "at 3:30", "3:30"),
        ("clock", "3 pm, 3:30 P.M., 15:30", "3 pm|3:30 P.M.|15:30"),
        ("clock", "at noon", "noon"),
        ("duration", "three years, 10-12 weeks", "three years|10-12 weeks"),
        ("duration", "a two-week stay", "two-week"),
        ("age", "aged 42, a 7-year-old", "aged 42|7-year-old"),
        ("age", "he is 42 years old", "42 years old"),
        ("phone", "(555) 555-0100", "(555) 555-0100"),
        ("phone", "call 555-0100", "call 555-0100"),
        ("phone", "+44 (0)20 7946 0018", "+44 (0)20 7946 0018"),
        ("phone", "020 7946 0018", "020 7946 0018"),
        ("phone", "555.555.0100", "555.555.0100"),
        ("postal_code", "York YO10 5DD", "YO10 5DD"),
        ("postal_code", "Columbus, OH 43210", "43210"),
        ("postal_code", "43210-1234", "43210-1234"),
        ("postal_code", "Ottawa K1A 0B1", "K1A 0B1"),
        ("money", "$3.5 million", "$3.5 million"),
        ("money", "EUR 200, £40, 12 dollars", "EUR 200|£40|12 dollars"),
        ("money", "two million euros", "two million euros"),
        ("percent", "10%, ten per cent", "10%|ten per cent"),
        ("measure", "5 km, six feet, 1,200 square feet", "5 km|six feet|1,200 square feet"),
        ("measure", "a six-foot wall", "six-foot"),
        ("ordinal", "came 5th and 22nd", "5th|22nd"),
        ("count", "two sons and 1,200 students", "two sons|1,200 students"),
        ("count", "three children", "three children"),
    ],
)
def test_what_is_found(kind, sentence, found):
    assert find_quantities(sentence) == [(text, kind) for text in found.split("|")]


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "tides",
        "p. 23",
        "pp. 12-15",
        "Page 3 of 10",
        "pages 1998-2003",
        "Chapter 12",
        "I. 3",
        "vol. 3 no. 5",
        "version 2.0.1",
        "2.0.1",
        "192.168.0.1",
        "ISBN 0-19-853453-1",
        "0-19-853453-1",
        "978-0-19-853453-2",
        "John 3:16",
        "may 3 or march 4",
        "he may march",
        "one of two",
        "4711",
        "x1998y",
        "route 66",
        "12 comments and 3 replies",
        "12 as usual",
        "http://tides.example/1998/05/03",
        "/1998-05-03",
        "a-1998",
        "12.5",
        "1998 elections",
        "5th Avenue",
    ],
)
def test_what_is_none(sentence):
    assert find_quantities(sentence) == []


@pytest.mark.parametrize(
    "unit",
    "1|1 |(|+1(|1-|1.|1,000|May |3 May - |one |tel: 1(|1998 |$1|12:|Monday, |p. 1|\0|é1|1 to |555-"
    "|2,|two-|٣|\U0001f600".split("|"),
)
def test_hostile_text_is_read_in_bounded_pieces(unit):
    text = (unit * 100_000)[:100_000]
    assert all(len(found) < 150 for found, _ in find_quantities(text))


SOME = st.lists(
    st.sampled_from(
        "1 12 1998 555 0100 May Monday one - / . : , ( ) to and pm years $ % th".split()
    )
)


@given(SOME, st.sampled_from(["", " "]))
def test_quantities_stand_in_the_text_in_order_none_inside_another(parts, between):
    text = between.join(parts)
    position = 0
    for found, _ in find_quantities(text):
        position = text.index(found, position) + len(found)


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    assert all(kind and found in text for found, kind in find_quantities(text))
