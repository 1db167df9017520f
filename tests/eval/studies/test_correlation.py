"""Correlation: what it finds, verdicts, and the command."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from tests.cases import each_case
from tests.eval.studies.made_up_scores import judged, matrix, run_study, scored, write
from weps.errors import ValuesError
from weps_eval import study
from weps_eval.meta.correlation import Level
from weps_eval.meta.improvements import Scale
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, UNDECIDED, judge_claims
from weps_eval.stats import BootstrapSamples, Estimate
from weps_eval.studies.correlation import CLAIMS, find_claims
from weps_eval.studies.frames import Frame, Frames
from weps_eval.studies.measures import StudyInput

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
        "beds": Frame.of_rows([]),
    }
    size = whole.sample_size()
    verdicts = judge_claims(CLAIMS, Frames(frames, {"quality": size}), size)
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


def bed(order: Sequence[int] = range(7), seed: int = 0, measures: int = 7) -> StudyInput:
    """A test bed on which measures agree with people in an order of their own."""
    made = matrix(topics=40, systems=12, noise=0.3, seed=seed)
    values = made.values[list(order)]
    return scored(replace(made, values=values[:measures], measures=made.measures[:measures]))


@pytest.mark.usefixtures("any_sample_size")
@each_case(("order", "alike", "word"), [(range(7), 1, UNDECIDED), (range(6, -1, -1), -1, HOLDS)])
def test_one_test_bed_ranks_measures_as_another_or_not(order, alike, word):
    beds = bed(), bed(order, seed=1)
    found = study("correlation", beds)
    ranked = {row["level"]: row["agreement"] for row in found.frames["beds"].rows}
    by_segments = [
        [stats.pearsonr(values, each.matrix.human[0]).statistic for values in each.matrix.values]
        for each in beds
    ]
    expected = stats.spearmanr(*by_segments).statistic
    assert ranked[Level.SEGMENT].value == pytest.approx(expected)
    assert expected == pytest.approx(alike, abs=0.1)
    assert ranked[Level.SEGMENT].low < ranked[Level.SEGMENT].high
    assert found.judged[RANDOM][1].word == word
    assert "7 measures, 6 families" in found.judged[RANDOM][1].figures


def test_the_command_takes_several_test_beds(tmp_path):
    names = "a bed with a long name", "another"
    paths = [
        write(tmp_path / f"{name}.csv", bed(seed=seed).matrix) for seed, name in enumerate(names)
    ]
    made = run_study(tmp_path, "correlation", *paths, "--ulc", "none", report=False)
    pairs = [(row["one"], row["other"]) for row in made.data["criteria"]["quality"]["beds"]]
    assert pairs == [tuple(f"{name}.csv" for name in names)] * 2
    assert max(map(len, made.out.splitlines())) <= 100
    assert "Do test beds give the same ranking of measures? quality" in made.out


def test_test_beds_need_four_measures_in_common():
    found = study("correlation", (bed(), bed(seed=1, measures=3)))
    assert not found.frames["beds"].rows
    assert study("correlation", (bed(),)).frames["beds"].rows == []
