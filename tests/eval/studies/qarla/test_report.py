import pytest

from eval.report.claims import judge_claims
from eval.report.render import write_document
from eval.studies.base import Result
from eval.studies.qarla.claims import CLAIMS
from eval.studies.qarla.findings import Findings, QarlaSettings
from eval.studies.qarla.report import brief_tables, build_document
from tests.eval.studies.made_up import compared
from weps._formatting import align_table

LONG = tuple(
    f"rouge_su(skip={skip}, part=precision, stop=true, stem=true)" for skip in range(1, 16)
)


def study(**changed: object) -> Result[Findings]:
    findings = Findings(compared(**changed), QarlaSettings(clusters=3))
    return Result(
        "Made up", findings, judge_claims(CLAIMS, findings), ["A remark."], "sign", "weps"
    )


def test_everything_is_in_the_document(tmp_path) -> None:
    made = build_document(study())
    titles = [each.title for each in made.sections]
    assert titles[0] == "What holds here"
    assert titles[-1] == "People taken for systems"
    assert {each.key for each in made.tables()} == {
        *("conclusions", "king", "sets", "clusters", "systems", "agreement", "people"),
        *("jack", "first"),
    }
    assert write_document(made, tmp_path)


def test_figures_are_drawn() -> None:
    pytest.importorskip("matplotlib")
    drawn = {each.key: each.picture for each in build_document(study()).figures()}
    assert drawn.keys() == {"king-dots", "clusters-dots", "systems-dots", "people-1", "jack-curve"}
    assert all(drawn.values())


@pytest.mark.parametrize("topics", [1, 6])
def test_the_least_that_there_may_be(topics: int, tmp_path) -> None:
    made = study(topics=topics, peers=1, models=4, measures=("x",))
    assert list(brief_tables(made))
    assert write_document(build_document(made), tmp_path)


def test_the_terminal_has_a_hundred_columns() -> None:
    for table in brief_tables(study(measures=LONG)):
        assert max(map(len, align_table(table.rows, table.left))) <= 100, table.title


def test_measures_beyond_those_on_the_terminal_are_counted() -> None:
    kings, *_ = brief_tables(study(measures=LONG))
    assert len(kings.rows) == 13
    assert kings.note.endswith("3 more are in the report.")
