import pytest

from weps.errors import SourceError
from weps.records import Page
from weps.sources import open_source


def test_tokens_stand_in_for_pages(weps2):
    source = open_source(weps2)
    search = source.search("ANN_EXAMPLE")
    assert source.layout == "weps-2"
    assert search.name == "Ann EXAMPLE"
    assert search.pages == (
        Page(1, "http://1.example/", "A & B", "Ann > Example", text="logic set\u2028theory"),
        Page(4, "http://4.example/", "four", text="paint"),
    )
    assert source.ranks("ANN_EXAMPLE") == (1, 4)


def test_a_name_with_neither_pages_nor_tokens_has_its_results(weps2):
    source = open_source(weps2)
    assert source.search("BOB_CASE").pages == (Page(1),)
    assert source.key("BOB_CASE") is None


@pytest.mark.parametrize("place", ["{}.html", "raw/{}.html", "{}/index.html", "raw/{}/index.html"])
def test_saved_pages_come_before_tokens(plant, weps2, place):
    plant({f"web_pages/ANN_EXAMPLE/{place.format('004')}": b"page four"})
    pages = open_source(weps2).search("ANN_EXAMPLE").pages
    assert [(page.content, page.text) for page in pages] == [(None, None), (b"page four", None)]


def test_the_annotators_names_are_labels(weps2):
    key = open_source(weps2).key("ANN_EXAMPLE")
    assert key.groups == (frozenset({4}), frozenset({1}))
    assert key.labels == ("PAINTER", "JUDGE & POET")


def test_a_key_rank_left_out_of_the_corpus_is_a_warning(plant, weps2):
    key = '<clustering><entity><doc rank="2"/></entity></clustering>'
    plant({"gold_standard/ANN_EXAMPLE.xml": key})
    assert "not among the results: 2" in open_source(weps2).warnings("ANN_EXAMPLE")[0]


def test_results_with_one_rank_are_a_warning(plant, weps2):
    plant({"metadata/BOB_CASE.xml": '<corpus><doc rank="1"/><doc rank="1"/></corpus>'})
    assert open_source(weps2).warnings("BOB_CASE") == (
        "BOB_CASE: several results have one rank, the first counts: 1",
    )


def test_a_malformed_tokens_file_stops_only_its_name(plant, weps2):
    plant({"tokens/BOB_CASE.txt": "001 0 x"})
    source = open_source(weps2)
    assert source.search("ANN_EXAMPLE").pages
    with pytest.raises(SourceError, match=r"BOB_CASE\.txt, line 1: has 1 of 3 columns"):
        source.search("BOB_CASE")
