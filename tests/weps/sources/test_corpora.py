import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from weps.errors import KeyFileError, SourceError
from weps.records import Clustering, Page
from weps.sources.base import Source
from weps.sources.corpora import CombinedSource, combine_sources
from weps.sources.opening import open_source

KEY = '<clustering><entity><doc rank="{}"/></entity></clustering>'


@pytest.fixture
def parts(weps1: Path, tmp_path: Path) -> list[Source]:
    """Two WePS-1 corpora: Ann Example and Bob Case; Abe Other, whose key names a strange rank."""
    other = tmp_path / "other"
    for folder in ("description_files", "truth_files"):
        (other / folder).mkdir(parents=True)
    results = '<corpus search_string="Abe Other"><doc rank="4" url="http://a.example/"/></corpus>'
    (other / "description_files" / "Abe_Other.xml").write_text(results)
    (other / "truth_files" / "Abe_Other.clust.xml").write_text(KEY.format(9))
    return [open_source(weps1), open_source(other)]


def test_every_name_is_read_where_it_stands(parts: list[Source]) -> None:
    both = combine_sources(parts)
    assert both.names == ("Abe_Other", "Ann_Example", "Bob_Case")
    assert both.layout == "weps-1"
    for part in parts:
        for name in part.names:
            assert both.search(name) == part.search(name)
            assert both.ranks(name) == part.ranks(name)
            assert both.key(name) == part.key(name)
            assert both.warnings(name) == part.warnings(name)
    assert both.warnings("Abe_Other") != both.warnings("Ann_Example") == ()


def test_names_are_found_as_people_write_them(parts: list[Source]) -> None:
    assert combine_sources(parts).search("abe other").name == "Abe Other"
    assert combine_sources(parts).ranks("ann example") == (0, 1, 2)


def test_an_unknown_name_is_sought_in_all_of_them(parts: list[Source], tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"did you mean Abe_Other.*Abe_Other, Ann_Ex") as caught:
        combine_sources(parts).ranks("Abe Othr")
    assert caught.value.where == tmp_path


def test_the_digest_is_that_of_one_corpus_with_all_names(parts: list[Source], weps1: Path) -> None:
    digest = combine_sources(parts).digest()
    assert digest == combine_sources(parts[::-1]).digest()
    assert digest not in {part.digest() for part in parts}
    assert combine_sources(parts).digest(["Ann_Example", "Bob_Case"]) == parts[0].digest()
    for part in ("description_files", "truth_files"):
        for file in (parts[1].root / part).iterdir():
            file.rename(weps1 / part / file.name)
    assert open_source(weps1).digest() == digest


def test_one_alone_stays_what_it_is(parts: list[Source]) -> None:
    assert combine_sources(parts[:1]) is parts[0]


def test_it_travels_to_other_processes(parts: list[Source]) -> None:
    both = combine_sources(parts)
    assert isinstance(both, CombinedSource)
    assert pickle.loads(pickle.dumps(both)) == both  # noqa: S301  # joblib's own way


@pytest.mark.parametrize("name", ["Ann_Example", "ann_example", "Ann Example"])
def test_a_name_stands_in_one_place(parts: list[Source], name: str) -> None:
    root = parts[1].root
    (root / "description_files" / f"{name}.xml").write_text('<corpus><doc rank="0"/></corpus>')
    with pytest.raises(SourceError, match=f"names that are also in {parts[0].root}: {name}; ") as c:
        combine_sources([parts[0], open_source(root)])
    assert c.value.where == root


def test_a_source_given_twice_is_refused_wherever_it_stands(parts: list[Source]) -> None:
    with pytest.raises(SourceError, match=": Ann_Example, Bob_Case; "):
        combine_sources([parts[0], parts[1], parts[0]])


def test_layouts_are_not_mixed(parts: list[Source], tmp_path: Path) -> None:
    page = tmp_path / "saved" / "Zoe Last" / "1.html"
    page.parent.mkdir(parents=True)
    page.touch()
    saved = open_source(tmp_path / "saved")
    with pytest.raises(SourceError, match=f"layout folder, but {parts[0].root} is of weps-1") as c:
        combine_sources([*parts, saved])
    assert c.value.where == saved.root


def test_messages_name_the_innermost_folder_around_all(parts: list[Source], tmp_path: Path) -> None:
    assert combine_sources(parts).root == tmp_path


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
