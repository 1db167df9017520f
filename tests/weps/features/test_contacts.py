from collections import Counter

import pytest

from tests.weps.builders import analysis_of, document, extract


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
