from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.html.links import outgoing_links, web_address

PAGE = "http://Host.org/a/b.htm?q=/x"


@pytest.mark.parametrize(
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
        ("c:d.htm/../x", ""),
        ("#top", ""),
        ("", ""),
        ("b.htm?q=/x", ""),
        ("mailto:j@x.org", ""),
        ("javascript:go('http://x.org')", ""),
        ("ftp://x.org/f", ""),
        ("http://[bad/", ""),
        ("x\x07y", ""),
        ("x" * 5_000, ""),
    ],
)
def test_links_of_a_page(href: str, link: str) -> None:
    assert outgoing_links([href], PAGE) == ((link,) if link else ())


def test_order_is_kept_and_repeats_dropped() -> None:
    links = outgoing_links(["z", "a", "z#1", "/a/z"], PAGE)
    assert links == ("http://host.org/a/z", "http://host.org/a/a")


@pytest.mark.parametrize(
    ("url", "base", "link"),
    [
        (PAGE, "http://cdn.net/x/", "http://cdn.net/x/c"),
        (PAGE, "/x/", "http://host.org/x/c"),
        ("", "http://cdn.net/x/", "http://cdn.net/x/c"),
        (PAGE, "javascript:", "http://host.org/a/c"),
        (PAGE, "http://[", "http://host.org/a/c"),
    ],
)
def test_base(url: str, base: str, link: str) -> None:
    assert outgoing_links(["c"], url, base) == (link,)


def test_without_any_address_only_absolute_links_remain() -> None:
    hrefs = ["c", "/c", "../c", "?c", "//x.org/c", "http://x.org/c"]
    assert outgoing_links(hrefs, "") == ("http://x.org/c",)


@given(st.text("ab/.?=&;-_~%0 ", max_size=20))
def test_resolution_agrees_with_the_standard_library(href: str) -> None:
    expected = web_address(urljoin("http://host.org/a/b.htm", href.strip().replace(" ", "%20")))
    links = outgoing_links([href], "http://host.org/a/b.htm")
    assert links in ((expected,), ())
    assert links or not href.strip() or expected == "http://host.org/a/b.htm"


@given(st.lists(st.text(max_size=30)), st.text(max_size=30), st.text(max_size=30))
def test_never_fails(hrefs: list[str], url: str, base: str) -> None:
    for link in outgoing_links(hrefs, url, base):
        assert link.startswith(("http://", "https://"))
        assert "#" not in link
