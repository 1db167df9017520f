"""Tables: printed cells of one declaration, and values in JSON form."""

from __future__ import annotations

from functools import partial
from math import nan
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps_eval.report import tables
from weps_eval.stats import Estimate


class Measure(NamedTuple):
    name: str
    king: Estimate
    people: float | None = None


ROUGE = Measure("rouge(n=1)", Estimate(0.5, 0.25, 0.75), 0.3)
TERMS = Measure("terms", Estimate(0.125, nan, nan))
COLUMNS: list[tables.Column] = [
    tables.Column("measure", lambda each: each.name, tables.name_kind(8)),
    tables.Column("KING", lambda each: each.king, tables.ESTIMATE),
    tables.Column("fluency", lambda each: each.people, tables.SIGNED),
    tables.Column("alone", lambda each: each.king, tables.SHARE, absent="terminal"),
    tables.Column("?", lambda each: each.king.value > 0.2, absent="csv html latex markdown"),
]
KING = {"value": 0.5, "low": 0.25, "high": 0.75}


@pytest.fixture
def king() -> tables.Table:
    return tables.Table("king", "KING", COLUMNS, [ROUGE, TERMS], "A note.")


def test_the_report_shows_its_columns(king):
    assert king.shown("html").rows == king.shown("csv").rows
    assert king.shown("html").rows == [
        ["measure", "KING", "fluency", "alone"],
        ["rouge(n=1)", "0.50 (0.25 to 0.75)", "+0.300", "0.500"],
        ["terms", "0.125", "–", "0.125"],
    ]


def test_the_terminal_shows_its_own_shorter(king):
    brief = king.shown("terminal")
    assert brief.rows[:2] == [
        ["measure", "KING", "fluency", "?"],
        ["rouge(n…", "0.50 (0.25 to 0.75)", "+0.300", "True"],
    ]
    assert brief.shown("terminal").rows == brief.rows


@each_case(
    ("kinds", "left"),
    [
        ([tables.SHARE], 1),
        ([tables.SHARE, tables.TEXT], 2),
        ([tables.TEXT, tables.TEXT, tables.SHARE, tables.TEXT], 2),
        ([tables.TEXT, tables.SHARE], 1),
    ],
)
def test_text_before_the_first_number_is_aligned_left(kinds, left):
    table = tables.Table("t", "", [tables.Column("", str, kind) for kind in kinds], [])
    assert table.left == left


@each_case(
    ("kind", "value", "cell"),
    [
        (tables.SHARE, 0.12345, "0.123"),
        (tables.SHARE, ROUGE.king, "0.500"),
        (tables.SIGNED_TWO, -0.126, "−0.13"),
        (tables.SIGNED_TWO, nan, "–"),
        (tables.PERCENT, 0.5, "50.0 %"),
        (tables.COUNT, 1234, "1,234"),
        (tables.ESTIMATE, TERMS.king, "0.125"),
    ],
)
def test_kinds_of_columns(kind, value, cell):
    assert tables.Column("", lambda _: value, kind).cell(None) == cell


@each_case(
    ("value", "expected"),
    [
        (nan, None),
        (np.float64(nan), None),
        (np.int64(3), 3),
        (np.array([1.0, nan]), [1.0, None]),
        ({"a": (ROUGE.king, None)}, {"a": [KING, None]}),
    ],
)
def test_values_as_json(value, expected):
    assert tables.as_json(value) == expected


numbers = st.floats(-1, 1)
estimates = st.tuples(numbers, numbers, numbers).map(
    lambda three: Estimate(sorted(three)[1], min(three), max(three))
)


ABOVE, LIKE = tables.judge_above_zero, partial(tables.judge_similar, most=0.02)
REACHES, BELOW = partial(tables.judge_at_least, limit=0.7), partial(tables.judge_at_most, limit=0)


@each_case(
    ("rule", "figures", "word"),
    [
        (ABOVE, (0.1, 0.05, 0.15), tables.HOLDS),
        (ABOVE, (-0.1, -0.2, -0.05), tables.DOES_NOT_HOLD),
        (ABOVE, (0.1, -0.1, 0.2), tables.UNDECIDED),
        (LIKE, (0.0, -0.02, 0.02), tables.HOLDS),
        (LIKE, (-0.05, -0.07, -0.03), tables.DOES_NOT_HOLD),
        (LIKE, (0.01, -0.01, 0.03), tables.UNDECIDED),
        (REACHES, (0.8, 0.7, 0.9), tables.HOLDS),
        (REACHES, (0.6, 0.5, 0.69), tables.DOES_NOT_HOLD),
        (REACHES, (0.8, 0.6, 0.9), tables.UNDECIDED),
        (BELOW, (-0.2, -0.3, -0.1), tables.HOLDS),
        (BELOW, (-0.15, -0.3, 0.0), tables.UNDECIDED),
        (BELOW, (0.1, 0.0, 0.2), tables.DOES_NOT_HOLD),
        *((rule, (0.9, nan, nan), tables.UNDECIDED) for rule in (ABOVE, LIKE, REACHES, BELOW)),
    ],
)
def test_a_figure_is_judged_by_its_whole_interval(rule, figures, word):
    assert rule(Estimate(*figures)).word == word


@given(estimates)
def test_greater_and_smaller_mirror_each_other(found):
    turned = Estimate(-found.value, -found.high, -found.low)
    mirror = {
        tables.HOLDS: tables.DOES_NOT_HOLD,
        tables.DOES_NOT_HOLD: tables.HOLDS,
        tables.UNDECIDED: tables.UNDECIDED,
    }
    assert tables.judge_above_zero(turned).word == mirror[tables.judge_above_zero(found).word]
    assert tables.judge_similar(turned, 0.3).word == tables.judge_similar(found, 0.3).word


@each_case(
    ("own", "others", "word"),
    [
        ((0.3, 0.25, 0.35), [(0.1, 0.05, 0.15), (0.2, 0.18, 0.22)], tables.HOLDS),
        ((0.2, 0.18, 0.22), [(0.1, 0.05, 0.15), (0.3, 0.25, 0.35)], tables.DOES_NOT_HOLD),
        ((0.3, 0.25, 0.35), [(0.2, 0.15, 0.25)], tables.UNDECIDED),
        ((0.5, 0.45, 0.55), [(0.4, 0.38, 0.42), (0.35, 0.2, 0.5)], tables.UNDECIDED),
        ((0.3, 0.28, 0.32), [(0.4, 0.2, 0.6), (0.38, 0.36, 0.4)], tables.DOES_NOT_HOLD),
        ((0.3, nan, nan), [(0.1, nan, nan)], tables.UNDECIDED),
        ((0.3, 0.25, 0.35), [], tables.NOT_STUDIED),
        (None, [(0.1, 0.05, 0.15), (0.2, 0.18, 0.22)], tables.NOT_STUDIED),
    ],
)
def test_largest(own, others, word):
    shares = {f"f{number}": Estimate(*each) for number, each in enumerate(others)}
    if own:
        shares["own"] = Estimate(*own)
    assert tables.judge_largest(shares, "own").word == word


def test_verdicts_tell_the_figure_that_matters_most():
    shares = {"low": Estimate(0.1, 0.05, 0.15), "high": Estimate(0.15, 0.1, 0.18)}
    words = tables.judge_largest(shares | {"own": Estimate(0.3, 0.25, 0.35)}, "own").figures
    assert words == "own: 30 % (25 to 35), high: 15.0 % (10.0 to 18.0)"


ENOUGH = tables.SampleSize(10, 3000)
HIGH: tables.Claim[float] = tables.Claim(
    "It is high.", "section 1", "above 1", lambda x: tables.Verdict(tables.HOLDS, f"{x}")
)
OPEN: tables.Claim[float] = tables.Claim(
    "It is old.", "section 2", "after 1", lambda _: tables.cannot_judge("no dates")
)


def test_judged_and_shown():
    found = tables.judge_claims((HIGH, OPEN), 2.0, ENOUGH)
    assert [verdict.word for _, verdict in found] == [tables.HOLDS, tables.CANNOT]
    size = "topics: 10; outputs: 3,000"
    assert tables.brief_claims_table(found).rows[1:] == [
        [tables.HOLDS, size, "It is high."],
        [tables.CANNOT, "–", "It is old. (no dates)"],
    ]
    table = tables.Table("conclusions", "", tables.CLAIM_COLUMNS, found)
    assert table.rows[1:] == [
        ["It is high.", tables.HOLDS, size, "2.0", "above 1", "section 1"],
        ["It is old.", tables.CANNOT, "–", "no dates", "after 1", "section 2"],
    ]
    assert table.left == 6
    assert tables.claim_records(found)[0] == {
        "claim": "It is high.",
        "source": "section 1",
        "verdict": tables.HOLDS,
        "n": {"groups": 10, "cases": 3000, "group": "topics", "case": "outputs"},
        "figures": "2.0",
    }


@each_case(
    ("words", "expected", "figures"),
    [
        ([tables.HOLDS], tables.HOLDS, "0"),
        ([tables.HOLDS, tables.UNDECIDED], tables.UNDECIDED, "a: 0; b: 1"),
        (
            [tables.UNDECIDED, tables.DOES_NOT_HOLD, tables.HOLDS],
            tables.DOES_NOT_HOLD,
            "a: 0; b: 1; c: 2",
        ),
        ([tables.CANNOT, tables.HOLDS], tables.HOLDS, "b: 1"),
        ([tables.CANNOT, tables.CANNOT], tables.CANNOT, "0"),
        ([tables.CANNOT], tables.CANNOT, "0"),
    ],
)
def test_the_worst_word_counts(words, expected, figures):
    given = {
        name: tables.Verdict(word, str(at))
        for at, (name, word) in enumerate(zip("abc", words, strict=False))
    }
    claim = tables.Claim("worst", "nobody", "", lambda verdict: verdict)
    judged = {name: tables.judge_claims([claim], each, ENOUGH) for name, each in given.items()}
    ((_, verdict),) = tables.worst_by_criterion(judged)
    assert (verdict.word, verdict.figures) == (expected, figures)


sizes = st.builds(tables.SampleSize, st.integers(0, 20), st.integers(0, 60))
parts = st.builds(
    tables.Verdict, st.sampled_from(list(tables.SEVERITY)), st.just("1"), st.none() | sizes
) | st.just(tables.cannot_judge("no"))


@given(parts, sizes, st.none() | sizes)
def test_nothing_is_concluded_from_a_small_sample(verdict, size, of_claim):
    claim = tables.Claim("", "", "", lambda _: verdict, of_claim and (lambda _: of_claim))
    ((_, found),) = tables.judge_claims([claim], 0, size)
    if verdict.word in {tables.CANNOT, tables.NOT_STUDIED}:
        assert found == verdict
    else:
        assert found.size == (verdict.size or of_claim or size)
        small = found.size.groups < 10 or found.size.cases < 30
        assert found.word == (tables.TOO_FEW if small else verdict.word)


def test_the_smallest_sample_of_what_decides_is_shown():
    few, more = tables.SampleSize(3, 99), tables.SampleSize(20, 50)
    holds = tables.Verdict(tables.HOLDS, "1")
    assert tables.worst_verdict([holds.resting_on(ENOUGH), holds.resting_on(more)]).size == ENOUGH
    assert tables.worst_verdict([holds.resting_on(ENOUGH), holds.resting_on(few)]) == (
        tables.TOO_FEW, "1; 1", few
    )  # fmt: skip
    fails = tables.Verdict(tables.DOES_NOT_HOLD, "0").resting_on(more)
    assert tables.worst_verdict([holds.resting_on(few), fails]) == (
        tables.DOES_NOT_HOLD,
        "1; 0",
        more,
    )
    assert tables.SampleSize.of_fewer({"topics": 9, "systems": 4}, 36) == tables.SampleSize(
        4, 36, "systems"
    )
