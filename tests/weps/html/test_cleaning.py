"""Both paths through the same cases: they share the rules, but not the code."""

from collections import Counter
from dataclasses import replace
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps._text import split_words
from weps.html import cleaning
from weps.records import Document, Page


def clean_reference(page):
    return cleaning.clean_page(page, cleaning.read_soup)


both = each_case("path", [cleaning.clean_page, clean_reference])
URL = "http://host.org/a/b.htm"
PROTECTED = "2a" + bytes(byte ^ 0x2A for byte in b"j@x.org?subject=a@b.org").hex()


def html(text: str, **known: str) -> Page:
    return Page(7, content=text.encode(), **{"url": URL, **known})


@both
@each_case(
    ("markup", "blocks"),
    [
        ("<p>one<p>two", ("one", "two")),
        ("one<br>two<br/>three", ("one", "two", "three")),
        ("<p>T<b>homas</b> <i>Baker</i></p>", ("Thomas Baker",)),
        ("<div>a<div>b</div>c</div>", ("a", "b", "c")),
        ("<table><tr><td>a<td>b<tr><th>c</table>d", ("a", "b", "c", "d")),
        ("<ul><li>a<li>b</ul>", ("a", "b")),
        (
            "<p><ruby>田中<rp>(<rt>たなか<rp>)</ruby><ruby>太郎<rt>たろう</rt></ruby>です",
            ("田中太郎です",),
        ),
        ("<dl><dt>a<dd>b</dl>", ("a", "b")),
        ("<h1>a</h1>b", ("a", "b")),
        ("<p>a  b\n\tc&nbsp;d", ("a b c d",)),
        ("<p>&eacute;&#233;&#xe9;&amp;amp; &lt;b&gt; &#150; &copy", ("ééé&amp; <b> – ©",)),
        ("<p>a<script>b</script>c<style>d</style>e", ("ace",)),
        ("<p>a<script>'<p>b</p>'</script>c", ("ac",)),
        ("<p>a<!-- b -->c", ("ac",)),
        ("<p>a<!-- b <p>c", ("a b", "c")),
        ("<p>a<!-- b -->c<!-- d <!-- e", ("ac d e",)),
        ("<!--><p>a", ("a",)),
        ("<p>a<template>b<p>c</template>d", ("ad",)),
        ("<p>a<div hidden>b<p>c</div>d", ("a", "d")),
        ("<p>a<div hidden=until-found>b</div><div hidden=''>c</div>d", ("a", "b", "d")),
        ("<p>a<div style='color: red; DISPLAY : none'>b<p>c</p></div>d", ("a", "d")),
        *(
            (f"<p>a<b style='{style}'>b</b>", ("ab",))
            for style in (
                "-webkit-backface-visibility: hidden; transform: none",
                "backface-visibility:hidden",
                "opacity:0",
                "overflow: hidden",
            )
        ),
        ("<body style='visibility: hidden' onload=show()><p>a<p hidden>b", ("a",)),
        ("<html class=async-hide style='opacity:0; display:none'><body hidden><p>a", ("a",)),
        ("<div style='visibility:hidden'><p>a</div><div hidden class=hidden>b", ("a", "b")),
        (f"<p>a<div id=app style='display:none'><p>{'b' * 20}</div>", ("a", "b" * 20)),
        (f"<p>a</p><noscript>{'b' * 20}</noscript>", ("a",)),
        (
            "<p>a<template>b</template><x-y><template shadowrootmode=open>c</template></x-y>",
            ("ac",),
        ),
        (
            "<x-y><template shadowmode=open><style>a</style><p>b</template><i>c</i></x-y>",
            ("b", "c"),
        ),
        ("<details><summary>a</summary><p>b</details>", ("a", "b")),
        (
            "<title>t</title><p>a<iframe srcdoc='<title>u</title><p>b &amp;amp;<br>c"
            "<iframe srcdoc=&quot;<p>d&quot;></iframe>'>e</iframe>f",
            ("a", "b &", "c", "d", "f"),
        ),
        ("<p>a<iframe hidden srcdoc='<p>b'></iframe>c", ("ac",)),
        ("<p>a<b style='visibility:hidden'>b</b>c", ("ac",)),
        ("<p>a<b style='display:inline'>b</b><b aria-hidden=true>c</b>", ("abc",)),
        ("a<div hidden>b<div hidden>c</div></div>d", ("a", "d")),
        ("a<span hidden>b</span>c", ("ac",)),
        ("<input type=hidden value=a><input value=b>", ()),
        ("<img src=x alt='Thomas Baker'><p>a", ("Thomas Baker", "a")),
        ("<p>a<img alt='*'>b<img alt=''>c<img>d", ("abcd",)),
        ("<map><area alt=Home href=x></map><input type=image alt=Go>", ("Home", "Go")),
        ("<div hidden><img alt=a></div>b", ("b",)),
        ("<select><option>a<option>b</select>", ("a", "b")),
        ("<textarea>a\nb</textarea><button>c</button>", ("a", "b", "c")),
        ("<pre>a\nb</pre>", ("a", "b")),
        ("<p>Baker<sup>1</sup>, Smith", ("Baker 1 , Smith",)),
        ("<A href=x>Home</A><a href=y>News</a>", ("Home News",)),
        ("<a>b</a><abbr>c</abbr>", ("bc",)),
        ("<p>a<noscript>b</noscript>c", ("ac",)),
        ("<noscript><p>turn it on</noscript>", ("turn it on",)),
        ("<p>a<NOSCRIPT><div>b<table></noScript ><p>c", ("a", "c")),
        ("a<!-- <noscript> -->b<script>'<noscript>'</script>c<noscript>d", ("abc",)),
        ("<NoScript x=y>a</noscript><hr>", ("a",)),
        ("<iframe src=x>no frames</iframe><p>a", ("a",)),
        ("<frameset><frame src=x><noframes><body><p>a</noframes></frameset>", ("a",)),
        ("<title>t</title><p>a", ("a",)),
        ("<p>a<svg><title>t</title><text>b</text></svg>", ("ab",)),
        ("<p>a</body></html><p>b", ("a", "b")),
        ("<b><p>a</b>b</p></i>c", ("ab", "c")),
        ("<?xml version='1.0' encoding='utf-8'?><html><p>a", ("a",)),
        ("<p>Ba&shy;ker&#8203;&#x7;", ("Baker",)),
        ("<p>a<p title='>'>b<p title=x\n>c", ("a", "b", "c")),
        ("<p>a<p", ("a",)),
        ("plain\n\ntext", ("plain", "text")),
        ("2 < 3 and <john@host.org>", ("2 < 3 and <john@host.org>",)),
        ("<p>b&#1;c&#X0002 &#&#4;4;&#04f&#x5g&#14;h&#x1f;&#x1;", ("bc &#4;fgh",)),
    ],
)
def test_visible_text(path, markup, blocks):
    assert path(html(markup)).blocks == blocks


@both
@each_case(
    ("markup", "links"),
    [
        ("<a href=c.htm>x</a><A HREF='/d'>y</A>", "http://host.org/a/c.htm http://host.org/d"),
        ("<a href='&#104;ttp://x.org/?a&amp;b'>", "http://x.org/?a&b"),
        ("<base href=http://x.org/><a href=c>", "http://x.org/c"),
        ("<map><area href=c></map>", "http://host.org/a/c"),
        ("<frameset><frame src=c><frame src=d>", "http://host.org/a/c http://host.org/a/d"),
        ("<p>a<div hidden><a href=c>x</a></div>", ""),
        ("<iframe srcdoc='<a href=c>x</a>' src=e></iframe>", "http://host.org/a/c"),
        ("<script>'<a href=c>'</script><!-- <a href=d> -->", ""),
        ("<a name=x><a href><a href=''><a href='#x'>", ""),
        ("<a href=mailto:j@x.org><link href=c><img src=d>", ""),
    ],
)
def test_links(path, markup, links):
    assert path(html(markup)).links == tuple(links.split())


@both
@each_case(
    ("markup", "emails"),
    [
        ("<a href='MAILTO:J%2ES@x.org?subject=a@b.org'>me</a>", "j.s@x.org"),
        ("<a href='mailto:a@x.org,b@x.org'>us</a>", "a@x.org b@x.org"),
        ("<br>b@x.org<a href=mailto:a@x.org>me</a> c@x.org", "b@x.org a@x.org c@x.org"),
        ("<p>j<b>s</b>&#64;x.org", "js@x.org"),
        ("<p>js\n at\nhost  dot org", "js@host.org"),
        ("<p>js<p>@x.org<!-- a@x.org --><script>b@x.org</script>", ""),
        ("plain js@x.org", "js@x.org"),
        ("<a href='mailto:a@x.org%05%04b%01c'>d</a>", "a@x.org"),
        (f"<a href='/cdn-cgi/l/email-protection#{PROTECTED}'>me</a>", "j@x.org"),
        (f"<i data-cfemail={PROTECTED}>[email&#160;protected]</i>, b@x.org", "j@x.org b@x.org"),
        (
            "<a href='/cdn-cgi/l/email-protection#2a'>c</a> <i data-cfemail=xyz>b@x.org</i>",
            "b@x.org",
        ),
    ],
)
def test_emails(path, markup, emails):
    assert path(html(markup)).emails == tuple(emails.split())


@both
def test_what_the_page_says_of_itself(path):
    page = html(
        "<!-- saved from url=(0022)http://saved.org/s.htm -->"
        "<title> Own &amp;\n title</title><title>second</title><a href=c>x</a>"
        "<meta name=Keywords content=no><META NAME=Description CONTENT=' Own  words '>"
        "<link rel='x Canonical' href='http://Host.org/own'>",
        url="",
    )
    document = path(page)
    assert (document.title, document.snippet) == ("Own & title", "Own words")
    assert document.url == "http://host.org/own"
    assert document.links == ("http://host.org/c",)


@both
@each_case(
    ("markup", "address"),
    [
        ("<!-- saved from url=(0022)http://x.org/a.htm -->", "http://x.org/a.htm"),
        ("<!-- saved from url=(0014)about:internet -->", ""),
        ("<p>saved from url=(0022)http://x.org/a.htm", ""),
        ("<p>" * 4_000 + "<!-- saved from url=(0022)http://x.org/a.htm -->", ""),
    ],
)
def test_the_address_that_a_browser_saved(path, markup, address):
    assert path(html(markup, url="")).url == address


@both
@each_case(
    ("markup", "address", "date"),
    [
        ("<meta property=article:published_time content=2006-05-12T10:00Z>", "", "2006-05-12"),
        ("<meta name=DC.Date content=200605>", "", "2006-05"),
        ("<meta name=date content=2006>", "", "2006"),
        ("<meta itemprop=datePublished content='2006/05/12'>", "", "2006-05-12"),
        ("<time datetime=2006-05-12 pubdate>May</time>", "", "2006-05-12"),
        ("<time datetime=2006-05-12>May</time>", "", ""),
        ("<meta name=last-modified content=2006-05-12>", "", ""),
        ("<meta name=date content='12 May 2006'>", "", ""),
        ("<meta name=date content=20061399999>", "", ""),
        ('<script>{"datePublished": "2006-05-12"}</script>', "", "2006-05-12"),
        ("", "http://a.example/2006/05/12/baker", "2006-05-12"),
        ("", "http://a.example/2006/05/baker", "2006-05"),
        ("", "http://a.example/2006/13/baker", ""),
        ("<meta name=date content=2007>", "http://a.example/2006/05/baker", "2007"),
    ],
)
def test_when_a_page_says_that_it_was_published(path, markup, address, date):
    assert path(html(f"<html>{markup}<p>x</p></html>", url=address)).dated == date


@both
def test_the_search_result_goes_first(path):
    markup = "<title>own</title><meta name=description content=own><p>x"
    document = path(html(markup, title="T ", snippet="S"))
    assert (document.rank, document.url, document.title, document.snippet) == (7, URL, "T", "S")


@both
def test_extracted_text(path):
    text = "one <p>\n\ntwo j@x.org"
    expected = Document(1, blocks=("one <p>", "two j@x.org"), emails=("j@x.org",))
    assert path(Page(1, text=text)) == expected


@both
@each_case(
    ("page", "note"),
    [
        (Page(1), "no page was saved"),
        (Page(1, problem="time out"), "time out"),
        (Page(1, content=b""), "the page is empty"),
        (Page(1, content=b" \n"), "the page is empty"),
        (Page(1, content=b"%PDF-1.4 <p>"), "not a web page but a PDF file"),
    ],
)
def test_why_a_document_is_empty(path, page, note):
    assert path(page) == Document(1, note=note)


HOSTILE = {
    "nested div": b"<div>" * 100_000 + b"word",
    "nested b": b"<b>" * 100_000 + b"word",
    "nested b closed by others": b"<b>" * 100_000 + b"</p>" * 100_000 + b"word",
    "font and p": b"".join(b"<p><font size=%d>" % i for i in range(5_000)) + b"word",
    "nested tables": b"<table><tr><td>" * 30_000 + b"word",
    "attributes": b"<p " + b" ".join(b"a%d=1" % i for i in range(100_000)) + b">word",
    "opening brackets": b"<" * 1_000_000 + b" word",
    "half tags": b"<p" * 500_000 + b" word",
    "comments that never close": b"word<p>" + b"<!-- " * 200_000,
    "quotes that never close": b"word" + b"<a href='" * 200_000,
    "scripts that never close": b"word<p>" + b"<script>" * 200_000,
    "end tags": b"</p>" * 400_000 + b"word",
    "at signs": b"<p>word " + b"a@" * 900_000,
    "disguised addresses": b"<p>word " + b"a (at) b dot " * 100_000,
    "frameset": b"<frameset><noframes>" * 50_000 + b"word",
    "20 MB": b"<p>word " * 2_500_000,
    "half ends in noscript": b"word<noscript>" + b"<noscript></noscrip" * 100_000,
    "references to marks": b"<p>word " + b"&#4;" * 400_000,
    "marks in attributes": b"<p>word " + b"<a href='mailto:%04%04%04%04'>" * 15_000,
    "marks in text": b"word " * 300 + b"\4\2" * 900_000,
    "a nested tag that never ends": b"<div>" * 30_000 + b"word<" + b"a" * 1_800_000,
    "bulk that never ends": b"word " * 400_001 + b"data:" * 1_000_000 + bytes(20_000_000),
    "entities": b"<p>word " + b"&eacute" * 200_000,
    "encoded twice": "<p>word ÃƒÃƒÃƒÃƒÃƒÂ©".encode() * 20_000,
    "frames": b"<p>word " + b"<iframe srcdoc=a></iframe>" * 20_000,
    "what hides": b"<p>" + b"hidden " * 200_000 + b"<p>word",
}


@each_case("name", HOSTILE)
def test_hostile_pages_keep_their_text(name):
    document = cleaning.clean_page(Page(1, content=HOSTILE[name]))
    assert any("word" in block for block in document.blocks)


DEEP = "<title>t</title>" + "<div>" * 1_000 + "a<script>b</script><a href=x.htm></a></div>c"


def test_a_page_nested_too_deeply_is_read_by_beautifulsoup_and_says_so():
    document = cleaning.clean_page(html(DEEP))
    assert (document.title, document.blocks) == ("t", ("a", "c"))
    assert document.links == ("http://host.org/a/x.htm",)
    assert document.note.endswith("nested too deeply for the fast reader: read by BeautifulSoup")
    assert replace(document, note="") == clean_reference(html(DEEP))


def test_a_tree_is_made_only_of_short_pages_that_the_fast_reader_cannot_read(monkeypatch):
    made = []
    monkeypatch.setattr(
        "weps.html.cleaning.read_soup", lambda markup: made.append(markup) or cleaning.Outline("x")
    )
    assert cleaning.clean_page(html(DEEP)).blocks == ("x",)
    for markup in ("<p>a", DEEP + " " * cleaning.MAX_TREE, "<p>a" + "<br>" * 400_000):
        assert cleaning.clean_page(html(markup)).blocks[0] == "a"
    assert made == [DEEP]


def test_a_page_that_was_encoded_twice_is_repaired_and_says_so():
    page = html("<title>IvÃ¡n</title><p>IvÃ¡n PÃ©rez&acirc;€™s")
    document = cleaning.clean_page(page)
    assert (document.title, document.blocks) == ("Iván", ("Iván Pérez’s",))
    assert document.note == "text that was encoded in UTF-8 twice was repaired"
    assert cleaning.clean_page(html("<p>Iván<script>'IvÃ¡n'</script>")).note == ""


def test_frames_are_read_within_bounds():
    page = ""
    for _ in range(8):
        page = f'<p>x</p><iframe srcdoc="{escape(page)}">'
    assert cleaning.clean_page(html(page)).blocks == ("x",) * 3
    deep = cleaning.clean_page(html(f"<p>a<iframe srcdoc='{DEEP}'>"))
    assert (deep.blocks, deep.note) == (("a",), "a frame is nested too deeply: not read")


def test_pages_that_lose_something_say_so():
    flat = cleaning.clean_page(html(DEEP + " " * cleaning.MAX_TREE))
    assert (flat.title, flat.blocks, flat.links) == ("t", ("a", "c"), ())
    assert flat.note == "nested too deeply: read without its structure and links"
    cut = cleaning.clean_page(html("<p>a" + "<br>" * 400_000 + "<p>z"))
    assert cut.blocks == ("a",)
    assert "too many tags" in cut.note


@each_case("size", [32_760, 32_766, 32_767, 32_768, 65_536])
def test_nothing_is_lost_between_chunks(size):
    filler = "x" * size
    document = cleaning.clean_page(html(f"<p>{filler}<p title='ä'>é&eacute;é</p><p>end"))
    assert document.blocks == (filler, "ééé", "end")


TAGS = st.sampled_from(
    "a b p i br hr div span table tr td li ul ol dl dt h1 pre script style title noscript frameset "
    "noframes select option textarea iframe svg math template sup img form input body html head "
    "plaintext xmp !-- ? ![CDATA[ !doctype".split()
)
PIECES = st.one_of(
    TAGS.map("<{}>".format),
    TAGS.map("</{}>".format),
    st.builds(
        "<{} {}={!r}>".format, TAGS, st.sampled_from("style href hidden alt a".split()), st.text()
    ),
    st.sampled_from(["-->", "<", ">", "&", "&#0;", "&#x1;", "&nbsp;", "\0", "'", '"', "]]>"]),
    st.text(max_size=10),
)


@both
@given(st.lists(PIECES, max_size=40).map("".join))
def test_never_raises_on_tag_soup(path, markup):
    document = path(Page(1, content=markup.encode("utf-8", "replace")))
    assert all(block == " ".join(block.split()) != "" for block in document.blocks)


@both
@given(st.binary(max_size=500), st.booleans())
def test_never_raises_on_bytes(path, content, tagged):
    assert path(Page(3, content=b"<p>" + content if tagged else content)).rank == 3


WORDS = st.text("abcé ", min_size=1, max_size=8)
INLINE = st.sampled_from("b i em span a font".split())
BLOCK = st.sampled_from("div blockquote li td center h2 section".split())
ELEMENTS = st.recursive(
    WORDS,
    lambda inner: (
        st.builds("<{0}>{1}</{0}>".format, INLINE | BLOCK, inner)
        | st.builds("{}{}".format, inner, inner)
        | st.builds("<div hidden>{}</div>".format, inner)
        | st.builds("<!-- {} -->".format, WORDS)
        | st.builds("<img alt={!r}>".format, WORDS)
    ),
)


@given(ELEMENTS)
def test_the_paths_agree_on_well_formed_pages(markup):
    page = html(f"<html><head><title>t</title></head><body>{markup}</body></html>")
    assert cleaning.clean_page(page) == clean_reference(page)


@pytest.mark.slow
def test_the_paths_agree_on_real_pages(weps_data):
    corpus = weps_data / "corpora" / "weps-1" / "training" / "web_pages"
    files = sorted(corpus.glob("*/raw/*/index.html"))[::25]
    pages = [Page(1, url=URL, content=file.read_bytes()) for file in files]
    equal = sum(_bag(cleaning.clean_page(page)) == _bag(clean_reference(page)) for page in pages)
    assert len(pages) > 90
    assert equal >= 0.99 * len(pages)


def _bag(document: Document) -> Counter[str]:
    return Counter(split_words("\n".join(document.blocks)))


def test_markup():
    for text in ("x <p>y", "x</P >", "<BR/>", "<!-- c -->", "<!DOCTYPE html>", "<h2\n id=x>"):
        assert cleaning.is_markup(text), text
    for text in ("", "text", "a < b > c", "<john@host.org> or <john smith>", "<" * 10_000):
        assert not cleaning.is_markup(text), text


WRAPPED = "We were glad to hear in the office on that Monday that Thomas\nBaker had come back."
RECORDS = "Baker, Thomas     born 1871     Halifax, Virginia, the county\nBaker, Zoe  1902"


FOLDED = {
    "": "",
    " a \n\t b\xa0c ": "a b c",
    "Ba\xadker": "Baker",
    "a\x07b\x7f \x07 c": "ab c",
    "it\x92s \x93so\x94": "it’s “so”",
    "\ufeff\u200bzero\u2060": "zero",
    "\u202eevil\u202c": "evil",
    "lone \ud800": "lone \ufffd",
    "می\u200cخواهم": "می\u200cخواهم",
}


@each_case("text", FOLDED)
def test_fold(text):
    assert cleaning.fold_text(text) == FOLDED[text]


@each_case(
    ("text", "blocks"),
    [
        ("", ()),
        ("one\ntwo", ("one", "two")),
        ("one\r\n\r\ntwo", ("one", "two")),
        ("a\1b\4c\5 \2&#4;\3d", ("abc &#4;d",)),
        (WRAPPED, (WRAPPED.replace("\n", " "),)),
        (f"{WRAPPED}\n\nNext", (WRAPPED.replace("\n", " "), "Next")),
        (
            RECORDS,
            ("Baker, Thomas born 1871 Halifax, Virginia, the county", "Baker, Zoe 1902"),
        ),
    ],
)
def test_plain_text(text, blocks):
    assert cleaning.clean_page(Page(1, text=text)).blocks == blocks


@given(
    st.text()
    | st.text(
        "a \n\x85\xad"
        + cleaning.BREAK
        + (cleaning.PRE_OPEN + cleaning.PRE_CLOSE + cleaning.MAIL_OPEN + cleaning.MAIL_CLOSE)
    )
)
def test_blocks_are_folded_whatever_the_text(text):
    plain = cleaning.clean_page(Page(1, text=text)).blocks
    for block in (*cleaning.blocks_of(cleaning.fold_marked(text)), *plain):
        assert block == cleaning.fold_text(block) != ""
    if text.isascii() and text.isprintable():
        assert " ".join(plain).split() == text.split()
