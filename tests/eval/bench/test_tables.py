import pytest

from eval.bench.outcome import Outcome
from eval.bench.scoring import Scored, score
from eval.bench.tables import hardest_rows, measured_rows, name_rows, what_rows
from tests.eval.bench.conftest import FIRST, SECOND

BASELINES = ["all_in_one", "one_in_one", "combined"]


@pytest.fixture
def scored(outcome: Outcome) -> Scored:
    return score(outcome)


def test_systems_have_their_cost_and_baselines_none(scored: Scored) -> None:
    heading, *rows = measured_rows(scored)
    assert heading[-3:] == ["±F0.5", "learning s", "answering s"]
    assert [row[0] for row in rows] == [FIRST, SECOND, *BASELINES]
    assert [row[-2:] for row in rows[:3]] == [["1.2", "0.5"], ["2.0", "0.2"], ["–", "–"]]


def test_what_systems_are(scored: Scored) -> None:
    assert what_rows(scored) == [
        ["system", "features", "classifier", "link", "stop", "copies", "rules", "similarities"],
        [FIRST, "non-linguistic", "tree", "single", "threshold", "0", "none", "19"],
        [SECOND, "title", "tree", "average", "threshold", "0", "none", "1"],
    ]


def test_every_name_has_the_f_of_every_system(scored: Scored) -> None:
    heading, ada, bea = name_rows(scored)
    assert heading == ["name", "pages", FIRST, SECOND, *BASELINES]
    assert ada[:2] == ["Ada", "4"]
    assert ada[3] == "1.00"
    assert bea[2] == bea[3] == bea[4]


def test_the_hardest_names_come_first(scored: Scored) -> None:
    _, bea, ada = hardest_rows(scored, SECOND)
    assert ada == ["Ada", "4", "2", "2", "1.00", "1.00", "1.00"]
    assert bea[:4] == ["Bea", "4", "2", "1"]
    assert bea[-1] == "1.00"
    assert [row[0] for row in hardest_rows(scored, FIRST)[1:]] == ["Ada", "Bea"]
