"""Correlation: what it finds, verdicts, and the command."""

from dataclasses import replace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import judged, matrix, scored
from weps.errors import ValuesError
from weps_eval import study
from weps_eval.meta.correlation import Level
from weps_eval.meta.improvements import Scale
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, judge_claims
from weps_eval.stats import BootstrapSamples, Estimate
from weps_eval.studies.correlation import CLAIMS, find_claims
from weps_eval.studies.frames import Frame, Frames

TRADE, LOW, COMBINED, RANDOM, STABLE, WITHIN, LINGUISTIC, WORDS = range(8)
"""Conclusions in their order."""
RISING = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9]
"""Of four measures of words, three that know language, and ULC, the plain mean."""


def words(system, segment, within=None, split=True) -> list[str]:
    """Verdicts on coefficients without doubt: every resample says the same."""
    levels = {Level.SYSTEM: system, Level.SEGMENT: segment, Level.WITHIN_SYSTEM: within}
    jointly = {
        level: BootstrapSamples(np.repeat(each, 6).reshape(-1, 6))
        for level, each in levels.items()
        if each is not None
    }
    whole = judged().with_combined(Scale.DEVIATION)
    certain = {"agreement": Estimate(0.2, 0.2, 0.2), "gain": Estimate(0.6, 0.6, 0.6)}
    halves = [
        {"level": level, **certain, "size": whole.sample_size(), "told": ""}
        for level in list(Level)[:2]
    ]
    frames = {
        "claims": Frame.of_rows(list(find_claims(whole, jointly))),
        "halves": Frame.of_rows(halves if split else []),
    }
    found = Frames(frames, {"quality": whole.sample_size()})
    verdicts = judge_claims(CLAIMS, found, lambda some: some.sizes["quality"])
    return [verdict.word for _, verdict in verdicts]


@pytest.mark.usefixtures("any_sample_size")
@each_case(
    ("number", "word", "levels"),
    [
        (TRADE, DOES_NOT_HOLD, (RISING, RISING)),
        (TRADE, HOLDS, (RISING, [*RISING[-2::-1], 0.9])),
        (LOW, HOLDS, (RISING, RISING)),
        (LOW, DOES_NOT_HOLD, (RISING, [0.6] * 8)),
        (COMBINED, HOLDS, (RISING, RISING)),
        (COMBINED, DOES_NOT_HOLD, (RISING, [*RISING[:7], 0.0])),
        (COMBINED, DOES_NOT_HOLD, ([*RISING[:7], 0.5], [*RISING[:7], 0.5])),
        (COMBINED, DOES_NOT_HOLD, ([*RISING[:7], 0.0, 0.9], [*RISING[:7], 0.0, 0.9])),
        (COMBINED, HOLDS, ([*RISING, 0.0], [*RISING, 0.0])),
        (RANDOM, HOLDS, (RISING, RISING)),
        (STABLE, HOLDS, (RISING, RISING)),
        (STABLE, CANNOT, (RISING, RISING, None, False)),
        (WITHIN, HOLDS, (RISING, RISING, [0.0] * 8)),
        (WITHIN, DOES_NOT_HOLD, (RISING, RISING, [0.9] * 8)),
        (WITHIN, CANNOT, (RISING, RISING)),
        (LINGUISTIC, HOLDS, (RISING, RISING)),
        (LINGUISTIC, DOES_NOT_HOLD, (RISING[::-1], RISING)),
        (WORDS, DOES_NOT_HOLD, (RISING, RISING)),
        (WORDS, HOLDS, (RISING, RISING[::-1])),
        (WORDS, HOLDS, (RISING, [0.4] * 4 + [0.41] * 3 + [0.9])),
        (WORDS, DOES_NOT_HOLD, (RISING, [0.4] * 4 + [0.43] * 3 + [0.9])),
    ],
)
def test_verdicts(number, word, levels):
    assert words(*levels)[number] == word


def test_constant_measures_are_refused():
    flat = replace(matrix(), values=np.ones((7, 56)))
    with pytest.raises(ValuesError, match="no measure can be correlated with quality"):
        study("correlation", scored(flat))


def test_values_of_parameters_are_compared():
    names = ("wsk(decay=0.1)", "rouge_l", "wsk", "wsk(length=3)", "wsk(decay=0.3)", "mine(decay=1)")
    found = study("correlation", scored(matrix(names)))
    rows = {row["measure"]: row["pearson"].value for row in found.frames["system"].rows}
    swept = [rows[name] for name in ("wsk(decay=0.1)", "wsk(decay=0.3)", "wsk")]
    values = found.frames["values"].rows
    assert [(row["family"], row["coefficient"], row["of"]) for row in values] == [
        ("wsk", kind, 3) for kind in ("pearson", "spearman", "kendall")
    ]
    assert values[0]["figure"].value == max(swept)
    sweeps = found.frames["sweeps"]
    first = sweeps.where(axis="pearson by systems")
    assert first["figure"] == swept
    assert first.values("parameter") == ["decay"]
    titles = [figure.title for figure in found.document().figures() if "decay" in figure.title]
    assert titles == sweeps.values("where")
