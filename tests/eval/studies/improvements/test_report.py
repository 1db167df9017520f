import json
from dataclasses import replace

import pytest

from eval.meta.ulc import Scale
from eval.report.claims import judge_claims
from eval.report.render import write_document
from eval.studies.base import Result
from eval.studies.improvements.claims import CLAIMS
from eval.studies.improvements.findings import ImprovementOptions, examined
from eval.studies.improvements.report import (
    all_measures_tables,
    best_first,
    brief_measures_table,
    build_document,
    study_data,
)
from tests.eval.studies.made_up_scores import by_system
from tests.eval.studies.made_up_scores import judged as made_up
from weps._formatting import align_table


@pytest.fixture(scope="module")
def found():
    outputs = made_up(topics=12).with_combined(Scale.DEVIATION)
    return examined(outputs, ImprovementOptions(chosen="s6", resamples=50))


def study(found) -> Result:
    return Result("made up", found, judge_claims(CLAIMS, found), ["Known."], "signature", "weps")


def test_it_can_be_written(found, tmp_path):
    names = {path.name for path in write_document(build_document(study(found)), tmp_path)}
    keys = ("sip-sir.svg", "low-high.svg", "decreases.svg", "oracle-systems.png")
    assert names >= {*keys, "improvements.csv", "extremes.csv", "decrease.csv", "oracle.csv"}


def test_of_whole_systems_there_are_conclusions_only():
    found = examined(by_system().with_combined(Scale.DEVIATION), ImprovementOptions(resamples=20))
    made = build_document(study(found))
    assert [each.key for each in made.tables()] == ["conclusions"]
    assert brief_measures_table(found).rows[0] == ["measure"]


def test_the_best_measure_stands_first(found):
    assert best_first(found)[0] == 0  # it has the least noise
    assert brief_measures_table(found, 1).rows[1][0] == "rouge(n=1)"
    assert brief_measures_table(found, 1).title.endswith(": quality")


def test_the_oracle_stands_among_its_bounds(found):
    (table,) = (each for each in all_measures_tables(found) if each.key == "oracle")
    names = [row[0] for row in table.rows[1:]]
    assert (names[0], names[-1]) == ("the best", "the worst")
    assert "by chance" in names


def test_notes_count_what_they_are_about(found):
    notes = {each.key: each.note for each in all_measures_tables(found)}
    pairs = int(found.detected.real.sum())
    told = f"Of 21 pairs of 7 systems people see {pairs} significant improvements"
    assert notes["improvements"].startswith(told)
    low = int((found.judged.human <= 1.5).sum())
    assert f"{low} outputs are low" in notes["extremes"]


def test_data_for_machines(found):
    data = json.loads(json.dumps(study_data(study(found))))
    assert len(data["improvements"]["real"]) == int(found.detected.real.sum())
    assert ["s6", "s0"] in data["improvements"]["real"]
    assert data["decrease"]["chosen"] == "s6"
    assert data["oracle"]["most"]["value"] == pytest.approx(found.oracles.bounds.value[2])


def test_the_terminal_shows_long_names_in_100_columns(found):
    names = tuple(f"{name}{'x' * 60}" for name in found.judged.measures[:-1])
    long = replace(found, judged=replace(found.judged, measures=(*names, "ULC")))
    table = brief_measures_table(long)
    assert max(map(len, align_table(table.rows, left=table.left))) <= 100
