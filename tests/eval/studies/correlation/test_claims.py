import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import by_system
from tests.eval.studies.made_up_scores import judged as made_up
from weps_eval.meta.correlation_levels import Level
from weps_eval.meta.judged import Scale
from weps_eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, judge_claims
from weps_eval.stats.estimate import BootstrapSamples
from weps_eval.studies.correlation.claims import CLAIMS, sample_size
from weps_eval.studies.correlation.findings import Findings, SplitHalves, compute_findings

pytestmark = pytest.mark.usefixtures("any_sample_size")

TRADE, LOW, COMBINED, RANDOM, STABLE, WITHIN, LINGUISTIC, WORDS = range(8)
"""Conclusions in their order."""
RISING = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
"""Of four measures of words, three that know language, and ULC, the plain mean."""
SPLITS = SplitHalves({Level.SYSTEM: np.full(9, 0.2), Level.SEGMENT: np.full(9, 0.8)})


def findings(system, segment, within=None, halves=SPLITS) -> Findings:
    """Findings without doubt: every resample says the same."""
    levels = {Level.SYSTEM: system, Level.SEGMENT: segment, Level.WITHIN_SYSTEM: within}
    drawn = {
        level: BootstrapSamples(np.array(each), np.repeat(each, 5).reshape(-1, 5))
        for level, each in levels.items()
        if each is not None
    }
    whole = made_up().with_combined(Scale.DEVIATION)
    return Findings(whole, {}, drawn, {}, halves)


def words(found: Findings) -> list[str]:
    return [verdict.word for _, verdict in judge_claims(CLAIMS, found, sample_size)]


@each_case(
    ("found", "number", "word"),
    [
        (findings(RISING, RISING), TRADE, DOES_NOT_HOLD),
        (findings(RISING, [*RISING[-2::-1], 0.9]), TRADE, HOLDS),
        (findings(RISING, RISING), LOW, HOLDS),
        (findings(RISING, [0.6] * 8), LOW, DOES_NOT_HOLD),
        (findings(RISING, RISING), COMBINED, HOLDS),
        (findings(RISING, [*RISING[:7], 0.0]), COMBINED, DOES_NOT_HOLD),
        (findings([*RISING[:7], 0.5], [*RISING[:7], 0.5]), COMBINED, DOES_NOT_HOLD),
        (findings([*RISING[:7], 0.0, 0.9], [*RISING[:7], 0.0, 0.9]), COMBINED, DOES_NOT_HOLD),
        (findings([*RISING, 0.0], [*RISING, 0.0]), COMBINED, HOLDS),
        (findings(RISING, RISING), RANDOM, HOLDS),
        (findings(RISING, RISING), STABLE, HOLDS),
        (findings(RISING, RISING, halves=None), STABLE, CANNOT),
        (findings(RISING, RISING, [0.0] * 8), WITHIN, HOLDS),
        (findings(RISING, RISING, [0.9] * 8), WITHIN, DOES_NOT_HOLD),
        (findings(RISING, RISING), WITHIN, CANNOT),
        (findings(RISING, RISING), LINGUISTIC, HOLDS),
        (findings(RISING[::-1], RISING), LINGUISTIC, DOES_NOT_HOLD),
        (findings(RISING, RISING), WORDS, DOES_NOT_HOLD),
        (findings(RISING, RISING[::-1]), WORDS, HOLDS),
        (findings(RISING, [0.4] * 4 + [0.41] * 3 + [0.9]), WORDS, HOLDS),
        (findings(RISING, [0.4] * 4 + [0.43] * 3 + [0.9]), WORDS, DOES_NOT_HOLD),
    ],
)
def test_verdicts(found, number, word):
    assert words(found)[number] == word


def test_of_whole_systems_little_can_be_said():
    found = words(compute_findings(by_system().with_combined(Scale.DEVIATION), resamples=20))
    assert found[LINGUISTIC] != CANNOT
    assert {found[each] for each in (TRADE, LOW, COMBINED, RANDOM, STABLE, WITHIN)} == {CANNOT}
