"""Tables: printed cells of one declaration, and values in JSON form."""

from __future__ import annotations

from math import inf, nan
from typing import NamedTuple

import numpy as np
import pytest

from tests.cases import each_case
from weps_eval.report.tables import (
    COUNT,
    ESTIMATE,
    PERCENT,
    SHARE,
    SIGNED,
    SIGNED_TWO,
    TEXT,
    TWO,
    Column,
    Table,
    as_json,
    name_kind,
)
from weps_eval.stats import Estimate


class Measure(NamedTuple):
    name: str
    king: Estimate
    people: float | None = None


ROUGE = Measure("rouge(n=1)", Estimate(0.5, 0.25, 0.75), 0.3)
TERMS = Measure("terms", Estimate(0.125, nan, nan))
COLUMNS: list[Column] = [
    Column("measure", lambda each: each.name, name_kind(8)),
    Column("KING", lambda each: each.king, ESTIMATE),
    Column("fluency", lambda each: each.people, SIGNED),
    Column("alone", lambda each: each.king, SHARE, only="report"),
    Column("?", lambda each: each.king.value > 0.2, only="terminal"),
]
KING = {"value": 0.5, "low": 0.25, "high": 0.75}


@pytest.fixture
def king() -> Table:
    return Table("king", "KING", COLUMNS, [ROUGE, TERMS], "A note.")


def test_the_report_shows_its_columns(king):
    assert king.rows == [
        ["measure", "KING", "fluency", "alone"],
        ["rouge(n=1)", "0.50 (0.25 to 0.75)", "+0.300", "0.500"],
        ["terms", "0.125", "–", "0.125"],
    ]


def test_the_terminal_shows_its_own_shorter(king):
    brief = king.brief()
    assert brief.rows[:2] == [
        ["measure", "KING", "fluency", "?"],
        ["rouge(n…", "0.50 (0.25 to 0.75)", "+0.300", "True"],
    ]
    assert brief.brief().rows == brief.rows


@each_case(
    ("kinds", "left"),
    [([SHARE], 1), ([SHARE, TEXT], 2), ([TEXT, TEXT, SHARE, TEXT], 2), ([TEXT, SHARE], 1)],
)
def test_text_before_the_first_number_is_aligned_left(kinds, left):
    table = Table("t", "", [Column("", str, kind) for kind in kinds], [])
    assert table.left == left


@each_case(
    ("kind", "value", "cell"),
    [
        (SHARE, 0.12345, "0.123"),
        (SHARE, ROUGE.king, "0.500"),
        (SHARE, None, "–"),
        (SIGNED, np.float64(-0.5), "−0.500"),
        (SIGNED_TWO, -0.126, "−0.13"),
        (SIGNED_TWO, nan, "–"),
        (TWO, 0.126, "0.13"),
        (PERCENT, 0.5, "50.0 %"),
        (COUNT, 1234, "1,234"),
        (TEXT, 1234, "1234"),
        (ESTIMATE, TERMS.king, "0.125"),
    ],
)
def test_kinds_of_columns(kind, value, cell):
    assert Column("", lambda _: value, kind).cell(None) == cell


@each_case(
    ("value", "expected"),
    [
        (nan, None),
        (inf, None),
        (0.5, 0.5),
        (np.float64(nan), None),
        (np.int64(3), 3),
        (np.array([1.0, nan]), [1.0, None]),
        ({"a": (ROUGE.king, None)}, {"a": [KING, None]}),
        ("text", "text"),
    ],
)
def test_values_as_json(value, expected):
    assert as_json(value) == expected
