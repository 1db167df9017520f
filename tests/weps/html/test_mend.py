import pytest

from weps.html.mend import has_noscript, is_markup, mend, saved_from, show_noscript


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", False),
        ("plain text", False),
        ("a < b > c", False),
        ("mail <john@host.org> or <john smith>", False),
        ("x <p>y", True),
        ("x</P >", True),
        ("<BR/>", True),
        ("<!-- c -->", True),
        ("<!DOCTYPE html>", True),
        ("<h2\n id=x>", True),
        ("<" * 10_000, False),
    ],
)
def test_is_markup(text: str, answer: bool) -> None:
    assert is_markup(text) is answer


@pytest.mark.parametrize(
    ("markup", "mended"),
    [
        ("a <!-- b --> c", "a <!-- b --> c"),
        ("a <!-- b", "a  b"),
        ("a <!-- b --> c <!-- d <!-- e", "a <!-- b --> c  d  e"),
        ("<!-->a", "<!-->a"),
        ("<NOFRAMES>a</noframes >", " a "),
        ("<A>b</A><a href=x>", "<A>b</a> <a href=x>"),
        ("</a><abbr>", "</a><abbr>"),
    ],
)
def test_mend(markup: str, mended: str) -> None:
    assert mend(markup) == mended


def test_noscript() -> None:
    assert has_noscript("a<NoScript>b")
    assert not has_noscript("a<noscripture>")
    assert show_noscript("a<noscript x=y>b</noscript>c") == "a b c"


@pytest.mark.parametrize(
    ("markup", "address"),
    [
        ("<!-- saved from url=(0022)http://x.org/a.htm -->", "http://x.org/a.htm"),
        ("<!-- saved from url=(0014)about:internet -->", ""),
        ("saved from url=(0022)http://x.org/a.htm", ""),
        (" " * 20_000 + "<!-- saved from url=(0022)http://x.org/a.htm -->", ""),
    ],
)
def test_saved_from(markup: str, address: str) -> None:
    assert saved_from(markup) == address
