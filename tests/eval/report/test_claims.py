from dataclasses import dataclass
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.report.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    MARKS,
    NOT_STUDIED,
    UNDECIDED,
    Verdict,
    at_least,
    below,
    both,
    claims_table,
    greater,
    largest,
    rough_intervals,
    similar,
)
from eval.stats.estimate import Estimate


@pytest.mark.parametrize(("groups", "told"), [(1, 0), (2, 1), (9, 1), (10, 0), (49, 0)])
def test_intervals_over_few_groups_are_called_rough(groups: int, told: int) -> None:
    remarks = list(rough_intervals(groups))
    assert len(remarks) == told
    assert all(str(groups) in each for each in remarks)


numbers = st.floats(-1, 1)
estimates = st.tuples(numbers, numbers, numbers).map(
    lambda three: Estimate(sorted(three)[1], min(three), max(three))
)


@pytest.mark.parametrize(
    ("figures", "word"),
    [
        ((0.1, 0.05, 0.15), HOLDS),
        ((-0.1, -0.2, -0.05), DOES_NOT_HOLD),
        ((0.1, -0.1, 0.2), UNDECIDED),
        ((0.1, 0.0, 0.2), UNDECIDED),
        ((-0.1, -0.2, 0.0), UNDECIDED),
        ((0.1, nan, nan), UNDECIDED),
        ((nan, nan, nan), UNDECIDED),
    ],
)
def test_greater(figures: tuple[float, float, float], word: str) -> None:
    assert greater(Estimate(*figures)).word == word


@given(estimates)
def test_greater_and_smaller_mirror_each_other(found: Estimate) -> None:
    turned = Estimate(-found.value, -found.high, -found.low)
    mirror = {HOLDS: DOES_NOT_HOLD, DOES_NOT_HOLD: HOLDS, UNDECIDED: UNDECIDED}
    assert greater(turned).word == mirror[greater(found).word]
    assert similar(turned, 0.3).word == similar(found, 0.3).word


@pytest.mark.parametrize(
    ("figures", "word"),
    [
        ((0.0, -0.02, 0.02), HOLDS),
        ((0.05, 0.03, 0.07), DOES_NOT_HOLD),
        ((-0.05, -0.07, -0.03), DOES_NOT_HOLD),
        ((0.01, -0.01, 0.03), UNDECIDED),
        ((0.03, 0.02, 0.04), UNDECIDED),
        ((0.0, -inf, inf), UNDECIDED),
        ((0.0, nan, nan), UNDECIDED),
    ],
)
def test_similar(figures: tuple[float, float, float], word: str) -> None:
    assert similar(Estimate(*figures), 0.02).word == word


@pytest.mark.parametrize(
    ("figures", "word"),
    [
        ((0.8, 0.7, 0.9), HOLDS),
        ((0.6, 0.5, 0.69), DOES_NOT_HOLD),
        ((0.8, 0.6, 0.9), UNDECIDED),
        ((0.6, 0.5, 0.7), UNDECIDED),
        ((0.9, nan, nan), UNDECIDED),
        ((0.1, nan, nan), UNDECIDED),
    ],
)
def test_at_least(figures: tuple[float, float, float], word: str) -> None:
    assert at_least(Estimate(*figures), 0.7).word == word


@pytest.mark.parametrize(
    ("shares", "word"),
    [
        ([(0.1, 0.05, 0.15)], HOLDS),
        ([(0.1, 0.05, 0.15), (0.3, 0.25, 0.35)], DOES_NOT_HOLD),
        ([(0.1, 0.05, 0.15), (0.19, 0.1, 0.21)], UNDECIDED),
        ([(0.1, 0.05, 0.2)], UNDECIDED),
        ([(0.25, 0.2, 0.3)], UNDECIDED),
        ([(0.3, nan, nan)], UNDECIDED),
        ([(0.1, nan, nan)], UNDECIDED),
        ([(0.1, 0.05, 0.15), (0.1, nan, nan)], UNDECIDED),
        ([(0.3, 0.1, 0.5), (0.25, 0.21, 0.3)], DOES_NOT_HOLD),
        ([(0.15, 0.1, 0.18), (0.1, 0.0, 0.3)], UNDECIDED),
        ([(nan, nan, nan)], UNDECIDED),
        ([], NOT_STUDIED),
    ],
)
def test_below(shares: list[tuple[float, float, float]], word: str) -> None:
    named = {f"f{number}": Estimate(*each) for number, each in enumerate(shares)}
    assert below(named, 0.2).word == word


@pytest.mark.parametrize(
    ("own", "others", "word"),
    [
        ((0.3, 0.25, 0.35), [(0.1, 0.05, 0.15), (0.2, 0.18, 0.22)], HOLDS),
        ((0.2, 0.18, 0.22), [(0.1, 0.05, 0.15), (0.3, 0.25, 0.35)], DOES_NOT_HOLD),
        ((0.3, 0.25, 0.35), [(0.2, 0.15, 0.25)], UNDECIDED),
        ((0.5, 0.45, 0.55), [(0.4, 0.38, 0.42), (0.35, 0.2, 0.5)], UNDECIDED),
        ((0.3, 0.28, 0.32), [(0.4, 0.2, 0.6), (0.38, 0.36, 0.4)], DOES_NOT_HOLD),
        ((0.2, 0.15, 0.25), [(0.3, 0.25, 0.35)], UNDECIDED),
        ((0.3, nan, nan), [(0.1, nan, nan)], UNDECIDED),
        ((0.3, 0.25, 0.35), [], NOT_STUDIED),
        (None, [(0.1, 0.05, 0.15), (0.2, 0.18, 0.22)], NOT_STUDIED),
    ],
)
def test_largest(
    own: tuple[float, float, float] | None, others: list[tuple[float, float, float]], word: str
) -> None:
    shares = {f"f{number}": Estimate(*each) for number, each in enumerate(others)}
    if own:
        shares["own"] = Estimate(*own)
    assert largest(shares, "own").word == word


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (HOLDS, HOLDS, HOLDS),
        (HOLDS, UNDECIDED, UNDECIDED),
        (HOLDS, DOES_NOT_HOLD, DOES_NOT_HOLD),
        (UNDECIDED, DOES_NOT_HOLD, DOES_NOT_HOLD),
        (UNDECIDED, UNDECIDED, UNDECIDED),
    ],
)
def test_both_hold_only_if_each_does(first: str, second: str, word: str) -> None:
    parts = [Verdict(first, "one"), Verdict(second, "two")]
    assert both(*parts) == Verdict(word, "one; two")
    assert both(*parts[::-1]) == Verdict(word, "two; one")


def test_verdicts_tell_the_figure_that_matters_most() -> None:
    shares = {"low": Estimate(0.1, 0.05, 0.15), "high": Estimate(0.15, 0.1, 0.18)}
    assert below(shares, 0.2).figures == "the most, high: 15.0 % (10.0 to 18.0)"
    decided_by_b = {"a": Estimate(0.3, 0.1, 0.5), "b": Estimate(0.25, 0.22, 0.28)}
    assert below(decided_by_b, 0.2).figures == "the most, b: 25.0 % (22.0 to 28.0)"
    told = largest(shares | {"own": Estimate(0.3, 0.25, 0.35)}, "own").figures
    assert told == "own: 30.0 % (25.0 to 35.0), high: 15.0 % (10.0 to 18.0)"


def test_verdicts_of_what_is_not_studied_tell_no_figure() -> None:
    assert below({}, 0.2).figures == ""


@dataclass(frozen=True)
class Claim:
    claim: str
    source: str
    rule: str


def test_a_row_for_each_claim() -> None:
    first, second = (
        Claim("Tides rise.", "section 1", "> 0"),
        Claim("Tides fall.", "section 2", "< 0"),
    )
    judged = [(first, Verdict(HOLDS, "+1")), (second, Verdict(DOES_NOT_HOLD))]
    made = claims_table(judged, "claims", "What they say", "A remark.")
    assert made.rows[1:] == [
        ["Tides rise.", HOLDS, "+1", "> 0", "section 1"],
        ["Tides fall.", DOES_NOT_HOLD, "", "< 0", "section 2"],
    ]
    assert (made.key, made.title, made.marks) == ("claims", "What they say", MARKS)
