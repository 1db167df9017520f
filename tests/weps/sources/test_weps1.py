from dataclasses import replace

import pytest

from weps.errors import KeyFileError, SourceError
from weps.records import Clustering, Page
from weps.sources import open_source


def test_title_and_snippet_change_places_and_pages_are_found_by_rank(weps1):
    source = open_source(weps1)
    search = source.search("Ann Example")
    assert source.layout == "weps-1"
    assert source.names == ("Ann_Example", "Bob_Case")
    assert search.name == "Ann Example"
    assert search.pages == (
        Page(
            0,
            "http://zero.example/",
            "Ann's home",
            "I teach logic & sets.",
            b"<title>Ann\xe9</title>",
        ),
        Page(1, "http://one.example/", "Other Ann", "", b""),
        Page(2, "http://two.example/?a=1&copy=2"),
    )
    assert source.ranks("Ann_Example") == (0, 1, 2)


def test_the_key(weps1):
    source = open_source(weps1)
    assert source.key("Ann_Example") == Clustering((frozenset({0}), frozenset({1})), frozenset({2}))
    assert source.key("Bob_Case") is None
    assert source.warnings("Ann_Example") == ()


ENTITY = '<clustering><entity><doc rank="{}"/></entity></clustering>'


def test_of_several_annotations_the_official_one_is_used_unless_another_is_chosen(plant, weps1):
    plant(
        {
            "truth_files/official_annotation/Bob_Case.clust.xml": ENTITY.format(0),
            "truth_files/annotation_1/Bob_Case.clust.xml": ENTITY.format(1),
        }
    )
    source = open_source(weps1)
    assert source.key("Bob_Case") == Clustering((frozenset({0}),))
    second = replace(source, annotation="annotation_1")
    assert second.key("Bob_Case") == Clustering((frozenset({1}),))
    with pytest.raises(SourceError, match="choose among annotation_1, official_annotation"):
        replace(source, annotation="annotation_9").key("Bob_Case")


def test_ranks_of_the_key_beyond_the_results_are_a_warning(plant, weps1):
    plant({"truth_files/Bob_Case.clust.xml": ENTITY.format(18)})
    assert open_source(weps1).warnings("Bob_Case") == (
        "Bob_Case: the key names ranks that are not among the results: 18",
    )


def test_a_page_that_cannot_be_read_does_not_stop_the_name(plant, weps1):
    plant({"web_pages/Ann_Example/raw/002/index.html/x": "a folder where a page should be"})
    pages = open_source(weps1).search("Ann_Example").pages
    assert [bool(page.problem) for page in pages] == [False, False, True]
    assert pages[2].content is None
    assert "index.html: cannot be read (not a file)" in pages[2].problem


def test_bad_files_are_reported_when_their_name_is_read(plant, weps1):
    plant(
        {
            "description_files/Bob_Case.xml": '<corpus search_string="Bob Ca',
            "truth_files/Ann_Example.clust.xml": "<clustering><entity>",
        }
    )
    source = open_source(weps1)
    assert len(source.search("Ann_Example").pages) == 3
    with pytest.raises(SourceError, match=r"Bob_Case\.xml, line 1: the XML breaks off"):
        source.search("Bob_Case")
    with pytest.raises(KeyFileError, match=r"Ann_Example\.clust\.xml, line 1"):
        source.key("Ann_Example")


def test_a_corpus_of_results_alone(plant):
    source = open_source(
        plant({"description_files/Bob_Case.xml": '<corpus><doc rank="0"/></corpus>'})
    )
    assert source.search("Bob_Case").name == "Bob Case"
    assert source.search("Bob_Case").pages == (Page(0),)
    assert source.key("Bob_Case") is None
