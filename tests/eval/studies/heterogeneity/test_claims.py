from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from eval.report.claims import (
    CANNOT,
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    UNDECIDED,
    Verdict,
    judge_claims,
)
from eval.stats.estimate import Estimate
from eval.studies.grouped import GroupedInstances
from eval.studies.heterogeneity import findings
from eval.studies.heterogeneity.claims import CLAIMS
from eval.studies.heterogeneity.findings import Plan, compute_findings
from tests.eval.studies.made_up_groups import NAMES, grouped

MANY = tuple("abcdefghijkl")
KEYS = {
    "second measure": "additive",
    "more reliable.": "reliable",
    "heterogeneity 1": "certain",
    "less sensitive": "sensitive",
    "Linguistic": "linguistic",
    "higher threshold": "thresholds",
    "largest gains": "gains",
    "surer": "increase",
    "by segments": "segments",
}


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "_GAIN_RESAMPLES", 20)


def verdicts(source: GroupedInstances) -> dict[str, Verdict]:
    found = compute_findings(source, Plan(each=10))
    return {
        next(key for part, key in KEYS.items() if part in each.text): verdict
        for each, verdict in judge_claims(CLAIMS, found)
    }


def alike() -> GroupedInstances:
    """Measures equally good, each with its own errors."""
    source = grouped(MANY, groups=40)
    noise = np.random.default_rng(1).normal(size=source.values.shape)
    return replace(source, values=source.quality["quality"] + 2 * noise)


def test_measures_with_errors_of_their_own_are_what_the_papers_speak_of() -> None:
    told = verdicts(alike())
    for key in ("additive", "reliable", "sensitive", "increase"):
        assert told[key].word == HOLDS, key
    assert told["segments"].word == CANNOT
    assert "the most heterogeneous one has 0." in told["certain"].figures


def test_measures_of_which_half_are_reversed_are_not() -> None:
    source = alike()
    source.values[::2] *= -1
    told = verdicts(source)
    assert told["additive"].word == DOES_NOT_HOLD
    assert told["thresholds"].word == DOES_NOT_HOLD


def test_sets_that_always_contradict_themselves() -> None:
    """Nothing is tied and two measures are opposites: no increase is ever confirmed."""
    source = grouped(("a", "b"), groups=3)
    source.values[1] = -source.values[0]
    told = verdicts(source)["certain"]
    assert (told.word, told.figures) == (CANNOT, "sets of heterogeneity 1 confirm nothing")


def test_linguistic_measures_are_known_by_name() -> None:
    assert verdicts(grouped(NAMES))["linguistic"].word != CANNOT
    assert verdicts(grouped(MANY))["linguistic"].word == CANNOT


def test_without_people_only_heterogeneity_is_judged() -> None:
    told = verdicts(replace(grouped(), quality={}))
    assert {key for key, each in told.items() if each.word not in (CANNOT, NOT_STUDIED)} <= {
        "linguistic"
    }


@pytest.mark.parametrize(
    ("high", "word"), [(-0.1, HOLDS), (0.1, UNDECIDED)], ids=["below 0", "around 0"]
)
def test_sensitivity_is_to_fall_with_the_whole_interval(high: float, word: str) -> None:
    falling = next(each for each in CLAIMS if "less sensitive" in each.text)
    one = SimpleNamespace(criterion="one", sensitivity_rises=Estimate(-0.2, -0.5, high))
    verdict = falling.judge(SimpleNamespace(people=(one,), sets=range(3)))
    assert verdict == (word, f"r = −0.200 (−0.500 to {'+' if high > 0 else '−'}0.100)")
