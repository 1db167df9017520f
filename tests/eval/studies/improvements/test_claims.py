from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import by_system, certain
from tests.eval.studies.made_up_scores import judged as made_up
from weps_eval.meta.improvements import PAPER_THRESHOLDS, CounterSamples
from weps_eval.meta.judged import Scale
from weps_eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, judge_claims
from weps_eval.stats.estimate import BootstrapSamples
from weps_eval.studies.improvements.claims import CLAIMS, sample_size
from weps_eval.studies.improvements.findings import (
    DetectedImprovements,
    Findings,
    Oracles,
    Settings,
    compute_findings,
)

pytestmark = pytest.mark.usefixtures("any_sample_size")

(
    RELIABLE, RESTRICTIVE, PRESERVED, LOW, BEST_LOW, WRONG, COMBINED_EXTREMES, CHEATED, RESISTANT,
    COMBINED_RESISTANT, FAR, COMBINED_BEST, TESTBEDS,
) = range(13)  # fmt: skip
WHOLE = made_up().with_combined(Scale.DEVIATION)
"""Four measures of words, three that know language, and ULC, plain and standardised."""
GROUPS = (4, 3, 1, 1)


def drawn(*values: float) -> BootstrapSamples:
    """A value for each kind; the standardised ULC, which is not the paper's, has 0 or the last."""
    return certain(*np.repeat([*values, 0.0][:4], GROUPS))


def findings(**figures: BootstrapSamples) -> Findings:
    """All parts of the findings; what is not given is 0.5 of every measure."""
    figures = dict.fromkeys(("sip", "sir", "low", "decrease"), drawn(0.5, 0.5, 0.5)) | figures
    real = ~np.eye(2, dtype=np.bool_)
    return Findings(
        WHOLE,
        Settings(),
        DetectedImprovements(
            ("a", "b"), real, np.array([real] * 9), figures["sip"], figures["sir"]
        ),
        is_official=False,
        thresholds=PAPER_THRESHOLDS,
        counter=CounterSamples(figures["low"], figures.get("high", drawn(0.3, 0.3, 0.3))),
        decrease=figures["decrease"],
        oracles=Oracles(figures.get("oracle", drawn(3.5, 3.5, 3.5)), certain(3.0, 1.0, 5.0)),
    )


def words(found: Findings) -> list[str]:
    return [verdict.word for _, verdict in judge_claims(CLAIMS, found, sample_size)]


@each_case(
    ("found", "number", "word"),
    [
        (findings(sip=drawn(0.9, 0, 0), sir=drawn(0.8, 0, 0)), RELIABLE, HOLDS),
        (findings(sip=drawn(0.9, 0, 0), sir=drawn(0.7, 1, 1)), RELIABLE, DOES_NOT_HOLD),
        (findings(sip=drawn(0.8, 0.9, 0), sir=drawn(0.8, 0.7, 0)), RESTRICTIVE, HOLDS),
        (findings(sip=drawn(0.8, 0.9, 0), sir=drawn(0.8, 0.9, 0)), RESTRICTIVE, DOES_NOT_HOLD),
        (findings(sip=drawn(0.8, 0, 0.83), sir=drawn(0.7, 0, 0.66)), PRESERVED, HOLDS),
        (findings(sip=drawn(0.8, 0, 0.83), sir=drawn(0.7, 0, 0.9)), PRESERVED, DOES_NOT_HOLD),
        (findings(low=drawn(0.4, 0.5, 0.5)), LOW, HOLDS),
        (findings(low=drawn(0.1, 0.1, 0.1)), LOW, DOES_NOT_HOLD),
        (findings(low=drawn(0.4, 0.5, 0.21)), BEST_LOW, HOLDS),
        (findings(low=drawn(0.4, 0.5, 0.1)), BEST_LOW, DOES_NOT_HOLD),
        (findings(low=drawn(np.nan, np.nan, np.nan)), BEST_LOW, CANNOT),
        (findings(high=drawn(0.05, 0.045, 0)), WRONG, HOLDS),
        (findings(high=drawn(0.05, 0.03, 0)), WRONG, DOES_NOT_HOLD),
        (findings(low=drawn(0.4, 0.1, 0.44), high=drawn(0.2, 0.1, 0.24)), COMBINED_EXTREMES, HOLDS),
        (findings(low=drawn(0.4, 0.4, 0.5)), COMBINED_EXTREMES, DOES_NOT_HOLD),
        (findings(high=drawn(0.2, 0.1, 0.26)), COMBINED_EXTREMES, DOES_NOT_HOLD),
        (findings(low=drawn(np.nan, np.nan, np.nan)), COMBINED_EXTREMES, CANNOT),
        (findings(decrease=drawn(0.1, 0.1, 0.1)), CHEATED, HOLDS),
        (findings(decrease=drawn(0.1, 0.0, 0.1)), CHEATED, DOES_NOT_HOLD),
        (findings(decrease=drawn(0.2, 0.1, 0)), RESISTANT, HOLDS),
        (findings(decrease=drawn(0.1, 0.1, 0)), RESISTANT, DOES_NOT_HOLD),
        (findings(decrease=drawn(0.2, 0.3, 0.1)), COMBINED_RESISTANT, HOLDS),
        (findings(decrease=drawn(0.2, 0.1, 0.1)), COMBINED_RESISTANT, DOES_NOT_HOLD),
        (findings(oracle=drawn(3.9, 3.5, 3.5)), FAR, HOLDS),
        (findings(oracle=drawn(3.5, 3.5, 4.5)), FAR, DOES_NOT_HOLD),
        (findings(oracle=drawn(3.9, 3.5, 3.5, 4.9)), FAR, HOLDS),
        (findings(oracle=drawn(3.5, 3.5, 3.6)), COMBINED_BEST, HOLDS),
        (findings(oracle=drawn(3.5, 3.7, 3.6)), COMBINED_BEST, DOES_NOT_HOLD),
        (findings(oracle=drawn(3.5, 3.7, 3.6, 4.9)), COMBINED_BEST, DOES_NOT_HOLD),
        (findings(), TESTBEDS, CANNOT),
    ],
)
def test_verdicts(found, number, word):
    assert words(found)[number] == word


def test_of_whole_systems_nothing_can_be_said():
    found = compute_findings(by_system().with_combined(Scale.DEVIATION), Settings(resamples=20))
    assert set(words(found)) == {CANNOT}


@each_case(
    ("changed", "numbers", "reason"),
    [
        ({"decrease": None}, (CHEATED, RESISTANT, COMBINED_RESISTANT), "no system is chosen"),
        (
            {"detected": replace(findings().detected, real=np.zeros((2, 2), dtype=np.bool_))},
            (RELIABLE, RESTRICTIVE, PRESERVED),
            "people see no significant improvement",
        ),
        (
            {"detected": None, "judged": replace(WHOLE, systems=("s0",))},
            (RELIABLE, RESTRICTIVE, PRESERVED),
            "there is one system only",
        ),
    ],
)
def test_the_reason_is_given_where_nothing_can_be_said(changed, numbers, reason):
    judged = judge_claims(CLAIMS, replace(findings(), **changed), sample_size)
    assert all(reason in judged[number][1].figures for number in numbers)
    assert judged[FAR][1].word != CANNOT
