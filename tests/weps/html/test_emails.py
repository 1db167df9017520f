import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.html.emails import find_emails


@pytest.mark.parametrize(
    ("text", "emails"),
    [
        ("", ()),
        ("Mail John.Smith@Example.ORG.", ("john.smith@example.org",)),
        ("(a_b+c@x.co.uk)", ("a_b+c@x.co.uk",)),
        ("<j@x.org>;k@y.net,j@x.org", ("j@x.org", "k@y.net")),
        ("b@x.org a@x.org", ("b@x.org", "a@x.org")),
        ("e-mail:j@x.org", ("j@x.org",)),
        ("john at example dot org", ("john@example.org",)),
        ("John AT cs DOT uni DOT edu", ("john@cs.uni.edu",)),
        ("john dot smith at iitb dot ac dot in", ("john.smith@iitb.ac.in",)),
        ("john [at] example [dot] com", ("john@example.com",)),
        ("john(at)cs.uni.edu", ("john@cs.uni.edu",)),
        ("john (at) example (dot) com and more", ("john@example.com",)),
        ("john {at} example.com. Then", ("john@example.com",)),
        ("john[@]example.com", ("john@example.com",)),
        ("\x04j@x.org\x05j2@y.org", ("j@x.org", "j2@y.org")),
        ("first (at) x.org then b@y.org", ("first@x.org", "b@y.org")),
    ],
)
def test_addresses(text: str, emails: tuple[str, ...]) -> None:
    assert find_emails(text) == emails


@pytest.mark.parametrize(
    "text",
    [
        "look at amazon.com",
        "look at the dot in the middle",
        "he is good at dot product spaces",
        "meet at noon",
        "logo@2x.png",
        "user@localhost",
        "@twitter",
        "a@b@c.org",
        "@@@@",
        "x@.org",
        "a..b@x.org",
        "x@y.12",
        "a (at) b",
        "x" * 65 + "@y.org",
    ],
)
def test_what_is_no_address(text: str) -> None:
    assert find_emails(text) == ()


@given(st.text("a@. (at)dotx-", max_size=200))
def test_addresses_have_one_at_sign_and_a_domain(text: str) -> None:
    for email in find_emails(text):
        local, host = email.split("@")
        assert local
        assert "." in host
        assert email == email.lower()
