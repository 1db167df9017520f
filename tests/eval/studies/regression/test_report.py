import json

import numpy as np
import pytest

from eval.report.claims import judge_claims
from eval.report.render import write_document
from eval.studies.base import Result
from eval.studies.regression.claims import CLAIMS
from eval.studies.regression.findings import Findings, compute_findings
from eval.studies.regression.learners import Plan
from eval.studies.regression.report import brief_tables, build_document, study_data, vote_tables
from tests.eval.studies.made_up_scores import NAMES
from tests.eval.studies.made_up_scores import judged as made_up
from weps._formatting import align_table

PLAN = Plan((0, 2, 3), folds=3, resamples=30)


@pytest.fixture(scope="module")
def found() -> Findings:
    outputs = made_up(topics=5)
    alike = {topic: np.random.default_rng(topic).random((2, 7, 7)) for topic in range(5)}
    return compute_findings(outputs, PLAN, alike, ("cosine", "rouge_l"))


def study(found) -> Result:
    return Result("made up", found, judge_claims(CLAIMS, found), ["Known."], "signature", "weps")


def test_it_can_be_written(found, tmp_path):
    names = {path.name for path in write_document(build_document(study(found)), tmp_path)}
    assert names >= {"errors.svg", "gap.svg", "coverage.png", "precision.svg"}
    tables = ("learners", "ahead", "variables", "models", "gap-coverage", "pair-precision")
    assert names >= {f"{each}.csv" for each in (*tables, "relative", "conclusions")}


def test_without_texts_there_are_no_pools():
    made = build_document(study(compute_findings(made_up(topics=5), PLAN)))
    assert [each.key for each in made.figures()] == ["errors"]
    assert "gap-coverage" not in {each.key for each in made.tables()}


def test_the_terminal_has_vrm_and_short_tables(found):
    learners, pools, relative = brief_tables(found)
    assert "VRM" in {row[0] for row in learners.rows}
    assert len(pools.rows) == 3
    assert len(relative.rows) == 4


def test_models_name_their_measures(found):
    tables = {each.key: each for each in vote_tables(found)}
    model = found.learned.model
    first = tables["models"].rows[1]
    members = [bit for bit in range(3) if int(model.subsets[0]) >> bit & 1]
    assert first[0] == ", ".join(found.learned.variables[bit] for bit in members)
    assert first[1:] == [str(len(members)), "0.000"]
    assert tables["variables"].rows[1][1] == "100.0 %"


def test_data_for_machines(found):
    data = json.loads(json.dumps(study_data(study(found))))
    assert set(data["vrm"]["variables"]) == {"rouge(n=1)", "cosine", "dice"}
    error = data["learners"]["VRM"]["absolute"]["value"]
    assert error == pytest.approx(found.learned.accuracy.absolute.value[0])
    assert len(data["pools"]["similarities"]["cosine"]["gap"]) == len(data["pools"]["thresholds"])


def test_the_terminal_shows_long_names_in_100_columns():
    names = tuple(f"{name}{'x' * 60}" for name in NAMES)
    outputs = made_up(names, topics=5)
    alike = {topic: np.random.default_rng(topic).random((1, 7, 7)) for topic in range(5)}
    for table in brief_tables(compute_findings(outputs, PLAN, alike, (names[0],))):
        assert max(map(len, align_table(table.rows, left=table.left))) <= 100
