"""Analysed text and its quantities."""

import json
import re
import weakref
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, documents, sentences_of
from weps._text import split_tokens
from weps.errors import LanguageError
from weps.html.cleaning import MAX_TITLE, clean_page
from weps.language.analysis import (
    LANGUAGES,
    MAX_MENTIONS,
    Layer,
    Marks,
    analyse_documents,
    cached_for_features,
    cached_for_name,
    detect_language,
    first_sentences,
    guess_language,
    page_languages,
    sentence_texts,
)
from weps.language.annotation import find_quantities
from weps.records import Page
from weps.similarity.columns import pair_table


def test_a_layer_is_there_if_it_was_read():
    marks = Marks.of([(0, "york", "location")])
    analysis = analyse_documents("Thomas Baker", [document("York")], {Layer.ENTITIES: marks})
    assert analysis.layer(Layer.ENTITIES) is marks
    with pytest.raises(LanguageError, match="without lemmas"):
        analysis.layer(Layer.LEMMAS)


MARKS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from("abc"), st.sampled_from(["", "person"]))
).map(sorted)


@given(MARKS)
def test_marks_are_kept_in_order_and_equal_ones_share_an_entry(marks):
    made = Marks.of(marks)
    assert list(made) == list(Marks.from_data(json.loads(json.dumps(made.to_data())))) == marks
    assert len(made.texts) == len(made.kinds) == len({mark[1:] for mark in marks})


def texts_of(*documents):
    table = analyse_documents("Thomas Baker", documents).tokens
    first = first_sentences(table, len(documents))
    return [
        sentence_texts(
            each.blocks, (table.sentence[np.isin(table.sentence, range(a, b))] - a).tolist()
        )
        for each, a, b in zip(documents, first, first[1:], strict=False)
    ]


@each_case(
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


@each_case(
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


@each_case(
    "text", ["cats, dogs etc., and birds", "Green et al., 2005", "etc.; winds", "5 p.m.: tides"]
)
def test_no_sentence_begins_with_a_comma_or_its_kin(text):
    assert len(sentences_of(analysis_of(text))) == 1


def test_blocks_end_sentences():
    analysis = analysis_of(document("Home", "Contact us", "J.", "Baker"))
    assert sentences_of(analysis) == ["Home", "Contact us", "J .", "Baker"]


def test_every_sentence_knows_its_document():
    analysis = analysis_of("One. Two", "", document("Three", " ", "Four"), "Five")
    assert analysis.tokens.document.tolist() == [0, 0, 2, 2, 3]


class Counted:
    """Of which weak references can be made."""


def test_what_is_cached_for_a_name_goes_with_it():
    made = []

    @cached_for_name
    def count(analysis, *, more=0):
        made.append((len(analysis.documents) + more, counted := Counted()))
        return counted

    one, two = analysis_of(document("a")), analysis_of(document("a"), document("b", rank=2))
    assert count(one) is count(one)
    assert count(one, more=5) is not count(one)
    kept = count(two)  # replaces what was cached for the other
    assert count(one) is not count(two)
    assert kept is not count(two)
    assert [number for number, _ in made] == [1, 6, 2, 1, 2]
    cached = weakref.ref(count(two))
    del kept, two
    made.clear()
    assert cached() is None


def test_what_features_share_goes_when_they_have_been_compared():
    @cached_for_features
    def count(_):
        return Counted()

    analysis = analysis_of(document("a"))
    assert count(analysis) is count(analysis)
    cached = weakref.ref(count(analysis))
    pair_table(analysis, [])
    assert cached() is None


@each_case("count", [0, 1, 3])
def test_documents_without_text_have_no_sentences(count):
    table = analysis_of(*[document()] * count).tokens
    columns = (table.surface, table.token, table.sentence, table.document, table.mentions)
    assert not any(map(len, columns))


@each_case(
    ("text", "expected"),
    [
        ("Thomas Baker teaches. He lives in York.", [True, False]),
        ("I met Thomas. Baker left.", [False, False]),
        ("Staff: Baker, Thomas J. (maths)", [True]),
        ("Baker Street. Baker, Thomas. Baker", [False, True, False]),
    ],
)
def test_mentions(text, expected):
    assert analysis_of(text).tokens.mentions.tolist() == expected


def test_mentions_and_titles_are_bounded():
    """A page of the name alone takes little more memory than its text."""
    page = clean_page(Page(1, text="Thomas Baker. " * 9_000, title="Thomas Baker, " * 999))
    assert len(page.title) <= MAX_TITLE
    analysis = analyse_documents("Thomas Baker", [page, document("Thomas Baker of York")])
    assert [*map(len, analysis.mentions)] == [MAX_MENTIONS, 1]


@given(st.lists(documents, max_size=4))
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


FOUND = {
    "date": (
        "born on [3 May 1998] in York|on [Monday, May 3rd, 1998], he|the [3rd of May 1998]|"
        "[May the 3rd]|[MAY 3, 1998]|since [Sept. 1998]|[03-May-98]|[1998-05-03]|"
        "[3/5/1998] or [03.05.1998]|[3/5/98]"
    ),
    "dates": (
        "[3-5 May 1998]|[June 2001 - May 2003]|from [May 3, 1998 to present]|[May 3-5, 1998]|"
        "[May-June 1998]"
    ),
    "years": "from [1998 to 2003]|[1998-2003], [1998–99]|between [1998 and 2003]|[2001 - present]",
    "year": "in [1998]|In [1998] and [1999]|a tide ([1998])|York, [1998].|[1998]|[Spring 2003]",
    "decade": "the [1990s] and '[80s]",
    "century": "the [19th century]|in [nineteenth-century] York",
    "weekday": "on [Mondays]",
    "clock": "at [3:30]|[3 pm], [3:30 P.M.], [15:30]|at [noon]",
    "duration": "[three years], [10-12 weeks]|a [two-week] stay",
    "age": "[aged 42], a [7-year-old]|he is [42 years old]",
    "phone": (
        "[(555) 555-0100]|[call 555-0100]|[+44 (0)20 7946 0018]|[020 7946 0018]|[555.555.0100]"
    ),
    "postal_code": "York [YO10 5DD]|Columbus, OH [43210]|[43210-1234]|Ottawa [K1A 0B1]",
    "money": "[$3.5 million]|[EUR 200], [£40], [12 dollars]|[two million euros]",
    "percent": "[10%], [ten per cent]",
    "measure": "[5 km], [six feet], [1,200 square feet]|a [six-foot] wall",
    "ordinal": "came [5th] and [22nd]",
    "count": "[two sons] and [1,200 students]|[three children]",
}
"""Kind → sentences, in which brackets mark the quantities."""
NONE = (
    "|tides|p. 23|pp. 12-15|Page 3 of 10|pages 1998-2003|Chapter 12|I. 3|vol. 3 no. 5|"
    "version 2.0.1|2.0.1|192.168.0.1|ISBN 0-19-853453-1|0-19-853453-1|978-0-19-853453-2|"
    "John 3:16|may 3 or march 4|he may march|one of two|4711|x1998y|route 66|"
    "12 comments and 3 replies|12 as usual|http://tides.example/1998/05/03|/1998-05-03|a-1998|"
    "12.5|1998 elections|5th Avenue"
)


@each_case(
    ("kind", "marked"), [(kind, each) for kind, every in FOUND.items() for each in every.split("|")]
)
def test_what_is_found(kind, marked):
    sentence = marked.replace("[", "").replace("]", "")
    expected = [(text, kind) for text in re.findall(r"\[(.*?)\]", marked)]
    assert find_quantities(sentence) == expected


@each_case("sentence", NONE.split("|"))
def test_what_is_none(sentence):
    assert find_quantities(sentence) == []


@each_case(
    "unit",
    "1|1 |(|+1(|1-|1.|1,000|May |3 May - |one |tel: 1(|1998 |$1|12:|Monday, |p. 1|\0|é1|1 to |555-"
    "|2,|two-|٣|\U0001f600".split("|"),
)
def test_hostile_text_is_read_in_bounded_pieces(unit):
    text = (unit * 100_000)[:100_000]
    assert all(len(found) < 150 for found, _ in find_quantities(text))


PARTS = "1 12 1998 555 0100 May Monday one - / . : , ( ) to and pm years $ % th"


@given(st.lists(st.sampled_from(PARTS.split())), st.sampled_from(["", " "]))
def test_quantities_stand_in_the_text_in_order_none_inside_another(parts, between):
    text = between.join(parts)
    position = 0
    for found, _ in find_quantities(text):
        position = text.index(found, position) + len(found)


@given(st.text(max_size=200))
def test_any_text_is_read(text):
    assert all(kind and found in text for found, kind in find_quantities(text))


SNIPPETS = [
    tuple(line.split(" ", 1))
    for line in Path(__file__).with_name("snippets.txt").read_text("utf-8").splitlines()
]
"""Codes of all languages, and texts such as search engines show; people are invented."""


def test_languages_of_snippets():
    codes, texts = zip(*SNIPPETS, strict=True)
    found = [detect_language([text]) for text in texts]
    wrong = [each for each in zip(codes, found, texts, strict=True) if each[0] != each[1]]
    assert [each for each in wrong if each[1]] == []
    assert len(wrong) < 0.05 * len(texts)
    assert set(found) - {""} == LANGUAGES.keys()
    assert tuple(detect_language([text]) or guess_language([text]) for text in texts) == codes
    # Around them stand names and addresses in Latin letters.
    around = [["Robin Averdale", text, "robin@averdale.example"] for text in texts]
    assert [*map(detect_language, around)] == found


@each_case("name", ["สมชาย วิชัย", "王小明", "Дмитрий Иванов", "Robin Averdale"])
def test_the_name_is_not_what_tells_the_language(name):
    pages = f"{name}, the boxer, has won the fight at the stadium of his town", name
    assert page_languages(analysis_of(*pages, name=name)) == ("en", "")


@each_case(
    ("language", "text"),
    [
        ("en", "The family {}. {}, a watchmaker in the town, was married and had six children."),
        ("nl", "De familie {}. {} was een bakker in de stad en had zes kinderen met zijn vrouw."),
    ],
)
def test_a_name_is_not_what_tells_the_language_of_a_short_page(language, text):
    read = replace(document(text.format("van der Berg", "Jan van der Berg")), language="nl")
    assert page_languages(analysis_of(read, name="Jan van der Berg")) == (language,)


@each_case(
    "blocks",
    [
        [],
        ["Robin Averdale"],
        ["Home | About | Contact | Login"],
        ["Averdale, Robin; Baker, Mary; de la Cruz, Ana; van der Berg, Jan"],
        ["404", "12.5 1,000"],
        ["de " * 50],
    ],
)
def test_without_running_text_there_is_no_language(blocks):
    assert detect_language(blocks) == ""


def test_a_word_in_every_row_does_not_decide():
    rows = ["w co to on a 1999"] + ["w 2001"] * 50
    assert detect_language([dict(SNIPPETS)["en"], *rows]) == "en"


def test_a_long_page_is_read_to_its_first_part():
    text = dict(SNIPPETS)
    assert detect_language([text["de"]] * 300 + [text["en"]] * 100_000) == "de"
