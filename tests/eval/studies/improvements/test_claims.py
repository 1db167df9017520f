from dataclasses import replace

import numpy as np
import pytest

from eval.meta.extremes import CounterSamples
from eval.meta.ulc import Scale
from eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, judge_claims
from eval.stats.estimate import BootstrapSamples
from eval.studies.improvements.claims import CLAIMS
from eval.studies.improvements.findings import (
    DetectedImprovements,
    Findings,
    ImprovementOptions,
    Oracles,
    examined,
)
from tests.eval.studies.made_up_scores import by_system
from tests.eval.studies.made_up_scores import judged as made_up

(
    RELIABLE, RESTRICTIVE, PRESERVED, LOW, BEST_LOW, WRONG, COMBINED_EXTREMES, CHEATED, RESISTANT,
    COMBINED_RESISTANT, FAR, COMBINED_BEST, TESTBEDS,
) = range(13)  # fmt: skip
WHOLE = made_up().with_combined(Scale.DEVIATION)
"""Four measures of words, three that know language, and ULC."""
GROUPS = (4, 3, 1)


def drawn(*values: float) -> BootstrapSamples:
    """Without doubt: every resample says the same. One value for each kind, or one for each row."""
    rows = np.repeat(values, GROUPS) if len(values) == len(GROUPS) else np.array(values)
    return BootstrapSamples(rows, np.repeat(rows[:, None], 5, axis=1))


def findings(
    sip: BootstrapSamples | None = None,
    sir: BootstrapSamples | None = None,
    low: BootstrapSamples | None = None,
    high: BootstrapSamples | None = None,
    decrease: BootstrapSamples | None = None,
    oracle: BootstrapSamples | None = None,
) -> Findings:
    nothing = drawn(0.5, 0.5, 0.5)
    real = ~np.eye(2, dtype=np.bool_)
    seen = DetectedImprovements(
        ("a", "b"), real, np.array([real] * 8), sip or nothing, sir or nothing
    )
    found = examined(WHOLE, ImprovementOptions(resamples=20))
    bounds = BootstrapSamples(
        np.array([3.0, 1.0, 5.0]), np.repeat([[3.0], [1.0], [5.0]], 5, axis=1)
    )
    return replace(
        found,
        detected=seen,
        counter=CounterSamples(low or nothing, high or drawn(0.3, 0.3, 0.3)),
        decrease=decrease or nothing,
        oracles=Oracles(oracle or drawn(3.5, 3.5, 3.5), bounds),
    )


def words(found: Findings) -> list[str]:
    return [verdict.word for _, verdict in judge_claims(CLAIMS, found)]


def test_claims_are_short():
    assert max(len(each.text) for each in CLAIMS) < 80


@pytest.mark.parametrize(
    ("found", "number", "word"),
    [
        (findings(drawn(0.9, 0, 0), drawn(0.8, 0, 0)), RELIABLE, HOLDS),
        (findings(drawn(0.9, 0, 0), drawn(0.7, 1, 1)), RELIABLE, DOES_NOT_HOLD),
        (findings(drawn(0.8, 0.9, 0), drawn(0.8, 0.7, 0)), RESTRICTIVE, HOLDS),
        (findings(drawn(0.8, 0.9, 0), drawn(0.8, 0.9, 0)), RESTRICTIVE, DOES_NOT_HOLD),
        (findings(drawn(0.8, 0, 0.83), drawn(0.7, 0, 0.66)), PRESERVED, HOLDS),
        (findings(drawn(0.8, 0, 0.83), drawn(0.7, 0, 0.9)), PRESERVED, DOES_NOT_HOLD),
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
        (findings(oracle=drawn(3.5, 3.5, 3.6)), COMBINED_BEST, HOLDS),
        (findings(oracle=drawn(3.5, 3.7, 3.6)), COMBINED_BEST, DOES_NOT_HOLD),
        (findings(), TESTBEDS, CANNOT),
    ],
)
def test_verdicts(found, number, word):
    assert words(found)[number] == word


def test_of_whole_systems_nothing_can_be_told():
    found = examined(by_system().with_combined(Scale.DEVIATION), ImprovementOptions(resamples=20))
    assert set(words(found)) == {CANNOT}


def test_where_nobody_is_chosen_nobody_can_be_cheated():
    told = words(examined(WHOLE, ImprovementOptions(resamples=20)))
    assert {told[each] for each in (CHEATED, RESISTANT, COMBINED_RESISTANT)} == {CANNOT}
    assert told[FAR] != CANNOT


def test_without_improvements_there_is_no_precision():
    found = findings()
    none = replace(found, detected=replace(found.detected, real=np.zeros((2, 2), dtype=np.bool_)))
    told = words(none)
    assert {told[each] for each in (RELIABLE, RESTRICTIVE, PRESERVED)} == {CANNOT}


def test_one_system_improves_nobody():
    single = replace(WHOLE, systems=("s0",), system=np.zeros_like(WHOLE.system))
    found = examined(WHOLE, ImprovementOptions(resamples=20))
    one = replace(found, detected=None, judged=single)
    figures = [verdict.figures for _, verdict in judge_claims(CLAIMS, one)]
    assert figures[RELIABLE] == figures[PRESERVED] == "there is one system only"
