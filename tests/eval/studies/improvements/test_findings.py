from pathlib import Path

import numpy as np
import pytest

from tests.eval.studies.made_up_scores import by_system, judged
from weps.errors import ValuesError
from weps_eval.meta.improvements import PAPER_THRESHOLDS, Test, significant_improvements
from weps_eval.meta.judged import Scale
from weps_eval.studies.improvements.findings import (
    Findings,
    OfficialImprovements,
    Settings,
    compute_findings,
    read_official,
)
from weps_eval.studies.measures import StudyInput, judged_outputs
from weps_eval.text.convert import convert_summeval
from weps_eval.text.registry import Measure
from weps_eval.text.run import score_testbed
from weps_eval.text.testbed import Testbed

WHOLE = judged(topics=12).with_combined(Scale.DEVIATION)
FEW = {"resamples": 50}


@pytest.fixture(scope="module")
def found() -> Findings:
    return compute_findings(WHOLE, Settings(**FEW))


def test_improvements_by_people_are_tested(found):
    seen = found.detected
    real = significant_improvements(WHOLE.human, WHOLE.topic, WHOLE.system)[0]
    assert (seen.real == real).all()
    ours = significant_improvements(WHOLE.values[0], WHOLE.topic, WHOLE.system)[0]
    both = (ours & real).sum()
    assert seen.precision.value[0] == pytest.approx(both / ours.sum())
    assert seen.recall.value[0] == pytest.approx(both / real.sum())


def test_published_improvements_take_their_place():
    improves = np.zeros((2, 2), dtype=np.bool_)
    improves[0, 1] = True
    official = OfficialImprovements(("s6", "s0"), improves, ())
    found = compute_findings(WHOLE, Settings(**FEW), official)
    assert found.is_official
    assert found.detected.systems == ("s6", "s0")
    assert found.detected.found.shape == (9, 2, 2)
    assert found.detected.recall.value[0] == 1


def test_of_whole_systems_only_published_improvements_are_seen():
    whole = by_system().with_combined(Scale.DEVIATION)
    without = compute_findings(whole, Settings(**FEW))
    parts = (without.detected, without.counter, without.decrease, without.oracles)
    assert all(part is None for part in parts)
    improves = np.triu(np.ones((7, 7), dtype=np.bool_), 1).T
    found = compute_findings(
        whole, Settings(**FEW), OfficialImprovements(whole.systems, improves, ())
    )
    assert found.detected.precision.value[0] == 1


def test_test_and_scale_may_be_chosen(found):
    apart = compute_findings(WHOLE, Settings(test=Test.RANK_SUM, scale=(2, 10), **FEW))
    assert (found.detected.real != apart.detected.real).any()
    assert found.thresholds == PAPER_THRESHOLDS.on_scale(1, 5)
    assert apart.thresholds == PAPER_THRESHOLDS


def test_the_best_system_loses_most(found):
    best, worst = (
        compute_findings(WHOLE, Settings(chosen=each, **FEW)).decrease.value
        for each in ("s6", "s0")
    )
    assert (best > worst)[WHOLE.single].all()
    assert found.decrease is None
    with pytest.raises(ValuesError, match=r"there is no system 's9'.* did you mean 's"):
        compute_findings(WHOLE, Settings(chosen="s9", **FEW))


def test_what_is_chosen_lies_between_the_worst_and_the_best(found):
    random, least, most = found.oracles.bounds.value
    chosen = found.oracles.chosen.value
    assert least < random < most
    assert ((chosen >= least) & (chosen <= most)).all()
    assert chosen[0] > random


TABLE = """ Ann.3 B-1.0 HUMAN.0 Cy.12
Ann.3 - 0.02* 0.1** 0.3***
B-1.0 -0.02 - 0.08 0.2**
HUMAN.0 -0.1 -0.08 - 0.1*
Cy.12 -0.3 -0.2* -0.1 -
"""
SYSTEMS = ("Cyril", "B-1", "Ann", "Dora")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "ad-ranking-names.csv").write_text("71 0.1 90 Cy.12 Cyril\n70 0.1 90 Ann.3 Ann\n")
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path / "table.csv"


def test_rows_improve_columns(table):
    found = read_official(table, SYSTEMS)
    assert found.systems == ("Cyril", "B-1", "Ann")
    assert found.unknown == ("HUMAN",)
    # Cyril improves B-1 by the test, though not by the mean.
    assert found.improves.tolist() == [
        [False, True, False],
        [True, False, False],
        [True, True, False],
    ]


def test_stars_may_be_more(table):
    assert np.argwhere(read_official(table, SYSTEMS, 3).improves).tolist() == [[2, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE.replace("B-1.0 -0.02", "B-2.0 -0.02"), "line 3: 'B-2.0 .*' is not the row"),
        (TABLE.replace(" 0.2**", ""), "line 3: .* is not the row"),
        (TABLE.replace("0.08 ", "0,08 "), "line 3: '0,08' is no difference with stars"),
        ("\n".join(TABLE.splitlines()[:3]), "there are 2 rows for 4 systems"),
        (TABLE + "Cy.12 - - - -\n", "line 6: .* is not the row"),
        (TABLE.replace("Ann.3", "Eve.3").replace("B-1.0", "Fay.0"), "knows 1 of the 4 systems"),
    ],
)
def test_faulty_tables_are_refused(table, text, message):
    table.write_text(text)
    with pytest.raises(ValuesError, match=message):
        read_official(table, SYSTEMS)


@pytest.mark.slow
def test_improvements_that_people_see_on_real_topics(weps_data):
    whole = convert_summeval(weps_data / "text" / "summeval")
    testbed = Testbed(whole.name, whole.language, whole.source, whole.topics[:8])
    values = score_testbed(testbed, list(map(Measure.parse, ("rouge(n=1)", "rouge(n=2)"))))
    outputs = judged_outputs(StudyInput(testbed.name, values, (), ""), "relevance")
    found = compute_findings(
        outputs.with_combined(Scale.DEVIATION), Settings(scale=(1, 5), resamples=50)
    )
    assert found.detected.real.any()
    _, least, most = found.oracles.bounds.value
    assert (least < found.oracles.chosen.value).all()
    assert (found.oracles.chosen.value < most).all()


def test_the_published_table_of_tests(weps_data):
    path = weps_data / "text/wmt21_deen/humaneval/ad-DA-diff-wilcoxon-rs-deen.csv"
    found = read_official(path, ("happypoet", "NVIDIA-NeMo", "Borderline", "UF"), 1)
    assert set(found.unknown) >= {"HUMAN"}
    better = {
        (found.systems[row], found.systems[column])
        for row, column in zip(*found.improves.nonzero(), strict=True)
    }
    assert better >= {("Borderline", "NVIDIA-NeMo"), ("UF", "happypoet")}
    assert ("Borderline", "UF") not in better
