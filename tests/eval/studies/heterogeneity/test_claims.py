from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.eval.studies.made_up_groups import NAMES, alike, grouped
from weps_eval.report.claims import (
    CANNOT,
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    UNDECIDED,
    SampleSize,
    Verdict,
    judge_claims,
)
from weps_eval.stats.estimate import BootstrapSamples, Estimate
from weps_eval.studies.grouped import GroupedInstances
from weps_eval.studies.heterogeneity.claims import CLAIMS, sample_size
from weps_eval.studies.heterogeneity.findings import Settings, compute_findings

pytestmark = pytest.mark.usefixtures("any_sample_size")

KEYS = (
    *("additive", "reliable", "certain", "sensitive", "linguistic", "thresholds", "gains"),
    *("increase", "segments"),
)


def verdicts(source: GroupedInstances) -> dict[str, Verdict]:
    judged = judge_claims(CLAIMS, compute_findings(source, Settings(each=10)), sample_size)
    return {key: verdict for key, (_, verdict) in zip(KEYS, judged, strict=True)}


def test_measures_with_errors_of_their_own_are_what_the_papers_speak_of():
    found = verdicts(alike(noise=2))
    for key in ("additive", "reliable", "sensitive", "increase"):
        assert found[key].word == HOLDS, key
    assert found["linguistic"].word == found["segments"].word == CANNOT
    assert "the most heterogeneous one has 0." in found["certain"].figures


def test_measures_of_which_half_are_reversed_are_not():
    source = alike(noise=2)
    source.values[::2] *= -1
    found = verdicts(source)
    assert found["additive"].word == DOES_NOT_HOLD
    assert found["thresholds"].word == DOES_NOT_HOLD


def test_sets_that_always_contradict_themselves():
    """Nothing is tied and two measures are opposites: no increase is ever confirmed."""
    source = grouped(("a", "b"), groups=3)
    source.values[1] = -source.values[0]
    assert verdicts(source)["certain"][:2] == (CANNOT, "sets of heterogeneity 1 confirm nothing")


def test_without_people_only_heterogeneity_is_judged():
    found = verdicts(replace(grouped(NAMES), quality={}))
    judged = {key for key, each in found.items() if each.word not in {CANNOT, NOT_STUDIED}}
    assert judged == {"linguistic"}


@pytest.mark.parametrize(
    ("high", "word"), [(-0.1, HOLDS), (0.1, UNDECIDED)], ids=["below 0", "around 0"]
)
def test_sensitivity_is_to_fall_with_the_whole_interval(high, word):
    claim = CLAIMS[KEYS.index("sensitive")]
    one = SimpleNamespace(
        criterion="one",
        judged=SimpleNamespace(sample_size=SampleSize(3, 3)),
        random=SimpleNamespace(sensitivity=BootstrapSamples(np.ones(3), np.ones((3, 2)))),
        correlation=lambda _: Estimate(-0.2, -0.5, high),
    )
    verdict = claim.judge(SimpleNamespace(human_agreement=(one,), sets=range(3)))
    assert verdict[:2] == (word, f"r = −0.20 (−0.50 to {high:+.2f})".replace("-", "−"))
