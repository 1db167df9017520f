import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps._expressions import Expression, parse_expression, split_items
from weps.errors import FeatureError

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
WORDS = NAMES.filter(lambda word: word not in {"true", "false"})
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.booleans() | NUMBERS | WORDS
PARAMETERS = st.dictionaries(NAMES, VALUES, max_size=3).map(lambda d: tuple(d.items()))
EXPRESSIONS = st.recursive(
    st.builds(Expression, NAMES, st.just(()), PARAMETERS),
    lambda inner: st.builds(Expression, NAMES, st.lists(inner, max_size=3).map(tuple), PARAMETERS),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("token", Expression("token")),
        ("  token\n", Expression("token")),
        ("ngram(n=2)", Expression("ngram", (), (("n", 2),))),
        ("ngram( n = 2 , local = true )", Expression("ngram", (), (("n", 2), ("local", True)))),
        ("F(alpha=0.2)", Expression("F", (), (("alpha", 0.2),))),
        ("entity(type=person)", Expression("entity", (), (("type", "person"),))),
        ("shift(by=-3)", Expression("shift", (), (("by", -3),))),
        ("dice(token)", Expression("dice", (Expression("token"),))),
        (
            "dice(ngram(n=2, local=false))",
            Expression("dice", (Expression("ngram", (), (("n", 2), ("local", False))),)),
        ),
        (
            "f(a, b(c), k=1)",
            Expression("f", (Expression("a"), parse_expression("b(c)")), (("k", 1),)),
        ),
    ],
)
def test_parse(text, expected):
    assert parse_expression(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "(",
        "42",
        "token)",
        "token token",
        "token(",
        "token()",
        "token(local",
        "token(local=",
        "token(local=)",
        "token(local=-yes)",
        "token(local=true",
        "token(a b)",
        "token(a,)",
        "token(,a)",
        "token(=1)",
        "token((a))",
        "to-ken",
        "token; import os",
        "token\0",
    ],
)
def test_what_is_no_expression_is_refused(text):
    with pytest.raises(FeatureError, match="cannot read") as caught:
        parse_expression(text)
    assert repr(text) in caught.value.what
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["f(3=4)", "f((=1)", "f(,=1)"])
def test_a_parameter_has_a_name(text):
    with pytest.raises(FeatureError):
        parse_expression(text)


def test_a_parameter_is_given_once():
    with pytest.raises(FeatureError):
        parse_expression("ngram(n=2, n=3)")


def test_nesting_without_end_is_refused():
    with pytest.raises(FeatureError):
        parse_expression("f(" * 100_000)


@given(EXPRESSIONS)
@unhurried
def test_an_expression_parses_back(expression):
    assert parse_expression(str(expression)) == expression


@given(st.text(st.sampled_from("f(),=1.- true")))
@unhurried
def test_any_text_parses_or_is_refused(text):
    with contextlib.suppress(FeatureError):
        assert parse_expression(str(parse_expression(text))) == parse_expression(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" , ,", []),
        ("token", ["token"]),
        ("token, title ,url", ["token", "title", "url"]),
        ("dice(ngram(n=2, local=true)), linked", ["dice(ngram(n=2, local=true))", "linked"]),
    ],
)
def test_split(text, expected):
    assert split_items(text) == expected


@given(st.lists(EXPRESSIONS.map(str), max_size=4))
@unhurried
def test_a_list_of_expressions_splits_back(texts):
    assert split_items(", ".join(texts)) == texts
