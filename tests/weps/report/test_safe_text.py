from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from markupsafe import escape

from weps.report.safe_text import (
    bounded_text,
    clean_text,
    domain_of,
    protect_environment,
    safe_link,
    visible_texts,
)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("  two   words ", "two words"),
        (" two\r\n\tlines\x00\x1b[0m ", "two lines [0m"),
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
        ("\U000e0041\U000e007f\ud800", ""),
    ],
)
def test_text_is_clean(text, seen):
    assert clean_text(text) == seen


def test_long_text_is_cut():
    cut = [bounded_text(text, 6) for text in ("abcdef", "abcdefg", "abcd fg")]
    assert cut == ["abcdef", "abcde…", "abcd…"]
    cut = [bounded_text(text, 6, keep_end=True) for text in ("abcdef", "abcdefg")]
    assert cut == ["abcdef", "…cdefg"]


def test_texts_that_are_empty_once_clean_are_left_out():
    assert visible_texts(["a", "\u202e", " ", "bcd"], 2) == ["a", "b…"]


@pytest.fixture(scope="module")
def environment() -> Environment:
    environment = Environment(autoescape=True)
    protect_environment(environment)
    return environment


@given(st.text())
def test_no_template_prints_unclean_text(environment, text):
    template = environment.from_string(
        "{{ x }}|{{ [x][0] ~ '' }}|{% for y in [x] %}{{ y }}{% endfor %}"
    )
    expected = escape(bounded_text(text))
    assert template.render(x=text) == f"{expected}|{expected}|{expected}"
    assert not set(expected) & set("<>\"'")
    assert len(expected.unescape()) <= 120
    controls = {"LRE", "RLE", "LRO", "RLO", "PDF"}
    assert not {unicodedata.bidirectional(c) for c in expected} & controls
    assert not {unicodedata.category(c) for c in expected} & {"Cc", "Cs"}


@pytest.mark.parametrize(
    ("template", "printed"),
    [
        ("{{ x | text(6) }}", "&lt;&lt;&lt;&lt;&lt;…"),
        ("{{ x | text(300) }}", "&lt;" * 200),
        ("{{ x }}", "&lt;" * 119 + "…"),
        ("{{ '\u202e' | text or 'nothing' }}", "nothing"),
        ("{{ 7 }} {{ 0.5 }} {{ true }}", "7 0.5 True"),
        ("{% macro m(y) %}<b>{{ y | text(2) }}</b>{% endmacro %}{{ m(x) }}", "<b>&lt;…</b>"),
        ("{{ '<b>' | safe }}", "<b>"),
    ],
)
def test_bounds_are_set_before_text_is_escaped(environment, template, printed):
    assert environment.from_string(template).render(x="<" * 200) == printed


@pytest.mark.parametrize(
    ("url", "link", "domain"),
    [
        ("http://www.a.example/x?y=1&z=2#f", "http://www.a.example/x?y=1&z=2#f", "a.example"),
        ("HTTPS://A.Example:8080/", "HTTPS://A.Example:8080/", "a.example"),
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
    ],
)
def test_only_addresses_of_the_web_become_links(url, link, domain):
    assert (safe_link(url), domain_of(url)) == (link, domain)


def test_other_addresses_become_no_links():
    schemes = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//a.example/"]
    for url in (*schemes, "http://[", "http:///x", "", "http://a.example/" + "x" * 2000):
        assert (safe_link(url), domain_of(url)) == ("", "")


@given(st.text())
def test_links_are_ascii_or_nothing(text):
    for url in (text, f"http://{text}", f"http://a.example/{text}"):
        link = safe_link(url)
        assert link.isascii()
        assert not set(link) & set('<>"\\ \t\r\n')
        domain_of(url)
