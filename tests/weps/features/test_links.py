from collections import Counter

from tests.cases import each_case
from tests.weps.builders import analysis_of, document, extract, flagged
from weps.features.links import normalise_address, registered_domain

SAME = (
    "http://www.york.example/~tb|https://york.example/~tb/| HTTP://WWW.YORK.EXAMPLE/~tb |"
    "http://york.example:80/~tb|https://york.example:443/~tb|http://tb:secret@york.example/~tb|"
    "http://york.example/~tb#maths|//york.example/~tb"
)


@each_case("address", SAME.split("|"))
def test_addresses_of_one_page_have_one_spelling(address):
    assert normalise_address(address) == "york.example/~tb"


@each_case(
    ("first", "second"),
    [
        ("http://york.example/tb", "http://york.example/TB"),
        ("http://york.example/?id=1", "http://york.example/?id=2"),
        ("http://york.example/", "http://maths.york.example/"),
        ("http://york.example:8080/", "http://york.example/"),
    ],
)
def test_addresses_of_different_pages_stay_apart(first, second):
    assert normalise_address(first) != normalise_address(second)


@each_case("address", ["", " ", "tb.html", "/tb", "mailto:tb@york.example", "http://["])
def test_what_is_no_address_of_the_web_has_no_spelling(address):
    assert normalise_address(address) == ""


DOMAINS = {
    "york.com": "http://york.com/ http://www.maths.york.com/tb?x=a.b http://www.york.com./ "
    "http://co.york.com/ http://york.com?id=1",
    "york.edu": "http://maths.york.edu:8080/",
    "york.ac.uk": "http://cs.york.ac.uk/",
    "york.co.uk": "http://www.york.co.uk",
    "york.edu.au": "http://a.b.york.edu.au/",
    "york.de": "http://york.de/ http://maths.york.de/",
    "t.co": "http://t.co/",
    "localhost": "http://localhost/",
    "192.0.2.7": "http://192.0.2.7/tb http://192.0.2.7:8080/tb",
    "[2001:db8::1]": "http://[2001:db8::1]/",
}


@each_case(
    ("domain", "address"),
    [
        ("", ""),
        ("", "tb.html"),
        *((name, each) for name in DOMAINS for each in DOMAINS[name].split()),
    ],
)
def test_registered_domains(domain, address):
    assert registered_domain(address) == domain


def test_emails_are_taken_as_they_are():
    emails = ("tb@york.example", "info@york.example")
    analysis = analysis_of(document(emails=emails), document())
    assert extract("email", analysis) == [Counter(emails), Counter()]


def test_links_are_counted_in_one_spelling():
    links = ("http://www.a.example/", "https://a.example", "http://[", "http://b.example/x")
    (found,) = extract("link", analysis_of(document(links=links)))
    assert found == Counter({"a.example": 2, "b.example/x": 1})


A, B = "http://a.example/x", "http://b.example/y"


@each_case(
    ("pages", "expected"),
    [
        ([], set()),
        ([(A, [B])], set()),
        ([(A, []), (B, [])], set()),
        ([(A, [B]), (B, [])], {(0, 1), (1, 0)}),
        ([(A, []), (B, [A])], {(0, 1), (1, 0)}),
        ([(A, [B]), (B, [A])], {(0, 1), (1, 0)}),
        ([(A, [B, "https://www.b.example/y/"]), (B, [])], {(0, 1), (1, 0)}),
        ([(A, [A]), (B, [])], set()),
        ([("", [""]), ("", ["http://["])], set()),
        ([(A, ["http://b.example/"]), (B, [])], set()),
    ],
)
def test_linked(pages, expected):
    analysis = analysis_of(*[document(url=url, links=tuple(links)) for url, links in pages])
    assert flagged("linked", analysis) == expected


@each_case("order", [(A, A, B), (A, B, A), (B, A, A)])
def test_a_link_reaches_every_copy_of_a_page(order):
    analysis = analysis_of(*[document(url=url, links=(A,) if url == B else ()) for url in order])
    b = order.index(B)
    copies = {0, 1, 2} - {b}
    assert flagged("linked", analysis) == {(b, a) for a in copies} | {(a, b) for a in copies}


@each_case(
    ("addresses", "expected"),
    [
        ([], set()),
        (["http://a.york.com", "http://b.york.com/x"], {(0, 1), (1, 0)}),
        (["http://a.co.uk", "http://b.co.uk"], set()),
        (["", ""], set()),
        (["http://[", "http://["], set()),
        (["http://a.com", "http://b.com", "http://www.a.com"], {(0, 2), (2, 0)}),
    ],
)
def test_same_domain(addresses, expected):
    analysis = analysis_of(*[document(url=url) for url in addresses])
    assert flagged("same_domain", analysis) == expected
