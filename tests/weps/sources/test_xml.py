from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import KeyFileError, SourceError
from weps.records import Clustering
from weps.sources import corpora
from weps.sources.corpora import (
    Element,
    clustering_xml,
    parse_rank,
    read_clustering,
    read_xml,
)

RANKS = st.integers(min_value=0, max_value=999_999_999)
LABELS = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff")
).map(lambda text: " ".join(text.split()))


def groups_of(*groups: tuple[int, ...]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(group) for group in groups)


@pytest.fixture
def key_file(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "key.xml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@each_case(
    ("body", "groups", "discarded"),
    [
        ("", (), ()),
        ('<entity id="0"><doc rank="0"/></entity>', [(0,)], ()),
        ('<entity id="0"/><entity><doc rank="3" /></entity>', [(3,)], ()),
        ('<entity><documents><doc rank="9"/><doc rank="010"/></documents></entity>', [(9, 10)], ()),
        ("<entity><doc rank='1'/><doc rank='1'/></entity>", [(1,)], ()),
        ("<entity><doc rank='2'/></entity>" * 2, [(2,), (2,)], ()),
        (
            '<entity><doc rank="2"/></entity><discarded><doc rank="2"/><doc rank="5"/></discarded>',
            [(2,)],
            (5,),
        ),
        ('><!-- <doc rank="x"/> --><discarded><doc rank=" 7 "/></discarded>', (), (7,)),
    ],
)
def test_official_forms(key_file, body, groups, discarded):
    key = read_clustering(key_file(f"<clustering>{body}</clustering>"))
    assert key == Clustering(groups_of(*groups), frozenset(discarded))
    assert key.labels == ()


HALF = '<clustering>\n<entity id="0">\n<doc rank="1"/>\n</entity>\n<enti'


@each_case(
    ("text", "parts"),
    [
        ("", ["key.xml: is empty", "write it again"]),
        (" \n ", ["key.xml: is empty"]),
        (HALF, ["key.xml, line 5: the XML is incomplete", "write the file again"]),
        (HALF[:-5], ["key.xml, line 5: the XML is incomplete"]),
        (HALF[:42], ["key.xml, line 3: the XML is incomplete"]),
        ("ranks: 1 2 3", ["key.xml, line 1: malformed XML"]),
        ("<clustering><a></b></clustering>", ["line 1: malformed XML (mismatched tag)"]),
        ("<clustering>\n\0&bad;\n\1&#0;\n</s>", ["line 4: malformed XML (mismatched tag)"]),
        ("<corpus/>", ["line 1", "<corpus>, <clustering> is expected", "right kind"]),
        (
            '<clustering>\n<entity>\n<doc rank="-1"/></entity></clustering>',
            ["key.xml, line 3: '-1' is not a rank", "a whole number N from 0"],
        ),
        *(
            (
                f'<clustering><entity><doc rank="{rank}"/></entity></clustering>',
                [f"'{rank[:40]}' is"],
            )
            for rank in ("one", "1.0", "٣", "9" * 5000)
        ),
        ("<clustering><entity><doc/></entity></clustering>", ["a document without a rank"]),
        ("<clustering>\n<doc rank='1'/></clustering>", ["line 2: a document outside any entity"]),
        (
            "<clustering>\n<doc rank='1'/>\n<discarded><doc rank='x'/></discarded>\n"
            "<entity><doc rank='y'/></entity></clustering>",
            ["line 2: a document outside any entity (see also line 3, 4)"],
        ),
    ],
)
def test_malformed_files_say_what_where_and_what_to_do(key_file, text, parts):
    with pytest.raises(KeyFileError) as caught:
        read_clustering(key_file(text))
    message = str(caught.value)
    assert [part for part in parts if part not in message] == []
    assert "\n" not in message
    assert caught.value.remedy


def test_a_missing_file_and_a_folder_are_key_errors(tmp_path):
    with pytest.raises(KeyFileError, match=r"no\.xml: cannot be read \(No such file"):
        read_clustering(tmp_path / "no.xml")
    with pytest.raises(KeyFileError, match="a folder, not a file"):
        read_clustering(tmp_path)


@each_case(
    ("text", "rank"),
    [("0", 0), ("007", 7), (" 12 ", 12), ("", None), ("-1", None), ("1e3", None), ("x", None)],
)
def test_parse_rank(text, rank):
    assert parse_rank(text) == rank


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
    clustering = Clustering(groups_of((10, 2), (2,)), frozenset({1}), ('the "A" & B', ""))
    assert clustering_xml(clustering, "Ann Example") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<clustering name="Ann Example">\n'
        '  <entity id="0" name="the &quot;A&quot; &amp; B">\n'
        '    <doc rank="2"/>\n'
        '    <doc rank="10"/>\n'
        "  </entity>\n"
        '  <entity id="1">\n'
        '    <doc rank="2"/>\n'
        "  </entity>\n"
        "  <discarded>\n"
        '    <doc rank="1"/>\n'
        "  </discarded>\n"
        "</clustering>\n"
    )


def parse(tmp_path: Path, data: bytes) -> Element:
    path = tmp_path / "file.xml"
    path.write_bytes(data)
    return read_xml(path, "r", SourceError)


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
def test_small_faults_are_mended(tmp_path, data, text):
    (tmp_path / "secret.dtd").write_text('<!ENTITY x "secret">')
    document = parse(tmp_path, data.replace(b"FOLDER", bytes(tmp_path)))
    assert "".join(document.texts) == text


def test_labels_are_the_annotators_names_for_the_groups_that_hold_pages(key_file):
    text = (
        '<clustering searchString="X"><entity id="1" name="EMPTY"/>'
        '<entity id="9" name= " A &amp;  B"><doc rank="1" notes=""/></entity>'
        '<entity id="2"><doc rank="2"/></entity></clustering>'
    )
    assert read_clustering(key_file(text)).labels == ("A & B", "")


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>',
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>',
        b'<!DOCTYPE r [<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;]><r/>',
        '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "b">]><r/>'.encode("utf-16"),
    ],
)
def test_entity_declarations_are_refused(tmp_path, data):
    with pytest.raises(SourceError, match="it declares the entity"):
        parse(tmp_path, data)


@pytest.mark.parametrize(
    ("limit", "value", "data", "message"),
    [
        ("MAX_DEPTH", 64, b"<r>" + b"<a>" * 100_000, "too deeply nested"),
        ("MAX_ELEMENTS", 10, b"<r>" + b"<a/>" * 10 + b"</r>", "too many elements"),
        ("MAX_XML_BYTES", 1 << 20, b"<r>" + b" " * (1 << 20) + b"</r>", "is over 1 MB"),
    ],
)
def test_bounds(*, tmp_path, monkeypatch, limit, value, data, message):
    monkeypatch.setattr(corpora, limit, value)
    with pytest.raises(SourceError, match=message):
        parse(tmp_path, data)


@pytest.mark.parametrize("encoding", ["no-such", "idna", "utf-16"])
def test_impossible_encodings(tmp_path, encoding):
    with pytest.raises(SourceError, match=r"file\.xml, line 1: malformed XML"):
        parse(tmp_path, f'<?xml version="1.0" encoding="{encoding}"?><r/>'.encode())


def test_elements_know_their_line_and_their_descendants_in_order(tmp_path):
    document = parse(tmp_path, b"<r>\n<a n='1'><a n='2'/></a>\n<b><a n='3'/></b>\n</r>")
    lines = {a.get("n"): a.line for a in document.descendants("a")}
    assert list(lines.items()) == [("1", 2), ("2", 2), ("3", 3)]
    assert document.get("missing") == ""
