import pytest

from eval.report.claims import judge_claims
from eval.report.document import write_document
from eval.studies.base import Result
from eval.studies.orange.claims import CLAIMS
from eval.studies.orange.findings import Findings, Settings
from eval.studies.orange.report import document, tables
from tests.eval.studies.made_up import compared
from weps._formatting import table_width

LONG = tuple(
    f"rouge_su(skip={skip}, part=precision, stop=true, stem=true)" for skip in range(1, 16)
)


def study(**changed: object) -> Result[Findings]:
    findings = Findings(compared(**changed), Settings())
    return Result(
        "Made up", findings, judge_claims(CLAIMS, findings), ["A remark."], "sign", "weps"
    )


def test_everything_is_in_the_document(tmp_path) -> None:
    made = document(study(models=6))
    assert {each.key for each in made.tables()} == {
        *("conclusions", "orange", "acceptance", "standings-1", "standings-2", "stability"),
    }
    assert write_document(made, tmp_path)


def test_figures_are_drawn() -> None:
    pytest.importorskip("matplotlib")
    drawn = {each.key: each.picture for each in document(study(models=6)).figures()}
    assert drawn.keys() == {
        *("orange-dots", "king", "acceptance-1", "likeness-1", "stability-curve"),
    }
    assert all(drawn.values())


@pytest.mark.parametrize("topics", [1, 6])
def test_the_least_that_there_may_be(topics: int, tmp_path) -> None:
    made = study(topics=topics, peers=1, models=2, measures=("x",))
    assert list(tables(made.findings))
    assert write_document(document(made), tmp_path)


def test_the_terminal_has_a_hundred_columns() -> None:
    for table in tables(study(measures=LONG).findings):
        assert table_width(table.rows) <= 100, table.title
