from collections import Counter

import pytest

from tests.weps.builders import analysis_of, document, extract, flagged
from weps.features.links import normalise_address, registered_domain
from weps.features.registry import feature_by_name


@pytest.mark.parametrize(
    ("address", "strings"),
    [
        ("baker@maths.york.ac.uk", ["york.ac.uk"]),
        ("tbaker@york.example", ["york.example"]),
        ("thomas.j.baker@york.example", ["york.example"]),
        ("bakert@york.example", ["york.example"]),
        ("Baker_2@york.example", ["york.example"]),
        ("bakery@york.example", []),
        ("info@baker.example", []),
        ("lee@york.example", []),
        ("tbaker@gmail.com", ["tbaker@gmail.com"]),
        ("tbaker@yahoo.co.uk", ["tbaker@yahoo.co.uk"]),
        ("baker", []),
        ("baker@", []),
    ],
)
def test_domains_where_the_person_has_an_address(address: str, strings: list[str]) -> None:
    assert extract("email_domain", analysis_of(document(emails=(address,)))) == [Counter(strings)]


@pytest.mark.parametrize(
    ("address", "strings"),
    [
        ("http://www.baker.example/", ["baker.example"]),
        ("http://york.example/~TBaker/?x=1", ["york.example/~tbaker"]),
        ("http://thomas-j-bakerlaw.example", ["thomas-j-bakerlaw.example"]),
        ("http://york.example/find?q=thomas+baker", []),
        ("http://bakery.example", []),
        ("http://breadbaker.example", []),
        ("tbaker.html", []),
    ],
)
def test_pages_of_the_person_linked_or_own(address: str, strings: list[str]) -> None:
    pages = [document(url=address), document(links=(address,))]
    assert extract("home_page", analysis_of(*pages)) == [Counter(strings)] * 2


@pytest.mark.parametrize(
    ("name", "address", "holds"),
    [
        ("Dan Lee", "http://fleet.example", False),
        ("Dan Lee", "http://danlee.example", True),
        ("Sean O'Brien", "http://sobrien.example", True),
        ("Madonna", "http://madonna.example", True),
        ("Madonna", "http://madonnas.example", False),
        ("?", "http://york.example", False),
    ],
)
def test_pages_of_people_of_any_name(name: str, address: str, holds: bool) -> None:
    (bag,) = extract("home_page", analysis_of(document(url=address), name=name))
    assert bool(bag) is holds


@pytest.mark.parametrize(
    "text",
    ["(412) 555-0123", "412-555-0123", "412.555.0123", "+1 412 555-0123", "tel:412-555.0123"],
)
def test_a_telephone_number_has_one_spelling(text: str) -> None:
    assert extract("phone", analysis_of(text)) == [Counter(["4125550123"])]


@pytest.mark.parametrize(
    "text", ["", "555-0123", "4125550123", "412-555-01234", "1412-555-0123", "412-555-012", "(((("]
)
def test_what_is_no_telephone_number(text: str) -> None:
    assert extract("phone", analysis_of(text)) == [Counter()]


@pytest.mark.parametrize(
    "address",
    [
        "http://www.york.example/~tb",
        "https://york.example/~tb/",
        " HTTP://WWW.YORK.EXAMPLE/~tb ",
        "http://york.example:80/~tb",
        "https://york.example:443/~tb",
        "http://tb:secret@york.example/~tb",
        "http://york.example/~tb#maths",
        "//york.example/~tb",
    ],
)
def test_addresses_of_one_page_have_one_spelling(address):
    assert normalise_address(address) == "york.example/~tb"


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "address", ["", " ", "tb.html", "/tb", "mailto:tb@york.example", "http://["]
)
def test_what_is_no_address_of_the_web_has_no_spelling(address):
    assert normalise_address(address) == ""


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("http://york.com/", "york.com"),
        ("http://www.maths.york.com/tb?x=a.b", "york.com"),
        ("http://maths.york.edu:8080/", "york.edu"),
        ("http://cs.york.ac.uk/", "york.ac.uk"),
        ("http://www.york.co.uk", "york.co.uk"),
        ("http://a.b.york.edu.au/", "york.edu.au"),
        ("http://york.de/", "york.de"),
        ("http://maths.york.de/", "york.de"),
        ("http://co.york.com/", "york.com"),
        ("http://t.co/", "t.co"),
        ("http://www.york.com./", "york.com"),
        ("http://localhost/", "localhost"),
        ("http://192.0.2.7/tb", "192.0.2.7"),
        ("http://192.0.2.7:8080/tb", "192.0.2.7"),
        ("http://york.com?id=1", "york.com"),
        ("", ""),
        ("tb.html", ""),
    ],
)
def test_registered_domains(address, domain):
    assert registered_domain(address) == domain


def test_different_numeric_hosts_are_different_domains():
    assert registered_domain("http://[2001:db8::1]/") != registered_domain("http://[2001:db8::2]/")


def test_emails_are_taken_as_they_are():
    analysis = analysis_of(document(emails=("tb@york.example", "info@york.example")), document())
    assert extract("email", analysis) == [
        Counter(["tb@york.example", "info@york.example"]),
        Counter(),
    ]


def test_links_are_counted_in_one_spelling():
    links = ("http://www.a.example/", "https://a.example", "http://[", "http://b.example/x")
    assert extract("link", analysis_of(document(links=links))) == [
        Counter({"a.example": 2, "b.example/x": 1})
    ]


A, B = "http://a.example/x", "http://b.example/y"


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("order", [(A, A, B), (A, B, A), (B, A, A)])
def test_a_link_reaches_every_copy_of_a_page(order):
    analysis = analysis_of(*[document(url=url, links=(A,) if url == B else ()) for url in order])
    b = order.index(B)
    copies = {0, 1, 2} - {b}
    assert flagged("linked", analysis) == {(b, a) for a in copies} | {(a, b) for a in copies}


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("name", ["linked", "same_domain"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_flag_has_a_row_and_a_column_for_each_document(name, count):
    flags = feature_by_name(name).extract(analysis_of(*[document()] * count))
    assert flags.shape == (count, count)
    assert flags.dtype == bool
