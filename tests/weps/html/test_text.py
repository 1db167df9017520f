import codecs
import gzip
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.html.text import (
    MAX_BYTES,
    decode_page,
    find_emails,
    outgoing_links,
    repair_encoding,
    unpack_body,
    web_address,
)

RUSSIAN = "Профессор Иванов преподаёт историю в университете и пишет книги о старых городах."
GREEK = "Ο καθηγητής διδάσκει ιστορία στο πανεπιστήμιο και γράφει βιβλία για παλιές πόλεις."
JAPANESE = "田中教授は大学で歴史を教えながら、古い町についての本を書いています。"
CHINESE = "王教授在大学教历史，他也写了一些关于古老城市的书，我们都喜欢看。"
TAIWANESE = "王教授在大學教歷史，他也寫了一些關於古老城市的書，我們都喜歡看。"
KOREAN = "김 교수는 대학에서 역사를 가르치고 오래된 도시에 대한 책을 쓰고 있다."
HEBREW = "הפרופסור מלמד היסטוריה באוניברסיטה וכותב ספרים על ערים עתיקות."
ARABIC = "يدرس الأستاذ التاريخ في الجامعة ويكتب كتبا عن المدن القديمة."
THAI = "อาจารย์สอนประวัติศาสตร์ที่มหาวิทยาลัยและเขียนหนังสือเกี่ยวกับเมืองเก่า"
IRISH = (
    "Séamus Ó Briain",
    "Áine Ó Gorman",
    "Liam Ó Flaithearta",
    "Pádraig Ó Conaire",
    "Áine Ní Bhriain",
)
POLISH = "Zegarmistrz urodził się w Łodzi; jego żona jest tłumaczką i często śpiewa w chórze."
TURKISH = "Öğretmen küçük bir köyde doğdu ve İstanbul’da tarih okudu; eşi de şarkı söylüyor."
FRENCH = "Le professeur a enseigné à l’université où il écrivit « Les cités oubliées »."


def declaring(charset: str) -> bytes:
    return f'<meta http-equiv=Content-Type content="text/html; charset={charset}"><p>'.encode()


@each_case(
    ("data", "text"),
    [
        (b"", ""),
        (b"plain", "plain"),
        (b"a long\0 word\0", "a long word"),
        (b"a\0\0\0b\0\0", "ab"),
        (b"caf\xc3\xa9", "café"),
        (b"caf\xe9", "café"),
        ("naïve café".encode()[:-1], "naïve caf"),
        (b"\x93so\x94 \x80 5", "“so” € 5"),
        (b"\x81 caf\xe9 \x8d", "\ufffd café \ufffd"),
        (codecs.BOM_UTF8 + "é".encode(), "é"),
        (codecs.BOM_UTF8 + b"\xe9", "\ufffd"),
        (codecs.BOM_UTF16_LE + "né".encode("utf-16-le"), "né"),
        (codecs.BOM_UTF16_BE + "né".encode("utf-16-be"), "né"),
        (codecs.BOM_UTF32_LE + "né".encode("utf-32-le"), "né"),
        *(
            (text.encode(codec), text)
            for text in (
                "<p>né le 3 mai",
                *map("<html><p>{}</p>".format, (RUSSIAN, GREEK, CHINESE, JAPANESE, KOREAN, ARABIC)),
                f"{RUSSIAN}\r\n{GREEK}\r\n",
            )
            for codec in ("utf-16-le", "utf-16-be")
        ),
        ("日本".encode("iso2022_jp"), "日本"),
    ],
)
def test_bytes_that_speak_for_themselves(data, text):
    assert decode_page(data) == text


@each_case(
    ("label", "codec", "text"),
    [
        ("gb2312", "gbk", CHINESE),
        ("big5", "big5", TAIWANESE),
        ("x-sjis", "cp932", JAPANESE),
        ("Shift_JIS", "cp932", JAPANESE + "①"),
        ("euc-jp", "euc_jp", JAPANESE),
        ("ks_c_5601-1987", "cp949", KOREAN),
        ("windows-1251", "cp1251", "Да"),
        ("koi8-r", "koi8-r", "Да"),
        ("iso-8859-9", "cp1254", "ışık “ağ”"),
        ("tis-620", "cp874", "ไทย"),
        ("macintosh", "mac-roman", "né à Orléans"),
        ("iso-8859-1", "cp1252", "“naïve”"),
        ("us-ascii", "cp1252", "“naïve”"),
    ],
)
def test_declared_charsets_are_read_as_their_supersets(label, codec, text):
    assert text in decode_page(declaring(label) + text.encode(codec))


@each_case(
    ("label", "codec", "text"),
    [
        *(
            (label, "cp1252", FRENCH)
            for label in "utf-8 shift_jis rot13 unicode_escape nonsense utf-16".split()
        ),
        ("iso-8859-1", "cp932", JAPANESE),
        ("iso-8859-1", "utf-8", JAPANESE),
        ("windows-1252", "koi8-r", RUSSIAN),
    ],
)
def test_wrong_declarations_are_not_believed(label, codec, text):
    assert text in decode_page(declaring(label) + text.encode(codec))


@each_case(
    ("data", "header", "found"),
    [
        (declaring("koi8-r") + "Да".encode("cp1251"), "windows-1251", "Да"),  # precedes the page
        (declaring("gb2312") + (CHINESE * 9).encode("gbk") + b"\xff<p>", "", CHINESE),
        ((JAPANESE * 3).encode() + b"<p>caf\xe9</p>", "", f"{JAPANESE}<p>caf\ufffd"),
        (
            "D’Avolio, Dvořák".encode() + b" caf\xe9 \xa0 \x92",
            "utf-8",
            "D’Avolio, Dvořák caf\ufffd",
        ),
        (declaring("utf-8") + "<p>’ ".encode() + b"\xa9", "", "<p>’ \ufffd"),
        (declaring("utf-8") + b"<p>caf\xe9 na\xefve", "", "<p>café naïve"),
        (declaring("iso-8859-1") + "<p>’‘’‘’‘ ".encode() + b"\xa9", "", "<p>’‘’‘’‘ \ufffd"),
    ],
)
def test_headers_go_first_and_single_faults_cost_no_charset(data, header, found):
    assert found in decode_page(data, header)


@each_case(
    ("head", "charset"),
    [
        ("<meta charset=windows-1250>", "cp1250"),
        ("<META CHARSET = ' Latin2 ' />", "iso8859-2"),
        ("<meta content='charset=windows-1250' http-equiv=content-type>", "cp1250"),
        ('<meta http-equiv="Content-Type" content="text/html; charset = \'cp1250\'">', "cp1250"),
        ("<?xml version='1.0' encoding='windows-1250'?><html>", "cp1250"),
        ("<script src=a charset=utf-8></script><meta charset=windows-1250>", "cp1250"),
        ("<script>'<meta charset=koi8-r>'</script><meta charset=windows-1250>", "cp1250"),
        ("<link charset=koi8-r rel=x><a charset=big5></a><meta charset=windows-1250>", "cp1250"),
        ("<!-- <meta charset=koi8-r> --><meta charset=windows-1250>", "cp1250"),
        ("<!--><meta charset=windows-1250><!-- --><meta charset=koi8-r>", "cp1250"),
        ("<!-- <meta charset=koi8-r> --!><meta charset=windows-1250>", "cp1250"),
        ("<title><meta charset=koi8-r></title><meta charset=windows-1250>", "cp1250"),
        ("<meta name=description content='charset=koi8-r'><meta charset=windows-1250>", "cp1250"),
        ("<meta http-equiv=refresh content='0;?charset=big5'><meta charset=cp1250>", "cp1250"),
        ("<a title='<meta charset=koi8-r>'></a><p data-x='>'><meta charset=cp1250>", "cp1250"),
        (
            "<metadata charset=koi8-r></metadata><meta charset=x><meta charset=cp1250>",
            "cp1250",
        ),
        (f"<style>{'x{}' * 9_000}</style><meta charset=windows-1250>", "cp1250"),
    ],
)
def test_the_charset_that_a_page_declares_is_found_as_browsers_do(head, charset):
    assert "ľúbi Šarišské" in decode_page(f"{head}<p>ľúbi Šarišské".encode(charset))


@each_case(
    ("codec", "text"),
    [
        *((codec, RUSSIAN) for codec in ("cp1251", "koi8-r", "iso8859-5")),
        ("cp1253", GREEK),
        ("cp932", JAPANESE),
        ("euc_jp", JAPANESE),
        ("gb18030", CHINESE),
        ("big5hkscs", TAIWANESE),
        ("cp949", KOREAN),
        ("cp1255", HEBREW),
        ("cp1256", ARABIC),
        ("cp874", THAI),
        ("cp1252", FRENCH),
        *((codec, POLISH) for codec in ("cp1250", "iso8859-2")),
        ("cp1254", TURKISH),
        *((codec, FRENCH.replace("œ", "oe")) for codec in ("mac-roman",)),
        ("cp1252", "Smith\xa0\xa0\xa0\xa0© 2003\xa0\xa0\xa0–\xa0\xa0\xa0Lond’n"),
        ("cp1252", "§ §§ § §§ §§ § §§ §§ §§ §"),
        *(("cp1252", f"{name} is a fiddler from Galway, where {name} was born.") for name in IRISH),
    ],
)
def test_undeclared_charsets_are_guessed(codec, text):
    page = f"<html><body><p>{text}</p><p>Copyright 2003 John Smith</p>".encode(codec)
    assert text in decode_page(page)


@given(st.binary(), st.text(max_size=30))
def test_never_fails(data, declared):
    assert "\0" not in decode_page(data, declared)
    assert len(unpack_body(data)[0]) <= max(len(data), MAX_BYTES)


@given(st.text(st.characters(exclude_characters="\0\ufeff\x1b", exclude_categories=["Cs"])))
def test_utf8_is_read_back(text):
    assert decode_page(text.encode()) == text


TWICE = {
    "IvÃ¡n PÃ©rez": "Iván Pérez",
    "doesnâ€™t": "doesn’t",
    "Ð˜Ð²Ð°Ð½ Ð\xa0Ð¾Ð±ÐµÑ€Ñ‚": "Иван Роберт",
    "Å\x81Ã³dÅº": "Łódź",
    "ç”°ä¸\xadå¤ªéƒŽ": "田中太郎",
    "JosÃƒÂ©, José": "José, José",
    "voilÃ\xa0, Â© 2004": "voilà, © 2004",
}
ONCE = "“MENÜ”|„Å“ und „Ö“, groß“|CAFÉ»|AMANHÃ\xa0E SÃO PAULO…|ANDRÉ’S|Łódź Å‚|à « b »|田中|Дa—"


@each_case("text", [*TWICE, *ONCE.split("|")])
def test_what_was_encoded_twice_is_repaired_where_that_is_certain(text):
    assert repair_encoding(text) == TWICE.get(text, text)


PAGE = b"<html><p>John Smith, baker of London"
HEADER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n"


@each_case(
    ("content", "data", "charset"),
    [
        (b"", b"", ""),
        (PAGE, PAGE, ""),
        (gzip.compress(PAGE, mtime=0), PAGE, ""),
        (HEADER + PAGE, PAGE, "koi8-r"),
        (HEADER.replace(b"\r\n", b"\n") + PAGE, PAGE, "koi8-r"),
        (HEADER + gzip.compress(PAGE, mtime=0), PAGE, "koi8-r"),
        (b"HTTP/ explained", b"HTTP/ explained", ""),
    ],
)
def test_wrappings_come_off(content, data, charset):
    assert unpack_body(content) == (data, charset, "")


@each_case(
    ("content", "kind"),
    [
        (b"%PDF-1.4 ...", "a PDF file"),
        (b"\n%PDF-1.4 ...", "a PDF file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Office file"),
        (b"PK\x03\x04\x14", "an Office or zip file"),
        (b"\x89PNG\r\n", "an image"),
        (b"GIF89a", "an image"),
        (b"\xff\xd8\xff\xe0", "an image"),
        (bytes(range(256)) * 4, "binary data"),
        (gzip.compress(b"%PDF-1.4", mtime=0), "a PDF file"),
        (b"\x1f\x8b" + b"no gzip at all", ""),
        (bytes(range(1, 250)) * 4 + bytes(40), "binary data"),
    ],
)
def test_what_is_no_page_is_named(content, kind):
    note = f"not a web page but {kind}" if kind else ""
    assert unpack_body(content) == (b"", "", note)


@each_case("text", [f"<html><p>{RUSSIAN}", f"<html><p>{CHINESE}", f"{GREEK}\n{GREEK}\n"])
@each_case("codec", ["utf-16-le", "utf-16-be"])
def test_wide_characters_without_a_mark_are_text(text, codec):
    data, *_ = unpack_body(text.encode(codec))
    assert decode_page(data) == text


@pytest.mark.parametrize("pack", [bytes, lambda data: gzip.compress(data, mtime=0)])
def test_a_long_page_is_cut_with_a_note_also_a_gzip_bomb(pack):
    data, _, note = unpack_body(pack(b"word " * 10 * MAX_BYTES))
    assert len(data) == MAX_BYTES
    assert "2,000,000" in note


def test_a_gzip_stream_cut_short_gives_what_it_has():
    whole = b"".join(b"line %d\n" % i for i in range(20_000))
    read = unpack_body(gzip.compress(whole, mtime=0)[:20_000])[0]
    assert len(read) > 1_000
    assert whole.startswith(read)


def test_layers_without_end_are_refused():
    content = PAGE
    for _ in range(9):
        content = gzip.compress(content, mtime=0)
    assert unpack_body(content)[2] == "not a web page but an archive"


ADDRESSES = {
    "Mail John.Smith@Example.ORG.": "john.smith@example.org",
    "(a_b+c@x.co.uk)": "a_b+c@x.co.uk",
    "<j@x.org>;k@y.net,j@x.org": "j@x.org k@y.net",
    "b@x.org a@x.org": "b@x.org a@x.org",
    "e-mail:j@x.org": "j@x.org",
    "john at example dot org": "john@example.org",
    "John AT cs DOT uni DOT edu": "john@cs.uni.edu",
    "john dot smith at iitb dot ac dot in": "john.smith@iitb.ac.in",
    "john [at] example [dot] com": "john@example.com",
    "john(at)cs.uni.edu": "john@cs.uni.edu",
    "john (at) example (dot) com and more": "john@example.com",
    "john {at} example.com. Then": "john@example.com",
    "john[@]example.com": "john@example.com",
    "\x04j@x.org\x05j2@y.org": "j@x.org j2@y.org",
    "first (at) x.org then b@y.org": "first@x.org b@y.org",
}
NO_ADDRESSES = (
    "|look at amazon.com|look at the dot in the middle|he is good at dot product spaces|"
    "meet at noon|logo@2x.png|user@localhost|@twitter|a@b@c.org|@@@@|x@.org|a..b@x.org|x@y.12|"
    "a (at) b"
)


@each_case("text", [*ADDRESSES, *NO_ADDRESSES.split("|"), "x" * 65 + "@y.org"])
def test_addresses(text):
    assert find_emails(text) == tuple(ADDRESSES.get(text, "").split())


@given(st.text("a@. (at)dotx-", max_size=200))
def test_addresses_have_one_at_sign_and_a_domain(text):
    for email in find_emails(text):
        local, host = email.split("@")
        assert local
        assert "." in host
        assert email == email.lower()


LINKING = "http://Host.org/a/b.htm?q=/x"


@each_case(
    ("href", "link"),
    [
        ("c.htm", "http://host.org/a/c.htm"),
        ("c.htm#top", "http://host.org/a/c.htm"),
        ("/c", "http://host.org/c"),
        ("../c", "http://host.org/c"),
        ("../../../c", "http://host.org/c"),
        ("./c/../d", "http://host.org/a/d"),
        ("?p=2", "http://host.org/a/b.htm?p=2"),
        ("c d.htm", "http://host.org/a/c%20d.htm"),
        (" c\n", "http://host.org/a/c"),
        ("//other.net/x", "http://other.net/x"),
        ("HTTP://Other.NET", "http://other.net/"),
        ("https://other.net?x=Y", "https://other.net/?x=Y"),
        ("http://other.net/a/b#c", "http://other.net/a/b"),
        *((href, "") for href in ("", "#top", "b.htm?q=/x", "x\x07y", "x" * 5_000, "http://[bad/")),
        *((f"{scheme}:x.org/../x", "") for scheme in ("c", "mailto", "javascript", "ftp")),
    ],
)
def test_links_of_a_page(href, link):
    assert outgoing_links([href], LINKING) == ((link,) if link else ())


@each_case(
    ("url", "base", "link"),
    [
        (LINKING, "http://cdn.net/x/", "http://cdn.net/x/c"),
        (LINKING, "/x/", "http://host.org/x/c"),
        ("", "http://cdn.net/x/", "http://cdn.net/x/c"),
        (LINKING, "javascript:", "http://host.org/a/c"),
        (LINKING, "http://[", "http://host.org/a/c"),
    ],
)
def test_base(url, base, link):
    assert outgoing_links(["c"], url, base) == (link,)


def test_without_any_address_only_absolute_links_remain():
    hrefs = ["c", "/c", "../c", "?c", "//x.org/c", "http://x.org/c"]
    assert outgoing_links(hrefs, "") == ("http://x.org/c",)
    links = outgoing_links(["z", "a", "z#1", "/a/z"], LINKING)
    assert links == ("http://host.org/a/z", "http://host.org/a/a")


@given(st.text("ab/.?=&;-_~%0 ", max_size=20))
def test_resolution_agrees_with_the_standard_library(href):
    expected = web_address(urljoin("http://host.org/a/b.htm", href.strip().replace(" ", "%20")))
    links = outgoing_links([href], "http://host.org/a/b.htm")
    assert links in ((expected,), ())
    assert links or not href.strip() or expected == "http://host.org/a/b.htm"


@given(st.lists(st.text(max_size=30)), st.text(max_size=30), st.text(max_size=30))
def test_links_never_fail(hrefs, url, base):
    for link in outgoing_links(hrefs, url, base):
        assert link.startswith(("http://", "https://"))
        assert "#" not in link
