import pytest

from weps.names import PersonName
from weps.report.highlight import highlighted

ANN = PersonName.parse("Ann Example")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Ann Example, Ann Example", "<mark>Ann Example</mark>, <mark>Ann Example</mark>"),
        ("a <b> & Ann Example's", "a &lt;b&gt; &amp; <mark>Ann Example</mark>&#x27;s"),
        ("nobody here", "nobody here"),
        ("Ann\u202e Example\n\x00", "<mark>Ann Example</mark>"),
        ("", ""),
    ],
)
def test_the_name_is_marked_and_all_else_escaped(text, html):
    assert highlighted(text, ANN) == html


def test_long_texts_are_cut_before_they_are_escaped():
    assert highlighted("&" * 300, ANN, longest=5) == "&amp;" * 4 + "…"
