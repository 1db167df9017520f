from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given

from tests.cases import each_case
from tests.weps.builders import document, documents
from weps import _isolation, pretrained, reading
from weps._cache import Cache
from weps.language import analysis, annotation
from weps.language.analysis import Layer, analyse_documents
from weps.pipeline import prepare_search
from weps.reading import (
    UNREADABLE,
    Origin,
    PageForm,
    Reader,
    available_similarities,
    page_origin,
    reduce_document,
    richest_form,
)
from weps.records import Page, Search, StatedFact, UnreadInput, field_values
from weps.systems import similarities_of

LAYERS = {Layer.QUANTITIES}
STATING = (
    b'<script type="application/ld+json">{"@type": "Person", "name": "T. Baker", '
    b'"jobTitle": "smith"}</script>'
)
PAGES = (
    Page(3, url="http://x.example/", title="Fees", content="<p>Ölpreis 12.50 €</p>".encode()),
    Page(1, content=b"<p>Thomas Baker was born on 3 May 1998.<p>He was 40." + STATING),
    Page(2, text="moon tide"),
    Page(4, title="lost", problem="no such file"),
)
SEARCH = Search("Thomas Baker", PAGES)


@pytest.fixture
def reader(tmp_path):
    return Reader(cache=Cache(tmp_path / "cache"))


def shown(analysis):
    marks = {layer: list(found) for layer, found in analysis.marks.items()}
    return analysis.documents, analysis.tokens.token.tolist(), marks


def refuse(*_):
    pytest.fail("this was done before")


@pytest.fixture
def without_process(monkeypatch):
    """As on a system where no other process can be started."""
    monkeypatch.setattr("weps._isolation._PROGRAM", "")


def test_ranks_in_order_pages_reduced_to_the_form():
    search = Search("Thomas Baker", tuple(Page(n, content=b"<p>The moon") for n in (7, 2)))
    assert [each.rank for each in Reader().read(search, PageForm.PAGES).documents] == [2, 7]
    tokens = Reader().read(search, PageForm.TOKENS).documents
    assert [each.blocks for each in tokens] == [("moon",), ("moon",)]
    assert [each.blocks for each in Reader().read(search, PageForm.RESULTS).documents] == [(), ()]


def test_marks_stand_in_the_sentences_of_the_table():
    analysis = Reader().read(SEARCH, PageForm.PAGES, LAYERS)
    marks = analysis.layer(Layer.QUANTITIES)
    rows = analysis.tokens.document[marks.sentence]
    found = zip(rows, marks.entry, strict=True)
    ranks = {marks.texts[entry]: analysis.documents[row].rank for row, entry in found}
    assert ranks["3 May 1998"] == 1


def test_what_is_found_while_pages_are_read_is_what_they_have(monkeypatch):
    read = Reader().read(SEARCH, PageForm.PAGES)
    later = analyse_documents(SEARCH.name, read.documents)
    expected = later.mentions, later.name_words, field_values(later.tokens)
    monkeypatch.setattr(analysis, "_find_mentions", refuse)
    found = read.mentions, read.name_words, field_values(read.tokens)
    assert (repr(found), bool(found[0][0])) == (repr(expected), True)


@pytest.fixture(scope="module")
def expected():
    """What is read without a cache."""
    return shown(Reader().read(SEARCH, PageForm.PAGES, LAYERS))


def test_a_second_reading_neither_parses_nor_analyses(reader, expected, monkeypatch):
    assert expected[0][0].stated == (StatedFact("T. Baker", "occupation", "smith", "jobTitle"),)
    assert shown(reader.read(SEARCH, PageForm.PAGES, LAYERS)) == expected
    monkeypatch.setattr("weps.language.annotation.annotate_pages", refuse)
    monkeypatch.setattr("weps.reading.IsolatedWork.__call__", refuse)
    assert shown(reader.read(SEARCH, PageForm.PAGES, LAYERS)) == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Page(1, content=b"moon"), Page(1, text="moon")),
        (Page(1, content=b"<p>moon"), Page(9, content=b"<p>moon")),
        (Page(1, content=b"moon", title="a"), Page(1, content=b"moon", title="b")),
        (Page(1, content=b"m", title="a", snippet=""), Page(1, content=b"m", snippet="a")),
    ],
)
def test_pages_that_differ_are_not_confused(reader, first, second):
    reader.read(Search("X Y", (first,)), PageForm.PAGES)
    given = reader.read(Search("X Y", (second,)), PageForm.PAGES)
    assert given.documents == Reader().read(Search("X Y", (second,)), PageForm.PAGES).documents


@pytest.mark.usefixtures("without_process")
def test_the_same_where_no_process_can_be_started():
    shown_there = shown(Reader().read(SEARCH, PageForm.PAGES))
    with pytest.MonkeyPatch.context() as undone:
        undone.setattr("weps._isolation._PROGRAM", PROGRAM)
        assert shown(Reader().read(SEARCH, PageForm.PAGES)) == shown_there


PROGRAM = _isolation._PROGRAM


def test_a_page_beyond_the_limits_costs_no_other_page(reader, monkeypatch):
    clean = partial(_isolation.IsolatedWork, "tests.weps.made_work:clean_or_end")
    monkeypatch.setattr(reading, "IsolatedWork", lambda _, also: clean(also))
    pages = [
        Page(1, content=b"<p>one"),
        Page(2, "http://x.org/", "Two", content=b"END", file="/a/2.html"),
    ]
    pages += [Page(rank, text="END" if rank == 3 else f"p{rank}") for rank in range(3, 10)]
    search = Search("Thomas Baker", tuple(pages))
    unread = (UnreadInput("2.html", UNREADABLE), UnreadInput("page 3", UNREADABLE))
    for _ in range(2):  # it is not known by then
        found = prepare_search(search, pretrained(), reader)
        documents = found.table.analysis.documents
        expected = [("one",), (), (), *((f"p{rank}",) for rank in range(4, 10))]
        assert [page.blocks for page in documents] == expected
        assert (documents[1].title, documents[1].note) == ("Two", UNREADABLE)
        assert found.unread == unread


def test_contents_are_read_a_few_ahead_and_a_file_that_is_gone_says_so(reader):
    inside = []

    def content(number):
        inside.append(number)
        if number == 2:
            raise FileNotFoundError(2, "No such file or directory")
        return b"<p>tide %d" % number

    pages = tuple(Page(n, content=partial(content, n), file=f"{n}.html") for n in range(1, 7))
    search = Search("Thomas Baker", pages)
    told = []
    documents = reader.read(search, PageForm.PAGES, progress=lambda *_: told.append(len(inside)))
    assert told == [0, 4, 5, 6, 6, 6, 6]
    assert [each.blocks for each in documents.documents][:3] == [("tide 1",), (), ("tide 3",)]
    note = documents.documents[1].note
    assert note == "2.html: cannot be read (No such file or directory)"


def test_a_page_on_which_the_pipeline_fails_says_so_and_is_tried_again(reader, monkeypatch):
    monkeypatch.setattr(
        "weps.language.annotation.annotate_pages", lambda pages, *_: [{} for _ in pages]
    )
    search = Search("Thomas Baker", (Page(1, content=b"<p>in May 1998"),))
    failed = reader.read(search, PageForm.PAGES, LAYERS)
    assert failed.documents[0].note == "the language pipeline failed on this page"
    assert [*failed.layer(Layer.QUANTITIES)] == []
    monkeypatch.undo()
    again = reader.read(search, PageForm.PAGES, LAYERS)
    assert again.documents[0].note == ""
    assert again.layer(Layer.QUANTITIES).texts == ("May 1998",)


def test_a_long_page_is_analysed_around_the_name_and_says_so(monkeypatch):
    monkeypatch.setattr(annotation, "MAX_TOKENS", 8)
    monkeypatch.setattr(annotation._read_sentences, "__defaults__", (8,))
    text = "<p>In 1990.<p>In 1991.<p>In 1992.<p>Thomas Baker.<p>In 1994.<p>In 1995."
    search = Search("Thomas Baker", (Page(1, content=text.encode()),))
    analysis = Reader().read(search, PageForm.PAGES, LAYERS)
    assert set(analysis.layer(Layer.QUANTITIES).texts) <= {"1992", "1994"}
    assert analysis.documents[0].note == "language analysed in 6 words of 18"
    assert len(np.unique(analysis.tokens.sentence)) == 6


PLAIN = similarities_of("non-linguistic")
RESULT, TOKENS, WHOLE = Page(1), Page(2, text="tide"), Page(3, content=b"<p>Tides")
FULL = document(
    "Thomas Baker's 3 studies of the TIDES, near-by",
    rank=5,
    url="http://york.example/staff",
    title="Baker: moons",
    snippet="lectures",
    links=("http://a.example",),
    emails=("tb@york.example",),
    stated=(StatedFact("T. Baker", "occupation", "smith", "jobTitle"),),
    note="cut short",
)


@each_case(
    ("pages", "expected"),
    [
        ([], PageForm.RESULTS),
        ([RESULT], PageForm.RESULTS),
        ([RESULT, TOKENS], PageForm.TOKENS),
        ([TOKENS, WHOLE, RESULT], PageForm.PAGES),
        ([Page(1, content=b"")], PageForm.PAGES),
        ([Page(1, text="")], PageForm.TOKENS),
    ],
)
def test_the_form_is_the_richest_of_any_page(pages, expected):
    assert richest_form(Search("A", tuple(pages))) is expected


@each_case(
    ("pages", "expected"),
    [
        ([], Origin.SEARCH),
        ([WHOLE, RESULT], Origin.SEARCH),
        ([Page(1, url="http://a.example", content=b"<title>Tides</title>")], Origin.LISTED),
        ([Page(1, url="http://a.example"), Page(2, title="Tides")], Origin.SEARCH),
        ([Page(1, snippet="tides")], Origin.SEARCH),
    ],
)
def test_addresses_without_titles_and_snippets_are_a_list(pages, expected):
    assert page_origin(Search("A", tuple(pages))) is expected


@each_case(
    ("form", "names"),
    [
        (PageForm.RESULTS, "dice(title) dice(snippet) dice(url) same_domain"),
        (
            PageForm.TOKENS,
            "dice(token) dice(title) dice(snippet) dice(url) same_domain dice(ngram(n=2))"
            " dice(ngram(n=3)) dice(ngram(n=4)) dice(ngram(n=5))",
        ),
    ],
)
def test_what_poor_forms_offer(form, names):
    assert {str(each) for each in available_similarities(PLAIN, form)} == set(names.split())
    assert available_similarities(PLAIN, PageForm.PAGES) == PLAIN


@each_case(
    ("form", "missing"),
    [(PageForm.TOKENS, "email link linked"), (PageForm.RESULTS, "email link linked content")],
)
def test_poor_forms_offer_content_and_its_profiles_as_far_as_they_have_it(form, missing):
    """Whose domain is the same every form can tell, and what the search engine shows."""
    expected = [
        each
        for each in similarities_of("content+profiles")
        if each.feature.function not in missing.split()
    ]
    assert available_similarities(similarities_of("content+profiles"), form) == tuple(expected)
    assert {each.order for each in expected} == {1, 2, 3}


def test_shared_is_what_the_poorest_form_offers():
    every = similarities_of("all")
    for number, poorest in enumerate(PageForm, start=1):
        forms = list(PageForm)[:number][::-1]
        assert available_similarities(every, *forms) == available_similarities(every, poorest)


@each_case("form", PageForm)
def test_only_whole_pages_are_read_with_language(form):
    linguistic = [each for each in similarities_of("all") if each.feature.linguistic]
    assert available_similarities(linguistic, form) == (
        tuple(linguistic) if form is PageForm.PAGES else ()
    )


def test_results_are_all_that_is_left_of_results():
    assert reduce_document(FULL, "Thomas Baker", PageForm.PAGES) is FULL
    assert reduce_document(FULL, "Thomas Baker", PageForm.RESULTS) == document(
        rank=5, url=FULL.url, title=FULL.title, snippet=FULL.snippet, note=FULL.note
    )


def test_tokens_are_content_words_in_order_with_the_result_at_the_end():
    poor = reduce_document(FULL, "Thomas Baker", PageForm.TOKENS)
    assert poor == replace(
        FULL, blocks=("study tide moon lecture york staff",), links=(), emails=(), stated=()
    )
    assert reduce_document(FULL, "BAKER, Thomas", PageForm.TOKENS) == poor
    assert reduce_document(document("42 !", "a b"), "Thomas Baker", PageForm.TOKENS).blocks == ()


@given(documents)
def test_tokens_have_no_case_no_punctuation_and_no_name(page):
    for block in reduce_document(page, "Thomas Baker", PageForm.TOKENS).blocks:
        assert all(word.isalpha() and word.islower() for word in block.split(" "))
        assert {"thomas", "baker"}.isdisjoint(block.split(" "))
