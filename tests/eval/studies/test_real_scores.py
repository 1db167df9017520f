"""The three studies on a few real topics."""

from pathlib import Path

import pytest
from eval.studies.regression.outputs import OutputSimilarities, output_similarities

from eval.meta.correlation_levels import Level
from eval.meta.judged import Scale
from eval.studies.correlation.findings import compute_findings
from eval.studies.improvements import findings as improvements
from eval.studies.measures import JudgedOutputs, StudyInput, judged_outputs
from eval.studies.regression import findings as regression
from eval.text.convert.summaries import convert_summeval
from eval.text.measures.topic import TextTools
from eval.text.registry import Measure
from eval.text.run import score_testbed
from eval.text.testbed import Testbed

NAMES = ("rouge(n=1)", "rouge(n=2)", "cosine")


@pytest.fixture(scope="module")
def testbed(weps_data: Path) -> Testbed:
    whole = convert_summeval(weps_data / "text" / "summeval")
    return Testbed(whole.name, whole.language, whole.source, whole.topics[:8])


@pytest.fixture(scope="module")
def outputs(testbed: Testbed) -> JudgedOutputs:
    values = score_testbed(testbed, [Measure.parse(each) for each in NAMES])
    return judged_outputs(StudyInput(testbed.name, values, (), ""), "relevance")


@pytest.fixture(scope="module")
def alike(testbed: Testbed, outputs: JudgedOutputs) -> OutputSimilarities:
    return output_similarities(outputs, testbed, [Measure.parse("cosine")], TextTools())


def test_measures_agree_with_people_within_topics(outputs):
    found = compute_findings(outputs.with_combined(Scale.DEVIATION), resamples=50)
    assert found.pearson(Level.WITHIN_TOPIC).value[0] > 0.2


def test_people_see_improvements_and_measures_are_no_oracles(outputs):
    found = improvements.compute_findings(
        outputs.with_combined(Scale.DEVIATION), improvements.Settings(scale=(1, 5), resamples=50)
    )
    assert found.detected.real.any()
    _, least, most = found.oracles.bounds.value
    assert (found.oracles.chosen.value < most).all()
    assert (found.oracles.chosen.value > least).all()


def test_similar_outputs_have_similar_scores(outputs, alike):
    found = regression.compute_findings(
        outputs, regression.Plan((0, 1, 2), folds=4, resamples=50), alike, ("cosine",)
    )
    (pool,) = found.pools.pools
    assert pool.gap.value[pool.at(0.4)] < pool.gap.value[0]
    assert 0 < found.learned.accuracy.absolute.value[0] < 2


def test_the_published_table_of_tests(weps_data):
    path = weps_data / "text/wmt21_deen/humaneval/ad-DA-diff-wilcoxon-rs-deen.csv"
    found = improvements.read_official(path, ("happypoet", "NVIDIA-NeMo", "Borderline", "UF"), 1)
    assert set(found.unknown) >= {"HUMAN"}
    better = [
        (found.systems[row], found.systems[column])
        for row, column in zip(*found.improves.nonzero(), strict=True)
    ]
    assert ("Borderline", "NVIDIA-NeMo") in better
    assert ("Borderline", "UF") not in better
    assert ("UF", "happypoet") in better
