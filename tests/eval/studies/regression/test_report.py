import numpy as np
import pytest

from eval.report.claims import judge_claims
from eval.studies.base import Result
from eval.studies.regression.claims import CLAIMS
from eval.studies.regression.findings import Findings, Plan, compute_findings
from eval.studies.regression.report import data, document, tables
from tests.eval.studies.made_up_scores import NAMES
from tests.eval.studies.made_up_scores import judged as made_up
from weps._formatting import table_width

PLAN = Plan((0, 2, 3), folds=3, resamples=30)


@pytest.fixture(scope="module")
def found() -> Findings:
    """With long names."""
    names = tuple(f"{name}{'x' * 60}" for name in NAMES)
    alike = {topic: np.random.default_rng(topic).random((2, 7, 7)) for topic in range(5)}
    return compute_findings(made_up(names, topics=5), PLAN, alike, ("cosine", names[0]))


def study(found: Findings) -> Result[Findings]:
    return Result("made up", found, judge_claims(CLAIMS, found), ["Known."], "signature", "weps")


def test_the_document_names_models_by_their_measures(found: Findings) -> None:
    pytest.importorskip("matplotlib")
    made = document(study(found))
    figures = {each.key: each.picture for each in made.figures()}
    assert figures.keys() == {"errors", "gap", "coverage", "precision"}
    assert all(figures.values())
    written = {each.key: each.rows for each in made.tables()}
    assert written.keys() == {
        *("conclusions", "learners", "ahead", "variables", "models", "gap-coverage"),
        *("pair-precision", "relative"),
    }
    (subset, *_), variables = found.learned.model.subsets, found.learned.variables
    members = [variables[bit] for bit in range(3) if int(subset) >> bit & 1]
    assert written["models"][1] == [", ".join(members), str(len(members)), "0.000"]
    assert written["variables"][1][1] == "100.0 %"


def test_the_terminal_has_vrm_and_short_tables(found: Findings) -> None:
    learners, pools, relative = tables(found)
    assert "VRM" in {row[0] for row in learners.rows}
    assert (len(pools.rows), len(relative.rows)) == (3, 4)
    for table in (learners, pools, relative):
        assert table_width(table.rows) <= 100, table.title


def test_without_texts_there_are_no_pools() -> None:
    found = compute_findings(made_up(topics=5), PLAN)
    made = document(study(found))
    assert [each.key for each in made.figures()] == ["errors"]
    assert not {each.key for each in made.tables()} & {"gap-coverage", "pair-precision"}
    figures = data(study(found))
    assert figures["pools"] is None
    error = figures["learners"]["VRM"]["absolute"]["value"]
    assert error == pytest.approx(found.learned.accuracy.absolute.value[0])
