from __future__ import annotations

import html
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.report.safe_text import domain_of, safe_link, shown, shown_end


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        (" two\r\n\tlines\x00\x1b[0m ", "two lines [0m"),
        ("<b>&'\"", "&lt;b&gt;&amp;&#x27;&quot;"),
        ("a\u202egnp.exe\u202c", "agnp.exe"),
        ("\u2066x\u2069\u200e\u200b\ufeff\u00ad", "x"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 3),
        ("e" + "\u0301\u0301\u200d" * 50, "e" + "\u0301\u0301\u200d" * 2 + "\u0301\u0301"),
        ("ส" + "็" * 300, "ส" + "็" * 8),
        ("क" + "ा" * 300, "क" + "ा" * 8),
        ("ကြွှုံ့း" * 9, "ကြွှုံ့း" * 9),
        ("❤\ufe0f\u200d🔥" * 9, "❤\ufe0f\u200d🔥" * 9),
        ("\u200d \u2800", ""),
        ("\U000e0041\U000e007f", ""),
        ("\ud800", ""),
    ],
)
def test_text_is_harmless(text, seen):
    assert shown(text) == seen


@pytest.mark.parametrize(
    ("cut", "text", "seen"),
    [
        (shown, "abcdef", "abcdef"),
        (shown, "abcdefg", "abcde…"),
        (shown, "abcd fg", "abcd…"),
        (shown, "<<<<<<<", "&lt;&lt;&lt;&lt;&lt;…"),
        (shown_end, "abcdef", "abcdef"),
        (shown_end, "abcdefg", "…cdefg"),
    ],
)
def test_long_text_is_cut_before_it_is_escaped(cut, text, seen):
    assert cut(text, 6) == seen


@given(st.text())
def test_whatever_comes_nothing_can_break_out(text):
    seen = shown(text)
    assert not set(seen) & set("<>\"'")
    assert len(html.unescape(seen)) <= 120
    assert not {unicodedata.bidirectional(c) for c in seen} & {"LRE", "RLE", "LRO", "RLO", "PDF"}
    assert not {unicodedata.category(c) for c in seen} & {"Cc", "Cs"}


@pytest.mark.parametrize(
    ("url", "link", "domain"),
    [
        ("http://www.a.example/x?y=1&z=2#f", "http://www.a.example/x?y=1&z=2#f", "a.example"),
        ("HTTPS://A.Example:8080/", "HTTPS://A.Example:8080/", "a.example"),
        ("http://a.example/a b", "http://a.example/a%20b", "a.example"),
        ("http://a.example/é", "http://a.example/%C3%A9", "a.example"),
        ("http://münchen.example/", "http://m%C3%BCnchen.example/", "münchen.example"),
        ('http://a.example/"><b>', "http://a.example/%22%3E%3Cb%3E", "a.example"),
        ("http://bank.example@evil.example/", "http://bank.example@evil.example/", "evil.example"),
        (
            "http://bank.example\\@evil.example/",
            "http://bank.example%5C@evil.example/",
            "evil.example",
        ),
        ("http://a.example/\u202egpj", "http://a.example/gpj", "a.example"),
        ("http://a.example/\ud800", "http://a.example/", "a.example"),
        ("javascript:alert(1)", "", ""),
        ("java\nscript:alert(1)", "", ""),
        ("data:text/html,x", "", ""),
        ("file:///etc/passwd", "", ""),
        ("//a.example/", "", ""),
        ("http:///x", "", ""),
        ("http://[", "", ""),
        ("", "", ""),
        ("http://a.example/" + "x" * 2000, "", ""),
    ],
)
def test_only_addresses_of_the_web_become_links(url, link, domain):
    assert safe_link(url) == link
    assert domain_of(url) == domain


@given(st.text())
def test_links_are_ascii_or_nothing(text):
    for url in (text, f"http://{text}", f"http://a.example/{text}"):
        link = safe_link(url)
        assert link.isascii()
        assert not set(link) & set('<>"\\ \t\r\n')
        domain_of(url)
