"""Files of every form become pages, whatever their names are."""

import io
import json
import plistlib
import zipfile
from pathlib import Path

import pytest
from pypdf import PdfWriter

from tests.cases import each_case
from tests.weps.sources.formats.made_files import (
    PAGE,
    mhtml,
    opendocument,
    part,
    pdf,
    rich_text,
    sheet,
    single_file,
    word,
    zipped,
)
from weps._isolation import OVER_LIMIT
from weps.errors import SourceError
from weps.html.cleaning import clean_page
from weps.records import Page, UnreadInput
from weps.sources import formats
from weps.sources.formats import FORMATS, Format, page_title, register_format
from weps.sources.opening import open_source

DOCUMENTS = Path(formats.__file__).parents[3] / "docs"
QUOTED = PAGE.replace("=", "=3D").replace("é", "=C3=A9")
ARCHIVE = mhtml(part("image/png", "AAAA", "base64"), part("text/html", QUOTED, "quoted-printable"))
WEB_ARCHIVE = {
    "WebMainResource": {
        "WebResourceURL": "https://ann.example/",
        "WebResourceData": PAGE.encode("latin-1"),
        "WebResourceTextEncodingName": "iso-8859-1",
    }
}


def read(root):
    """The documents of a folder, and what was not read."""
    search = open_source(root).search("source")
    return [(page, clean_page(page)) for page in search.pages], search.unread


@pytest.mark.parametrize(
    ("file", "content", "url", "fetched"),
    [
        ("a.html", single_file(), "https://ann.example/me?a=1", "2025-11-03T10:00:00+01:00"),
        ("no suffix", single_file(), "https://ann.example/me?a=1", "2025-11-03T10:00:00+01:00"),
        ("a.php", PAGE, "", ""),
        ("a.mhtml", ARCHIVE, "https://ann.example/", "2025-11-03T09:00:00+00:00"),
        ("a.mhtml", b"\r\n\r\n" + ARCHIVE, "https://ann.example/", "2025-11-03T09:00:00+00:00"),
        ("a.html", ARCHIVE, "https://ann.example/", "2025-11-03T09:00:00+00:00"),
        ("a.mhtml", ARCHIVE.replace(b"https:", b"file:"), "", "2025-11-03T09:00:00+00:00"),
        ("a.mhtml", ARCHIVE.replace(b"Nov 2025", b"\xff"), "https://ann.example/", ""),
        ("a.pdf", pdf("Ann Lee, cafe", title="Ann & Co"), "", ""),
        ("a.txt", pdf("Ann Lee, cafe", title="Ann & Co"), "", ""),
        ("a.odt", opendocument("Ann Lee, café", title="Ann &amp; Co"), "", ""),
        ("a", opendocument("Ann Lee, café", title="Ann &amp; Co"), "", ""),
        ("a.webarchive", plistlib.dumps(WEB_ARCHIVE), "https://ann.example/", ""),
        ("a.x", plistlib.dumps(WEB_ARCHIVE, fmt=plistlib.FMT_BINARY), "https://ann.example/", ""),
    ],
)
def test_a_file_is_recognised_by_its_content(plant, file, content, url, fetched):
    root = plant({file: content})
    ([(page, document)], unread) = read(root)
    assert (page.rank, page.url, page.fetched) == (1, url, fetched)
    assert document.title == "Ann & Co"
    assert document.blocks[0].replace("é", "e") == "Ann Lee, cafe"
    assert page.file == str(root / file)
    assert unread == ()


@pytest.mark.parametrize(
    ("charset", "encoding", "body"),
    [
        ("windows-1251", "quoted-printable", "=C0=ED=ED=E0 =CB=E8 =E8 =E5=B8 =EA=ED=E8=E3=E8"),
        ("utf-8", "base64", "0JDQvdC90LAg0JvQuCDQuCDQtdGRINC60L3QuNCz0Lg="),
    ],
)
def test_parts_of_mhtml_say_their_charset_and_encoding(plant, charset, encoding, body):
    made = part(f"text/html; charset={charset}", body, encoding)
    ([(_, document)], _) = read(plant({"1.mht": mhtml(made)}))
    assert document.blocks == ("Анна Ли и её книги",)


def test_the_page_of_mhtml_is_the_part_that_was_saved(plant):
    frame = part("text/html", "<p>an advertisement", location="https://ad.example/")
    main = part("text/html", PAGE, location="https://ann.example/")
    ([(_, document)], unread) = read(plant({"1.mhtml": mhtml(frame, main)}))
    assert document.title == "Ann & Co"
    assert unread == (UnreadInput("1.mhtml", "1 part: frames of pages"),)


FRAME = '<{} src="{}">'


@each_case(
    ("tag", "source", "label"),
    [
        ("iframe", "cid:f1@mhtml.blink", "Content-ID: <f1@mhtml.blink>"),
        ("frame", "cid:f1@mhtml.blink", "Content-ID: <f1@mhtml.blink>"),
        ("iframe id=a", "inner.html?a=1&amp;b=2", "Content-Location: {}inner.html?a=1&b=2"),
        ("IFRAME", "https://other.example/", "Content-Location: https://other.example/"),
    ],
)
def test_frames_that_a_page_shows_are_read_in_their_places(plant, tag, source, label):
    """Each once, even if they show each other."""
    url = "https://ann.example/"
    shown = f"<p>before</p>{FRAME.format(tag, source)}<p>after</p>"
    inner = f"<p>Анна within</p>{FRAME.format(tag, source)}".encode("koi8-r")
    frame = f"Content-Type: text/html; charset=koi8-r\r\n{label.format(url)}\r\n\r\n".encode()
    made = mhtml(part("text/html", shown, location=url), frame + inner)
    ([(_, document)], unread) = read(plant({"1.mhtml": made}))
    assert (document.blocks, unread) == (("before", "Анна within", "after"), ())


def test_frames_of_a_web_archive_are_read_in_their_places(plant):
    main = {"WebResourceURL": "https://ann.example/", "WebResourceData": b"<iframe src='/in'>"}
    inner = {"WebResourceURL": "https://ann.example/in", "WebResourceData": PAGE.encode()}
    frames = [{"WebMainResource": inner}, {"WebMainResource": inner | {"WebResourceURL": "x"}}]
    made = plistlib.dumps({"WebMainResource": main, "WebSubframeArchives": frames})
    ([(_, document)], unread) = read(plant({"1.webarchive": made}))
    assert document.blocks == ("Ann Lee, café",)
    assert unread == (UnreadInput("1.webarchive", "1 record: frames of pages"),)


MAIL = (
    "Received: by mail.example\nFrom: =?utf-8?q?Ren=C3=A9?= <r@a.example>\nTo: Ann Lee\n"
    "Subject: =?koi8-r?b?4c7OwSDsyQ==?=\nDate: Mon, 03 Nov 2025 09:00:00 +0000\n"
)
PLAIN = "Content-Type: text/plain\n\n1 < 2\n"
RICH = "Content-Type: text/html; charset=utf-8\n\n<p>rich café\n"
ATTACHED = "Content-Type: text/html\nContent-Disposition: attachment; filename=a.html\n\n<p>no\n"


@each_case(
    ("kind", "parts", "shown", "skipped"),
    [
        ("", ["\n1 < 2"], "1 < 2", 0),
        ("", [RICH], "rich café", 0),
        ("multipart/alternative", [PLAIN, RICH], "rich café", 0),
        ("multipart/mixed", [PLAIN, ATTACHED], "1 < 2", 1),
        ("multipart/mixed", [ATTACHED, RICH], "rich café", 1),
    ],
)
def test_an_email_is_its_text_with_its_heading(plant, kind, parts, shown, skipped):
    made = MAIL + "".join(parts)
    if kind:
        bodies = "".join(f"--b\n{each}" for each in parts)
        made = f'{MAIL}Content-Type: {kind}; boundary="b"\n\n{bodies}--b--\n'
    ([(page, document)], unread) = read(plant({"a.eml": made}))
    assert document.title == "Анна Ли"
    assert document.blocks[:2] == ("Анна Ли", "René")
    assert document.blocks[2:] == ("Ann Lee", shown)
    assert document.emails == ()  # of the mailbox, not of the person
    assert page.fetched == "2025-11-03T09:00:00+00:00"
    assert len(unread) == skipped


def test_a_draft_is_an_email(plant):
    ([(_, document)], _) = read(plant({"a.eml": "From: Ann Lee\nSubject: Sails\n\nsewn\n"}))
    assert document.blocks == ("Sails", "Ann Lee", "sewn")


SLIDE = '<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>Ann &lt;Lee&gt;</a:t></a:r></a:p><a:p>\
<a:r><a:t>ca</a:t></a:r><a:r><a:t>fé</a:t></a:r></a:p></p:sld>'
CHAPTER = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>1</title></head><body><h1>Ann \
&lt;Lee&gt;</h1><p>ca<i>fé</i></p></body></html>'


@each_case(
    ("file", "content"),
    [
        ("a.docx", word("Ann &lt;Lee&gt;", "café")),
        ("no suffix", word("Ann &lt;Lee&gt;", "café")),
        ("a.odt", opendocument("Ann &lt;Lee&gt;", "café")),
        ("a.xlsx", sheet("Ann &lt;Lee&gt;", "café")),
        ("a.pptx", zipped({"ppt/slides/slide1.xml": SLIDE})),
        ("a.epub", zipped({"OPS/1.xhtml": CHAPTER, "OPS/style.css": "p {}"})),
        ("a.rtf", rb"{\rtf1\ansi\ansicpg1252 {\fonttbl{\f0 Arial;}}Ann <Lee>\par caf\'e9\par}"),
    ],
)
def test_documents_are_read_by_their_paragraphs(plant, file, content):
    root = plant({file: content, "b.zip": zipped({file: content})})
    found, unread = read(root)
    assert [document.blocks for _, document in found] == [("Ann <Lee>", "café")] * 2
    assert unread == ()
    (root / file).unlink()


def test_what_a_reader_does_not_see_of_a_document_is_no_text(plant):
    hidden = "<w:p xmlns:w='w'><w:r><w:instrText>HYPERLINK</w:instrText><w:delText>old</w:delText>"
    seen = "<w:t>Ann</w:t><w:br/><w:t>Lee</w:t></w:r></w:p>"
    links = '<Relationships><Relationship Target="https://ann.example/" Id="a"/></Relationships>'
    parts = {
        "word/document2.xml": f"<w:document xmlns:w='w'>{hidden}{seen}</w:document>",
        "word/header1.xml": "<w:hdr xmlns:w='w'><w:p><w:t>Head</w:t></w:p></w:hdr>",
        "word/_rels/document2.xml.rels": links,
        "docProps/core.xml": "<coreProperties><title>A &amp; B</title></coreProperties>",
    }
    ([(page, document)], _) = read(plant({"a.docx": zipped(parts)}))
    assert (page.title, document.blocks) == ("A & B", ("Head", "Ann", "Lee"))
    assert document.links == ("https://ann.example/",)


@each_case(
    ("make", "number", "limit", "most"),
    [
        (word, 9_000, "MAX_TEXT", 9_000),
        (opendocument, 9_000, "MAX_INFLATED", 90_000),
        (sheet, 9_000, "MAX_TEXT", 9_000),
        (pdf, 40, "MAX_TOKENS", 2_000),
        (rich_text, 900, "MAX_RICH_TEXT", 3_000),
    ],
)
def test_of_documents_that_are_too_large_the_beginning_is_read(
    monkeypatch, make, number, limit, most
):
    file = make(*["Ann Lee"] * number)
    whole = json.loads(formats.pages.read_text(file))
    assert (whole["body"].count("Ann Lee"), whole["note"]) == (number, "")
    with monkeypatch.context() as patched:
        patched.setattr(formats.pages, limit, most)
        found = json.loads(formats.pages.read_text(file))
    assert 0 < found["body"].count("Ann Lee") < number
    assert found["note"].startswith("only the ")


def test_an_encrypted_document_says_so():
    parts = {"META-INF/manifest.xml": "<m><encryption-data/></m>", "content.xml": b"\0"}
    assert formats.pages.read_text(zipped(parts)) == b'{"problem": " that is encrypted"}'


def test_a_document_may_be_a_source(plant):
    source = open_source(plant({"Ann_Lee.docx": word("a")}) / "Ann_Lee.docx")
    assert source.names == ("Ann_Lee",)
    assert len(source.search("Ann_Lee").pages) == 1


def test_an_archive_of_documents_is_no_document(plant):
    files = {"1.docx": word("one"), "word/document.xml": "<x/>", "2.docx": word("two")}
    found, _ = read(plant({"a.zip": zipped(files, zipfile.ZIP_STORED)}))
    assert [document.blocks for _, document in found] == [("one",), ("two",)]


def test_a_pdf_file_that_is_encrypted_for_permissions_alone_is_read(plant):
    root = plant({"0.html": "<p>x"})
    for name, password in {"1.pdf": "", "2.pdf": "secret"}.items():
        writer = PdfWriter(io.BytesIO(pdf("Ann Lee")))
        writer.encrypt(password, "owner", algorithm="AES-256")
        writer.write(root / name)
    found, unread = read(root)
    assert [document.blocks for _, document in found] == [("x",), ("Ann Lee",)]
    assert unread == (UnreadInput("2.pdf", "a PDF file that is encrypted"),)


def nested(depth):
    data = part("text/html", PAGE)
    for level in range(depth):
        head = f'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b{level}b"\n\n'
        data = f"{head}--b{level}b\n".encode() + data + f"\n--b{level}b--\n".encode()
    return data


@pytest.mark.parametrize(
    ("content", "pages", "reason"),
    [
        (nested(2), 1, ""),
        (nested(2_000), 0, "an MHTML file or e-mail without a page"),
        (ARCHIVE.replace(b"text/html", b"text/css"), 0, "an MHTML file or e-mail without a page"),
        (ARCHIVE[:-30], 1, "is truncated: a part of the page may be missing"),
        (
            mhtml(*[part("text/html", PAGE)] * 6_000),
            1,
            "has more than 5,000 parts, of which the rest was not read",
        ),
    ],
)
def test_hostile_mhtml(plant, content, pages, reason):
    found, unread = read(plant({"1.mhtml": content, "0.html": "x"}))
    assert len(found) == 1 + pages
    assert [each.reason for each in unread[:1]] == [reason] * bool(reason)


def test_pdf_files_are_read_by_one_process(plant, monkeypatch):
    """A file that ends it, here by taking too much memory, does not take others with it."""
    monkeypatch.setattr(formats.pages, "_WORK", "tests.weps.made_work:read_pdf_or_end")
    files = {"1.pdf": pdf("one", "two"), "2.pdf": pdf("END"), "3.pdf": pdf("three")}
    found, unread = read(plant(files))
    assert {page.rank: document.blocks for page, document in found} == {
        1: ("one", "two"),
        3: ("three",),
    }
    assert unread == (UnreadInput("2.pdf", f"a PDF file that {OVER_LIMIT}"),)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (pdf(""), "a PDF file without text, such as a scan"),
        (b"%PDF-1.4 garbage", "a PDF file that is damaged"),
    ],
)
def test_pdf_files_without_text(plant, content, reason):
    found, unread = read(plant({"1.pdf": content, "1.html": "x"}))
    assert len(found) == 1
    assert unread == (UnreadInput("1.pdf", reason),)


def test_the_first_sheets_of_a_pdf_file_are_read(plant):
    ([(page, document)], _) = read(plant({"1.pdf": pdf(*["ab"] * 60)}))
    assert len(document.blocks) == formats.pages.MAX_SHEETS
    assert page.problem == "only the first 50 of 60 sheets were read"


def test_a_format_that_is_registered_is_read(plant, monkeypatch):
    def read(entry, found):
        found.pages += [Page(0, text=line) for line in entry.read(99).decode().split("|")[1:]]

    monkeypatch.setattr(formats, "FORMATS", [*formats.FORMATS])
    root = plant({"a.notes": "notes|one|two", "b.notes": "notes|"})
    with pytest.raises(SourceError, match="neither saved pages"):
        open_source(root)
    register_format(Format("notes", lambda head, _: head.startswith(b"notes"), read))
    search = open_source(root).search("source")
    assert [(page.rank, page.text) for page in search.pages] == [(1, "one"), (2, "two"), (3, "")]


def test_the_formats_are_those_of_the_documents():
    table = (DOCUMENTS / "formats.md").read_text("utf-8")
    titles = [each.title for each in FORMATS if not each.is_own]
    assert [title for title in titles if f"\n| {title}" not in table] == []


@each_case(
    ("markup", "title"),
    [
        ("<title>\n a &amp; b </title><title>c</title>", "a & b"),
        ("<!-- <title>a</title> --><title>b</title>", "b"),
        ("<!--><title>a</title><!-- > --!><title>b</title>", "a"),
        ("<!-- <title>a</title> --!><title>b</title>", "b"),
        ("<script>'<title>a</title>'</script><title>b</title>", "b"),
        ("<title></title><title>b</title>", "b"),
        ("<!-- <title>a</title>", ""),
        ("<p>a", ""),
    ],
)
def test_the_title_of_a_page_is_none_of_a_comment_or_script(markup, title):
    assert page_title(markup.encode()) == title
