"""What the studies of measures show: documents with their figures, and tables for the terminal."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import NAMES, judged
from tests.eval.studies.refinements.made_up import uniform
from weps._formatting import table_width
from weps_eval import studies
from weps_eval.report.claims import (
    CANNOT,
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    TOO_FEW,
    Claim,
    Verdict,
    judge_claims,
)
from weps_eval.report.document import Document, write_document
from weps_eval.report.figures.lines import Series
from weps_eval.report.tables import Table
from weps_eval.studies.base import Result, draw_trends
from weps_eval.studies.regression.findings import Plan, compute_findings

STUDIES = Path(studies.__path__[0])
LONG = tuple(f"rouge_su(skip={skip}, part=precision, stop=true, stem=true)" for skip in range(15))


class Case(NamedTuple):
    find: Callable[..., Any]
    """Its arguments change the data."""
    tables: str
    """Keys of the tables of the document, but for the conclusions."""
    figures: str


@cache
def regression(names: tuple[str, ...] = NAMES) -> Any:
    alike = {topic: np.random.default_rng(topic).random((2, 7, 7)) for topic in range(5)}
    plan = Plan((0, 2, 3), folds=3, resamples=30)
    return compute_findings(judged(names, topics=5), plan, alike, ("cosine", names[0]))


CASES = {
    "regression": Case(
        regression,
        "learners ahead variables models gap-coverage pair-precision relative",
        "errors gap coverage precision",
    ),
}


def claims_of(name: str) -> Any:
    return import_module(f"weps_eval.studies.{name}.claims")


def shown(name: str, findings: Any) -> list[Table]:
    """On the terminal."""
    return list(import_module(f"weps_eval.studies.{name}.study").STUDY.tables(findings))


def document(name: str, findings: Any) -> Document:
    claims = claims_of(name)
    verdicts = judge_claims(claims.CLAIMS, findings, claims.sample_size)
    result = Result("made up", findings, verdicts, ["Known."], "signature", "weps")
    return import_module(f"weps_eval.studies.{name}.study").STUDY.document(result)


@pytest.mark.parametrize("name", CASES)
def test_every_table_and_every_figure_is_in_the_document(name, tmp_path):
    pytest.importorskip("matplotlib")
    made = document(name, CASES[name].find())
    assert {each.key for each in made.tables()} == {"conclusions", *CASES[name].tables.split()}
    pictures = {each.key: each.picture for each in made.figures()}
    assert pictures.keys() == set(CASES[name].figures.split())
    assert all(pictures.values())
    assert write_document(made, tmp_path)


@each_case("name", CASES)
def test_the_terminal_has_a_hundred_columns(name):
    for table in shown(name, CASES[name].find(names=LONG)):
        assert table_width(table.rows) <= 100, table.title


def test_nothing_is_drawn_where_every_trend_is_unknown():
    nothing = Series("KING", np.arange(3.0), np.full(3, np.nan))
    assert draw_trends("curve", "Curve", [nothing], ("x", "y")).picture is None
    band = np.zeros(3), np.ones(3)
    half = Series("ORANGE", np.arange(3.0), np.array([np.nan, 0.5, 0.75]), band)
    drawn = draw_trends("curve", "Curve", [nothing, half], ("x", "y")).picture
    assert drawn.alt.endswith("from first to last: ORANGE 0.50 to 0.75.")


def test_regression_names_models_by_their_measures():
    found = regression()
    written = {each.key: each.rows for each in document("regression", found).tables()}
    (subset, *_), variables = found.learned.model.subsets, found.learned.variables
    members = [variables[bit] for bit in range(3) if int(subset) >> bit & 1]
    assert written["models"][1] == [", ".join(members), str(len(members)), "0.000"]
    assert written["variables"][1][1] == "100.0 %"
    learners, pools, relative = shown("regression", found)
    assert "VRM" in {row[0] for row in learners.rows}
    methods = [row[0] for row in pools.rows[1:]]
    assert methods == ["Kazawa, eq. 1", "weighted mean"] * 2
    assert len(relative.rows) == 4


@each_case("name", CASES)
def test_claims_are_short_and_different(name):
    texts = [each.text for each in claims_of(name).CLAIMS]
    assert len(set(texts)) == len(texts)
    assert max(map(len, texts)) < 80


LITTLE: dict[str, Callable[[], Any]] = {
    **{name: each.find for name, each in CASES.items()},
    "refinements": lambda: uniform({"tokens": 0.95, "bigrams": 0.9}),
}
"""By study, findings of fewer than ten groups."""


@pytest.mark.parametrize("name", [each.parent.name for each in STUDIES.glob("*/claims.py")])
def test_no_study_concludes_anything_from_little(name, request):
    claims, findings = claims_of(name), LITTLE[name]()

    def words(rules: Sequence[Claim[Any]]) -> set[str]:
        return {each.word for _, each in judge_claims(rules, findings, claims.sample_size)}

    assert words(claims.CLAIMS) <= {TOO_FEW, CANNOT, NOT_STUDIED}
    sure = [replace(each, judge=lambda _: Verdict(HOLDS)) for each in claims.CLAIMS]
    assert words(sure) == {TOO_FEW}
    request.getfixturevalue("any_sample_size")
    assert words(claims.CLAIMS) & {HOLDS, DOES_NOT_HOLD}
