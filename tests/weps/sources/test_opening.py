"""Corpora and folders of pages are opened, whatever their layout."""

import subprocess
import sys
from pathlib import Path

import pytest

import weps.sources
from weps.errors import KeyFileError, SourceError
from weps.records import Clustering, Page
from weps.sources import opening
from weps.sources.listings import read_result_list, read_tokens, with_title_and_snippet_swapped
from weps.sources.opening import SOURCE_READERS, open_source


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


def test_each_kind_has_one_reader_that_says_what_it_holds():
    assert [reader.layout for reader in SOURCE_READERS] == ["weps-1", "weps-2", "folder"]
    assert all(reader.description for reader in SOURCE_READERS)


def test_a_missing_folder(tmp_path):
    with pytest.raises(SourceError) as caught:
        open_source(tmp_path / "no")
    assert str(caught.value) == f"{tmp_path / 'no'}: no such folder; check the spelling of the path"


def test_a_file_where_a_folder_is_expected(plant):
    root = plant({"1.html": "x"})
    with pytest.raises(SourceError, match=r"1\.html: expected a folder, got a file; give the"):
        open_source(root / "1.html")


@pytest.mark.parametrize("files", [{"x.css": ""}, {"empty/x.css": ""}, {".hidden/1.html": ""}])
def test_a_folder_without_pages(plant, files):
    with pytest.raises(SourceError) as caught:
        open_source(plant(files))
    assert "contains neither saved pages nor a WePS corpus; a source is" in str(caught.value)
    assert all(reader.description in str(caught.value) for reader in SOURCE_READERS)


def test_the_folder_above_a_corpus_says_which_subfolder_to_take(plant):
    files = {f"{part}/description_files/A_B.xml": "<corpus/>" for part in ("training", "test")}
    root = plant(files)
    with pytest.raises(SourceError) as caught:
        open_source(root)
    assert caught.value.remedy == f"take the corpus in {root / 'test'}, {root / 'training'}"


@pytest.mark.parametrize("part", ["tokens", "metadata"])
def test_a_part_of_a_corpus_says_to_take_the_corpus(weps2, part):
    with pytest.raises(SourceError) as caught:
        open_source(weps2 / part)
    assert str(caught.value) == f"{weps2 / part}: is a part of a WePS corpus; take {weps2}"


def test_a_folder_called_metadata_alone_makes_no_corpus(plant):
    root = plant({"1.html": "x", "metadata/notes.md": ""})
    assert open_source(root).layout == "folder"


def test_the_folder_one_stands_in_lends_its_name(plant, monkeypatch):
    monkeypatch.chdir(plant({"Ann_Example/1.html": "x"}) / "Ann_Example")
    assert open_source(".").names == ("Ann_Example",)


def test_a_link_lends_its_own_name(plant):
    root = plant({"x17/1.html": "x"})
    (root / "Ann_Example").symlink_to(root / "x17")
    assert open_source(root / "Ann_Example").names == ("Ann_Example",)


def test_a_path_the_system_refuses(monkeypatch):
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refuse)
    with pytest.raises(SourceError, match=r"/locked: cannot be read \(Permission denied\)"):
        opening.open_source("/locked")


HEAVY = {"bs4", "lxml", "numpy", "scipy", "selectolax", "sklearn", "urllib.request", "asyncio"}


def test_importing_is_light():
    code = "import sys, weps.sources.opening; print(*sys.modules)"
    root = Path(weps.sources.__file__).parents[2]
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=root, capture_output=True, check=True)  # ours
    assert HEAVY.isdisjoint(run.stdout.decode().split())


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
    stated = [page for page in pages if page.title and b"<title>" in (page.content or b"").lower()]
    agreeing = [
        page for page in stated if page.title[:20].encode() in b" ".join(page.content.split())
    ]
    assert len(agreeing) > 0.6 * len(stated) > 30


def test_a_name_without_tokens_has_snippets(weps_data):
    pages = open_source(weps_data / "corpora/weps-2").search("Amanda Lentz").pages
    assert len(pages) == 121
    assert not any(page.text or page.content for page in pages)
    assert sum(bool(page.snippet) for page in pages) > 100


def test_the_folder_above_the_real_corpora_says_where_to_go(weps_data):
    with pytest.raises(weps.errors.SourceError, match="training"):
        open_source(weps_data / "corpora/weps-1")


@pytest.fixture
def results_of(tmp_path):
    def write(text: str):
        path = tmp_path / "results.xml"
        path.write_text(text, encoding="utf-8")
        return read_result_list(path)

    return write


@pytest.mark.parametrize(
    ("attribute", "name"),
    [
        ('search_string="Thomas Baker"', "Thomas Baker"),
        ('searchString="&quot;AMANDA LENTZ&quot;"', "AMANDA LENTZ"),
        ('searchString="&#8220;Cheng Niu&#8221;"', "Cheng Niu"),
        ("", ""),
    ],
)
def test_the_name_is_written_without_quotes_in_the_case_given(results_of, attribute, name):
    assert results_of(f"<corpus {attribute}/>").name == name


@pytest.mark.parametrize(
    ("stored", "plain"),
    [
        ("A &amp;amp; B", "A & B"),
        ("A &amp; B", "A & B"),
        ("Ann&amp;#39;s &amp;quot;page&amp;quot;", 'Ann\'s "page"'),
        ("a &amp;gt; b", "a > b"),
        ("Q&amp;copy R", "Q&copy R"),
        ("site.example/&lt;b&gt;ann&lt;/b&gt;.html", "site.example/ann.html"),
        ("site.example/&amp;lt;B&amp;gt;ann&amp;lt;/B&amp;gt;.html", "site.example/ann.html"),
        ("one&lt;br&gt;two", "one two"),
        ("Ann &lt;ann@host.example&gt;", "Ann <ann@host.example>"),
        (" two\n\t lines ", "two lines"),
        ("x &amp;unknown; y", "x &unknown; y"),
    ],
)
def test_titles_and_snippets_are_plain_text(results_of, stored, plain):
    (page,) = results_of(
        f'<corpus><doc rank="0" title="{stored}"><snippet>{stored}</snippet></doc></corpus>'
    ).pages
    assert (page.title, page.snippet) == (plain, plain)


@pytest.mark.parametrize(
    ("stored", "url"),
    [
        ("http://x.example/?a=1&amp;copy=2", "http://x.example/?a=1&copy=2"),
        ("http://x.example/?a=1&amp;amp;lt=2", "http://x.example/?a=1&lt=2"),
        ("http://x.example/?a=1&copy=2", "http://x.example/?a=1&copy=2"),
        (" http://x.example/%26amp ", "http://x.example/%26amp"),
    ],
)
def test_only_the_ampersand_is_undone_in_urls(results_of, stored, url):
    (page,) = results_of(f'<corpus><doc rank="0" url="{stored}"/></corpus>').pages
    assert page.url == url


def test_results_ascend_and_those_outside_the_corpus_are_left_out(results_of):
    results = results_of(
        '<corpus><doc rank="10"/><doc rank="2" inWepsCorpus="yes"/>'
        '<doc rank="3" inWepsCorpus="no"/><doc rank="0"/></corpus>'
    )
    assert [page.rank for page in results.pages] == [0, 2, 10]


def test_of_several_results_with_one_rank_the_first_counts(results_of):
    results = results_of(
        '<corpus><doc rank="1" title="a"/><doc rank="1" title="b"/><doc rank="2"/></corpus>'
    )
    assert [page.title for page in results.pages] == ["a", ""]
    assert results.repeated == (1,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<corpus>\n<doc rank="x"/></corpus>', r"results\.xml, line 2: 'x' is not a rank; every"),
        ("<corpus><doc/></corpus>", "line 1: '' is not a rank"),
        ("<clustering/>", "<clustering>, <corpus> is expected"),
        ("<corpus><doc", r"results\.xml, line 1: the XML breaks off"),
    ],
)
def test_malformed_lists(results_of, text, message):
    with pytest.raises(SourceError, match=message):
        results_of(text)


def test_swapping_twice_changes_nothing():
    page = Page(1, url="u", title="t", snippet="s")
    swapped = with_title_and_snippet_swapped(page)
    assert swapped == Page(1, url="u", title="s", snippet="t")
    assert with_title_and_snippet_swapped(swapped) == page


@pytest.fixture
def tokens_of(tmp_path):
    def write(data: bytes) -> dict[int, str]:
        path = tmp_path / "tokens.txt"
        path.write_bytes(data)
        return read_tokens(path)

    return write


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (b"", {}),
        (b"\n", {}),
        (b"001\t0\ta b\n004\t1\t\n", {1: "a b", 4: ""}),
        (b"001\t0\ta b\r\n004\t1\tc\r\n", {1: "a b", 4: "c"}),
        ("\ufeff001\t0\té\x85\u2028ü".encode(), {1: "é\x85\u2028ü"}),
        (b"001\t0\ta\xff", {1: "a\ufffd"}),
    ],
)
def test_lines_of_tokens(tokens_of, data, texts):
    assert tokens_of(data) == texts


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"001\t0\ta\n\n002\t0\tb", r"tokens\.txt, line 2: has 1 of 3 columns; each line reads"),
        (b"001\ta", "line 1: has 2 of 3 columns"),
        (b"001\t0\ta\tb", "line 1: has 4 of 3 columns"),
        (b"001\t0\ta\nx\t0\tb", "line 2: 'x' is not a rank"),
        (b"001\t0\ta\n1\t0\tb", "line 2: rank 1 for the second time"),
    ],
)
def test_malformed_lines(tokens_of, data, message):
    with pytest.raises(SourceError, match=message):
        tokens_of(data)
