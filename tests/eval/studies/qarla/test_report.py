import pytest

from eval.report.claims import judge_claims
from eval.report.document import write_document
from eval.studies.base import Result
from eval.studies.qarla.claims import CLAIMS
from eval.studies.qarla.findings import Findings, QarlaSettings
from eval.studies.qarla.report import document, tables
from tests.eval.studies.made_up import compared
from weps._formatting import table_width

LONG = tuple(
    f"rouge_su(skip={skip}, part=precision, stop=true, stem=true)" for skip in range(1, 16)
)


def study(**changed: object) -> Result[Findings]:
    findings = Findings(compared(**changed), QarlaSettings(clusters=3))
    return Result(
        "Made up", findings, judge_claims(CLAIMS, findings), ["A remark."], "sign", "weps"
    )


def test_everything_is_in_the_document() -> None:
    pytest.importorskip("matplotlib")
    made = document(study())
    titles = [each.title for each in made.sections]
    assert (titles[0], titles[-1]) == ("What holds here", "People taken for systems")
    assert {each.key for each in made.tables()} == {
        *("conclusions", "king", "sets", "clusters", "systems", "agreement", "people"),
        *("jack", "first"),
    }
    figures = {each.key: each.picture for each in made.figures()}
    assert figures.keys() == {
        *("king-dots", "clusters-dots", "systems-dots", "people-1", "jack-curve")
    }
    assert all(figures.values())


@pytest.mark.parametrize("topics", [1, 6])
def test_the_least_that_there_may_be(topics: int, tmp_path) -> None:
    made = study(topics=topics, peers=1, models=4, measures=("x",))
    assert list(tables(made.findings))
    assert write_document(document(made), tmp_path)


def test_the_terminal_has_a_hundred_columns_and_counts_what_it_leaves_out() -> None:
    kings, *others = tables(study(measures=LONG).findings)
    assert len(kings.rows) == 13
    assert kings.note.endswith("3 more are in the report.")
    for table in (kings, *others):
        assert table_width(table.rows) <= 100, table.title
