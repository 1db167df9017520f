from math import nan

import pytest

from eval.feature_study.ahead import ahead_of_all
from eval.judging.rules import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED
from tests.eval.feature_study.made_up import BETTER, SAME, WORSE, findings_with

ABOUT_SAME = (0.52, 0.45, 0.6)
ALONE = (0.6, nan, nan)
"""One group: nothing to draw anew."""


@pytest.mark.parametrize(
    ("studied", "word"),
    [
        ({"best": BETTER, "a": WORSE, "b": SAME}, HOLDS),
        ({"best": SAME, "a": SAME}, UNDECIDED),
        ({"best": ABOUT_SAME, "a": SAME, "b": WORSE}, UNDECIDED),
        ({"best": SAME, "a": WORSE, "b": BETTER}, DOES_NOT_HOLD),
        ({"best": SAME, "a": SAME, "b": BETTER}, DOES_NOT_HOLD),
        ({"best": ABOUT_SAME, "a": WORSE, "b": (0.55, 0.56, 0.54)}, UNDECIDED),
        ({"best": ALONE, "a": WORSE}, UNDECIDED),
        ({"best": BETTER}, NOT_STUDIED),
        ({"a": BETTER, "b": SAME}, NOT_STUDIED),
    ],
)
def test_ahead_of_all(studied: dict[str, tuple[float, ...]], word: str) -> None:
    found = ahead_of_all(findings_with(precisions=studied), "best", ["best", "a", "b", "lost"])
    assert found.word == word


def test_verdicts_tell_the_figure_that_matters_most() -> None:
    some = findings_with(precisions={"best": SAME, "a": WORSE, "b": BETTER})
    told = ahead_of_all(some, "best", ["a", "b"]).figures
    assert told == "average precision of best − b: −0.100 (−0.119 to −0.081)"


def test_the_figures_are_those_of_the_one_that_decides() -> None:
    """It does not hold because of b, though a is further ahead: the interval of a holds 0."""
    precisions = {"best": SAME, "a": (0.56, 0.4, 0.7), "b": (0.54, 0.53, 0.55)}
    verdict = ahead_of_all(findings_with(precisions=precisions), "best", ["a", "b"])
    assert verdict.word == DOES_NOT_HOLD
    assert "of best − b: −0.040" in verdict.figures
    close = {"best": SAME, "a": WORSE, "b": (0.48, 0.4, 0.6)}
    verdict = ahead_of_all(findings_with(precisions=close), "best", ["a", "b"])
    assert verdict.word == UNDECIDED
    assert "of best − b: +0.020" in verdict.figures


def test_what_was_not_studied_is_told_beside_the_verdict() -> None:
    some = findings_with(precisions={"best": BETTER, "a": WORSE})
    told = ahead_of_all(some, "best", ["lost", "best", "a", "gone"]).figures
    assert told.endswith("; not studied: lost, gone")
    assert "not studied" not in ahead_of_all(some, "best", ["best", "a"]).figures


def test_verdicts_of_what_is_not_studied_tell_no_figure() -> None:
    assert ahead_of_all(findings_with(precisions={}), "best", ["a"]).figures == ""
