import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps._formatting import (
    align_table,
    display_width,
    escape_formula,
    join_items,
    markdown_table,
    os_error_reason,
    pad_text,
    truncate_text,
    unescape_formula,
)

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
    assert display_width(text) == columns


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
    assert truncate_text(text, columns) == expected


@given(texts, st.integers(1, 12), st.booleans())
def test_cut_and_padded_text_fills_its_column_exactly(text, columns, right):
    cell = pad_text(truncate_text(text, columns), columns, right=right)
    assert display_width(cell) == columns
    whole = display_width(text) <= columns
    assert (truncate_text(text, columns) == text) == whole
    assert whole or text.startswith(truncate_text(text, columns)[:-1])


@pytest.mark.parametrize(("right", "expected"), [(False, "王  "), (True, "  王")])
def test_blanks_go_after_or_before(right, expected):
    assert pad_text("王", 4, right=right) == expected


@pytest.mark.parametrize(
    ("items", "text"),
    [([], ""), ([1], "1"), (range(5), "0, 1, 2, 3, 4"), (range(7), "0, 1, 2, 3, 4 and 2 more")],
)
def test_lists_are_cut_short(items, text):
    assert join_items(items) == text


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (PermissionError(13, "Permission denied", "/x"), "Permission denied"),
        (OSError("odd"), "odd"),
    ],
)
def test_reasons_leave_out_the_path(problem, text):
    assert os_error_reason(problem) == text


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\t=1", " -x", "'=1", "''@x"]
)
def test_formulas_get_an_apostrophe(text: str) -> None:
    assert escape_formula(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "dice(token)", "a=b", "'quoted'", "O'Neil"])
def test_other_text_stays(text: str) -> None:
    assert escape_formula(text) == text == unescape_formula(text)


@given(st.text() | st.text("'=+-@ \ta", max_size=6))
def test_nothing_is_lost(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text


ROWS = [["name", "count"], ["token", "7"], ["title and url", "12"]]


def test_the_first_column_is_aligned_left_and_numbers_right() -> None:
    assert align_table(ROWS) == [
        "name           count",
        "token              7",
        "title and url     12",
    ]


def test_more_columns_may_be_aligned_left() -> None:
    assert align_table(ROWS, left=2)[1] == "token          7    "


@pytest.mark.parametrize("left", [0, 1, 2])
def test_lines_are_of_one_length(left: int) -> None:
    assert len({len(line) for line in align_table(ROWS, left)}) == 1


def test_markdown_has_a_rule_under_its_heading() -> None:
    assert markdown_table(ROWS) == [
        "| name | count |",
        "|---|---|",
        "| token | 7 |",
        "| title and url | 12 |",
    ]


def test_a_bar_in_a_cell_divides_nothing() -> None:
    assert markdown_table([["a|b"]])[0] == "| a\\|b |"
