import json
from dataclasses import replace

import pytest

from eval.meta.correlation_levels import Level
from eval.meta.ulc import Scale
from eval.report.claims import judge_claims
from eval.report.render import write_document
from eval.studies.base import Result
from eval.studies.correlation.claims import CLAIMS
from eval.studies.correlation.findings import compute_findings
from eval.studies.correlation.report import (
    brief_level_table,
    build_document,
    level_table,
    study_data,
)
from tests.eval.studies.made_up_scores import by_system
from tests.eval.studies.made_up_scores import judged as made_up
from weps._formatting import align_table


@pytest.fixture(scope="module")
def found():
    return compute_findings(made_up().with_combined(Scale.DEVIATION), resamples=50)


def study(*found) -> Result:
    return Result("made up", found, judge_claims(CLAIMS, found[0]), ["Known."], "signature", "weps")


def test_it_can_be_written(found, tmp_path):
    names = {path.name for path in write_document(build_document(study(found, found)), tmp_path)}
    assert names >= {"c1-levels.svg", "c2-best.png", "c1-within-topic.csv", "c2-halves.md"}
    assert "substitute" not in (tmp_path / "index.md").read_text()
    assert "stand in for them" in (tmp_path / "index.md").read_text()


def test_whole_systems_have_one_table_and_no_figure():
    only = compute_findings(by_system().with_combined(Scale.DEVIATION), resamples=20)
    made = build_document(study(only))
    assert [each.key for each in made.tables()] == ["conclusions", "c1-system"]
    assert not list(made.figures())
    assert brief_level_table(only).rows[0] == ["measure", "by systems", "p"]


def test_the_best_stands_first(found):
    table = level_table(found, Level.SEGMENT, "key")
    best = found.judged.measures[found.williams[Level.SEGMENT].best]
    assert table.rows[1][0] == best
    assert table.rows[1][-1] == "–"


def test_the_terminal_has_few_rows_and_ulc(found):
    table = brief_level_table(found, most=2)
    assert len(table.rows) in (3, 4)
    assert "ULC" in {row[0] for row in table.rows}
    assert "more measures: see --report" in table.note


def test_data_for_machines(found):
    data = json.loads(json.dumps(study_data(study(found))))
    criterion = data["criteria"]["quality"]
    value = criterion["levels"]["segment"]["pearson"]["ULC"]["value"]
    assert value == pytest.approx(found.found[Level.SEGMENT, "pearson"].value[-1])
    assert criterion["williams"]["segment"]["best"] not in criterion["williams"]["segment"]["p"]


def test_the_terminal_shows_long_names_in_100_columns(found):
    names = tuple(f"{name}{'x' * 60}" for name in found.judged.measures[:-1])
    long = replace(found, judged=replace(found.judged, measures=(*names, "ULC")))
    table = brief_level_table(long)
    assert max(map(len, align_table(table.rows, left=table.left))) <= 100
