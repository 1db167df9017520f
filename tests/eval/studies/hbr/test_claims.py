from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_groups import alike, grouped
from tests.eval.studies.made_up_scores import certain
from weps_eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, Verdict, judge_by_criterion
from weps_eval.studies.grouped import GroupedInstances
from weps_eval.studies.hbr.claims import CLAIMS, sample_size
from weps_eval.studies.hbr.findings import Settings, compute_findings

pytestmark = pytest.mark.usefixtures("any_sample_size")

KEYS = ("best", "worst", "robust", "consistent", "half", "prediction", "elsewhere")


def verdicts(source: GroupedInstances) -> dict[str, Verdict]:
    found = compute_findings(source, Settings(samples=300)).human_agreement
    judged = judge_by_criterion(CLAIMS, {each.criterion: each for each in found}, sample_size)
    return {key: verdict for key, (_, verdict) in zip(KEYS, judged, strict=True)}


def test_measures_with_errors_of_their_own_are_what_the_papers_speak_of():
    found = verdicts(alike())
    for key in ("best", "worst", "robust", "half"):
        assert found[key].word == HOLDS, key


def test_one_perfect_measure_among_noise_is_not():
    source = alike()
    values = np.random.default_rng(2).normal(size=source.values.shape)
    values[0] = source.quality["quality"]
    found = verdicts(replace(source, values=values))
    assert found["best"].word == DOES_NOT_HOLD
    assert found["best"].figures.startswith("HBR − a −")
    assert found["robust"].word == DOES_NOT_HOLD
    assert found["consistent"].word in {CANNOT, DOES_NOT_HOLD}


def test_few_data_cannot_decide():
    found = verdicts(grouped(("a", "b", "c"), groups=2))
    undecided = {key for key, each in found.items() if each.word == CANNOT}
    assert undecided >= {"worst", "robust", "consistent", "half", "prediction"}


def test_every_criterion_is_judged():
    source = alike(10)
    both = {"one": source.quality["quality"], "two": -source.quality["quality"]}
    found = verdicts(replace(source, quality=both))
    assert found["worst"].word == DOES_NOT_HOLD
    assert found["worst"].figures.count("least certain") == 2


@each_case(
    ("key", "findings", "expected"),
    [
        (
            "best",  # two hundredths below the best measure are alike
            {"best": 0, "hbr": 1, "names": ("a", "HBR"), "auc": certain(0.61, 0.6)},
            (HOLDS, "HBR − a −0.010 (−0.010 to −0.010)"),
        ),
        (
            "worst",  # the hardest of them decides
            {
                "hbr": 3,
                "names": ("a", "b", "c", "HBR"),
                "auc": certain(0.3, 0.59, 0.9, 0.58),
                "lowest": lambda _: [0, 1],
            },
            (DOES_NOT_HOLD, "least certain: HBR − b −0.010 (−0.010 to −0.010)"),
        ),
        (
            "half",  # the best of them decides
            {"of_worse_half": certain(0.7, 0.5, 0.6)},
            (DOES_NOT_HOLD, "HBR of them − the best of them −0.100 (−0.100 to −0.100)"),
        ),
    ],
)
def test_what_decides(key, findings, expected):
    claim = CLAIMS[KEYS.index(key)]
    assert claim.judge(SimpleNamespace(**findings))[:2] == expected
