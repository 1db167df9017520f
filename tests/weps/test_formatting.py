"""Numbers, words and cells as text."""

from math import inf, nan
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps._formatting import (
    count_of,
    cut_columns,
    cut_middle,
    cut_text,
    error_reason,
    format_count,
    format_interval,
    format_number,
    format_p_value,
    format_percentage,
    format_percentage_interval,
    format_probability,
    format_score,
    format_signed,
    guard_cell,
    join_items,
    join_labels,
    markdown_table,
    quote_text,
    round_probability,
    spreadsheet_cell,
    suggest_names,
    table_width,
    text_width,
    tidy_label,
    unguard_cell,
)


class Estimate(NamedTuple):
    value: float
    low: float
    high: float


SOME = Estimate(-0.1234, -0.25, 0.0625)
ALONE = Estimate(0.5, nan, nan)
UNKNOWN = Estimate(nan, nan, nan)
ACCENTED = "Zoe\u0308"
FAMILY = "王小明"
ROWS = [["name", "count"], ["token", "7"], ["title and url", "12"]]

TEXTS = [
    (format_number(0.12349), "0.123"),
    (format_number(0.9996), "1.000"),
    (format_number(-0.0001), "0.000"),
    (format_number(-0.25), "−0.250"),
    (format_number(-0.256, 2), "−0.26"),
    (format_number(1e-9, 0), "0"),
    (format_number(nan), "–"),
    (format_signed(0.0004), "+0.000"),
    (format_signed(-0.0), "+0.000"),
    (format_signed(-0.0001), "+0.000"),
    (format_signed(-0.0006), "−0.001"),
    (format_signed(-0.0125, minus="-"), "-0.013"),
    (format_signed(0.1), "+0.100"),
    (format_signed(56.3, 0), "+56"),
    (format_signed(nan), "–"),
    (format_percentage(0.12349), "12.3 %"),
    (format_percentage(-0.12349), "−12.3 %"),
    (format_percentage(-0.0001), "0.0 %"),
    (format_percentage(0.196, 0), "20 %"),
    (format_percentage(nan), "–"),
    (format_probability(1.0), "100%"),
    (format_probability(0.9969), "99%"),
    (format_probability(0.9949), "99%"),
    (format_probability(0.4999), "50%"),
    (format_probability(0.0001), "1%"),
    (format_probability(0.0), "0%"),
    (str(round_probability(0.99996)), "0.9999"),
    (str(round_probability(1e-9)), "0.0001"),
    (str(round_probability(1.0)), "1.0"),
    *((format_score(score), text) for score, text in
      [(0, "0.00"), (1, "1.00"), (0.004, "0.00"), (0.125, "0.13"), (0.225, "0.23"), (0.825, "0.83"),
       (0.994, "0.99"), (0.996, "1.00"), (0.575, "0.57")]),  # 0.575 is below what it is written as
    (format_score(nan), "–"),
    (format_p_value(0.05), "0.050"),
    (format_p_value(0.00099), "< 0.001"),
    (format_p_value(0.0004, compact=True), "<.001"),
    (format_p_value(0.0316, compact=True), ".032"),
    (format_p_value(1.0, compact=True), "1.000"),
    (format_p_value(nan, compact=True), "–"),
    (format_count(0), "0"),
    (format_count(293_914.0), "293,914"),
    (count_of(1, "page"), "1 page"),
    (count_of(0, "page"), "0 pages"),
    (count_of(1234, "person", "people"), "1,234 people"),
    (format_interval(SOME), "−0.12 (−0.25 to 0.06)"),
    (format_interval(SOME, signed=True), "−0.12 (−0.25 to +0.06)"),
    (format_interval(Estimate(0.57123, 0.5708, 0.5718)), "0.5712 (0.5708 to 0.5718)"),
    (format_interval(Estimate(57.12345, 50.1, 64.2)), "57 (50 to 64)"),
    (format_interval(Estimate(0.5, 0.5, 0.5)), "0.500 (0.500 to 0.500)"),
    (format_interval(Estimate(0.3, 1e-15, 0.6)), "0.300 (0.000 to 0.600)"),
    (format_interval(Estimate(0.3, 0.002, 0.6), signed=True), "+0.300 (+0.002 to +0.600)"),
    (format_interval(Estimate(0.1, 0.1, 0.1 + 1e-9)), "0.100000 (0.100000 to 0.100000)"),
    (format_interval(Estimate(0.5, -inf, inf)), "0.500 (−inf to inf)"),
    (format_interval(ALONE), "0.500"),
    (format_interval(ALONE, signed=True), "+0.500"),
    (format_interval(UNKNOWN), "–"),
    (format_percentage_interval(Estimate(0.5, 0.25, 0.75)), "50 % (25 to 75)"),
    (format_percentage_interval(SOME), "−12 % (−25 to 6)"),
    (format_percentage_interval(Estimate(0.98765, 0.983, 0.991)), "98.77 % (98.30 to 99.10)"),
    (format_percentage_interval(ALONE), "50.0 %"),
    (format_percentage_interval(UNKNOWN), "–"),
    (join_labels("a"), "a"),
    (join_labels(["a ", "b"]), "a and b"),
    (join_labels("abc"), "a, b and c"),
    (join_items([]), ""),
    (join_items(range(5)), "0, 1, 2, 3, 4"),
    (join_items(range(7)), "0, 1, 2, 3, 4 and 2 more"),
    (suggest_names("lable", ["label", "x"]), "did you mean 'label'?"),
    (suggest_names("q", ["label", "x"]), "there are: 'label', 'x'"),
    (suggest_names("q", ["x"] * 25), "there are: " + "'x', " * 19 + "'x' and 5 more"),
    (error_reason(PermissionError(13, "Permission denied", "/x")), "Permission denied"),
    (error_reason(OSError("odd")), "odd"),
    (cut_text("Greek history", 13), "Greek history"),
    (cut_text("Greek history", 7), "Greek…"),
    *((cut_middle("abcdef", longest), text) for longest, text in
      [(6, "abcdef"), (5, "ab…ef"), (4, "ab…f"), (3, "a…f"), (2, "a…"), (1, "…")]),
    (tidy_label("dice(token)"), "dice(token)"),
    (tidy_label("  two\n\twords "), "two words"),
    (tidy_label("a\0b\x1b"), "a b"),
    (tidy_label("turned\u202e"), "turned"),
    (tidy_label("\ud800"), ""),
    (cut_columns("history", 7), "history"),
    (cut_columns("history", 6), "histo…"),
    (cut_columns("Greek, history", 7), "Greek…"),
    (cut_columns(FAMILY, 6), FAMILY),
    (cut_columns(FAMILY, 5), "王小…"),
    (cut_columns(FAMILY, 4), "王…"),
    (cut_columns(ACCENTED * 2, 4), ACCENTED + "…"),
    (cut_columns("history", 1), "…"),
]  # fmt: skip


def test_texts():
    assert [text for text, _ in TEXTS] == [expected for _, expected in TEXTS]


WIDTHS = [
    ("", 0), ("Zoë", 3), (ACCENTED, 3), (FAMILY, 6), ("Ａ", 2), ("ｱ", 1), ("\U0001f30a", 2),
    ("א\u05b7", 1), ("a\u20dd", 1),
]  # fmt: skip


@each_case(("text", "columns"), WIDTHS)
def test_width_is_that_of_a_terminal(text, columns):
    assert text_width(text) == columns


@given(st.text(st.sampled_from("a ß王ｱＡé,…\u0308\U0001f30a")), st.integers(1, 12))
def test_cut_text_fits_its_column(text, columns):
    assert text_width(cut_columns(text, columns)) <= columns


@given(st.text(), st.integers(1, 50))
def test_labels_are_printable_and_not_too_long(text, longest):
    label = tidy_label(text, longest)
    assert label.isprintable()
    assert len(label) <= longest


@pytest.mark.parametrize("text", ["a" * 10_000, "\u202e\x00\n" * 100])
def test_quoted_text_is_bounded_and_seen(text):
    assert len(quote_text(text)) < 400
    assert quote_text(text).isprintable()


def test_tables():
    assert table_width(ROWS) == len("title and url") + 2 + len("count")
    assert markdown_table(ROWS) == [
        "| name | count |",
        "|---|---|",
        "| token | 7 |",
        "| title and url | 12 |",
    ]
    assert markdown_table([["a|b"]])[0] == "| a\\|b |"


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\t=1", " -x", "'=1", "''@x"]


@each_case("text", FORMULAS)
def test_formulas_get_an_apostrophe(text):
    assert guard_cell(text) == f"'{text}"


@each_case("text", ["", "dice(token)", "a=b", "'quoted'", "O'Neil"])
def test_other_cells_stay(text):
    assert guard_cell(text) == text == unguard_cell(text)


@each_case("letter", ["a", "=", "\U0001f600", "\ud800"])
def test_cells_are_cut_and_marked_where_spreadsheets_would_cut_them(letter):
    text = letter * 40_000
    cell = spreadsheet_cell(text)
    assert cell.endswith("…")
    assert len(cell.encode("utf-16-le", "surrogatepass")) // 2 in {32_766, 32_767}
    assert guard_cell(text).startswith(cell[:-1])
    assert spreadsheet_cell(text[:16_000]) == guard_cell(text[:16_000])


@given(st.text() | st.text("'=+-@ \ta", max_size=6))
def test_nothing_is_lost_in_a_cell(text):
    assert unguard_cell(guard_cell(text)) == text
