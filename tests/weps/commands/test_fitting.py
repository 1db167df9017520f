import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.commands.fitting import cut, padded, width

FAMILY = "王小明"
ACCENTED = "Zoë".replace("ë", "e\u0308")
texts = st.text(st.sampled_from("a ß王ｱＡé,…\u0308\U0001f30a"))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("Zoë", 3),
        (ACCENTED, 3),
        (FAMILY, 6),
        ("Ａ", 2),
        ("ｱ", 1),
        ("\U0001f30a", 2),
        ("א\u05b7", 1),
        ("a\u20dd", 1),
    ],
)
def test_width_is_that_of_a_terminal(text, columns):
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("history", 7, "history"),
        ("history", 6, "histo…"),
        ("Greek history", 7, "Greek…"),
        (FAMILY, 6, FAMILY),
        (FAMILY, 5, "王小…"),
        (FAMILY, 4, "王…"),
        (ACCENTED * 2, 4, ACCENTED + "…"),
        ("history", 1, "…"),
    ],
)
def test_what_does_not_fit_is_cut_with_an_ellipsis(text, columns, expected):
    assert cut(text, columns) == expected


@given(texts, st.integers(1, 12), st.booleans())
def test_cut_and_padded_text_fills_its_column_exactly(text, columns, right):
    cell = padded(cut(text, columns), columns, right=right)
    assert width(cell) == columns
    whole = width(text) <= columns
    assert (cut(text, columns) == text) == whole
    assert whole or text.startswith(cut(text, columns)[:-1])


@pytest.mark.parametrize(("right", "expected"), [(False, "王  "), (True, "  王")])
def test_blanks_go_after_or_before(right, expected):
    assert padded("王", 4, right=right) == expected
