import pytest

from weps.errors import KeyFileError, SourceError
from weps.records import Clustering, Page
from weps.sources.opening import open_source


def ranked(root, name="source") -> dict[int, bytes | None]:
    return {page.rank: page.content for page in open_source(root).search(name).pages}


@pytest.mark.parametrize(
    ("files", "ranks"),
    [
        (["001.html", "3.htm", "010.TXT"], {1: "001.html", 3: "3.htm", 10: "010.TXT"}),
        (["0.html", "1.html"], {0: "0.html", 1: "1.html"}),
        (["p10.html", "p2.html", "p1.html"], {1: "p1.html", 2: "p2.html", 3: "p10.html"}),
        (["2.html", "note.txt", "10.html"], {1: "2.html", 2: "10.html", 3: "note.txt"}),
        (["b.HTML", "A.html", "c.htm"], {1: "A.html", 2: "b.HTML", 3: "c.htm"}),
        (["x1.html", "x01.html"], {1: "x01.html", 2: "x1.html"}),
        (["1.html", ".2.html", "x.css", "key.xml~", "x_files/3.html"], {1: "1.html"}),
        # Results of weps, but no result that is not complete.
        (["1.html", "A.html", "A.clust.xml", "A.corrections.txt", "A.json"], {1: "1.html"}),
        (["1.html", "A.html", "A.json"], {1: "1.html", 2: "A.html"}),
        (["x" + "9" * 200 + ".html", "-1.html"], {1: "-1.html", 2: "x" + "9" * 200 + ".html"}),
    ],
)
def test_ranks_are_numbers_of_files_or_places_in_natural_order(plant, files, ranks):
    root = plant({file: file for file in files})
    assert ranked(root) == {rank: file.encode() for rank, file in ranks.items()}
    assert open_source(root).ranks("source") == tuple(ranks)


def test_two_files_for_one_rank(plant):
    source = open_source(plant({"1.html": "a", "001.html": "b", "2.html": "c"}))
    with pytest.raises(SourceError, match=r"two files for rank 1: 001\.html and 1\.html; remove"):
        source.search("source")


def test_numbering_anew_is_a_warning(plant):
    root = plant({"1.html": "a", "2.html": "b"})
    assert open_source(root).warnings("source") == ()
    plant({"note.txt": "c"})
    (warning,) = open_source(root).warnings("source")
    assert warning == (
        "source: pages are numbered from 1 in order of their names, since note has no number "
        "for a name"
    )


@pytest.mark.parametrize(
    ("folder", "given", "identifier", "searched"),
    [
        ("Thomas_Baker", None, "Thomas_Baker", "Thomas Baker"),
        ("Thomas Baker", None, "Thomas_Baker", "Thomas Baker"),
        ("pages", "Thomas  Baker", "Thomas_Baker", "Thomas Baker"),
        ("pages", "J. Smith/Jones", "J._Smith_Jones", "J. Smith/Jones"),
    ],
)
def test_the_name_is_given_or_that_of_the_folder(plant, folder, given, identifier, searched):
    source = open_source(plant({f"{folder}/1.html": "x"}) / folder, given)
    assert source.names == (identifier,)
    assert source.search(given or folder).name == searched


def test_each_subfolder_with_pages_is_a_name(plant):
    root = plant({"B_Two/1.html": "b", "A One/1.txt": "a", "empty/x.css": "", ".git/1.txt": ""})
    source = open_source(str(root), "has no say")
    assert source.layout == "folder"
    assert source.names == ("A_One", "B_Two")
    assert source.search("A One").name == "A One"
    assert source.search("A One").pages == (Page(1, content=b"a"),)


def test_two_subfolders_for_one_name(plant):
    root = plant({"A One/1.html": "", "A_One/1.html": ""})
    with pytest.raises(SourceError, match="two folders for one name: A One and A_One"):
        open_source(root)


def test_a_name_must_leave_something_for_a_file_name(plant):
    with pytest.raises(SourceError, match="the person's name is unknown; state it with --name"):
        open_source(plant({"1.html": ""}), "../..")


KEY = '<clustering><entity><doc rank="{}"/></entity></clustering>'


def test_a_folder_may_hold_its_key(plant):
    root = plant({"1.html": "a", "2.html": "b"})
    assert open_source(root).key("source") is None
    plant({"key.xml": KEY.format(2)})
    assert open_source(root).key("source") == Clustering((frozenset({2}),))


def test_a_key_must_name_ranks_that_exist(plant):
    root = plant({"1.html": "a", "2.html": "b", "key.xml": KEY.format(3)})
    with pytest.raises(
        KeyFileError,
        match=r"key\.xml: no page has the rank 3; the pages here have the ranks 1 to 2",
    ):
        open_source(root).key("source")


def test_a_page_that_cannot_be_read_says_so(plant):
    pages = open_source(plant({"1.html": "a", "2.html/x": "b"})).search("source").pages
    assert pages[0] == Page(1, content=b"a")
    assert pages[1].content is None
    assert pages[1].problem.endswith("2.html: cannot be read (not a file)")
