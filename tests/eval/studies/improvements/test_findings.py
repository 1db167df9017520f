from pathlib import Path

import numpy as np
import pytest

from eval.meta.improvements import PAPER_THRESHOLDS, Test, significant_improvements
from eval.meta.judged import Scale
from eval.studies.improvements.findings import (
    OfficialImprovements,
    Settings,
    compute_findings,
    read_official,
)
from tests.eval.studies.made_up_scores import by_system, judged
from weps.errors import SourceError, ValuesError

WHOLE = judged(topics=12).with_combined(Scale.DEVIATION)
FEW = {"resamples": 50}


def test_improvements_by_people_are_tested():
    seen = compute_findings(WHOLE, Settings(**FEW)).detected
    real = significant_improvements(WHOLE.human, WHOLE.topic, WHOLE.system)[0]
    assert (seen.real == real).all()
    number = 0
    found = significant_improvements(WHOLE.values[number], WHOLE.topic, WHOLE.system)[0]
    both = (found & real).sum()
    assert seen.precision.value[number] == pytest.approx(both / found.sum())
    assert seen.recall.value[number] == pytest.approx(both / real.sum())


def test_published_improvements_take_their_place():
    improves = np.zeros((2, 2), dtype=np.bool_)
    improves[0, 1] = True
    official = OfficialImprovements(("s6", "s0"), improves, ())
    found = compute_findings(WHOLE, Settings(**FEW), official)
    assert found.is_official
    assert found.detected.systems == ("s6", "s0")
    assert found.detected.found.shape == (8, 2, 2)
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


def test_the_test_may_be_not_paired():
    paired, apart = (
        compute_findings(WHOLE, Settings(test=each, **FEW)).detected.real for each in Test
    )
    assert (paired != apart).any()


def test_the_scale_is_that_of_people_unless_told():
    assert compute_findings(WHOLE, Settings(**FEW)).thresholds == PAPER_THRESHOLDS.on_scale(1, 5)
    assert compute_findings(WHOLE, Settings(scale=(2, 10), **FEW)).thresholds == PAPER_THRESHOLDS


def test_the_best_system_loses_most():
    best = compute_findings(WHOLE, Settings(chosen="s6", **FEW)).decrease.value
    worst = compute_findings(WHOLE, Settings(chosen="s0", **FEW)).decrease.value
    assert (best > worst).all()
    assert compute_findings(WHOLE, Settings(**FEW)).decrease is None


def test_an_unknown_system_is_refused():
    with pytest.raises(ValuesError, match=r"there is no system 's9'.* did you mean 's"):
        compute_findings(WHOLE, Settings(chosen="s9", **FEW))


def test_what_is_chosen_lies_between_the_worst_and_the_best():
    oracles = compute_findings(WHOLE, Settings(**FEW)).oracles
    random, least, most = oracles.bounds.value
    assert least < random < most
    assert ((oracles.chosen.value >= least) & (oracles.chosen.value <= most)).all()
    assert oracles.chosen.value[0] > random


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
    found = read_official(table, SYSTEMS, 3)
    assert found.improves.sum() == 1
    assert found.improves[2, 0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TABLE.replace("B-1.0 -0.02", "B-2.0 -0.02"), "line 3: 'B-2.0 .*' is not the row"),
        (TABLE.replace(" 0.2**", ""), "line 3: .* is not the row"),
        (TABLE.replace("0.08 ", "0,08 "), "line 3: '0,08' is no difference with stars"),
        ("\n".join(TABLE.splitlines()[:3]), "there are 2 rows for 4 systems"),
        (TABLE + "Cy.12 - - - -\n", "line 6: .* is not the row"),
        (TABLE.replace("Ann.3", "Eve.3").replace("B-1.0", "Fay.0"), "knows 1 of the 4 systems"),
    ],
)
def test_faulty_tables_are_refused(table, text, told):
    table.write_text(text)
    with pytest.raises(ValuesError, match=told):
        read_official(table, SYSTEMS)


def test_a_table_must_be_there(tmp_path):
    with pytest.raises(SourceError):
        read_official(tmp_path / "none.csv", SYSTEMS)
