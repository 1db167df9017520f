from urllib.parse import urljoin

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.html.links import find_emails, outgoing_links, web_address

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


PAGE = "http://Host.org/a/b.htm?q=/x"


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
    assert outgoing_links([href], PAGE) == ((link,) if link else ())


@each_case(
    ("url", "base", "link"),
    [
        (PAGE, "http://cdn.net/x/", "http://cdn.net/x/c"),
        (PAGE, "/x/", "http://host.org/x/c"),
        ("", "http://cdn.net/x/", "http://cdn.net/x/c"),
        (PAGE, "javascript:", "http://host.org/a/c"),
        (PAGE, "http://[", "http://host.org/a/c"),
    ],
)
def test_base(url, base, link):
    assert outgoing_links(["c"], url, base) == (link,)


def test_without_any_address_only_absolute_links_remain():
    hrefs = ["c", "/c", "../c", "?c", "//x.org/c", "http://x.org/c"]
    assert outgoing_links(hrefs, "") == ("http://x.org/c",)
    links = outgoing_links(["z", "a", "z#1", "/a/z"], PAGE)
    assert links == ("http://host.org/a/z", "http://host.org/a/a")


@given(st.text("ab/.?=&;-_~%0 ", max_size=20))
def test_resolution_agrees_with_the_standard_library(href):
    expected = web_address(urljoin("http://host.org/a/b.htm", href.strip().replace(" ", "%20")))
    links = outgoing_links([href], "http://host.org/a/b.htm")
    assert links in ((expected,), ())
    assert links or not href.strip() or expected == "http://host.org/a/b.htm"


@given(st.lists(st.text(max_size=30)), st.text(max_size=30), st.text(max_size=30))
def test_never_fails(hrefs, url, base):
    for link in outgoing_links(hrefs, url, base):
        assert link.startswith(("http://", "https://"))
        assert "#" not in link
