"""Corpora, and the XML of keys and answers: what is read, mended, refused and told."""

from contextlib import nullcontext
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import KeyFileError, SourceError
from weps.records import Clustering, Page
from weps.sources import corpora
from weps.sources.corpora import (
    clustering_xml,
    read_clustering,
    read_result_list,
    read_tokens,
    read_xml,
)
from weps.sources.opening import open_source

KEY = '<clustering><entity><doc rank="{}"/></entity></clustering>'


def test_title_and_snippet_change_places_and_pages_are_found_by_rank(weps1):
    source = open_source(weps1)
    search = source.search("Ann Example")
    assert (source.layout, source.names) == ("weps-1", ("Ann_Example", "Bob_Case"))
    assert search.name == "Ann Example"
    teaching, content = "I teach logic & sets.", b"<title>Ann\xe9</title>"
    pages = (replace(page, file="", content=page.read_content()) for page in search.pages)
    assert tuple(pages) == (
        Page(0, "http://zero.example/", "Ann's home", teaching, content),
        Page(1, "http://one.example/", "Other Ann", "", b""),
        Page(2, "http://two.example/?a=1&copy=2"),
    )
    assert [bool(page.file) for page in search.pages] == [True, True, False]
    assert source.ranks("Ann_Example") == (0, 1, 2)
    assert source.key("Ann_Example") == Clustering((frozenset({0}), frozenset({1})), frozenset({2}))
    assert source.key("Bob_Case") is None
    assert source.warnings("Ann_Example") == ()


def test_of_several_annotations_the_official_one_is_used(plant, weps1):
    for rank, annotation in enumerate(("official_annotation", "annotation_1")):
        plant({f"truth_files/{annotation}/Bob_Case.clust.xml": KEY.format(rank)})
    assert open_source(weps1).key("Bob_Case") == Clustering((frozenset({0}),))


def test_bad_files_are_reported_when_their_name_is_read(plant, weps1):
    plant(
        {
            "description_files/Bob_Case.xml": '<corpus search_string="Bob Ca',
            "truth_files/Ann_Example.clust.xml": "<clustering><entity>",
            "web_pages/Ann_Example/raw/002/index.html/x": "a folder where a page should be",
        }
    )
    source = open_source(weps1)
    pages = source.search("Ann_Example").pages
    assert [bool(page.problem) for page in pages] == [False, False, True]
    assert "index.html: cannot be read (a folder, not a file)" in pages[2].problem
    with pytest.raises(SourceError, match=r"Bob_Case\.xml, line 1: malformed XML"):
        source.search("Bob_Case")
    with pytest.raises(KeyFileError, match=r"Ann_Example\.clust\.xml, line 1"):
        source.key("Ann_Example")


def test_tokens_stand_in_for_pages(weps2):
    source = open_source(weps2)
    search = source.search("ANN_EXAMPLE")
    assert (source.layout, search.name) == ("weps-2", "Ann EXAMPLE")
    assert search.pages == (
        Page(1, "http://1.example/", "A & B", "Ann > Example", text="logic set\u2028theory"),
        Page(4, "http://4.example/", "four", text="paint"),
    )
    assert source.ranks("ANN_EXAMPLE") == (1, 4)
    key = source.key("ANN_EXAMPLE")
    assert key.groups == (frozenset({4}), frozenset({1}))
    assert key.labels == ("PAINTER", "JUDGE & POET")
    assert source.search("BOB_CASE").pages == (Page(1),), "with neither pages nor tokens"
    assert source.key("BOB_CASE") is None


@pytest.mark.parametrize("place", ["{}.html", "raw/{}.html", "{}/index.html", "raw/{}/index.html"])
def test_saved_pages_come_before_tokens(plant, weps2, place):
    plant({f"web_pages/ANN_EXAMPLE/{place.format('004')}": b"page four"})
    pages = open_source(weps2).search("ANN_EXAMPLE").pages
    contents = [(page.read_content(), page.text) for page in pages]
    assert contents == [(None, None), (b"page four", None)]


def test_ranks_of_the_key_beyond_the_results_and_ranks_of_several_are_warnings(plant, weps2):
    plant({"metadata/BOB_CASE.xml": '<corpus><doc rank="1"/><doc rank="1"/></corpus>'})
    plant({"gold_standard/BOB_CASE.xml": KEY.format(18)})
    assert open_source(weps2).warnings("BOB_CASE") == (
        "BOB_CASE: the key names ranks that are not among the results: 18",
        "BOB_CASE: several results have the same rank; the first is used: 1",
    )


@pytest.fixture
def file(tmp_path):
    """Write a file; return its path."""

    def write(content, name="key.xml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@each_case(
    ("attribute", "name"),
    [
        ('search_string="Thomas Baker"', "Thomas Baker"),
        ('searchString="&quot;AMANDA LENTZ&quot;"', "AMANDA LENTZ"),
        ('searchString="&#8220;Cheng Niu&#8221;"', "Cheng Niu"),
        ("", ""),
    ],
)
def test_the_name_is_written_without_quotes_in_the_case_given(file, attribute, name):
    assert read_result_list(file(f"<corpus {attribute}/>")).name == name


PLAIN = {
    "A &amp;amp; B": "A & B",
    "A &amp; B": "A & B",
    "Ann&amp;#39;s &amp;quot;page&amp;quot;": 'Ann\'s "page"',
    "a &amp;gt; b": "a > b",
    "Q&amp;copy R": "Q&copy R",
    "x.example/&lt;b&gt;ann&lt;/b&gt;.html": "x.example/ann.html",
    "x.example/&amp;lt;B&amp;gt;ann&amp;lt;/B&amp;gt;.html": "x.example/ann.html",
    "one&lt;br&gt;two": "one two",
    "Ann &lt;ann@host.example&gt;": "Ann <ann@host.example>",
    " two\n\t lines ": "two lines",
    "x &amp;unknown; y": "x &unknown; y",
}
URLS = {
    "http://x.example/?a=1&amp;copy=2": "http://x.example/?a=1&copy=2",
    "http://x.example/?a=1&amp;amp;lt=2": "http://x.example/?a=1&lt=2",
    "http://x.example/?a=1&copy=2": "http://x.example/?a=1&copy=2",
    " http://x.example/%26amp ": "http://x.example/%26amp",
}
"""Of URLs only the ampersand is undone."""


@pytest.mark.parametrize("stored", [*PLAIN, *URLS])
def test_titles_snippets_and_urls_are_plain_text(file, stored):
    doc = f'<doc rank="0" title="{stored}" url="{stored}"><snippet>{stored}</snippet></doc>'
    (page,) = read_result_list(file(f"<corpus>{doc}</corpus>")).pages
    assert page.title == page.snippet
    assert (page.title == PLAIN[stored]) if stored in PLAIN else (page.url == URLS[stored])


def test_results_ascend_and_of_several_with_one_rank_the_first_counts(file):
    results = read_result_list(
        file(
            '<corpus><doc rank="10"/><doc rank="1" title="a"/><doc rank="1" title="b"/>'
            '<doc rank="3" inWepsCorpus="no"/><doc rank="0" inWepsCorpus="yes"/></corpus>'
        )
    )
    assert [(page.rank, page.title) for page in results.pages] == [(0, ""), (1, "a"), (10, "")]
    assert results.repeated == (1,)


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
def test_lines_of_tokens(file, data, texts):
    assert read_tokens(file(data)) == texts


@pytest.mark.parametrize(
    ("read", "data", "message"),
    [
        (read_tokens, "001\t0\ta\n\n002\t0\tb", r"x, line 2: cannot read ''; each line reads"),
        (read_tokens, "001\ta", r"line 1: cannot read '001\\ta'"),
        (read_tokens, "001\t0\ta\tb", "line 1: cannot read '001"),
        (read_tokens, "001\t0\ta\nx\t0\tb", "line 2: cannot read 'x"),
        (read_tokens, "001\t0\ta\n1\t0\tb", "line 2: rank 1 occurs twice"),
        (read_result_list, '<corpus>\n<doc rank="x"/></corpus>', "x, line 2: 'x' is not a rank; e"),
        (read_result_list, "<corpus><doc/></corpus>", "line 1: a document without a rank"),
        (read_result_list, "<clustering/>", "<clustering>, <corpus> is expected"),
    ],
)
def test_malformed_lists(file, read, data, message):
    with pytest.raises(SourceError, match=message):
        read(file(data, "x"))


# Keys and answers

RANKS = st.integers(min_value=0, max_value=999_999_999)
LABELS = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff")
).map(lambda text: " ".join(text.split()))


@each_case(
    ("body", "groups", "discarded"),
    [
        ("", [], []),
        ('<entity id="0"><doc rank="0"/></entity>', [{0}], []),
        ('<entity id="0"/><entity><doc rank="3" /></entity>', [{3}], []),
        ('<entity><documents><doc rank="9"/><doc rank="010"/></documents></entity>', [{9, 10}], []),
        ("<entity><doc rank='1'/><doc rank='1'/></entity>", [{1}], []),
        ("<entity><doc rank='2'/></entity>" * 2, [{2}, {2}], []),
        ('<entity><doc rank="2"/></entity><discarded><doc rank="2"/><doc rank="5"/></discarded>',
         [{2}], [5]),
        ('><!-- <doc rank="x"/> --><discarded><doc rank=" 7 "/></discarded>', [], [7]),
    ],
)  # fmt: skip
def test_official_forms(file, body, groups, discarded):
    key = read_clustering(file(f"<clustering>{body}</clustering>"))
    assert key == Clustering(tuple(map(frozenset, groups)), frozenset(discarded))
    assert key.labels == ()


HALF = '<clustering>\n<entity id="0">\n<doc rank="1"/>\n</entity>\n<enti'
ONE = "<clustering><entity><doc rank={!r}/></entity></clustering>"


@each_case(
    ("text", "parts"),
    [
        ("", "key.xml, line 1: malformed XML (Document is empty|replace the file"),
        (" \n ", "line 2: malformed XML (Start tag expected"),
        (HALF, "key.xml, line 5: malformed XML (Couldn't find end of Start Tag|replace the file"),
        (HALF[:-5], "key.xml, line 5: malformed XML (Premature end of data"),
        (HALF[:42], "key.xml, line 3: malformed XML"),
        ("ranks: 1 2 3", "key.xml, line 1: malformed XML"),
        ("<clustering><a></b></clustering>", "line 1: malformed XML (Opening and ending"),
        ("<clustering>\n\0&bad;\n\1&#0;\n</s>", "line 4: malformed XML (Opening and ending"),
        ("<corpus/>", "line 1|<corpus>, <clustering> is expected|right kind"),
        ('<clustering>\n<entity>\n<doc rank="-1"/></entity></clustering>',
         "key.xml, line 3: '-1' is not a rank|a whole number N from 0"),
        *((ONE.format(rank), f"'{rank[:40]}' is") for rank in ("one", "1.0", "٣", "9" * 5000)),
        ("<clustering><entity><doc/></entity></clustering>", "a document without a rank"),
        ("<clustering>\n<doc rank='1'/></clustering>", "line 2: a document outside any entity"),
        ("<clustering>\n<doc rank='1'/>\n<discarded><doc rank='x'/></discarded>\n"
         "<entity><doc rank='y'/></entity></clustering>",
         "line 2: a document outside any entity|inside <entity>"),
    ],
)  # fmt: skip
def test_malformed_files_say_what_where_and_what_to_do(file, text, parts):
    with pytest.raises(KeyFileError) as caught:
        read_clustering(file(text))
    message = str(caught.value)
    assert [part for part in parts.split("|") if part not in message] == []
    assert "\n" not in message
    assert caught.value.remedy


@each_case(
    ("stated", "name", "other"),
    [
        *(
            (stated, "Ann_Lee", False)
            for stated in ("", "ANN LEE", "Lee, Ann", "A. Lee", "Anne Lea")
        ),
        ("José Núñez", "Jose_Nunez", False),
        ("Edwin Foxcombe", "edwin-foxcombe–research (2)", False),
        ("王伟", "王伟", False),
        *((stated, "Ann_Lee", True) for stated in ("Bob Lee", "Ann Ray")),
        ("李安", "Ann_Lee", False),  # of another script
        ("王芳", "王伟", True),
    ],
)
def test_a_key_that_states_another_name_is_told(file, stated, name, other):
    key = file(clustering_xml(Clustering((frozenset({1}),)), stated))
    told = pytest.warns(match=f"is about .{stated}., not") if other else nullcontext()
    with told:
        assert read_clustering(key, name).groups == ({1},)


def test_a_missing_file_and_a_folder_are_key_errors(tmp_path):
    with pytest.raises(KeyFileError, match=r"no\.xml: cannot be read \(No such file"):
        read_clustering(tmp_path / "no.xml")
    with pytest.raises(KeyFileError, match="a folder, not a file"):
        read_clustering(tmp_path)


@st.composite
def clusterings(draw: st.DrawFn) -> Clustering:
    groups = tuple(draw(st.lists(st.frozensets(RANKS, min_size=1, max_size=5), max_size=5)))
    discarded = draw(st.frozensets(RANKS, max_size=5)).difference(*groups)
    return Clustering(groups, discarded, draw(st.tuples(*[LABELS for _ in groups])))


@given(clustering=clusterings(), name=st.text())
def test_what_is_written_is_read_back(tmp_path_factory, clustering, name):
    path = tmp_path_factory.mktemp("keys") / "answer.clust.xml"
    path.write_text(clustering_xml(clustering, name), "utf-8")
    assert read_clustering(path) == clustering
    assert read_clustering(path).labels == (clustering.labels if any(clustering.labels) else ())


def test_the_official_xml():
    groups = (frozenset({10, 2}), frozenset({2}))
    clustering = Clustering(groups, frozenset({1}), ('the "A" & B', ""))
    assert clustering_xml(clustering, "Ann Example").splitlines(keepends=True) == [
        '<?xml version="1.0" encoding="UTF-8"?>\n',
        '<clustering name="Ann Example">\n',
        '  <entity id="0" name="the &quot;A&quot; &amp; B">\n',
        '    <doc rank="2"/>\n',
        '    <doc rank="10"/>\n',
        "  </entity>\n",
        '  <entity id="1">\n',
        '    <doc rank="2"/>\n',
        "  </entity>\n",
        "  <discarded>\n",
        '    <doc rank="1"/>\n',
        "  </discarded>\n",
        "</clustering>\n",
    ]


def test_labels_are_the_annotators_names_for_the_groups_that_hold_pages(file):
    text = (
        '<clustering searchString="X"><entity id="1" name="EMPTY"/>'
        '<entity id="9" name= " A &amp;  B"><doc rank="1" notes=""/></entity>'
        '<entity id="2"><doc rank="2"/></entity></clustering>'
    )
    assert read_clustering(file(text)).labels == ("A & B", "")


# XML of any origin


@each_case(
    ("data", "text"),
    [
        (b"<r>a&amp;b</r>", "a&b"),
        (b"<r>AT&T &copy=1 &</r>", "AT&T &copy=1 &"),
        (b"<r>&nbsp;</r>", "&nbsp;"),
        (b"<r>&#233;&#xe9;&#XE9;</r>", "éé&#XE9;"),
        (b"<r>a&#0;b&#x1F;c&#xD800;d&#xFFFF;e</r>", "a b c d e"),
        (b"<r>a\x00b\x1bc</r>", "a b c"),
        ("<r>é</r>".encode(), "é"),
        (b"\xef\xbb\xbf<r>x</r>", "x"),
        (b"<r>caf\xe9 \xc3\xa9 \x80\x81</r>", "café é €\ufffd"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><r>\xe9</r>', "é"),
        (b'<?xml version="1.0" encoding="UTF-8"?><r>\xe9</r>', "é"),
        ('<?xml version="1.0" encoding="UTF-16"?><r>é&amp;</r>'.encode("utf-16"), "é&"),
        (b"<r><![CDATA[<b>]]></r>", "<b>"),
        (b'<!DOCTYPE r SYSTEM "FOLDER/secret.dtd"><r>&x;</r>', "&x;"),
    ],
)
def test_small_faults_are_mended(file, tmp_path, data, text):
    file('<!ENTITY x "secret">', "secret.dtd")
    document = read_xml(file(data.replace(b"FOLDER", bytes(tmp_path))), "r", SourceError)
    assert document.text == text


ENTITY = "it declares entities"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>', ENTITY),
        (b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>', ENTITY),
        (b'<!DOCTYPE r [<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;]><r/>', ENTITY),
        ('<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><r/>'.encode("utf-16"), ENTITY),
        (b"<r>" + b"<a>" * 100_000, "too many tags"),
        (b"<r>" + b"<a/>" * 10 + b"</r>", "too many tags"),
        (b"<r>" + b" " * (1 << 20) + b"</r>", "is over 1 MB"),
        *((f'<?xml version="1.0" encoding="{encoding}"?><r/>'.encode(), r"key\.xml, line 1: malf")
          for encoding in ("no-such", "idna", "utf-16")),
    ],
)  # fmt: skip
def test_entities_and_what_is_beyond_bounds_are_refused(file, monkeypatch, data, message):
    monkeypatch.setattr(corpora, "MAX_TAGS", 10 if b"<a/>" in data else 1_000)
    monkeypatch.setattr(corpora, "MAX_XML_BYTES", 1 << 20)
    with pytest.raises(SourceError, match=message):
        read_xml(file(data), "r", SourceError)


def test_elements_know_their_line_and_their_descendants_in_order(file):
    path = file("<r>\n<a n='1'><a n='2'/></a>\n<b><a n='3'/></b>\n</r>")
    document = read_xml(path, "r", SourceError)
    lines = {a.get("n"): a.sourceline for a in document.iterfind(".//a")}
    assert list(lines.items()) == [("1", 2), ("2", 2), ("3", 3)]
