from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.document.text import code, marked_down, marked_up, plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as it is", "as it is"),
        (" two\r\n lines\t", "two lines"),
        ("a\x00b\x1b[0m", "a b [0m"),
        ("a\u202eb\ufeff\ud800", "ab"),
        ("&lt; stays &lt;", "&lt; stays &lt;"),
        ("μ − σ", "μ − σ"),
    ],
)
def test_plain(text, expected):
    assert plain(text) == expected


def test_a_text_is_cut_only_where_no_paragraph_ends():
    assert plain("x" * 10_000) == "x" * 10_000
    assert plain("x" * 10_001) == "x" * 9_999 + "…"


def test_marked_up():
    assert marked_up('<a href="x">\'&') == "&lt;a href=&quot;x&quot;&gt;&#x27;&amp;"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entity(type=person), .5 − .3", "entity(type=person), .5 − .3"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("[a](b)", r"\[a\](b)"),
        ("a_b *c* `d` ~e~ #f $g$", r"a\_b \*c\* \`d\` \~e\~ \#f \$g\$"),
        (r"\n", r"\\n"),
        ("- a", r"\- a"),
        ("---", r"\---"),
        ("+ a", r"\+ a"),
        ("1. a", r"1\. a"),
        ("12) a", r"12\) a"),
        ("18.4 %", "18.4 %"),
        ("-.12", "-.12"),
        ("-3", "-3"),
        ("a - b", "a - b"),
        ("a|b", "a|b"),
        ("a\n# b", r"a \# b"),
    ],
)
def test_marked_down(text, expected):
    assert marked_down(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a <b>", "`a <b>`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("a\nb", "`a b`")],
)
def test_code(text, expected):
    assert code(text) == expected


@given(st.text())
def test_no_text_makes_lines_tags_or_controls(text):
    for written in (marked_up(text), marked_down(text)):
        assert not set(written) & set('<>"\n\r\x00\x1b\u2028\u202e') - set('"')
    assert '"' not in marked_up(text)
    assert "\n" not in code(text)


@given(st.text())
def test_plain_text_is_plain(text):
    assert plain(plain(text)) == plain(text)
