"""Numbers, words and cells as text."""

from math import inf, nan
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps import _formatting


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
    (_formatting.format_number(0.12349), "0.123"),
    (_formatting.format_number(0.9996), "1.000"),
    (_formatting.format_number(-0.0001), "0.000"),
    (_formatting.format_number(-0.25), "−0.250"),
    (_formatting.format_number(-0.256, 2), "−0.26"),
    (_formatting.format_number(1e-9, 0), "0"),
    (_formatting.format_number(nan), "–"),
    (_formatting.format_signed(0.0004), "+0.000"),
    (_formatting.format_signed(-0.0), "+0.000"),
    (_formatting.format_signed(-0.0001), "+0.000"),
    (_formatting.format_signed(-0.0006), "−0.001"),
    (_formatting.format_signed(-0.0125, minus="-"), "-0.013"),
    (_formatting.format_signed(0.1), "+0.100"),
    (_formatting.format_signed(56.3, 0), "+56"),
    (_formatting.format_signed(nan), "–"),
    (_formatting.format_percentage(0.12349), "12.3 %"),
    (_formatting.format_percentage(-0.12349), "−12.3 %"),
    (_formatting.format_percentage(-0.0001), "0.0 %"),
    (_formatting.format_percentage(0.196, 0), "20 %"),
    (_formatting.format_percentage(nan), "–"),
    (_formatting.format_probability(1.0), "100%"),
    (_formatting.format_probability(0.9969), "99%"),
    (_formatting.format_probability(0.9949), "99%"),
    (_formatting.format_probability(0.4999), "50%"),
    (_formatting.format_probability(0.0001), "1%"),
    (_formatting.format_probability(0.0), "0%"),
    (str(_formatting.round_probability(0.99996)), "0.9999"),
    (str(_formatting.round_probability(1e-9)), "0.0001"),
    (str(_formatting.round_probability(1.0)), "1.0"),
    *((_formatting.format_score(score), text) for score, text in
      [(0, "0.00"), (1, "1.00"), (0.004, "0.00"), (0.125, "0.13"), (0.225, "0.23"), (0.825, "0.83"),
       (0.994, "0.99"), (0.996, "1.00"), (0.575, "0.57")]),  # 0.575 is below what it is written as
    (_formatting.format_score(nan), "–"),
    (_formatting.format_p_value(0.05), "0.050"),
    (_formatting.format_p_value(0.00099), "< 0.001"),
    (_formatting.format_count(0), "0"),
    (_formatting.format_count(293_914.0), "293,914"),
    (_formatting.count_of(1, "page"), "1 page"),
    (_formatting.count_of(0, "page"), "0 pages"),
    (_formatting.count_of(1234, "person", "people"), "1,234 people"),
    (_formatting.format_interval(SOME), "−0.12 (−0.25 to 0.06)"),
    (_formatting.format_interval(SOME, signed=True), "−0.12 (−0.25 to +0.06)"),
    (_formatting.format_interval(Estimate(0.57123, 0.5708, 0.5718)), "0.5712 (0.5708 to 0.5718)"),
    (_formatting.format_interval(Estimate(57.12345, 50.1, 64.2)), "57 (50 to 64)"),
    (_formatting.format_interval(Estimate(0.5, 0.5, 0.5)), "0.500 (0.500 to 0.500)"),
    (_formatting.format_interval(Estimate(0.3, 1e-15, 0.6)), "0.300 (0.000 to 0.600)"),
    (
        _formatting.format_interval(Estimate(0.3, 0.002, 0.6), signed=True),
        "+0.300 (+0.002 to +0.600)",
    ),
    (
        _formatting.format_interval(Estimate(0.1, 0.1, 0.1 + 1e-9)),
        "0.100000 (0.100000 to 0.100000)",
    ),
    (_formatting.format_interval(Estimate(0.5, -inf, inf)), "0.500 (−inf to inf)"),
    (_formatting.format_interval(ALONE), "0.500"),
    (_formatting.format_interval(ALONE, signed=True), "+0.500"),
    (_formatting.format_interval(UNKNOWN), "–"),
    (_formatting.format_percentage_interval(Estimate(0.5, 0.25, 0.75)), "50 % (25 to 75)"),
    (_formatting.format_percentage_interval(SOME), "−12 % (−25 to 6)"),
    (
        _formatting.format_percentage_interval(Estimate(0.98765, 0.983, 0.991)),
        "98.77 % (98.30 to 99.10)",
    ),
    (_formatting.format_percentage_interval(ALONE), "50.0 %"),
    (_formatting.format_percentage_interval(UNKNOWN), "–"),
    (_formatting.join_labels("a"), "a"),
    (_formatting.join_labels(["a ", "b"]), "a and b"),
    (_formatting.join_labels("abc"), "a, b and c"),
    (_formatting.join_items([]), ""),
    (_formatting.join_items(range(5)), "0, 1, 2, 3, 4"),
    (_formatting.join_items(range(7)), "0, 1, 2, 3, 4 and 2 more"),
    (_formatting.suggest_names("lable", ["label", "x"]), "did you mean 'label'?"),
    (_formatting.suggest_names("q", ["label", "x"]), "there are: 'label', 'x'"),
    (_formatting.suggest_names("q", ["x"] * 25), "there are: " + "'x', " * 19 + "'x' and 5 more"),
    (_formatting.error_reason(PermissionError(13, "Permission denied", "/x")), "Permission denied"),
    (_formatting.error_reason(OSError("odd")), "odd"),
    (_formatting.cut_text("Greek history", 13), "Greek history"),
    (_formatting.cut_text("Greek history", 7), "Greek…"),
    *((_formatting.cut_middle("abcdef", longest), text) for longest, text in
      [(6, "abcdef"), (5, "ab…ef"), (4, "ab…f"), (3, "a…f"), (2, "a…"), (1, "…")]),
    (_formatting.tidy_label("dice(token)"), "dice(token)"),
    (_formatting.tidy_label("  two\n\twords "), "two words"),
    (_formatting.tidy_label("a\0b\x1b"), "a b"),
    (_formatting.tidy_label("turned\u202e"), "turned"),
    (_formatting.tidy_label("\ud800"), ""),
    (_formatting.cut_columns("history", 7), "history"),
    (_formatting.cut_columns("history", 6), "histo…"),
    (_formatting.cut_columns("Greek, history", 7), "Greek…"),
    (_formatting.cut_columns(FAMILY, 6), FAMILY),
    (_formatting.cut_columns(FAMILY, 5), "王小…"),
    (_formatting.cut_columns(FAMILY, 4), "王…"),
    (_formatting.cut_columns(ACCENTED * 2, 4), ACCENTED + "…"),
    (_formatting.cut_columns("history", 1), "…"),
]  # fmt: skip


def test_texts():
    assert [text for text, _ in TEXTS] == [expected for _, expected in TEXTS]


WIDTHS = [
    ("", 0), ("Zoë", 3), (ACCENTED, 3), (FAMILY, 6), ("Ａ", 2), ("ｱ", 1), ("\U0001f30a", 2),
    ("א\u05b7", 1), ("a\u20dd", 1),
]  # fmt: skip


@each_case(("text", "columns"), WIDTHS)
def test_width_is_that_of_a_terminal(text, columns):
    assert _formatting.text_width(text) == columns


@given(st.text(st.sampled_from("a ß王ｱＡé,…\u0308\U0001f30a")), st.integers(1, 12))
def test_cut_text_fits_its_column(text, columns):
    assert _formatting.text_width(_formatting.cut_columns(text, columns)) <= columns


@given(st.text(), st.integers(1, 50))
def test_labels_are_printable_and_not_too_long(text, longest):
    label = _formatting.tidy_label(text, longest)
    assert label.isprintable()
    assert len(label) <= longest


@pytest.mark.parametrize("text", ["a" * 10_000, "\u202e\x00\n" * 100])
def test_quoted_text_is_bounded_and_seen(text):
    assert len(_formatting.quote_text(text)) < 400
    assert _formatting.quote_text(text).isprintable()


def test_tables():
    assert _formatting.table_width(ROWS) == len("title and url") + 2 + len("count")
    assert _formatting.markdown_table(ROWS) == [
        "| name | count |",
        "|---|---|",
        "| token | 7 |",
        "| title and url | 12 |",
    ]
    assert _formatting.markdown_table([["a|b"]])[0] == "| a\\|b |"


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "＝1", "\t=1", " -x", "'=1", "''@x"]


@each_case("text", FORMULAS)
def test_formulas_get_an_apostrophe(text):
    assert _formatting.guard_cell(text) == f"'{text}"


@each_case("text", ["", "dice(token)", "a=b", "'quoted'", "O'Neil"])
def test_other_cells_stay(text):
    assert _formatting.guard_cell(text) == text == _formatting.unguard_cell(text)


@each_case("letter", ["a", "=", "\U0001f600", "\ud800"])
def test_cells_are_cut_and_marked_where_spreadsheets_would_cut_them(letter):
    text = letter * 40_000
    cell = _formatting.spreadsheet_cell(text)
    assert cell.endswith("…")
    assert len(cell.encode("utf-16-le", "surrogatepass")) // 2 in {32_766, 32_767}
    assert _formatting.guard_cell(text).startswith(cell[:-1])
    assert _formatting.spreadsheet_cell(text[:16_000]) == _formatting.guard_cell(text[:16_000])


@given(st.text() | st.text("'=+-@ \ta", max_size=6))
def test_nothing_is_lost_in_a_cell(text):
    assert _formatting.unguard_cell(_formatting.guard_cell(text)) == text
