from pathlib import Path

import pytest

from weps.errors import SourceError
from weps.sources import xmlfile
from weps.sources.xmlfile import Element, read_xml


def parse(tmp_path: Path, data: bytes) -> Element:
    path = tmp_path / "file.xml"
    path.write_bytes(data)
    return read_xml(path, "r", SourceError)


@pytest.mark.parametrize(
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
    ],
)
def test_small_faults_are_mended(tmp_path, data, text):
    assert parse(tmp_path, data).text == text


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>',
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>',
        b'<!DOCTYPE r [<!ENTITY % x SYSTEM "http://localhost/x.dtd"> %x;]><r/>',
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE r [<!ENTITY a "b">]><r/>'.encode(
            "utf-16"
        ),
    ],
    ids=["bomb", "file", "parameter", "utf-16"],
)
def test_entity_declarations_are_refused(tmp_path, data):
    with pytest.raises(SourceError, match="it declares the entity"):
        parse(tmp_path, data)


def test_an_external_document_type_is_never_fetched(tmp_path):
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY x "secret">')
    document = parse(tmp_path, f'<!DOCTYPE r SYSTEM "{secret}"><r>&x;</r>'.encode())
    assert document.text == "&x;"


@pytest.mark.parametrize(
    ("limit", "value", "data", "message"),
    [
        ("MAX_DEPTH", 64, b"<r>" + b"<a>" * 100_000, "too deeply nested"),
        ("MAX_ELEMENTS", 10, b"<r>" + b"<a/>" * 10 + b"</r>", "too many elements"),
        ("MAX_BYTES", 1 << 20, b"<r>" + b" " * (1 << 20) + b"</r>", "is over 1 MB"),
    ],
)
def test_bounds(*, tmp_path, monkeypatch, limit, value, data, message):
    monkeypatch.setattr(xmlfile, limit, value)
    with pytest.raises(SourceError, match=message):
        parse(tmp_path, data)


@pytest.mark.parametrize("encoding", ["no-such", "idna", "utf-16"])
def test_impossible_encodings(tmp_path, encoding):
    with pytest.raises(SourceError, match=r"file\.xml, line 1: malformed XML"):
        parse(tmp_path, f'<?xml version="1.0" encoding="{encoding}"?><r/>'.encode())


def test_elements_know_their_line_and_their_descendants_in_order(tmp_path):
    document = parse(tmp_path, b"<r>\n<a n='1'><a n='2'/></a>\n<b><a n='3'/></b>\n</r>")
    assert [(a.get("n"), a.line) for a in document.all("a")] == [("1", 2), ("2", 2), ("3", 3)]
    assert document.get("missing") == ""


def test_mending_keeps_line_numbers(tmp_path):
    with pytest.raises(SourceError, match=r"line 4: malformed XML \(mismatched tag\)"):
        parse(tmp_path, b"<r>\n\x00&bad;\n\xff&#0;\n</s>")
