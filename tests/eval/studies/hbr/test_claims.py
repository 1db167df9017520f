from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from eval.report.claims import CANNOT, DOES_NOT_HOLD, HOLDS, Verdict, judge_claims
from eval.stats.estimate import BootstrapSamples
from eval.studies.grouped import GroupedInstances
from eval.studies.hbr.claims import CLAIMS
from eval.studies.hbr.findings import Plan, compute_findings
from tests.eval.studies.made_up_groups import grouped

MANY = tuple("abcdefghijkl")
KEYS = {
    "about as well": "best",
    "ten worst": "worst",
    "Where it is worst": "robust",
    "consistent": "consistent",
    "less reliable": "half",
    "predicts how": "prediction",
    "other data": "elsewhere",
}


def verdicts(source: GroupedInstances) -> dict[str, Verdict]:
    found = compute_findings(source, Plan(samples=300))
    return {
        next(key for part, key in KEYS.items() if part in each.text): verdict
        for each, verdict in judge_claims(CLAIMS, found)
    }


def alike(groups: int = 40) -> GroupedInstances:
    """Measures equally good, each with its own errors."""
    source = grouped(MANY, groups=groups)
    noise = np.random.default_rng(1).normal(size=source.values.shape)
    return replace(source, values=source.quality["quality"] + 1.5 * noise)


def test_measures_with_errors_of_their_own_are_what_the_papers_speak_of() -> None:
    told = verdicts(alike())
    for key in ("best", "worst", "robust", "half"):
        assert told[key].word == HOLDS, key


def test_one_perfect_measure_among_noise_is_not() -> None:
    source = alike()
    values = np.random.default_rng(2).normal(size=source.values.shape)
    values[0] = source.quality["quality"]
    told = verdicts(replace(source, values=values))
    assert told["best"].word == DOES_NOT_HOLD
    assert told["best"].figures.startswith("HBR − a −")
    assert told["robust"].word == DOES_NOT_HOLD
    assert told["consistent"].word in (CANNOT, DOES_NOT_HOLD)


def test_what_few_data_cannot_tell() -> None:
    told = verdicts(grouped(("a", "b", "c"), groups=2))
    assert {key for key, each in told.items() if each.word == CANNOT} >= {
        "worst",
        "robust",
        "consistent",
        "half",
        "prediction",
    }


def test_without_people_nothing_can_be_told() -> None:
    told = verdicts(replace(grouped(), quality={}))
    assert {each.word for each in told.values()} == {CANNOT}


def test_every_criterion_is_judged() -> None:
    source = alike(10)
    both = {"one": source.quality["quality"], "two": -source.quality["quality"]}
    told = verdicts(replace(source, quality=both))
    assert told["worst"].word == DOES_NOT_HOLD
    assert told["worst"].figures.count("least sure") == 2


def test_two_hundredths_below_the_best_measure_are_alike() -> None:
    auc = BootstrapSamples(np.array([0.61, 0.6]), np.tile([[0.61], [0.6]], 9))
    against = SimpleNamespace(criterion="one", best=0, hbr=1, names=("a", "HBR"), auc=auc)
    assert CLAIMS[0].judge(SimpleNamespace(people=(against,))).word == HOLDS


def test_the_hardest_of_the_worst_decides() -> None:
    value = np.array([0.3, 0.59, 0.9, 0.58])
    against = SimpleNamespace(
        criterion="one",
        hbr=3,
        names=("a", "b", "c", "HBR"),
        auc=BootstrapSamples(value, np.tile(value[:, None], 9)),
        lowest=lambda _: [0, 1],
    )
    verdict = CLAIMS[1].judge(SimpleNamespace(people=(against,)))
    assert verdict == (DOES_NOT_HOLD, "least sure: HBR − b −0.010 (−0.010 to −0.010)")


def test_the_best_of_the_worse_half_decides() -> None:
    value = np.array([0.7, 0.5, 0.6])
    half = BootstrapSamples(value, np.tile(value[:, None], 9))
    against = SimpleNamespace(criterion="one", of_worse_half=half)
    judge = next(each.judge for each in CLAIMS if "less reliable" in each.text)
    assert judge(SimpleNamespace(people=(against,))).word == DOES_NOT_HOLD
