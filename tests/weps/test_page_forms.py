"""Records, and the forms of pages."""

import dataclasses

import pytest
from hypothesis import given

from tests.cases import each_case
from tests.weps.builders import document, documents
from weps.features.registry import all_features
from weps.language.analysis import Layer
from weps.page_forms import (
    Origin,
    PageForm,
    available_similarities,
    page_origin,
    reduce_document,
    richest_form,
)
from weps.records import Clustering, Page, Search
from weps.systems import similarities_of


@each_case(
    ("groups", "expected"),
    [([], set()), ([{1, 2}, {5}], {1, 2, 5}), ([{1, 2}, {2, 3}], {1, 2, 3})],
)
def test_the_ranks_of_a_clustering_are_those_of_its_groups(groups, expected):
    clustering = Clustering(tuple(map(frozenset, groups)), discarded=frozenset({9}))
    assert clustering.ranks == expected
    assert clustering == dataclasses.replace(clustering, labels=("judge",))


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


def test_a_poorer_form_offers_some_of_what_a_richer_one_offers():
    columns = [set(available_similarities(PLAIN, form)) for form in PageForm]
    assert columns[0] == set(PLAIN)
    assert columns[0] > columns[1] > columns[2]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def test_every_need_is_known_to_some_form():
    known = {"text", "case", "mentions", "markup", "embeddings", *Layer}
    assert {need for each in all_features() for need in each.needs} <= known


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
    assert poor == dataclasses.replace(
        FULL, blocks=("study tide moon lecture york staff",), links=(), emails=()
    )
    assert reduce_document(FULL, "BAKER, Thomas", PageForm.TOKENS) == poor
    assert reduce_document(document("42 !", "a b"), "Thomas Baker", PageForm.TOKENS).blocks == ()


@given(documents)
def test_tokens_have_no_case_no_punctuation_and_no_name(page):
    for block in reduce_document(page, "Thomas Baker", PageForm.TOKENS).blocks:
        assert all(word.isalpha() and word.islower() for word in block.split(" "))
        assert {"thomas", "baker"}.isdisjoint(block.split(" "))
