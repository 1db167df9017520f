"""Corpora and folders of pages are opened, whatever their layout."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from weps._files import LINK_OUT
from weps.errors import KeyFileError, SourceError
from weps.records import Clustering
from weps.sources import opening
from weps.sources.opening import open_source


def ranked(root, name="source") -> dict[int, bytes | None]:
    return {page.rank: page.read_content() for page in open_source(root).search(name).pages}


@pytest.mark.parametrize(
    ("files", "ranks"),
    [
        (["001.html", "3.htm", "010.TXT"], {1: "001.html", 3: "3.htm", 10: "010.TXT"}),
        (["0.html", "1.html"], {0: "0.html", 1: "1.html"}),
        (["p10.html", "p2.html", "p1.html"], {1: "p1.html", 2: "p2.html", 3: "p10.html"}),
        (["2.html", "note.txt", "10.html"], {1: "2.html", 2: "10.html", 3: "note.txt"}),
        (["b.HTML", "A.html", "c.htm"], {1: "A.html", 2: "b.HTML", 3: "c.htm"}),
        (["x1.html", "x01.html"], {1: "x01.html", 2: "x1.html"}),
        (["1.html", ".2.html", "x.css", "key.xml~", "1_files/3.html"], {1: "1.html"}),
        # Results of weps, but no result that is not complete.
        (["1.html", "A.html", "A.clust.xml", "A.corrections.txt", "A.json"], {1: "1.html"}),
        (["1.html", "A.html", "A.json"], {1: "1.html", 2: "A.html"}),
        # Folders in the folder follow, whatever their numbers.
        (
            ["1.html", "b/1.html", "a/9.html", "a/x/5.html"],
            {1: "1.html", 2: "a/9.html", 3: "a/x/5.html", 4: "b/1.html"},
        ),
        (["p.html", "a/1.html", "a/01/2.html"], {1: "a/1.html", 2: "a/01/2.html", 3: "p.html"}),
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


def test_numbering_by_order_is_a_warning(plant):
    root = plant({"1.html": "a", "2.html": "b", "metadata/notes.md": ""})
    assert open_source(root).warnings("source") == ()
    plant({"note.txt": "c"})
    (warning,) = open_source(root).warnings("source")
    assert "because not all of these are numbers (note)" in warning


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
    [page] = source.search("A One").pages
    assert (page.rank, page.read_content()) == (1, b"a")
    assert page.file == str(root / "A One" / "1.txt")


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["A/old/1.html", "B/x/y/1.html", "C/x.css"], ("A", "B")),
        (["all/A/1.html", "all/B/1.html"], ("A", "B")),
        (["A/html/1.html"], ("A",)),
        (["A/1.html", "out/A.clust.xml", "out/pages/B/1.html"], ("A",)),
        (["1.html", "A/1.html", "B/1.html"], ("source",)),
    ],
)
def test_names_are_those_of_the_folders_that_divide_the_pages(plant, files, names):
    assert open_source(plant(dict.fromkeys(files, "x"))).names == names


@pytest.mark.skipif(sys.platform == "win32", reason="its permissions are others")
def test_what_may_not_be_read_says_so():
    """To somebody who may not do everything, as root may."""
    with tempfile.TemporaryDirectory() as place:
        root, files = Path(place), "0.html 1.html 2.pdf in/3.html sub/4.html".split()
        for file in files:
            (root / file).parent.mkdir(exist_ok=True)
            (root / file).write_text("x")
        for name, mode in {".": 0o755, "1.html": 0, "2.pdf": 0, "sub": 0, "in": 0o444}.items():
            (root / name).chmod(mode)
        code = (
            f"import os, weps; source = weps.open_source({place!r}, 'Ann'); source.search('Ann')\n"
            "os.getuid() or os.setuid(65534); found = source.search('Ann')\n"
            "print(*(each.problem for each in found.pages), *found.unread, sep='\\n')"
        )
        run = [sys.executable, "-c", code]
        told = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        (root / "sub").chmod(0o755)
    lines = [line for line in told.splitlines() if "Permission denied" in line]
    assert [next(file for file in files if file[:3] in line) for line in lines] == files[1:]


@pytest.mark.parametrize(
    ("files", "name", "message"),
    [
        (["A One/1.html", "A_One/1.html"], None, "two folders for one name: A One and A_One"),
        (["1.html"], "../..", "expected a person's name, got '../..'"),
    ],
)
def test_names_must_be_distinct_and_fit_for_files(plant, files, name, message):
    with pytest.raises(SourceError, match=message):
        open_source(plant(dict.fromkeys(files, "")), name)


KEY = '<clustering><entity><doc rank="{}"/></entity></clustering>'


def test_a_folder_may_hold_its_key_whose_ranks_must_exist(plant):
    root = plant({"1.html": "a", "2.html": "b"})
    assert open_source(root).key("source") is None
    plant({"key.xml": KEY.format(2)})
    assert open_source(root).key("source") == Clustering((frozenset({2}),))
    plant({"key.xml": KEY.format(3)})
    message = r"key\.xml: there is no page with the rank 3; the pages here have the ranks 1 to 2"
    with pytest.raises(KeyFileError, match=message):
        open_source(root).key("source")


def test_a_page_that_cannot_be_read_says_so(plant):
    root = plant({"1.html": "a", "2.html/x": "b"})
    pages = open_source(root).search("source").pages
    assert (pages[0].read_content(), pages[0].file) == (b"a", str(root / "1.html"))
    assert pages[1].content is None
    assert pages[1].problem.endswith("2.html: cannot be read (a folder, not a file)")


@pytest.mark.parametrize(
    ("files", "path", "message"),
    [
        ({"empty/x.css": ""}, "", "nor a WePS corpus (empty/x.css: not a page (empty)); a source"),
        ({"a.png": "\x89PNG"}, "", "nor a WePS corpus (a.png: not"),
        ({".hidden/1.html": ""}, "", "neither saved pages nor a WePS corpus; a source is"),
        ({"1.html": "x"}, "1.html", "expected a folder or an archive of pages, got another file"),
        ({"1.html": "x"}, "no", "no: no such file or folder; check the spelling of the path"),
    ],
)
def test_a_place_without_pages(plant, files, path, message):
    with pytest.raises(SourceError) as caught:
        open_source(plant(files) / path)
    assert message in str(caught.value)


def test_the_folder_above_a_corpus_says_which_subfolder_to_take(plant):
    files = {f"{part}/description_files/A_B.xml": "<corpus/>" for part in ("training", "test")}
    root = plant(files)
    with pytest.raises(SourceError) as caught:
        open_source(root)
    assert caught.value.remedy == f"take the corpus in {root / 'test'}, {root / 'training'}"
    with pytest.raises(SourceError, match=f"is a part of a WePS corpus; take {root / 'test'}"):
        open_source(root / "test" / "description_files")


def test_the_current_folder_and_a_link_lend_their_own_names(plant, monkeypatch):
    root = plant({"Ann_Example/1.html": "x", "x17/1.html": "x"})
    (root / "Bob_Case").symlink_to(root / "x17")
    assert open_source(root / "Bob_Case").names == ("Bob_Case",)
    monkeypatch.chdir(root / "Ann_Example")
    assert open_source(".").names == ("Ann_Example",)


def test_a_path_the_system_refuses(monkeypatch):
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(SourceError, match=r"/locked: cannot be read \(Permission denied\)"):
        opening.open_source("/locked")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("corpus", "names", "results", "saved", "gold", "discarded", "persons", "singletons"),
    [
        ("weps-1/training", 34, 2588, 2585, 1612, 973, 341, 226),
        ("weps-1/test", 15, 1483, 0, 1255, 229, 674, 478),
        ("weps-2", 15, 1693, 1572, 1286, 407, 275, 159),
    ],
)
def test_counts_of_the_real_corpora(
    *, weps_data, corpus, names, results, saved, gold, discarded, persons, singletons
):
    source = open_source(weps_data / "corpora" / corpus)
    keys = [source.key(name) for name in source.names]
    searches = [source.search(name) for name in source.names]
    pages = [page for search in searches for page in search.pages]
    assert len(source.names) == names
    assert len(pages) == results
    assert sum(page.content is not None or page.text is not None for page in pages) == saved
    assert not [page.problem for page in pages if page.problem]
    assert sum(len(key.ranks) for key in keys) == gold
    assert sum(len(key.discarded) for key in keys) == discarded
    assert sum(len(key.groups) for key in keys) == persons
    assert sum(len(group) == 1 for key in keys for group in key.groups) == singletons
    for name, search in zip(source.names, searches, strict=True):
        assert search.name.replace(" ", "_").casefold() == name.casefold()
        assert source.ranks(name) == tuple(page.rank for page in search.pages)


def test_known_faults_of_the_real_keys_are_warnings(weps_data):
    source = open_source(weps_data / "corpora/weps-1/test")
    warnings = {name: found for name in source.names if (found := source.warnings(name))}
    assert set(warnings) == {"Stephen_Clark", "Violet_Howard"}
    assert warnings["Stephen_Clark"][0].endswith(": 33")
    assert warnings["Violet_Howard"][0].endswith(": 10, 18")


def test_titles_of_results_are_those_of_the_saved_pages(weps_data):
    """Shows that WePS-1's swap is undone and that ranks lead to the right pages."""
    pages = open_source(weps_data / "corpora/weps-1/training").search("Thomas Baker").pages
    stated = [
        page for page in pages if page.title and b"<title>" in (page.read_content() or b"").lower()
    ]
    agreeing = [p for p in stated if p.title[:20].encode() in b" ".join(p.read_content().split())]
    assert len(agreeing) > 0.6 * len(stated) > 30


def test_links_are_followed_within_a_folder_of_pages_alone(tmp_path):
    """The folder itself may be reached by a link."""
    secret, folder = tmp_path / "secret.html", tmp_path / "Ann_Lee"
    (folder / "kept").mkdir(parents=True)
    secret.write_text("<p>the secret")
    for name in ("001.html", "kept/another"):
        (folder / name).write_text("<p>Ann Lee")
    targets = ("001.html", "kept/another", "../secret.html", "002.html", "gone")
    for number, target in enumerate(targets, start=2):
        (folder / f"{number:03}.html").symlink_to(target)
    (tmp_path / "names").mkdir()
    (tmp_path / "names" / "Ann_Lee").symlink_to(folder)
    for source in map(open_source, (folder, tmp_path / "names")):
        found = source.search("Ann Lee")
        assert {page.rank: page.read_content() for page in found.pages} == (
            dict.fromkeys((1, 2, 3, 5), b"<p>Ann Lee") | {6: None}
        )
        assert [(each.name, each.reason) for each in found.unread if "link" in each.reason] == [
            ("004.html", LINK_OUT)
        ]
    (folder / "key.xml").symlink_to(secret)
    with pytest.raises(KeyFileError, match="leads out of the folder"):
        open_source(folder).key("Ann Lee")


def test_links_out_of_a_corpus_are_not_followed(weps1, tmp_path):
    source, secret = open_source(weps1), tmp_path / "secret"
    secret.write_text("the secret")
    page = weps1 / "web_pages" / source.names[0] / "raw" / "000" / "index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.unlink(missing_ok=True)
    page.symlink_to(secret)
    read = {each.rank: each for each in source.search(source.names[0]).pages}[0]
    assert read.content is None
    assert LINK_OUT in read.problem
