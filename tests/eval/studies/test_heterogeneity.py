"""Heterogeneity: properties of what it finds, verdicts, and the command."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.eval.meta.made_up import heterogeneity
from tests.eval.studies.made_up_groups import NAMES, alike, grouped, write_source
from tests.eval.studies.made_up_scores import run_study
from weps_eval import study
from weps_eval.meta import reliability
from weps_eval.report.tables import CANNOT, DOES_NOT_HOLD, HOLDS, NOT_STUDIED, Verdict
from weps_eval.studies.frames import Frames
from weps_eval.studies.measures import GroupedInstances

KEYS = (
    *("additive", "reliable", "certain", "sensitive", "linguistic", "thresholds", "gains"),
    *("increase", "segments"),
)


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reliability, "_GAIN_RESAMPLES", 20)
        yield


def found(source: GroupedInstances, **settings: Any) -> Frames:
    return study("heterogeneity", source, sets=6, samples=0, **settings).frames


def verdicts(source: GroupedInstances) -> dict[str, Verdict]:
    judged = study("heterogeneity", source, sets=10).judged
    return {key: verdict for key, (_, verdict) in zip(KEYS, judged, strict=True)}


def test_heterogeneity_is_what_is_found_with_and_without_people():
    source, frames = grouped(), found(grouped())
    unjudged = found(replace(source, quality={}))
    for each in (frames, unjudged):
        whole = each.facts["whole"]
        assert whole.value == pytest.approx(heterogeneity(source.values, source.group))
        assert 0 < whole.low < whole.high <= 1
        pair = each["pairs"].where(measure=NAMES[0], other=NAMES[2]).rows[0]
        expected = heterogeneity(source.values[[0, 2]], source.group)
        assert pair["heterogeneity"] == pytest.approx(expected)
        assert [row["sets"] for row in each["sizes"].rows] == [6, 6, 6]
        assert each["sizes"].values("size") == [2, 3, 5]
    assert not len(unjudged["summary"])
    assert frames["sets"]["heterogeneity"].tolist() == unjudged["sets"]["heterogeneity"].tolist()
    assert found(grouped(("a", "b")))["sizes"].values("size") == [2]


@pytest.mark.slow
def test_several_jobs_find_the_same():
    source = grouped(groups=3)
    both = replace(source, quality=dict.fromkeys(("one", "two"), source.quality["quality"]))
    alone, shared = (study("heterogeneity", both, sets=6, jobs=jobs).data() for jobs in (1, 2))
    assert alone == shared


def test_linguistic_measures_that_contradict_those_of_words_add_heterogeneity():
    source = grouped(noise=0.2, groups=20)
    source.values[4:] *= -1
    frames = found(source)
    assert frames["linguistic"].rows[0]["gain"].low > 0
    words, every = (frames["levels"][name].value for name in ("words", "every"))
    assert [int((~np.isnan(each)).sum()) for each in (words, every)] == [4, 7]
    for names in (NAMES[:4], ("a", "b", *NAMES)[:5]):
        assert not len(found(grouped(names))["linguistic"])


@pytest.mark.usefixtures("any_sample_size")
def test_verdicts():
    judged = verdicts(alike(noise=2))  # measures with errors of their own
    for key in ("additive", "reliable", "sensitive", "increase"):
        assert judged[key].word == HOLDS, key
    assert judged["linguistic"].word == judged["segments"].word == CANNOT
    assert "the most heterogeneous one has 0." in judged["certain"].figures
    source = alike(noise=2)
    source.values[::2] *= -1
    judged = verdicts(source)
    assert judged["additive"].word == judged["thresholds"].word == DOES_NOT_HOLD
    source = grouped(("a", "b"), groups=3)
    source.values[1] = -source.values[0]  # no increase is ever confirmed
    assert verdicts(source)["certain"][:2] == (CANNOT, "sets of heterogeneity 1 confirm nothing")
    judged = verdicts(replace(grouped(NAMES), quality={}))
    known = {key for key, each in judged.items() if each.word not in {CANNOT, NOT_STUDIED}}
    assert known == {"linguistic"}


@pytest.mark.slow
def test_labelled_instances(tmp_path):
    words = ("--sets", 5, "--most", 15)
    made = run_study(tmp_path, "heterogeneity", write_source(tmp_path, "pairs"), *words)
    assert "Of 80 instances 60 were drawn at random" in made.out
