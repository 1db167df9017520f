import pytest

from weps.tables import aligned, markdown

ROWS = [["name", "count"], ["token", "7"], ["title and url", "12"]]


def test_the_first_column_is_aligned_left_and_numbers_right() -> None:
    assert aligned(ROWS) == [
        "name           count",
        "token              7",
        "title and url     12",
    ]


def test_more_columns_may_be_aligned_left() -> None:
    assert aligned(ROWS, left=2)[1] == "token          7    "


@pytest.mark.parametrize("left", [0, 1, 2])
def test_lines_are_of_one_length(left: int) -> None:
    assert len({len(line) for line in aligned(ROWS, left)}) == 1


def test_markdown_has_a_rule_under_its_heading() -> None:
    assert markdown(ROWS) == [
        "| name | count |",
        "|---|---|",
        "| token | 7 |",
        "| title and url | 12 |",
    ]


def test_a_bar_in_a_cell_divides_nothing() -> None:
    assert markdown([["a|b"]])[0] == "| a\\|b |"
