from dataclasses import replace
from pathlib import Path

import pytest

from eval.report.claims import judge_claims
from eval.report.render import write_document
from eval.studies.grouped import GroupedInstances
from eval.studies.heterogeneity import findings
from eval.studies.heterogeneity.claims import CLAIMS
from eval.studies.heterogeneity.findings import Plan, compute_findings
from eval.studies.heterogeneity.report import (
    HeterogeneityStudy,
    build_document,
    pairs_table,
    sizes_table,
)
from eval.studies.heterogeneity.sets import choose_features
from tests.eval.studies.made_up_groups import grouped, labelled


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "_GAIN_RESAMPLES", 10)


def study(source: GroupedInstances) -> HeterogeneityStudy:
    found = compute_findings(source, Plan(each=5, samples=200))
    told = judge_claims(CLAIMS, found)
    return HeterogeneityStudy(
        "made up", found, told, ["Known."], "signature", "weps", choices=choose_features(source)
    )


def written(source: GroupedInstances, folder: Path) -> set[str]:
    return {path.name for path in write_document(build_document(study(source)), folder)}


def test_it_has_the_papers_plots(tmp_path: Path) -> None:
    names = written(grouped(), tmp_path)
    plots = ("additive", "reliability", "gain", "thresholds", "increase")
    assert {f"people-1-{each}.svg" for each in plots} | {"levels.png"} <= names
    assert "choices.csv" not in names
    assert {"conclusions.csv", "sizes.csv", "pairs.csv", "people-1.csv"} <= names


def test_labelled_instances_have_choices(tmp_path: Path) -> None:
    assert "choices.csv" in written(labelled(groups=4, size=12), tmp_path)


def test_without_people_it_can_be_written(tmp_path: Path) -> None:
    names = written(replace(grouped(), quality={}), tmp_path)
    assert not [name for name in names if name.startswith("people")]


def test_sizes_have_columns_of_every_criterion() -> None:
    source = grouped()
    both = replace(source, quality=dict.fromkeys(("one", "two"), source.quality["quality"]))
    heading, *rows = sizes_table(study(both).findings).rows
    assert heading[:6] == ["size", "sets", "H", "R one", "S one", "gain one"]
    assert heading[6:] == ["R two", "S two", "gain two"]
    assert [row[0] for row in rows] == ["2", "3", "5"]


def test_pairs_are_listed_from_both_ends() -> None:
    found = study(grouped()).findings
    rows = pairs_table(found, 2).rows[1:]
    values = [float(row[2]) for row in rows]
    assert values == sorted(values, reverse=True)
    assert len(rows) == 4
    assert values[0] == pytest.approx(found.pairs.max(), abs=5e-4)
    assert values[-1] == pytest.approx(found.pairs.min(), abs=5e-4)
